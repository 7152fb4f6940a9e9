// What must survive between two requests: politeness, readings of robots.txt, leases.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "made_visit.h"
#include "store/process.h"

namespace periplus {
namespace {

// Runs `work` in a process of its own that ends by SIGKILL once it returns.
template <class F>
void in_a_killed_process(F&& work) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    work();
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

PolitenessRow made_row(const std::string& kind, const std::string& key, std::int64_t n) {
  return {kind, key, second(n), {}, "", "", 0};
}

TEST(StorePoliteness, ComesBackByKindAndKey) {
  const Home home;
  const auto store = opened(home.database());
  PolitenessRow blocked = made_row("site", "example.org", 5);
  blocked.blocked_until = second(3600);
  blocked.reason = "Retry-After";
  blocked.failure = "429";
  blocked.failures = 3;
  const std::vector<PolitenessRow> rows{blocked, made_row("address", "192.0.2.1", 6),
                                        made_row("owner", "example.org", 7)};
  ASSERT_TRUE(store->put_politeness(rows));
  const auto row = store->politeness("site", "example.org");
  ASSERT_TRUE(row && *row);
  EXPECT_EQ((*row)->kind, "site");
  EXPECT_EQ((*row)->key, "example.org");
  EXPECT_EQ((*row)->next_allowed, second(5));
  EXPECT_EQ((*row)->blocked_until, second(3600));
  EXPECT_EQ((*row)->reason, "Retry-After");
  EXPECT_EQ((*row)->failure, "429");
  EXPECT_EQ((*row)->failures, 3U);
  EXPECT_EQ((*store->politeness("owner", "example.org"))->next_allowed, second(7));
  EXPECT_EQ((*store->politeness("address", "192.0.2.1"))->next_allowed, second(6));
  EXPECT_FALSE(*store->politeness("address", "192.0.2.2"));

  const std::vector<PolitenessRow> later{made_row("site", "example.org", 50)};
  ASSERT_TRUE(store->put_politeness(later));
  EXPECT_EQ((*store->politeness("site", "example.org"))->next_allowed, second(50));
  EXPECT_EQ((*store->politeness("site", "example.org"))->failures, 0U);
}

TEST(StorePoliteness, IsNotForgottenByKill9) {
  const Home home;
  for (int n = 0; n < 20; ++n) {
    in_a_killed_process([&] {
      const auto store = opened(home.database());
      for (int i = 0; i <= n; ++i) {
        const std::vector<PolitenessRow> rows{made_row("site", "example.org", n * 100 + i)};
        if (!store->put_politeness(rows)) _exit(1);
      }
    });
    const auto store = opened(home.database());
    EXPECT_EQ((*store->politeness("site", "example.org"))->next_allowed, second(n * 100 + n));
  }
}

TEST(StoreRobots, LastGoodCopyIsGivenUntilItIsTooOld) {
  const Home home;
  const auto store = opened(home.database());
  const std::string body = "User-agent: *\nDisallow: /x\n";
  const RobotsCopy copy{"example.org", "https://www.example.org", second(100), 200, pack(body)};
  ASSERT_TRUE(store->put_robots_copy(copy));
  const auto found = store->robots_copy("example.org", "https://www.example.org", second(100));
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->site, "example.org");
  EXPECT_EQ((*found)->origin, "https://www.example.org");
  EXPECT_EQ((*found)->fetched_at, second(100));
  EXPECT_EQ((*found)->status, 200);
  EXPECT_EQ(unpack((*found)->packed_body, 1000).value_or(""), body);
  EXPECT_FALSE(*store->robots_copy("example.org", "https://www.example.org", second(101)));
  EXPECT_FALSE(*store->robots_copy("example.org", "http://www.example.org", second(0)));

