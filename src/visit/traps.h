// Traps: parts of a site that make up addresses without end. A trap ends a pattern of addresses,
// not the visit, and the report names it.
//
// Two kinds of evidence. Shape: an address that repeats a segment or a parameter is never fetched.
// Yield: addresses are grouped by pattern (digits, ids and query values blanked out); a pattern
// whose latest pages bring no new words, or whose pages lead only to ever more addresses of the
// same pattern that nothing else links to, is closed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "url/url.h"

namespace periplus {

enum class TrapKind : std::uint8_t {
  kRepeatedSegment,  // /a/b/a/b/a/b
  kGrowingQuery,     // ?amp;p=1&amp;amp;p=1, or one parameter again and again
  kTooLong,          // an address over 2,048 octets
  kNoNewText,        // calendars, session ids, facets
  kMaze,             // every page new, every link new, nothing leads back
};
std::string_view name(TrapKind kind);
std::string_view sentence(TrapKind kind);

struct Trap {
  TrapKind kind = TrapKind::kNoNewText;
  std::string pattern;        // "/calendar/{n}/{n}", or the address itself for the kinds of shape
  std::string example;        // the address that gave it away
  std::string found_on;       // the page that links to it
  std::uint32_t pages = 0;    // pages of the pattern that were read
  std::uint32_t refused = 0;  // addresses left unread because of it
};

// "/shop/N/item-N?color=*&sid=X": digits to N, long hexadecimal or mixed ids to X, query values
// dropped.
std::string url_pattern(const Url& url);

class TrapWatch {
 public:
  // Whether `url`, found on `found_on`, may be put in line. Counts the refusal otherwise.
  bool may_follow(const Url& url, std::string_view found_on);
  // Whether the pattern of an address already in line has been closed since.
  bool is_closed(const Url& url);
  // What a page brought. `text` is its visible text; `links` the in-scope addresses on it,
  // `fresh_links` how many of them were unknown and of the same pattern as the page.
  void learn(const Url& url, std::string_view text, std::uint32_t links, std::uint32_t fresh_links);
  const std::vector<Trap>& traps() const { return traps_; }

 private:
  struct Pattern {
    std::uint32_t pages = 0;
    std::uint32_t stale_run = 0;  // latest pages in a row without new text
    std::uint32_t maze_run =
        0;  // latest pages in a row with nothing but fresh links of the pattern
    std::size_t trap = SIZE_MAX;  // index into traps_ once closed
  };
  bool brings_new_text(std::string_view text);
  Trap& note(TrapKind kind, std::string pattern, std::string_view example,
             std::string_view found_on);

  std::unordered_map<std::string, Pattern> patterns_;
  std::unordered_set<std::uint64_t> shingles_;  // hashes of runs of four words
  std::vector<Trap> traps_;
};

}  // namespace periplus
