#include "visit/traps.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/text.h"

namespace periplus {
namespace {

constexpr std::size_t kLongestUrl = 2048;
constexpr std::uint32_t kStaleRun = 20;    // pages in a row without new text that close a pattern
constexpr std::uint32_t kStaleRunIds = 4;  // the same where the pattern holds session-like ids
constexpr std::uint32_t kMazeRun = 25;     // pages in a row that lead only further into the pattern
constexpr std::uint32_t kLeastPages = 30;  // below this a pattern is not judged by yield
constexpr std::size_t kMostShingles = 1'000'000;  // remembered; past them nothing counts as stale

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z'; }
bool is_hex(char c) { return is_digit(c) || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'f'); }

// A run of letters and digits that no person chose: 16 or more hexadecimal digits, or 12 or more
// characters that change between letters and digits at least four times.
bool looks_like_id(std::string_view run) {
  const auto digits = std::ranges::count_if(run, is_digit);
  if (digits == 0) return false;
  if (run.size() >= 16 && std::ranges::all_of(run, is_hex)) return true;
  if (run.size() < 12) return false;
  int changes = 0;
  for (std::size_t i = 1; i < run.size(); ++i) changes += is_digit(run[i]) != is_digit(run[i - 1]);
  return changes >= 4;
}

void append_blanked(std::string* out, std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    if (!is_digit(text[i]) && !is_letter(text[i])) {
      *out += text[i++];
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && (is_digit(text[end]) || is_letter(text[end]))) ++end;
    const std::string_view run = text.substr(i, end - i);
    if (looks_like_id(run)) {
      *out += "{id}";
    } else {
      for (std::size_t k = 0; k < run.size();) {
        if (!is_digit(run[k])) {
          *out += run[k++];
          continue;
        }
        while (k < run.size() && is_digit(run[k])) ++k;
        *out += "{n}";
      }
    }
    i = end;
  }
}

constexpr std::array<std::string_view, 8> kSessionNames{
    "sid", "sessionid", "session_id", "phpsessid", "jsessionid", "aspsessionid", "cfid", "s"};

template <class Visit>
void each_part(std::string_view text, char separator, Visit visit) {
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    visit(text.substr(start, end - start));
    start = end + 1;
  }
}

// The same segment three times, numbers aside: what a relative link without its leading slash grows
// into.
bool repeats_segment(std::string_view path) {
  std::vector<std::string_view> segments;
  each_part(path, '/', [&](std::string_view segment) {
    if (!segment.empty() && !std::ranges::all_of(segment, is_digit)) segments.push_back(segment);
  });
  std::ranges::sort(segments);
  for (std::size_t i = 2; i < segments.size(); ++i) {
    if (segments[i] == segments[i - 2]) return true;
  }
  return false;
}

// One parameter three times without being a list ("tag[]=a&tag[]=b"), or "amp;" that grows.
bool query_grows(std::string_view search) {
  if (search.find("amp;amp;") != std::string_view::npos) return true;
  std::vector<std::string_view> pairs;
  each_part(search.substr(search.empty() ? 0 : 1), '&', [&](std::string_view pair) {
    if (!pair.empty()) pairs.push_back(pair);
  });
  std::ranges::sort(pairs);
  for (std::size_t i = 2; i < pairs.size(); ++i) {
    if (pairs[i] == pairs[i - 2]) return true;  // the same pair: nobody needs it twice
  }
  return pairs.size() > 24;
}

}  // namespace

