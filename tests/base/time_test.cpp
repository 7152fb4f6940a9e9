#include "base/time.h"

#include <gtest/gtest.h>

namespace periplus {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

Instant at(int year, unsigned month, unsigned day) {
  return std::chrono::sys_days(std::chrono::year(year) / static_cast<int>(month) /
                               static_cast<int>(day));
}

TEST(Time, InstantsArePrintedAsRfc3339InUtc) {
  EXPECT_EQ(to_rfc3339(Instant{}), "1970-01-01T00:00:00Z");
  EXPECT_EQ(to_rfc3339(at(2026, 12, 1) + hours(3) + minutes(46) + seconds(53) + Millis(999)),
            "2026-12-01T03:46:53Z");
  EXPECT_EQ(to_rfc3339(Instant{Millis(-1)}), "1969-12-31T23:59:59Z");
}

TEST(Time, EveryFormOfTheW3cNoteIsRead) {
  EXPECT_EQ(parse_w3c_date("2026"), at(2026, 1, 1));
  EXPECT_EQ(parse_w3c_date("2026-12"), at(2026, 12, 1));
  EXPECT_EQ(parse_w3c_date("2026-12-01"), at(2026, 12, 1));
  EXPECT_EQ(parse_w3c_date("2026-12-01T03:46Z"), at(2026, 12, 1) + hours(3) + minutes(46));
  EXPECT_EQ(parse_w3c_date("2026-12-01T03:46:53Z"),
            at(2026, 12, 1) + hours(3) + minutes(46) + seconds(53));
  EXPECT_EQ(parse_w3c_date("2026-12-01T00:30:00.5+01:00"),
            at(2026, 11, 30) + hours(23) + minutes(30) + Millis(500));
  EXPECT_EQ(parse_w3c_date("2026-12-31T23:30:00.123456-01:30"),
            at(2027, 1, 1) + hours(1) + Millis(123));
}

TEST(Time, DaysThatDoNotExistAreNoDates) {
  for (const char* text : {"2026-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00",
                           "2026-01-32", "2100-02-29"}) {
    EXPECT_EQ(parse_w3c_date(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_w3c_date("2028-02-29"), at(2028, 2, 29));
  EXPECT_EQ(parse_w3c_date("2000-02-29"), at(2000, 2, 29));
}

TEST(Time, OtherTextsAreNoDates) {
  for (const char* text : {"",
                           "26",
                           "20261",
                           "2026-1-1",
                           "2026/12/01",
                           "2026-12-01 03:46Z",
                           "2026-12-01T",
                           "2026-12-01T03Z",
                           "2026-12-01T03:46",
                           "2026-12-01T03:46:5Z",
                           "2026-12-01T03:46:53.Z",
                           "2026-12-01T24:00Z",
                           "2026-12-01T03:60Z",
                           "2026-12-01T03:46:60Z",
                           "2026-12-01T03:46+0100",
                           "2026-12-01T03:46+24:00",
                           "2026-12-01T03:46Zx",
                           "2026-12-01T03:46+01:00x",
                           "2026T03:46Z",
                           "2026-12T03:46Z",
                           " 2026",
                           "2026 ",
                           "-2026",
                           "+2026",
                           "2026-12-01Z",
                           "yesterday"}) {
    EXPECT_EQ(parse_w3c_date(text), std::nullopt) << text;
  }
}

TEST(Time, PrintedInstantsAreReadBack) {
  for (const std::int64_t second : {0LL, 951782399LL, 1796096813LL, 4102444799LL}) {
    const Instant instant{seconds(second)};
    EXPECT_EQ(parse_w3c_date(to_rfc3339(instant)), instant);
  }
}

}  // namespace
}  // namespace periplus
