#include <xapian.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <map>
#include <unordered_set>

#include "base/text.h"
#include "search/fold.h"
#include "search/query.h"
#include "search/snippet.h"
#include "search/spelling.h"
#include "search/xapian_index.h"
#include "search/xapian_index_query.h"
#include "search/xapian_index_rank.h"

namespace periplus {

namespace {

using Steady = std::chrono::steady_clock;

constexpr int kTries = 4;  // reading again what a writer overtook
// The best so many are looked at twice: as many for each page of results, so that pages agree.
constexpr std::size_t kWindow = 50;
constexpr std::size_t kMostResults = 1'000;
// Pages that were never read: no more of them among ten results while others wait.
constexpr std::size_t kMostKnown = 2;
constexpr std::size_t kPage = 10;
// Longer queries are sentences: all words together are not to be expected.
constexpr std::size_t kMostNeeded = 5;
constexpr std::size_t kMostLanguages = 4;
constexpr std::size_t kFewResults = 3;  // with fewer, spelling is looked into
constexpr std::size_t kMostScanned = 2'000;

// Gives each document its static rank, and ends the match when time is up: the engine then has the
// best of what it saw.
class RankSource final : public Xapian::PostingSource {
 public:
  RankSource(double weight, Steady::time_point deadline, bool* late)
      : weight_(weight), deadline_(deadline), late_(late) {}

  Xapian::doccount get_termfreq_min() const override { return 0; }
  Xapian::doccount get_termfreq_est() const override { return documents_; }
  Xapian::doccount get_termfreq_max() const override { return documents_; }
  double get_weight() const override {
    const std::string rank = *at_;
    return rank.empty() ? 0 : weight_ * static_cast<unsigned char>(rank[0]) / 255;
  }
  Xapian::docid get_docid() const override { return at_.get_docid(); }
  bool at_end() const override { return ended_ || (begun_ && at_ == end_); }
  void next(double) override {
    if (is_late()) return;
    if (begun_) {
      ++at_;
    } else {
      at_ = database_.valuestream_begin(slot::kRank);
      begun_ = true;
    }
  }
  void skip_to(Xapian::docid document, double) override {
    if (is_late()) return;
    if (!begun_) {
      at_ = database_.valuestream_begin(slot::kRank);
      begun_ = true;
    }
    if (at_ != end_) at_.skip_to(document);
  }
  void init(const Xapian::Database& database) override {
    database_ = database;
    documents_ = database.get_doccount();
    end_ = database_.valuestream_end(slot::kRank);
    begun_ = ended_ = false;
    set_maxweight(weight_);
  }
  PostingSource* clone() const override { return new RankSource(weight_, deadline_, late_); }

 private:
  bool is_late() {
    if ((calls_++ & 63U) == 0 && Steady::now() >= deadline_) *late_ = ended_ = true;
    return ended_;
  }

  double weight_;
  Steady::time_point deadline_;
  bool* late_;
  Xapian::Database database_;
  Xapian::doccount documents_ = 0;
  Xapian::ValueIterator at_, end_;
  bool begun_ = false, ended_ = false;
  unsigned calls_ = 0;
};

// Leaves out what is hidden before anything is counted or collapsed.
class NotHidden final : public Xapian::MatchDecider {
 public:
  NotHidden(const SearchRequest& request, const Xapian::Database& database)
      : sites_(request.hidden_sites.begin(), request.hidden_sites.end()) {
    for (const std::string& url : request.hidden_urls) {
      const std::string term = fitting_term('Q', url);
      for (auto at = database.postlist_begin(term); at != database.postlist_end(term); ++at) {
        documents_.insert(*at);
      }
    }
  }
  bool empty() const { return sites_.empty() && documents_.empty(); }
  bool operator()(const Xapian::Document& document) const override {
    return !documents_.contains(document.get_docid()) &&
           (sites_.empty() || !sites_.contains(document.get_value(slot::kSite)));
  }

 private:
  std::unordered_set<std::string> sites_;
  std::unordered_set<Xapian::docid> documents_;
};

class XapianReader final : public IndexReader {
 public:
  XapianReader(Xapian::Database database, const Ranking& ranking)
      : database_(std::move(database)), ranking_(ranking) {
    learn_languages();
  }