std::string_view name(TrapKind kind) {
  constexpr std::array<std::string_view, 5> kNames{"repeated-segment", "growing-query", "too-long",
                                                   "no-new-text", "maze"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::string_view sentence(TrapKind kind) {
  constexpr std::array<std::string_view, 5> kSentences{
      "a path segment is repeated three times or more", "the query string grows from link to link",
      "the address is longer than 2,048 octets",
      "page after page of this pattern brings no new text",
      "every page of this pattern leads only to more pages of it that nothing else links to"};
  return kSentences.at(static_cast<std::size_t>(kind));
}

std::string url_pattern(const Url& url) {
  std::string out(url.hostname());
  append_blanked(&out, url.pathname());
  if (url.search().empty()) return out;
  char separator = '?';
  each_part(url.search().substr(1), '&', [&](std::string_view pair) {
    const std::string_view key = pair.substr(0, pair.find('='));
    out += separator;
    separator = '&';
    append_blanked(&out, key);
    const bool session = std::ranges::any_of(
        kSessionNames, [&](std::string_view n) { return equal_ignoring_case(n, key); });
    out += session ? "={id}" : "=*";
  });
  return out;
}

Trap& TrapWatch::note(TrapKind kind, std::string pattern, std::string_view example,
                      std::string_view found_on) {
  for (Trap& trap : traps_) {
    if (trap.kind == kind && trap.pattern == pattern) return trap;
  }
  traps_.push_back({kind, std::move(pattern), std::string(example), std::string(found_on), 0, 0});
  return traps_.back();
}

bool TrapWatch::may_follow(const Url& url, std::string_view found_on) {
  std::optional<TrapKind> shape;
  if (url.href().size() > kLongestUrl)
    shape = TrapKind::kTooLong;
  else if (repeats_segment(url.pathname()))
    shape = TrapKind::kRepeatedSegment;
  else if (query_grows(url.search()))
    shape = TrapKind::kGrowingQuery;
  if (shape) {
    std::string pattern(url.hostname());
    const std::size_t second = url.pathname().find('/', 1);
    pattern += url.pathname().substr(0, second == std::string_view::npos ? second : second + 1);
    note(*shape, pattern, url.without_fragment().substr(0, 300), found_on).refused++;
    return false;
  }
  return !is_closed(url);
}

bool TrapWatch::is_closed(const Url& url) {
  const auto found = patterns_.find(url_pattern(url));
  if (found == patterns_.end() || found->second.trap == SIZE_MAX) return false;
  traps_[found->second.trap].refused++;
  return true;
}

// Whether at least a thirtieth of the runs of four words (digits left out: a calendar's pages
// differ in their numbers only) were not met before on a page of a variable pattern. A vocabulary
// would saturate on any large site; runs of words do not.
bool TrapWatch::brings_new_text(std::string_view text) {
  const auto is_word = [](char c) {
    return is_letter(c) || is_digit(c) || (static_cast<unsigned char>(c) & 0x80U) != 0;
  };
  // Of a long page every sixteenth run, chosen by its hash, tells as much as all of them.
  const std::uint64_t sample = text.size() > 4096 ? 15U << 8U : 0U;
  std::array<std::uint64_t, 4> last{};
  std::uint32_t words = 0;
  std::uint32_t runs = 0;
  std::uint32_t fresh = 0;
  for (std::size_t i = 0; i < text.size();) {
    while (i < text.size() && !is_word(text[i])) ++i;
    const std::size_t begin = i;
    bool digits = false;
    for (; i < text.size() && is_word(text[i]); ++i) digits = digits || is_digit(text[i]);
    if (i == begin || digits) continue;
    last[words++ % 4] = hash64(text.substr(begin, i - begin));
    std::uint64_t run = 0;
    for (std::uint32_t k = 0; k < 4; ++k) {
      run = std::rotl(run, 13) * 0x9e3779b97f4a7c15ULL ^ last[(words + k) % 4];
    }
    if ((run & sample) != 0) continue;
    ++runs;
    if (shingles_.size() < kMostShingles && shingles_.insert(run).second) ++fresh;
  }
  return fresh * 30 > runs || (runs > 0 && shingles_.size() >= kMostShingles);
}

void TrapWatch::learn(const Url& url, std::string_view text, std::uint32_t links,
                      std::uint32_t fresh_links) {
  std::string key = url_pattern(url);
  const bool has_id = key.find("{id}") != std::string::npos;
  const bool has_variable =
      has_id || key.find("{n}") != std::string::npos || key.find("=*") != std::string::npos;
  Pattern& pattern = patterns_[key];
  ++pattern.pages;
  if (!has_variable || pattern.trap != SIZE_MAX) {
    if (pattern.trap != SIZE_MAX) traps_[pattern.trap].pages = pattern.pages;
    return;
  }
  const bool stale = !brings_new_text(text);
  pattern.stale_run = stale ? pattern.stale_run + 1 : 0;
  const bool deeper = fresh_links > 0 && fresh_links * 10 >= links * 8;
  pattern.maze_run = deeper ? pattern.maze_run + 1 : 0;

  std::optional<TrapKind> kind;
  if (pattern.stale_run >= (has_id ? kStaleRunIds : kStaleRun) &&
      (has_id || pattern.pages >= kLeastPages)) {
    kind = TrapKind::kNoNewText;
  } else if (pattern.maze_run >= kMazeRun) {
    kind = TrapKind::kMaze;
  }
  if (!kind) return;
  Trap& trap = note(*kind, std::move(key), url.without_fragment().substr(0, 300), "");
  trap.pages = pattern.pages;
  pattern.trap = static_cast<std::size_t>(&trap - traps_.data());
}

}  // namespace periplus