  ASSERT_TRUE(
      store->put_robots_copy({"example.org", "https://www.example.org", second(200), 404, ""}));
  const auto newer = store->robots_copy("example.org", "https://www.example.org", second(101));
  ASSERT_TRUE(newer && *newer);
  EXPECT_EQ((*newer)->status, 404);
  EXPECT_EQ((*newer)->packed_body, "");
}

TEST(StoreRobots, TheDateOfEachReadingIsKept) {
  const Home home;
  const auto store = opened(home.database());
  for (int n = 0; n < 130; ++n) {
    ASSERT_TRUE(store->note_robots_reading({"example.org", "https://example.org", second(n),
                                            n % 2 == 0 ? 200 : 0, n % 2 == 0 ? "" : "timeout",
                                            n % 2 == 0 ? "rules" : "old copy"}));
  }
  ASSERT_TRUE(store->note_robots_reading(
      {"example.org", "http://example.org", second(1), 200, "", "rules"}));
  const auto readings = store->robots_readings("example.org", "https://example.org", 2);
  ASSERT_TRUE(readings);
  ASSERT_EQ(readings->size(), 2U);
  EXPECT_EQ((*readings)[0].at, second(129));
  EXPECT_EQ((*readings)[0].failure, "timeout");
  EXPECT_EQ((*readings)[0].outcome, "old copy");
  EXPECT_EQ((*readings)[0].status, 0);
  EXPECT_EQ((*readings)[1].at, second(128));
  EXPECT_EQ((*readings)[1].status, 200);
  EXPECT_EQ(store->robots_readings("example.org", "https://example.org", 1000)->size(), 100U);
  EXPECT_EQ(store->robots_readings("example.org", "http://example.org", 1000)->size(), 1U);
}

TEST(StoreStart, TheLastStartOfEachUseIsKnown) {
  const Home home;
  const auto store = opened(home.database());
  EXPECT_EQ(*store->last_start("example.org", "audit"), std::nullopt);
  ASSERT_TRUE(store->note_start("example.org", "audit", second(1)));
  ASSERT_TRUE(store->note_start("example.org", "audit", second(2)));
  ASSERT_TRUE(store->note_start("example.org", "map", second(9)));
  EXPECT_EQ(*store->last_start("example.org", "audit"), second(2));
}

TEST(StoreStart, IsNotForgottenByKill9) {
  const Home home;
  in_a_killed_process([&] {
    const auto store = opened(home.database());
    if (!store->note_start("example.org", "audit", second(2))) _exit(1);
  });
  EXPECT_EQ(*opened(home.database())->last_start("example.org", "audit"), second(2));
}

TEST(StoreLease, OneHolderAtATime) {
  const Home home;
  const auto one = opened(home.database());
  const auto two = opened(home.database());
  ASSERT_TRUE(one->lease("example.org", second(0), second(60)));
  const auto refused = two->lease("example.org", second(1), second(61));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kBusy);
  EXPECT_NE(refused.error().sentence.find("example.org"), std::string::npos);
  EXPECT_NE(refused.error().sentence.find(std::to_string(getpid())), std::string::npos);
  EXPECT_TRUE(two->lease("example.net", second(1), second(61)));
  EXPECT_TRUE(one->lease("example.org", second(30), second(90)));  // renewed
  EXPECT_FALSE(two->lease("example.org", second(70), second(130)));
  EXPECT_TRUE(two->lease("example.org", second(90), second(150)));  // run out
  EXPECT_FALSE(one->lease("example.org", second(91), second(151)));
}

TEST(StoreLease, IsGivenBackByReleaseAndByClosing) {
  const Home home;
  const auto two = opened(home.database());
  {
    const auto one = opened(home.database());
    ASSERT_TRUE(one->lease("example.org", second(0), second(60)));
    ASSERT_TRUE(two->release("example.org"));  // not the holder: nothing happens
    EXPECT_FALSE(two->lease("example.org", second(1), second(61)));
    ASSERT_TRUE(one->release("example.org"));
    EXPECT_TRUE(two->lease("example.org", second(1), second(61)));
    ASSERT_TRUE(one->lease("example.net", second(1), second(61)));
  }
  EXPECT_TRUE(two->lease("example.net", second(2), second(62)));
}

TEST(StoreLease, OfALivingProcessHoldsAndOfAKilledOneIsTakenOverAtOnce) {
  const Home home;
  opened(home.database());
  int ready[2], go[2];
  ASSERT_EQ(pipe(ready), 0);
  ASSERT_EQ(pipe(go), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto store = opened(home.database());
    char byte = store->lease("example.org", second(0), second(3600)) ? 'y' : 'n';
    if (write(ready[1], &byte, 1) != 1) _exit(1);
    if (read(go[0], &byte, 1) != 1) _exit(1);
    kill(getpid(), SIGKILL);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  ASSERT_EQ(byte, 'y');
  const auto store = opened(home.database());
  EXPECT_EQ(store->lease("example.org", second(1), second(61)).error().kind, ErrorKind::kBusy);
  ASSERT_EQ(write(go[1], "x", 1), 1);
  int status = 0;
  waitpid(child, &status, 0);
  const auto findings = store->verify();  // doctor tells of it
  ASSERT_TRUE(findings);
  ASSERT_EQ(findings->size(), 1U);
  EXPECT_FALSE((*findings)[0].fault);
  EXPECT_NE((*findings)[0].what.find("example.org"), std::string::npos);
  EXPECT_TRUE(store->lease("example.org", second(1), second(61)));
  for (const int end : {ready[0], ready[1], go[0], go[1]}) close(end);
}

TEST(Process, IsGoneThoughItsParentHasNotTakenNote) {
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    close(pipe_ends[0]);
    pause();
  }
  close(pipe_ends[1]);
  ProcessMark mark = this_process();
  mark.process = child;
  mark.started = 0;
  EXPECT_FALSE(is_gone(mark));
  kill(child, SIGKILL);
  char byte = 0;
  EXPECT_EQ(read(pipe_ends[0], &byte, 1), 0);  // its end of the pipe closed: it has ended
  siginfo_t ended{};
  EXPECT_EQ(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  EXPECT_TRUE(is_gone(mark));
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(is_gone(mark));
  close(pipe_ends[0]);
}

TEST(Process, IsKnownToLiveAndToBeGone) {
  EXPECT_FALSE(is_gone(this_process()));
  ProcessMark elsewhere = this_process();
  elsewhere.machine += "x";
  elsewhere.process = 999'999'999;
  EXPECT_FALSE(is_gone(elsewhere));  // who can tell
  ProcessMark earlier = this_process();
  earlier.started -= 1;  // the id has been given to another since
  EXPECT_TRUE(is_gone(earlier));
  ProcessMark never = this_process();
  never.process = 999'999'999;
  EXPECT_TRUE(is_gone(never));
}

}  // namespace
}  // namespace periplus
