#include "base/clock.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/task.h"

namespace periplus {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

struct Diary {
  Loop loop;
  Instant begin{hours(1000)};
  SimulatedClock clock{loop, begin};
  std::vector<std::string> lines;

  void run(Task<void> task) {
    start(loop, std::move(task), [this](std::exception_ptr failure) {
      if (failure) lines.emplace_back("failed");
    });
  }
  void note(const std::string& what) {
    lines.push_back(what + "@" + std::to_string((clock.now() - begin) / Millis(1000)));
  }
};

Task<void> sleeper(Diary& diary, std::string name, int pause, int times) {
  for (int i = 0; i < times; ++i) {
    const Instant until = diary.clock.now() + seconds(pause);
    co_await diary.clock.sleep_until(until);
    diary.note(name);
  }
}

TEST(SimulatedClock, JumpsToTheEarliestSleeper) {
  Diary diary;
  diary.run(sleeper(diary, "slow", 300, 2));
  diary.run(sleeper(diary, "quick", 200, 3));
  diary.loop.run();
  EXPECT_EQ(diary.lines, (std::vector<std::string>{"quick@200", "slow@300", "quick@400", "slow@600",
                                                   "quick@600"}));
}

TEST(SimulatedClock, DoesNotSleepForThePast) {
  Diary diary;
  diary.run(sleeper(diary, "now", 0, 2));
  diary.loop.run();
  EXPECT_EQ(diary.lines, (std::vector<std::string>{"now@0", "now@0"}));
}

Task<void> busy(Diary& diary, int turns) {
  for (int i = 0; i < turns; ++i) {
    co_await yield_to_loop();
  }
  diary.note("busy");
}

TEST(SimulatedClock, TimeStandsStillWhileATaskIsReady) {
  Diary diary;
  diary.run(sleeper(diary, "woken", 1, 1));
  diary.run(busy(diary, 500));
  diary.loop.run();
  EXPECT_EQ(diary.lines, (std::vector<std::string>{"busy@0", "woken@1"}));
}

TEST(SimulatedClock, CanBeMovedByHand) {
  Diary diary;
  diary.clock.advance(hours(2));
  EXPECT_EQ(diary.clock.now(), diary.begin + hours(2));
}

TEST(SimulatedClock, ManySleepersAtOneInstantAllWake) {
  Diary diary;
  for (int i = 0; i < 50; ++i) diary.run(sleeper(diary, "s", 7, 1));
  diary.loop.run();
  EXPECT_EQ(diary.lines, std::vector<std::string>(50, "s@7"));
}

TEST(SimulatedClock, MayBeLeftWithSleepers) {
  Loop loop;
  {
    SimulatedClock clock(loop, Instant{});
    start(loop, clock.sleep_until(Instant{hours(1)}), [](std::exception_ptr) {});
    loop.poll_one();
  }
  EXPECT_FALSE(loop.stopped());
}

TEST(SystemClock, ReturnsAtTheTimeAskedFor) {
  Loop loop;
  const auto clock = make_system_clock(loop);
  const Instant until = clock->now() + Millis(30);
  bool done = false;
  start(loop, clock->sleep_until(until), [&](std::exception_ptr failure) { done = !failure; });
  loop.run();
  EXPECT_TRUE(done);
  EXPECT_GE(clock->now(), until);
}

Task<void> throwing() {
  co_await yield_to_loop();
  throw std::runtime_error("as expected");
}

TEST(Task, TheExceptionThatLeavesATaskIsHandedOver) {
  Loop loop;
  std::string heard;
  start(loop, throwing(), [&](std::exception_ptr failure) {
    try {
      if (failure) std::rethrow_exception(failure);
    } catch (const std::runtime_error& error) {
      heard = error.what();
    }
  });
  EXPECT_EQ(heard, "");  // nothing runs before the loop does
  loop.run();
  EXPECT_EQ(heard, "as expected");
}

TEST(Task, YieldingGivesEveryReadyTaskItsTurn) {
  Diary diary;
  const auto turns = [](Diary& to, std::string name) -> Task<void> {
    for (int i = 0; i < 3; ++i) {
      to.lines.push_back(name);
      co_await yield_to_loop();
    }
  };
  diary.run(turns(diary, "a"));
  diary.run(turns(diary, "b"));
  diary.loop.run();
  EXPECT_EQ(diary.lines, (std::vector<std::string>{"a", "b", "a", "b", "a", "b"}));
}

}  // namespace
}  // namespace periplus