  Result<SearchAnswer> search(const SearchRequest& request) override;
  std::string snippet(std::string_view query, std::string_view text, std::size_t length) override;
  std::vector<std::string> suggest(std::string_view prefix, std::size_t most) override;
  std::uint64_t documents() override;
  std::uint64_t sequence() override;

 private:
  struct Run;  // one search against one revision

  // Runs `work` on the newest revision, and again when a writer has overtaken it.
  template <class F>
  Result<void> on_newest(F&& work);
  void learn_languages();

  void look_up(const SearchRequest& request, const ParsedQuery& parsed, Steady::time_point begin,
               SearchAnswer* answer);
  void run(const Xapian::Query& query, bool all_words, Run* run);
  void give(const Run& run, const ParsedQuery& parsed, SearchAnswer* answer) const;
  std::string mend(const SearchRequest& request, const ParsedQuery& parsed, std::uint64_t found);
  std::uint32_t pages_with(std::string_view word) const;

  Xapian::Database database_;
  Ranking ranking_;
  StemBook stems_;
  std::vector<std::string> languages_;
  std::string last_query_;
  ParsedQuery last_parsed_;
};

struct XapianReader::Run {
  const SearchRequest& request;
  const NotHidden& not_hidden;
  Steady::time_point deadline;
  std::size_t window = kWindow;
  std::size_t per_site = 0;
  double unit = 1;
  bool late = false;
  std::uint64_t at_least = 0, estimated = 0;
  std::vector<Candidate> candidates;
};

template <class F>
Result<void> XapianReader::on_newest(F&& work) {
  for (int tried = 1;; ++tried) {
    try {
      if (database_.reopen()) learn_languages();
      stems_.forget_if_large();
      work();
      return {};
    } catch (const Xapian::DatabaseModifiedError& error) {
      if (tried == kTries) {
        return fail(ErrorKind::kDatabase,
                    "the index changed while it was read: " + error.get_msg());
      }
    } catch (const Xapian::Error& error) {
      return fail(ErrorKind::kDatabase, "the index cannot be read: " + error.get_description());
    }
  }
}

// The most frequent languages of the index: a query's words are looked for under their stems.
void XapianReader::learn_languages() {
  std::vector<std::pair<Xapian::doccount, std::string>> found;
  for (auto at = database_.allterms_begin("L"); at != database_.allterms_end("L"); ++at) {
    found.emplace_back(at.get_termfreq(), (*at).substr(1));
  }
  std::ranges::sort(found, std::greater());
  languages_ = {""};  // of pages whose language is not known
  for (const auto& [pages, lang] : found) {
    if (lang != "en" && languages_.size() < kMostLanguages) languages_.push_back(lang);
  }
}

void XapianReader::run(const Xapian::Query& query, bool all_words, Run* run) {
  if (query.empty() || run->late) return;
  Xapian::Enquire enquire(database_);
  enquire.set_weighting_scheme(Xapian::BM25Weight(ranking_.k1, 0, 1, ranking_.b, 0.5));
  auto* source = new RankSource(ranking_.rank * run->unit, run->deadline, &run->late);
  enquire.set_query(Xapian::Query(Xapian::Query::OP_AND, query, Xapian::Query(source->release())));
  if (run->per_site > 0) {
    enquire.set_collapse_key(slot::kSite, static_cast<Xapian::doccount>(run->per_site));
  }
  const Xapian::MSet found =
      enquire.get_mset(0, static_cast<Xapian::doccount>(run->window), 0, nullptr,
                       run->not_hidden.empty() ? nullptr : &run->not_hidden);
  run->at_least =
      std::max<std::uint64_t>(run->at_least, found.get_uncollapsed_matches_lower_bound());
  run->estimated =
      std::max<std::uint64_t>(run->estimated, found.get_uncollapsed_matches_estimated());
  found.fetch();
  for (auto at = found.begin(); at != found.end(); ++at) {
    const bool known = std::ranges::any_of(
        run->candidates, [&](const Candidate& candidate) { return candidate.document == *at; });
    if (known) continue;
    run->candidates.push_back({.document = *at,
                               .score = at.get_weight(),
                               .all_words = all_words,
                               .collapsed = at.get_collapse_count(),
                               .data = at.get_document().get_data()});
  }
}

void XapianReader::look_up(const SearchRequest& request, const ParsedQuery& parsed,
                           Steady::time_point begin, SearchAnswer* answer) {
  const NotHidden not_hidden(request, database_);
  std::vector<std::string> languages = languages_;
  for (const QueryClause& clause : parsed.clauses) {
    if (clause.kind == ClauseKind::kLang && !clause.without &&
        std::ranges::find(languages, clause.value) == languages.end()) {
      languages.push_back(clause.value);
    }
  }
  const TextQuery query(parsed, database_, languages, ranking_, stems_);
  const std::size_t wanted = std::min(request.first + request.count, kMostResults);
  Run all{.request = request,
          .not_hidden = not_hidden,
          .deadline = begin + request.deadline,
          .window = std::max(kWindow, wanted + kPage),
          .per_site = parsed.has_site ? 0 : request.per_site,
          .unit = query.unit(),
          .candidates = {}};
  const bool sentence = query.required() > kMostNeeded;
  if (!sentence) run(query.all_words(), true, &all);
  const bool could_widen = query.required() > 1 || !query.unknown_words().empty();
  if (query.can_match() && (sentence || (could_widen && all.candidates.size() < kPage))) {
    const std::size_t before = all.candidates.size();
    run(query.any_word(), false, &all);
    answer->widened = !sentence && all.candidates.size() > before;
  }
  const Places places = [this](std::uint32_t document, const std::string& stem) {
    std::vector<std::uint32_t> out;
    // Of a document that lacks the word, there are none.
    for (auto at = database_.positionlist_begin(document, stem);
         at != database_.positionlist_end(document, stem); ++at) {
      out.push_back(*at);
    }
    return out;
  };
  std::vector<Candidate> rest;
  if (all.candidates.size() > kWindow) {
    // Only the first are looked at again, whichever page of results is asked for.
    rest.assign(std::make_move_iterator(all.candidates.begin() + kWindow),
                std::make_move_iterator(all.candidates.end()));
    all.candidates.resize(kWindow);
  }
  if (!all.late) {
    rank_again(parsed, all.unit, ranking_, stems_, places, &all.candidates);
  }
  std::ranges::move(rest, std::back_inserter(all.candidates));
  give(all, parsed, answer);
  answer->at_least = std::max<std::uint64_t>(all.at_least, all.candidates.size());
  answer->estimated = std::max(all.estimated, answer->at_least);
  answer->partial = all.late;
  if (!all.late && answer->at_least < kFewResults + (answer->widened ? kPage : 0)) {
    answer->suggestion = mend(request, parsed, answer->widened ? 0 : answer->at_least);
  } else if (!all.late && !query.unknown_words().empty()) {
    answer->suggestion = mend(request, parsed, 0);
  }
}

// Orders what was found: near duplicates once, sites within their limit, few pages that were never
// read; then the part that was asked for.
void XapianReader::give(const Run& run, const ParsedQuery& parsed, SearchAnswer* answer) const {
  std::vector<SearchHit> hits;
  std::vector<SearchHit> waiting;
  std::unordered_set<std::string_view> clusters;
  std::map<std::string, std::pair<std::size_t, std::uint32_t>, std::less<>> of_site;
  std::size_t known_here = 0;
  const auto add = [&](SearchHit hit) {
    if (hits.size() % kPage == 0) known_here = 0;
    if (!hit.crawled) ++known_here;
    hits.push_back(std::move(hit));
  };
  for (const Candidate& candidate : run.candidates) {
    const DataParts parts = data_parts(candidate.data);
    const std::string_view cluster = part(parts, DataPart::kCluster);
    auto& [given, hidden] = of_site[std::string(part(parts, DataPart::kSite))];
    hidden = std::max(hidden, candidate.collapsed);
    if (cluster != "0" && !clusters.insert(cluster).second) continue;
    if (run.per_site > 0 && given == run.per_site) {
      hidden = std::max<std::uint32_t>(hidden, 1);
      continue;
    }
    ++given;
    std::int64_t changed = 0;
    const std::string_view digits = part(parts, DataPart::kChanged);
    std::from_chars(digits.data(), digits.data() + digits.size(), changed);
    SearchHit hit{.url = std::string(part(parts, DataPart::kUrl)),
                  .site = std::string(part(parts, DataPart::kSite)),
                  .title = std::string(part(parts, DataPart::kTitle)),
                  .lang = std::string(part(parts, DataPart::kLang)),
                  .changed = Instant(std::chrono::seconds(changed)),
                  .crawled = part(parts, DataPart::kState) != "known",
                  .score = candidate.score};
    const bool full = hits.size() % kPage != 0 && known_here >= kMostKnown;
    if (!hit.crawled && full) {
      waiting.push_back(std::move(hit));
      continue;
    }
    add(std::move(hit));
    if (hits.size() % kPage == 0) {
      // A new page of results: those that waited are next, as many as it may have.
      for (std::size_t n = 0; n < kMostKnown && !waiting.empty(); ++n) {
        add(std::move(waiting.front()));
        waiting.erase(waiting.begin());
      }
    }
  }
  for (SearchHit& hit : waiting) add(std::move(hit));

  const std::size_t first = std::min(run.request.first, hits.size());
  const std::size_t count = std::min(run.request.count, hits.size() - first);
  answer->hits.assign(
      std::make_move_iterator(hits.begin() + static_cast<std::ptrdiff_t>(first)),
      std::make_move_iterator(hits.begin() + static_cast<std::ptrdiff_t>(first + count)));
  // "More from this site" stands once, at the last of its results.
  std::unordered_set<std::string_view> said;
  for (std::size_t n = answer->hits.size(); n-- > 0;) {
    SearchHit& hit = answer->hits[n];
    if (run.per_site > 0 && !parsed.has_site && said.insert(hit.site).second) {
      hit.more_from_site = of_site.find(hit.site)->second.second;
    }
  }
}

// In how many pages a word stands in this very form; 0 when it is none of the words of titles,
// headings and links.
std::uint32_t XapianReader::pages_with(std::string_view word) const {
  const std::string name(word);
  const std::uint32_t pages =
      std::max(database_.get_termfreq("E" + name), database_.get_termfreq(name));
  if (pages == 0) return 0;
  auto at = database_.spellings_begin();
  if (at == database_.spellings_end()) return 0;
  at.skip_to(name);
  return at != database_.spellings_end() && *at == name ? pages : 0;
}

std::string XapianReader::mend(const SearchRequest& request, const ParsedQuery& parsed,
                               std::uint64_t found) {
  std::string mended = request.query;
  bool changed = false;
  const std::vector<const QueryWord*> words = parsed.wanted_words();
  for (auto at = words.rbegin(); at != words.rend(); ++at) {
    const QueryWord& word = **at;
    if (word.extra || word.common || word.folded.size() < 4) continue;
    const std::uint32_t pages =
        std::max(database_.get_termfreq("E" + word.folded),
                 database_.get_termfreq(std::string(stems_.stem("", word.folded))));
    const std::vector<std::string> further = {database_.get_spelling_suggestion(word.folded, 2)};
    const std::string better =
        mend_word(word.folded, pages, further,
                  [this](std::string_view candidate) { return pages_with(candidate); });
    if (better.empty()) continue;
    mended.replace(word.begin, word.end - word.begin, better);
    changed = true;
  }
  if (!changed) return {};
  // Offered only when it finds more.
  const ParsedQuery again = parse_query(mended);
  const TextQuery query(again, database_, languages_, ranking_, stems_);
  const Xapian::Query all = query.all_words();
  if (all.empty()) return {};
  Xapian::Enquire enquire(database_);
  enquire.set_query(all);
  const auto check = static_cast<Xapian::doccount>(found + 1);
  return enquire.get_mset(0, check).size() > found ? mended : std::string();
}

Result<SearchAnswer> XapianReader::search(const SearchRequest& request) {
  const auto begin = Steady::now();
  const ParsedQuery parsed = parse_query(request.query);
  SearchAnswer answer;
  const auto done = on_newest([&] {
    answer = {};
    look_up(request, parsed, begin, &answer);
  });
  if (!done) return std::unexpected(done.error());
  answer.complaint = parsed.complaint;
  answer.took = std::chrono::ceil<Millis>(Steady::now() - begin);
  return answer;
}

std::string XapianReader::snippet(std::string_view query, std::string_view text,
                                  std::size_t length) {
  if (query != last_query_) {
    last_parsed_ = parse_query(query);
    last_query_ = query;
  }
  const SameWord same = [this](std::string_view a, std::string_view b) {
    return std::ranges::any_of(languages_, [&](const std::string& lang) {
      return std::string(stems_.stem(lang, a)) == stems_.stem(lang, b);
    });
  };
  return snippet_html(make_snippet(last_parsed_, text, length, same));
}

std::vector<std::string> XapianReader::suggest(std::string_view prefix, std::size_t most) {
  const std::string begin = fold(prefix);
  if (begin.empty() || most == 0) return {};
  std::vector<std::string> out;
  const auto done = on_newest([&] {
    out.clear();
    std::vector<std::pair<Xapian::doccount, std::string>> titles;
    std::map<std::string, Xapian::doccount> words;
    const auto scan = [&](const std::string& from, const auto& take) {
      std::size_t scanned = 0;
      const auto end = database_.allterms_end(from);
      for (auto at = database_.allterms_begin(from); at != end && scanned < kMostScanned; ++at) {
        take(*at, at.get_termfreq());
        ++scanned;
      }
    };
    scan("T" + begin, [&](const std::string& term, Xapian::doccount pages) {
      if (term.find('~') == term.npos) titles.emplace_back(pages, term);
    });
    if (begin.find(' ') == begin.npos && begin.size() >= 2) {
      scan("E" + begin,
           [&](const std::string& term, Xapian::doccount pages) { words[term.substr(1)] = pages; });
      scan(begin, [&](const std::string& term, Xapian::doccount pages) {
        // A stem is a word only when it was met as one.
        if (pages_with(term) > 0) words[term] = std::max(words[term], pages);
      });
    }
    std::vector<std::pair<Xapian::doccount, std::string>> ranked;
    for (const auto& [word, pages] : words) ranked.emplace_back(pages, word);
    std::ranges::sort(titles, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second.size() < b.second.size();
    });
    std::ranges::sort(ranked, std::greater());
    // Words fill the first half at most, titles say more.
    for (const auto& [pages, word] : ranked) {
      if (out.size() >= (titles.empty() ? most : (most + 1) / 2)) break;
      out.push_back(word);
    }
    for (const auto& [pages, term] : titles) {
      if (out.size() >= most) break;
      const auto first = database_.postlist_begin(term);
      if (first == database_.postlist_end(term)) continue;
      const std::string data = database_.get_document(*first).get_data();
      std::string title(part(data_parts(data), DataPart::kTitle));
      if (std::ranges::find(out, title) == out.end()) out.push_back(std::move(title));
    }
  });
  if (!done) out.clear();  // a suggestion is no more than help
  return out;
}

std::uint64_t XapianReader::documents() {
  std::uint64_t count = 0;
  const auto done = on_newest([&] { count = database_.get_doccount(); });
  return done ? count : 0;
}

std::uint64_t XapianReader::sequence() {
  std::uint64_t sequence = 0;
  const auto done = on_newest([&] {
    const std::string kept = database_.get_metadata(kSequenceKey);
    std::from_chars(kept.data(), kept.data() + kept.size(), sequence);
  });
  return done ? sequence : 0;
}

}  // namespace

Result<std::unique_ptr<IndexReader>> open_xapian_reader(const std::string& folder,
                                                        const Ranking& ranking) {
  std::error_code failure;
  if (!std::filesystem::exists(folder, failure)) {
    return fail(ErrorKind::kDatabase, "there is no index yet", folder);
  }
  try {
    return std::make_unique<XapianReader>(Xapian::Database(folder), ranking);
  } catch (const Xapian::Error& error) {
    return fail(ErrorKind::kDatabase, "cannot open the index: " + error.get_description(), folder);
  }
}

Result<std::unique_ptr<IndexReader>> open_index_reader(const std::string& folder) {
  return open_xapian_reader(folder, Ranking{});
}

}  // namespace periplus
