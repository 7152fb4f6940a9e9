// What people type into the search box, taken apart. Nothing that is typed is an error: what is not
// understood is looked for as words, and said.
//
//   words                    pages with all of them first, then with some
//   "these words"            side by side, in this order, in these forms (the bare stem of a word
//                            also stands for its other forms)
//   -word  -"some words"     pages without
//   site:example.org         a site or host, and what lies under it; also site:example.org/folder/
//   intitle:word  intitle:"some words"  inurl:word
//   lang:mt                  pages in that language
//   after:2025  before:2026-03-01  date:2025-06  date:2025..2026-03
//                            by when the page was last seen to change; "before" leaves the day out
//
// Each works with a minus before it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace periplus {

inline constexpr std::size_t kMaxQueryBytes = 1'000;
inline constexpr std::size_t kMaxQueryWords = 32;

struct QueryWord {
  std::string folded;              // fold.h
  std::string accented;            // as typed, lower case; empty when it is the same
  bool extra = false;              // a whole whose parts stand before it: "push_back"
  bool common = false;             // "the", "tal": helps to rank, need not occur
  std::size_t begin = 0, end = 0;  // octets of the query
};

enum class ClauseKind : std::uint8_t {
  kWord,     // one word, with its extra forms behind it
  kPhrase,   // words side by side
  kTitle,    // words in the title, side by side when quoted
  kAddress,  // words of the URL
  kSite,     // `value`: "example.org", "example.org/folder/"
  kLang,     // `value`: "mt"
  kDate,     // from <= changed < until
};

struct QueryClause {
  ClauseKind kind = ClauseKind::kWord;
  bool without = false;  // with a minus
  bool quoted = false;
  std::vector<QueryWord> words = {};
  std::string value = {};
  Instant from{}, until = Instant::max();
};

struct ParsedQuery {
  std::vector<QueryClause> clauses;
  std::string complaint;  // one sentence, no full stop; empty when all was understood
  std::string folded;     // all plain words, as fold() gives them
  bool has_site = false;

  // Words to be looked for or shown: of kWord, kPhrase and kTitle clauses without a minus.
  std::vector<const QueryWord*> wanted_words() const;
};

// `text` is UTF-8 of any origin.
ParsedQuery parse_query(std::string_view text);

// Words so frequent in English, Maltese or Italian that they say nothing alone.
bool is_common_word(std::string_view folded);

}  // namespace periplus
