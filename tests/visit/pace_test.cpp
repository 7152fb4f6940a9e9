#include "visit/pace.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

namespace periplus {
namespace {

constexpr Instant kStart{Millis(1'800'000'000'000)};

class MapBook final : public PolitenessBook {
 public:
  std::map<std::pair<GateKind, std::string>, PoliteRecord> records;
  std::optional<PoliteRecord> recall(GateKind kind, const std::string& key) override {
    const auto found = records.find({kind, key});
    return found == records.end() ? std::nullopt : std::optional(found->second);
  }
  void remember(const std::vector<PoliteEntry>& entries) override {
    for (const PoliteEntry& entry : entries) records[{entry.kind, entry.key}] = entry.record;
  }
};

struct Started {
  Millis at{0};  // since kStart
  std::string reason;
  bool granted = false;
};

// `lanes` tasks that each send requests one after the other; every answer takes `answer`.
class PaceTest : public ::testing::Test {
 protected:
  Loop loop;
  SimulatedClock clock{loop, kStart};
  MapBook book;
  PaceLimits limits{Millis(2000), 5.0, 0.0, Millis(120'000), 3};
  const PaceKeys keys{"example.com", "192.0.2.1", "example.com"};
  std::vector<Started> starts;
  int in_flight = 0;
  int most_in_flight = 0;

  static Task<void> send(PaceTest* test, Pace* pace, int requests, Millis answer,
                         std::optional<double> delay) {
    for (int i = 0; i < requests; ++i) {
      const Turn turn = co_await pace->turn(test->keys, delay);
      const Millis at = std::chrono::duration_cast<Millis>(test->clock.now() - kStart);
      test->starts.push_back({at, turn.reason, turn.granted});
      if (!turn.granted) co_return;
      test->most_in_flight = std::max(test->most_in_flight, ++test->in_flight);
      co_await test->clock.sleep_until(test->clock.now() + answer);
      --test->in_flight;
      pace->done(test->keys, delay, answer);
    }
  }
  void run(Pace& pace, int tasks, int requests, Millis answer, std::optional<double> delay) {
    std::exception_ptr failed;
    for (int i = 0; i < tasks; ++i) {
      start(loop, send(this, &pace, requests, answer, delay), [&](std::exception_ptr e) {
        if (e) failed = e;
      });
    }
    loop.run();
    loop.restart();
    ASSERT_FALSE(failed);
  }
};

TEST_F(PaceTest, OneLaneWaitsTheFloorAfterEachAnswer) {
  limits.lanes = 1;
  Pace pace(clock, limits, &book);
  run(pace, 1, 3, Millis(100), std::nullopt);
  ASSERT_EQ(starts.size(), 3U);
  EXPECT_EQ(starts[0].at, Millis(0));
  EXPECT_EQ(starts[1].at, Millis(2100));
  EXPECT_EQ(starts[2].at, Millis(4200));
}

TEST_F(PaceTest, ThreeLanesAreSpreadAndNeverMoreThanThreeAtOnce) {
  Pace pace(clock, limits, &book);
  run(pace, 5, 4, Millis(300), std::nullopt);
  EXPECT_LE(most_in_flight, 3);
  ASSERT_EQ(starts.size(), 20U);
  for (std::size_t i = 1; i < starts.size(); ++i)
    EXPECT_GE(starts[i].at - starts[i - 1].at, Millis(666)) << i;
  for (std::size_t i = 3; i < starts.size(); ++i)
    EXPECT_GE(starts[i].at - starts[i - 3].at, Millis(2300)) << i;
}

TEST_F(PaceTest, CrawlDelayMeansOneAtATimeAndItsWholeLength) {
  Pace pace(clock, limits, &book);
  run(pace, 3, 2, Millis(500), 10.0);
  EXPECT_EQ(most_in_flight, 1);
  for (std::size_t i = 1; i < starts.size(); ++i)
    EXPECT_GE(starts[i].at - starts[i - 1].at, Millis(10'500)) << i;
  EXPECT_EQ(starts.back().reason, "the Crawl-delay of 10 s");
}

TEST_F(PaceTest, ACrawlDelayUnderTheFloorDoesNotSpeedUsUp) {
  limits.lanes = 1;
  Pace pace(clock, limits, &book);
  run(pace, 1, 2, Millis(100), 0.2);
  EXPECT_EQ(starts[1].at, Millis(2100));
}

TEST_F(PaceTest, ASlowSiteIsAskedLessOften) {
  limits.lanes = 1;
  Pace pace(clock, limits, &book);
  run(pace, 1, 2, Millis(4000), std::nullopt);
  EXPECT_GE(starts[1].at, Millis(4000 + 5 * 4000));
}

TEST_F(PaceTest, ASiteThatSlowsDownIsReadOneAtATime) {
  Pace pace(clock, limits, &book);
  run(pace, 3, 3, Millis(100), std::nullopt);
  run(pace, 3, 4, Millis(6000), std::nullopt);
  most_in_flight = 0;
  run(pace, 3, 2, Millis(6000), std::nullopt);
  EXPECT_EQ(most_in_flight, 1);
}

TEST_F(PaceTest, JitterOnlyLengthensAWait) {
  limits.lanes = 1;
  limits.jitter = 0.1;
  Pace pace(clock, limits, &book);
  run(pace, 1, 40, Millis(0), 3.0);
  Millis longest{0};
  for (std::size_t i = 1; i < starts.size(); ++i) {
    EXPECT_GE(starts[i].at - starts[i - 1].at, Millis(3000));
    EXPECT_LE(starts[i].at - starts[i - 1].at, Millis(3300));
    longest = std::max(longest, starts[i].at - starts[i - 1].at);
  }
  EXPECT_GT(longest, Millis(3000));
}

TEST_F(PaceTest, RetryAfterIsObeyedAndSurvivesARestart) {
  limits.lanes = 1;
  {
    Pace pace(clock, limits, &book);
    run(pace, 1, 1, Millis(100), std::nullopt);
    EXPECT_EQ(pace.back_off(keys, Millis(60'000), 429), clock.now() + Millis(60'000));
  }
  starts.clear();
  Pace again(clock, limits, &book);  // a new process: only the book is left
  run(again, 1, 1, Millis(100), std::nullopt);
  EXPECT_EQ(starts[0].at, Millis(60'100));
  EXPECT_EQ(starts[0].reason, "status 429 with Retry-After of 60 s");
}

TEST_F(PaceTest, WhatIsOwedSurvivesACrashInTheMiddleOfARequest) {
  limits.lanes = 1;
  {
    Pace pace(clock, limits, &book);
    std::exception_ptr failed;
    start(loop, send(this, &pace, 1, Millis(1'000'000), 30.0),
          [&](std::exception_ptr e) { failed = e; });
    loop.poll();  // the request is out; the process dies here
  }
  const auto record = book.recall(GateKind::kSite, "example.com");
  ASSERT_TRUE(record);
  EXPECT_GE(record->next_allowed, kStart + Millis(30'000));
}

TEST_F(PaceTest, WithoutRetryAfterThePauseDoublesUpToADay) {
  Pace pace(clock, limits, &book);
  EXPECT_EQ(pace.back_off(keys, std::nullopt, 503), kStart + Millis(60'000));
  EXPECT_EQ(pace.back_off(keys, std::nullopt, 503), kStart + Millis(120'000));
  for (int i = 0; i < 30; ++i) pace.back_off(keys, std::nullopt, 503);
  EXPECT_EQ(pace.back_off(keys, std::nullopt, 503), kStart + Millis(24 * 3600 * 1000));
  pace.succeeded(keys);
  EXPECT_EQ(book.recall(GateKind::kSite, "example.com")->failures, 0U);
}

TEST_F(PaceTest, AWaitLongerThanTheVisitAllowsIsRefusedAtOnce) {
  Pace pace(clock, limits, &book);
  pace.back_off(keys, Millis(3'600'000), 429);
  run(pace, 1, 1, Millis(100), std::nullopt);
  ASSERT_EQ(starts.size(), 1U);
  EXPECT_FALSE(starts[0].granted);
  EXPECT_EQ(clock.now(), kStart);
}

TEST_F(PaceTest, SitesOnOneAddressShareItsGate) {
  limits.lanes = 1;
  Pace pace(clock, limits, &book);
  run(pace, 1, 1, Millis(100), std::nullopt);
  const PaceKeys other{"other.example", "192.0.2.1", "other.example"};
  EXPECT_EQ(pace.forecast(other, std::nullopt).not_before, kStart + Millis(2100));
  const PaceKeys elsewhere{"third.example", "192.0.2.9", "third.example"};
  EXPECT_EQ(pace.forecast(elsewhere, std::nullopt).not_before, clock.now());
}

TEST_F(PaceTest, AFloorOfZeroMeansNoWaitsAndNothingWritten) {
  limits.floor = Millis(0);
  Pace pace(clock, limits, &book);
  run(pace, 3, 50, Millis(0), std::nullopt);
  EXPECT_EQ(starts.back().at, Millis(0));
  EXPECT_TRUE(book.records.empty());
}

}  // namespace
}  // namespace periplus
