#include "base/time.h"

#include <fmt/format.h>

#include <cstdint>

namespace periplus {
namespace {

// Reads fixed-width fields from the front of a date.
class FieldReader {
 public:
  explicit FieldReader(std::string_view text) : rest_(text) {}

  bool digits(std::size_t count, int* value) {
    if (rest_.size() < count) return false;
    *value = 0;
    for (const char c : rest_.substr(0, count)) {
      if (c < '0' || c > '9') return false;
      *value = *value * 10 + (c - '0');
    }
    rest_.remove_prefix(count);
    return true;
  }
  bool literal(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // A decimal fraction of a second, in milliseconds; any number of digits, at least one.
  bool fraction(int* milliseconds) {
    int scale = 100;
    *milliseconds = 0;
    std::size_t read = 0;
    for (; read < rest_.size() && rest_[read] >= '0' && rest_[read] <= '9'; ++read) {
      *milliseconds += (rest_[read] - '0') * scale;
      scale /= 10;
    }
    rest_.remove_prefix(read);
    return read > 0;
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace

std::string to_rfc3339(Instant at) {
  const auto second = std::chrono::floor<std::chrono::seconds>(at);
  const auto day = std::chrono::floor<std::chrono::days>(second);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(second - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

std::optional<Instant> parse_w3c_date(std::string_view text) {
  FieldReader reader(text);
  int year = 0, month = 1, day = 1;
  if (!reader.digits(4, &year)) return std::nullopt;
  const bool has_month = reader.literal('-');
  if (has_month && !reader.digits(2, &month)) return std::nullopt;
  const bool has_day = has_month && reader.literal('-');
  if (has_day && !reader.digits(2, &day)) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok()) return std::nullopt;
  const Instant midnight = std::chrono::sys_days(date);
  if (reader.at_end()) return midnight;

  int hour = 0, minute = 0, second = 0, milliseconds = 0;
  if (!has_day || !reader.literal('T') || !reader.digits(2, &hour) || !reader.literal(':') ||
      !reader.digits(2, &minute)) {
    return std::nullopt;
  }
  if (reader.literal(':')) {
    if (!reader.digits(2, &second)) return std::nullopt;
    if (reader.literal('.') && !reader.fraction(&milliseconds)) return std::nullopt;
  }
  if (hour > 23 || minute > 59 || second > 59) return std::nullopt;
  const Instant local = midnight + std::chrono::hours(hour) + std::chrono::minutes(minute) +
                        std::chrono::seconds(second) + Millis(milliseconds);

  if (reader.literal('Z')) {
    if (!reader.at_end()) return std::nullopt;
    return local;
  }
  const bool east = reader.literal('+');
  if (!east && !reader.literal('-')) return std::nullopt;
  int zone_hour = 0, zone_minute = 0;
  if (!reader.digits(2, &zone_hour) || !reader.literal(':') || !reader.digits(2, &zone_minute) ||
      !reader.at_end() || zone_hour > 23 || zone_minute > 59) {
    return std::nullopt;
  }
  const Millis zone = std::chrono::hours(zone_hour) + std::chrono::minutes(zone_minute);
  return east ? local - zone : local + zone;
}

}  // namespace periplus
