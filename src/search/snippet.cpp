#include "search/snippet.h"

#include <algorithm>
#include <bitset>

#include "base/text.h"
#include "search/fold.h"

namespace periplus {

namespace {

constexpr std::size_t kAlike = 3;  // octets two forms of a word begin with, at least
constexpr std::size_t kMostHits = 400;

struct Hit {
  std::size_t begin = 0, end = 0;
  std::size_t word = 0;  // which of the query's
};

bool begin_alike(std::string_view a, std::string_view b) {
  return a.size() >= kAlike && b.size() >= kAlike && a.substr(0, kAlike) == b.substr(0, kAlike);
}

bool is_lead(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

// `at` moved by `count` code points, not over an end.
std::size_t forward(std::string_view text, std::size_t at, std::size_t count) {
  for (; at < text.size() && count > 0; --count) {
    ++at;
    while (at < text.size() && !is_lead(text[at])) ++at;
  }
  return at;
}
std::size_t backward(std::string_view text, std::size_t at, std::size_t count) {
  for (; at > 0 && count > 0; --count) {
    --at;
    while (at > 0 && !is_lead(text[at])) --at;
  }
  return at;
}

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t'; }

// Where a sentence or block begins, between `least` and `at`; npos when none does.
std::size_t sentence_begin(std::string_view text, std::size_t least, std::size_t at) {
  for (std::size_t n = at; n > least; --n) {
    if (text[n - 1] == '\n') return n;
    if (n >= 2 && text[n - 1] == ' ' &&
        (text[n - 2] == '.' || text[n - 2] == '!' || text[n - 2] == '?')) {
      return n;
    }
  }
  return least == 0 ? 0 : std::string_view::npos;
}

class Cutter {
 public:
  Cutter(const ParsedQuery& query, std::string_view text, std::size_t length, const SameWord& same)
      : text_(text.substr(0, kSnippetBytes)),
        length_(std::max<std::size_t>(length, 20)),
        same_(same) {
    const std::vector<const QueryWord*> wanted = query.wanted_words();
    const bool only_common =
        std::ranges::all_of(wanted, [](const QueryWord* word) { return word->common; });
    for (const QueryWord* word : wanted) {
      if ((word->common && !only_common) || words_.size() == kMaxQueryWords) continue;
      words_.push_back(word->folded);
    }
  }

  std::vector<SnippetPart> cut() {
    find_hits();
    const std::size_t begin = choose_begin();
    return parts(begin, choose_end(begin));
  }

 private:
  void find_hits();
  std::size_t choose_begin() const;
  std::size_t choose_end(std::size_t begin) const;
  std::vector<SnippetPart> parts(std::size_t begin, std::size_t end) const;

  std::string_view text_;
  std::size_t length_;
  const SameWord& same_;
  std::vector<std::string_view> words_;
  std::vector<Hit> hits_;
};

void Cutter::find_hits() {
  if (words_.empty()) return;
  WordReader reader(text_);
  for (Word word; hits_.size() < kMostHits && reader.next(&word);) {
    for (std::size_t n = 0; n < words_.size(); ++n) {
      const std::string_view asked = words_[n];
      if (word.folded != asked &&
          !(begin_alike(word.folded, asked) && same_ && same_(asked, word.folded))) {
        continue;
      }
      // Pairs of ideographs overlap, and a whole comes after its parts: marks grow together.
      if (!hits_.empty() && hits_.back().end >= word.end) break;
      hits_.push_back({word.begin, word.end, n});
      break;
    }
  }
}

std::size_t Cutter::choose_begin() const {
  if (hits_.empty()) return 0;
  std::size_t best = 0;
  double best_score = -1;
  for (std::size_t first = 0; first < hits_.size(); ++first) {
    const std::size_t end = forward(text_, hits_[first].begin, length_ * 4 / 5);
    std::bitset<kMaxQueryWords> seen;
    double score = 0;
    for (std::size_t n = first; n < hits_.size() && hits_[n].end <= end; ++n) {
      if (!seen[hits_[n].word]) {
        score += 10;
      } else {
        score += n - first < 8 ? 1 : 0;
      }
      seen.set(hits_[n].word);
      const bool follows = n > first && hits_[n].word == hits_[n - 1].word + 1 &&
                           hits_[n].begin - hits_[n - 1].end <= 3;
      if (follows) score += 3;
    }
    if (score > best_score) {
      best_score = score;
      best = first;
    }
  }
  const std::size_t hit = hits_[best].begin;
  const std::size_t far = backward(text_, hit, length_ / 2);
  const std::size_t sentence = sentence_begin(text_, far, hit);
  if (sentence != text_.npos) return sentence;
  std::size_t begin = backward(text_, hit, length_ / 5);
  if (begin == 0) return 0;
  const std::size_t least = begin;
  while (begin < hit && !is_space(text_[begin])) ++begin;
  while (begin < hit && is_space(text_[begin])) ++begin;
  return begin == hit ? std::max(least, backward(text_, hit, 10)) : begin;
}

std::size_t Cutter::choose_end(std::size_t begin) const {
  std::size_t end = forward(text_, begin, length_);
  if (end == text_.size()) return end;
  const std::size_t least = forward(text_, begin, length_ * 3 / 4);
  std::size_t word = end;
  while (word > least && !is_space(text_[word])) --word;
  if (word > least) end = word;
  while (end > begin && is_space(text_[end - 1])) --end;
  return end;
}

std::vector<SnippetPart> Cutter::parts(std::size_t begin, std::size_t end) const {
  std::vector<SnippetPart> out;
  const auto add = [&](std::string_view piece, bool marked) {
    if (piece.empty()) return;
    std::string text(piece);
    std::ranges::replace(text, '\n', ' ');
    if (!out.empty() && out.back().marked == marked) {
      out.back().text += text;
    } else {
      out.push_back({to_valid_utf8(text), marked});
    }
  };
  if (begin > 0) add("\xE2\x80\xA6 ", false);
  std::size_t at = begin;
  for (const Hit& hit : hits_) {
    if (hit.end <= at || hit.begin >= end) continue;
    const std::size_t from = std::max(hit.begin, at);
    add(text_.substr(at, from - at), false);
    at = std::min(hit.end, end);
    add(text_.substr(from, at - from), true);
  }
  add(text_.substr(at, end - at), false);
  if (end < text_.size()) add(" \xE2\x80\xA6", false);
  return out;
}

}  // namespace

std::vector<SnippetPart> make_snippet(const ParsedQuery& query, std::string_view text,
                                      std::size_t length, const SameWord& same_word) {
  return Cutter(query, text, length, same_word).cut();
}

std::string snippet_html(const std::vector<SnippetPart>& parts) {
  std::string out;
  for (const SnippetPart& part : parts) {
    if (part.marked) out += "<b>";
    out += escape_html(part.text);
    if (part.marked) out += "</b>";
  }
  return out;
}

}  // namespace periplus
