#include "search/xapian_index_rank.h"

#include <algorithm>

#include "search/fold.h"
#include "url/url.h"

namespace periplus {

namespace {

// Reading places costs a look into the index for each word and document.
constexpr std::size_t kNearCandidates = 20;
constexpr std::size_t kNearWords = 6;
// A page that was never read is known by little, and little text weighs much: held down.
constexpr double kKnownOnly = 0.7;

std::vector<std::string> stems_of(std::string_view text, std::string_view lang, bool stem,
                                  StemBook& book) {
  std::vector<std::string> out;
  WordReader reader(text);
  for (Word word; reader.next(&word);) {
    if (!word.extra) out.emplace_back(stem ? book.stem(lang, word.folded) : word.folded);
  }
  return out;
}

// The least distance from a place in `a` to a later one in `b`, 0 when there is none.
std::uint32_t distance(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::uint32_t best = 0;
  std::size_t at = 0;
  for (const std::uint32_t place : a) {
    while (at < b.size() && b[at] <= place) ++at;
    if (at == b.size()) break;
    const std::uint32_t d = b[at] - place;
    if (best == 0 || d < best) best = d;
    if (best == 1) break;
  }
  return best;
}

class SecondLook {
 public:
  SecondLook(const ParsedQuery& query, const Ranking& ranking, StemBook& stems,
             const Places& places)
      : ranking_(ranking), stems_(stems), places_(places) {
    for (const QueryWord* word : query.wanted_words()) {
      if (word->extra) continue;
      words_.push_back(word);
      joined_ += word->folded;
    }
  }
  bool empty() const { return words_.empty(); }

  // In weights of an average word, to be multiplied by the number of words.
  double title(std::string_view title, std::string_view lang);
  double host(std::string_view url) const;
  double nearness(std::uint32_t document, std::string_view lang);

 private:
  const std::vector<std::string>& query_stems(std::string_view lang);

  const Ranking& ranking_;
  StemBook& stems_;
  const Places& places_;
  std::vector<const QueryWord*> words_;
  std::string joined_;
  std::string lang_;
  std::vector<std::string> stems_of_query_;
};

const std::vector<std::string>& SecondLook::query_stems(std::string_view lang) {
  if (stems_of_query_.empty() || lang_ != lang) {
    lang_ = lang;
    stems_of_query_.clear();
    for (const QueryWord* word : words_) {
      stems_of_query_.emplace_back(ranking_.stem ? stems_.stem(lang, word->folded)
                                                 : std::string_view(word->folded));
    }
  }
  return stems_of_query_;
}

double SecondLook::title(std::string_view title, std::string_view lang) {
  if (ranking_.title_cover <= 0 && ranking_.title_phrase <= 0) return 0;
  const std::vector<std::string> in_title = stems_of(title, lang, ranking_.stem, stems_);
  if (in_title.empty()) return 0;
  const std::vector<std::string>& asked = query_stems(lang);
  const auto hits = std::ranges::count_if(asked, [&](const std::string& stem) {
    return std::ranges::find(in_title, stem) != in_title.end();
  });
  const double of_query = static_cast<double>(hits) / static_cast<double>(asked.size());
  const double of_title =
      std::min(1.0, static_cast<double>(hits) / static_cast<double>(in_title.size()));
  double sum = ranking_.title_cover * of_query * of_title;
  if (asked.size() > 1 && !std::ranges::search(in_title, asked).empty()) {
    sum += ranking_.title_phrase;
  }
  return sum;
}

// "times of malta" is looking for timesofmalta.com.
double SecondLook::host(std::string_view address) const {
  if (ranking_.host <= 0) return 0;
  const auto url = Url::parse(address);
  if (!url) return 0;
  std::string_view host = url->hostname();
  if (host.starts_with("www.")) host.remove_prefix(4);
  std::string bare(host);
  std::erase_if(bare, [](char c) { return c == '.' || c == '-'; });
  std::string name(host.substr(0, host.find('.')));
  std::erase(name, '-');
  if (joined_ != bare && joined_ != name) return 0;
  return url->path_and_query() == "/" ? ranking_.host : ranking_.host / 4;
}

double SecondLook::nearness(std::uint32_t document, std::string_view lang) {
  if (ranking_.near <= 0 || words_.size() < 2) return 0;
  const std::vector<std::string>& asked = query_stems(lang);
  const std::size_t count = std::min(asked.size(), kNearWords);
  double sum = 0;
  std::vector<std::uint32_t> before = places_(document, asked[0]);
  for (std::size_t n = 1; n < count; ++n) {
    std::vector<std::uint32_t> here = places_(document, asked[n]);
    const std::uint32_t d = distance(before, here);
    if (d > 0 && d < 30) sum += 1.0 / d;
    before = std::move(here);
  }
  return ranking_.near * sum / static_cast<double>(count - 1);
}

}  // namespace

void rank_again(const ParsedQuery& query, double unit, const Ranking& ranking, StemBook& stems,
                const Places& places, std::vector<Candidate>* candidates) {
  SecondLook look(query, ranking, stems, places);
  const auto better = [](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : a.document < b.document;
  };
  if (look.empty()) return;
  const double scale = unit * static_cast<double>(query.wanted_words().size());
  for (Candidate& candidate : *candidates) {
    const DataParts parts = data_parts(candidate.data);
    candidate.score +=
        scale * (look.title(part(parts, DataPart::kTitle), part(parts, DataPart::kLang)) +
                 look.host(part(parts, DataPart::kUrl)));
    if (candidate.all_words) candidate.score += scale * ranking.all_words;
    if (part(parts, DataPart::kState) == "known") candidate.score *= kKnownOnly;
  }
  std::ranges::sort(*candidates, better);
  const std::size_t count = std::min(candidates->size(), kNearCandidates);
  for (std::size_t n = 0; n < count; ++n) {
    Candidate& candidate = (*candidates)[n];
    const DataParts parts = data_parts(candidate.data);
    const double near = look.nearness(candidate.document, part(parts, DataPart::kLang));
    candidate.score += scale * near;
  }
  std::ranges::sort(candidates->begin(), candidates->begin() + static_cast<std::ptrdiff_t>(count),
                    better);
}

}  // namespace periplus
