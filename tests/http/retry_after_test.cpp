#include "http/retry_after.h"

#include <gtest/gtest.h>

namespace periplus {
namespace {

using std::chrono::seconds;

// 1994-11-06T08:49:37Z, the moment RFC 9110 writes in all three formats.
constexpr Instant kExample{Millis{784'111'777'000}};
constexpr Instant kNow{Millis{1'796'000'000'000}};  // 2026-11-30

TEST(HttpDate, AllThreeFormatsAreRead) {
  EXPECT_EQ(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT", kNow), kExample);
  EXPECT_EQ(parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT", kNow), kExample);
  EXPECT_EQ(parse_http_date("Sun Nov  6 08:49:37 1994", kNow), kExample);
  EXPECT_EQ(parse_http_date("  sun, 06 nov 1994 08:49:37 gmt\t", kNow), kExample);
  EXPECT_EQ(parse_http_date("Sun Nov 16 08:49:37 1994", kNow), kExample + std::chrono::days{10});
  EXPECT_EQ(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT"), kExample);
}

TEST(HttpDate, AYearOfTwoDigitsIsAtMostFiftyYearsAhead) {
  const auto year_of = [](std::string_view text) {
    const std::optional<Instant> at = parse_http_date(text, kNow);
    if (!at) return 0;
    const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(*at)};
    return static_cast<int>(day.year());
  };
  EXPECT_EQ(year_of("Monday, 30-Nov-26 00:00:00 GMT"), 2026);
  EXPECT_EQ(year_of("Friday, 01-Jan-75 00:00:00 GMT"), 2075);
  EXPECT_EQ(year_of("Friday, 01-Jan-76 00:00:00 GMT"), 2076);  // still within fifty years
  EXPECT_EQ(year_of("Friday, 31-Dec-76 00:00:00 GMT"), 1976);  // a month more than fifty years
  EXPECT_EQ(year_of("Friday, 01-Jan-77 00:00:00 GMT"), 1977);
  EXPECT_EQ(year_of("Friday, 31-Dec-99 23:59:59 GMT"), 1999);
  EXPECT_EQ(year_of("Saturday, 01-Jan-00 00:00:00 GMT"), 2000);
}

TEST(HttpDate, ALeapSecondIsTheNextSecond) {
  EXPECT_EQ(parse_http_date("Sat, 31 Dec 2016 23:59:60 GMT", kNow),
            parse_http_date("Sun, 01 Jan 2017 00:00:00 GMT", kNow));
}

TEST(HttpDate, WhatIsNoDateIsNone) {
  for (std::string_view text :
       {"", "Sun", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
        "Sunday, 29-Feb-23 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
        "Sun, 06 Nov 1994 08:49:37 GMT x", "1994-11-06T08:49:37Z", "-1"}) {
    EXPECT_EQ(parse_http_date(text, kNow), std::nullopt) << text;
  }
}

TEST(RetryAfter, SecondsAreAWait) {
  EXPECT_EQ(parse_retry_after("120", kNow), Millis{120'000});
  EXPECT_EQ(parse_retry_after(" 0 ", kNow), Millis{0});
  EXPECT_EQ(parse_retry_after("0000000000000000000000000007", kNow), Millis{7'000});
}

TEST(RetryAfter, ADateIsTheWaitUntilThen) {
  EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", kExample - seconds{90}),
            Millis{90'000});
  EXPECT_EQ(parse_retry_after("Sun Nov  6 08:49:37 1994", kExample - Millis{1}), Millis{1});
}

TEST(RetryAfter, ADateInThePastIsNoWait) {
  EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", kNow), Millis{0});
  EXPECT_EQ(parse_retry_after("Thu, 01 Jan 1970 00:00:00 GMT", kNow), Millis{0});
}

TEST(RetryAfter, HugeWaitsAreTenYears) {
  for (std::string_view text :
       {"99999999999", "9223372036854775807", "18446744073709551616",
        "99999999999999999999999999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"}) {
    EXPECT_EQ(parse_retry_after(text, kNow), kMaxRetryAfter) << text;
  }
}

TEST(RetryAfter, GarbageIsNothing) {
  for (std::string_view text : {"", " ", "-1", "+5", "1.5", "12a", "0x10", "1e3", "soon", "1 2",
                                "120, 120", "120 seconds", "\xff\xfe"}) {
    EXPECT_EQ(parse_retry_after(text, kNow), std::nullopt) << text;
  }
  EXPECT_EQ(parse_retry_after(std::string_view("12\0", 3), kNow), std::nullopt);
}

}  // namespace
}  // namespace periplus
