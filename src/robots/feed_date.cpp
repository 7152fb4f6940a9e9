#include "robots/feed_date.h"

#include <algorithm>

#include <string>
#include <vector>

#include "base/text.h"

namespace periplus {
namespace {

bool parse_digits(std::string_view text, std::size_t min, std::size_t max, int* out) {
  if (text.size() < min || text.size() > max) return false;
  *out = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    *out = *out * 10 + (c - '0');
  }
  return true;
}

int month_number(std::string_view name) {
  constexpr std::string_view kMonths = "janfebmaraprmayjunjulaugsepoctnovdec";
  if (name.size() < 3) return 0;
  const std::size_t at = kMonths.find(to_ascii_lower(name.substr(0, 3)));
  return at == std::string_view::npos || at % 3 != 0 ? 0 : static_cast<int>(at / 3) + 1;
}

// Minutes east of UTC.
bool parse_zone(std::string_view zone, int* minutes) {
  struct Named {
    std::string_view name;
    int hours;
  };
  constexpr Named kNamed[] = {{"gmt", 0},  {"ut", 0},   {"utc", 0},  {"z", 0},    {"est", -5},
                              {"edt", -4}, {"cst", -6}, {"cdt", -5}, {"mst", -7}, {"mdt", -6},
                              {"pst", -8}, {"pdt", -7}, {"bst", 1},  {"cet", 1},  {"cest", 2}};
  for (const Named& named : kNamed) {
    if (equal_ignoring_case(zone, named.name)) {
      *minutes = named.hours * 60;
      return true;
    }
  }
  if (zone.empty() || (zone[0] != '+' && zone[0] != '-')) return false;
  std::string digits;
  for (const char c : zone.substr(1)) {
    if (c != ':') digits.push_back(c);
  }
  int value = 0;
  if (!parse_digits(digits, 4, 4, &value) || value % 100 > 59 || value / 100 > 23) return false;
  *minutes = (value / 100 * 60 + value % 100) * (zone[0] == '-' ? -1 : 1);
  return true;
}

}  // namespace

std::optional<Instant> parse_feed_date(std::string_view text, MissingZone missing) {
  const std::size_t comma = text.find(',');
  if (comma != std::string_view::npos) text.remove_prefix(comma + 1);
  std::vector<std::string_view> words;
  for (text = trim(text); !text.empty(); text = trim(text)) {
    // Dashes are blanks in RFC 850's day, but a sign in a zone.
    const std::size_t end =
        std::min(text.find_first_of(words.size() < 3 ? " \t-" : " \t"), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  // A week day without its comma.
  if (!words.empty() && month_number(words[0]) == 0 && !words[0].empty() &&
      (words[0][0] < '0' || words[0][0] > '9'))
    words.erase(words.begin());
  if (words.size() < 3 || words.size() > 5) return std::nullopt;
  int day = 0, year = 0, hour = 0, minute = 0, second = 0, offset = 0;
  const int month = month_number(words[1]);
  if (!parse_digits(words[0], 1, 2, &day) || month == 0 || !parse_digits(words[2], 2, 4, &year))
    return std::nullopt;
  if (words[2].size() == 2) year += year < 50 ? 2000 : 1900;
  if (words[2].size() == 3) year += 1900;
  if (words.size() > 3) {
    const std::string_view clock = words[3];
    if (clock.size() < 5 || clock[2] != ':' || !parse_digits(clock.substr(0, 2), 2, 2, &hour) ||
        !parse_digits(clock.substr(3, 2), 2, 2, &minute))
      return std::nullopt;
    if (clock.size() > 5 && (clock[5] != ':' || !parse_digits(clock.substr(6), 2, 2, &second)))
      return std::nullopt;
  }
  if (words.size() > 4) {
    if (!parse_zone(words[4], &offset)) return std::nullopt;
  } else if (missing == MissingZone::kRefused) {
    return std::nullopt;
  }
  using namespace std::chrono;
  const year_month_day date{std::chrono::year(year),
                            std::chrono::month(static_cast<unsigned>(month)),
                            std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  return Instant(sys_days(date)) + hours(hour) + minutes(minute - offset) + seconds(second);
}

}  // namespace periplus
