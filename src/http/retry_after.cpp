#include "http/retry_after.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>

#include "base/text.h"

namespace periplus {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                      "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> kDays = {"monday", "tuesday",  "wednesday", "thursday",
                                                   "friday", "saturday", "sunday"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes parts off the front of a date; every taker says whether the part was there.
class DateReader {
 public:
  explicit DateReader(std::string_view text) : text_(text) {}
  bool empty() const { return text_.empty(); }

  bool literal(std::string_view expected) {
    if (!starts_with_ignoring_case(text_, expected)) return false;
    text_.remove_prefix(expected.size());
    return true;
  }
  bool number(std::size_t digits, int* value) {
    if (text_.size() < digits) return false;
    *value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (!is_digit(text_[i])) return false;
      *value = *value * 10 + (text_[i] - '0');
    }
    text_.remove_prefix(digits);
    return true;
  }
  bool full_day_name() {
    for (std::string_view day : kDays) {
      if (literal(day)) return true;
    }
    return false;
  }
  bool short_day_name() {
    for (std::string_view day : kDays) {
      if (literal(day.substr(0, 3))) return true;
    }
    return false;
  }
  bool month(int* value) {
    for (std::size_t i = 0; i < kMonths.size(); ++i) {
      if (literal(kMonths[i])) {
        *value = static_cast<int>(i) + 1;
        return true;
      }
    }
    return false;
  }
  bool time(int* hour, int* minute, int* second) {
    return number(2, hour) && literal(":") && number(2, minute) && literal(":") &&
           number(2, second);
  }

 private:
  std::string_view text_;
};

struct DateParts {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
};

std::optional<Instant> to_instant(const DateParts& parts) {
  using namespace std::chrono;
  const year_month_day date{year{parts.year}, month{static_cast<unsigned>(parts.month)},
                            day{static_cast<unsigned>(parts.day)}};
  if (!date.ok() || parts.hour > 23 || parts.minute > 59 || parts.second > 60) return std::nullopt;
  return Instant(sys_days{date}) + hours{parts.hour} + minutes{parts.minute} +
         seconds{parts.second};
}

// "Sun, 06 Nov 1994 08:49:37 GMT"
bool read_fixdate(std::string_view text, DateParts* parts) {
  DateReader in(text);
  return in.short_day_name() && in.literal(", ") && in.number(2, &parts->day) && in.literal(" ") &&
         in.month(&parts->month) && in.literal(" ") && in.number(4, &parts->year) &&
         in.literal(" ") && in.time(&parts->hour, &parts->minute, &parts->second) &&
         in.literal(" GMT") && in.empty();
}

// "Sunday, 06-Nov-94 08:49:37 GMT"; the year is left with two digits.
bool read_rfc850(std::string_view text, DateParts* parts) {
  DateReader in(text);
  return in.full_day_name() && in.literal(", ") && in.number(2, &parts->day) && in.literal("-") &&
         in.month(&parts->month) && in.literal("-") && in.number(2, &parts->year) &&
         in.literal(" ") && in.time(&parts->hour, &parts->minute, &parts->second) &&
         in.literal(" GMT") && in.empty();
}

// "Sun Nov  6 08:49:37 1994"
bool read_asctime(std::string_view text, DateParts* parts) {
  DateReader in(text);
  if (!in.short_day_name() || !in.literal(" ") || !in.month(&parts->month) || !in.literal(" ")) {
    return false;
  }
  const bool day = in.literal(" ") ? in.number(1, &parts->day) : in.number(2, &parts->day);
  return day && in.literal(" ") && in.time(&parts->hour, &parts->minute, &parts->second) &&
         in.literal(" ") && in.number(4, &parts->year) && in.empty();
}

}  // namespace

std::optional<Instant> parse_http_date(std::string_view value, Instant now) {
  value = trim(value);
  DateParts parts;
  if (read_fixdate(value, &parts)) return to_instant(parts);
  if (read_asctime(value, &parts)) return to_instant(parts);
  if (!read_rfc850(value, &parts)) return std::nullopt;
  using namespace std::chrono;
  const int this_year = static_cast<int>(year_month_day{floor<days>(now)}.year());
  // The latest year with these digits that is at most 50 years away.
  int full = this_year + 50 - (this_year + 50 - parts.year) % 100;
  const auto with_year = [&parts](int year) {
    DateParts dated = parts;
    dated.year = year;
    return to_instant(dated);
  };
  std::optional<Instant> at = with_year(full);
  const bool too_far = full == this_year + 50 && at && *at > now + years{50};
  if (too_far || !at) at = with_year(full - 100);
  return at;
}

std::optional<Instant> parse_http_date(std::string_view value) {
  return parse_http_date(value,
                         std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now()));
}

std::optional<Millis> parse_retry_after(std::string_view value, Instant now) {
  value = trim(value);
  if (value.empty()) return std::nullopt;
  if (!is_digit(value[0])) {
    const std::optional<Instant> at = parse_http_date(value, now);
    if (!at) return std::nullopt;
    return std::clamp(*at - now, Millis{0}, kMaxRetryAfter);
  }
  constexpr std::int64_t kMost =
      std::chrono::duration_cast<std::chrono::seconds>(kMaxRetryAfter).count();
  std::int64_t seconds = 0;
  for (char c : value) {
    if (!is_digit(c)) return std::nullopt;
    seconds = std::min(kMost, seconds * 10 + (c - '0'));
  }
  return Millis{std::chrono::seconds{seconds}};
}

}  // namespace periplus
