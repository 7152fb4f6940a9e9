// The line of sites: its order, who has what, and what comes back after a crash.
#include "store/schedule.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "made_visit.h"
#include "store/search_pages.h"

namespace periplus {
namespace {

ScheduledSite made_site(const std::string& name, std::int64_t known = 0) {
  ScheduledSite site;
  site.site = name;
  site.owner = name;
  site.start_url = "https://" + name + "/";
  site.known_since = second(known);
  site.source = "seed";
  site.reason = "a seed";
  return site;
}

// A visit that read nothing but says when the next is due.
SearchVisit made_search_visit(const std::string& site, std::int64_t n, std::int64_t next) {
  SearchVisit visit;
  visit.visit = made_visit(site, n);
  visit.visit.use = "search";
  visit.owner = site;
  visit.next = made_site(site);
  visit.next.line = Line::kVisited;
  visit.next.next_visit = second(next);
  visit.next.reason = "seven days after the last";
  return visit;
}

std::vector<std::string> names(const Result<std::vector<ScheduledSite>>& sites) {
  std::vector<std::string> found;
  for (const ScheduledSite& site : *sites) found.push_back(site.site);
  return found;
}

using Names = std::vector<std::string>;

class ScheduleTest : public testing::Test {
 protected:
  // Takes `site` and records a visit to it.
  void visited(const std::string& site, std::int64_t n, std::int64_t next) {
    ASSERT_TRUE(schedule.take(second(n), 100, second(n + 600)));
    ASSERT_TRUE(pages.record(made_search_visit(site, n, next)));
  }
  // A link from a site of `owner`.
  void link(const std::string& from, const std::string& to, bool in_scope) {
    ASSERT_TRUE(store->lease(from, second(0), second(100)));
    SearchVisit visit = made_search_visit(from, 0, 1'000'000);
    visit.sites.push_back({made_site(to), in_scope});
    ASSERT_TRUE(pages.record(visit));
  }

  Home home;
  std::unique_ptr<Store> store = opened(home.database());
  Schedule schedule{*store};
  SearchPages pages{*store};
};

TEST_F(ScheduleTest, ASiteIsAddedOnceAndComesBackAsItWas) {
  EXPECT_TRUE(*schedule.add(made_site("a.example", 7)));
  EXPECT_FALSE(*schedule.add(made_site("a.example", 9)));
  const auto found = schedule.find("a.example");
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->known_since, second(7));
  EXPECT_EQ((*found)->start_url, "https://a.example/");
  EXPECT_EQ((*found)->line, Line::kNew);
  EXPECT_FALSE(*schedule.find("b.example"));
}

TEST_F(ScheduleTest, NewSitesComeByTheirLinkingOwnersThoseOfTheScopeFirst) {
  for (const char* name : {"a.example", "b.example", "c.example", "d.example"}) {
    ASSERT_TRUE(*schedule.add(made_site(name)));
  }
  for (const char* from : {"w.test", "x.test", "y.test"}) link(from, "b.example", false);
  link("w.test", "c.example", true);
  link("w.test", "c.example", true);  // the same owner counts once
  link("w.test", "d.example", false);
  EXPECT_EQ((*schedule.find("c.example"))->owners, 1U);
  EXPECT_EQ((*schedule.find("b.example"))->owners, 3U);
  EXPECT_EQ(names(schedule.take(second(1), 10, second(600))),
            (Names{"c.example", "b.example", "d.example", "a.example"}));
}

TEST_F(ScheduleTest, ALinkThatComesIntoScopeLaterCountsFromThen) {
  ASSERT_TRUE(*schedule.add(made_site("a.example")));
  link("w.test", "a.example", false);
  EXPECT_EQ((*schedule.find("a.example"))->owners_in, 0U);
  link("w.test", "a.example", true);
  EXPECT_EQ((*schedule.find("a.example"))->owners_in, 1U);
  EXPECT_EQ((*schedule.find("a.example"))->owners, 1U);
}

TEST_F(ScheduleTest, VisitedSitesComeWhenDueInTurnWithNewOnes) {
  for (const char* name : {"a.example", "b.example"}) ASSERT_TRUE(*schedule.add(made_site(name)));
  visited("a.example", 1, 100);
  visited("b.example", 2, 50);
  EXPECT_TRUE(schedule.take(second(49), 10, second(600))->empty());
  EXPECT_EQ(*schedule.next_due(), second(50));
  for (const char* name : {"x.example", "y.example"})
    ASSERT_TRUE(*schedule.add(made_site(name, 5)));
  EXPECT_EQ(names(schedule.take(second(100), 3, second(600))),
            (Names{"b.example", "x.example", "a.example"}));
}

TEST_F(ScheduleTest, WhatOneStoreHasAnotherDoesNotGet) {
  const auto other = opened(home.database());
  Schedule theirs(*other);
  for (const char* name : {"a.example", "b.example"}) ASSERT_TRUE(*schedule.add(made_site(name)));
  EXPECT_EQ(schedule.take(second(1), 1, second(600))->size(), 1U);
  EXPECT_EQ(theirs.take(second(1), 10, second(600))->size(), 1U);
  EXPECT_TRUE(schedule.take(second(2), 10, second(600))->empty());
}

TEST_F(ScheduleTest, ASiteHandedBackIsWhereItWas) {
  ASSERT_TRUE(*schedule.add(made_site("a.example")));
  ASSERT_EQ(schedule.take(second(1), 1, second(600))->size(), 1U);
  ASSERT_TRUE(schedule.hand_back("a.example"));
  EXPECT_EQ((*schedule.find("a.example"))->line, Line::kNew);
  EXPECT_EQ(names(schedule.take(second(2), 1, second(600))), Names{"a.example"});
}

TEST_F(ScheduleTest, WhatADeadProcessHadIsReclaimed) {
  for (const char* name : {"a.example", "b.example"}) ASSERT_TRUE(*schedule.add(made_site(name)));
  ASSERT_EQ(schedule.take(second(1), 1, second(1'000'000))->size(), 1U);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // Its own opening of the file; it dies with its lease.
    auto theirs = Store::open(home.database(), OpenMode::kReadWrite);
    const bool took =
        theirs && Schedule(**theirs).take(second(1), 1, second(1'000'000))->size() == 1;
    _exit(took ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(*schedule.reclaim(second(2)), 1U);  // not what we have ourselves
  EXPECT_EQ(names(schedule.take(second(2), 10, second(600))), Names{"b.example"});
}

TEST_F(ScheduleTest, ALeaseThatRanOutIsReclaimedAndItsLateVisitWritesNothing) {
  ASSERT_TRUE(*schedule.add(made_site("a.example")));
  ASSERT_EQ(schedule.take(second(1), 1, second(10))->size(), 1U);
  const auto other = opened(home.database());
  EXPECT_EQ(*Schedule(*other).reclaim(second(11)), 1U);
  EXPECT_EQ(Schedule(*other).take(second(11), 1, second(600))->size(), 1U);
  const auto late = pages.record(made_search_visit("a.example", 1, 100));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().kind, ErrorKind::kBusy);
  EXPECT_TRUE(store->visits("a.example", 10)->empty());
  EXPECT_TRUE(SearchPages(*other).record(made_search_visit("a.example", 12, 100)));
}

TEST_F(ScheduleTest, ASubmissionIsSoonerNeverLater) {
  ASSERT_TRUE(*schedule.add(made_site("a.example")));
  visited("a.example", 1, 100);
  EXPECT_TRUE(*schedule.bring_forward("a.example", second(20), "submitted"));
  EXPECT_EQ((*schedule.find("a.example"))->next_visit, second(20));
  EXPECT_TRUE(*schedule.bring_forward("a.example", second(30), "submitted"));
  EXPECT_EQ((*schedule.find("a.example"))->next_visit, second(20));
  EXPECT_FALSE(*schedule.bring_forward("unknown.example", second(30), "submitted"));
}

TEST_F(ScheduleTest, AHeldSiteIsNotTakenUntilItIsSubmittedAgain) {
  ASSERT_TRUE(*schedule.add(made_site("a.example")));
  ASSERT_TRUE(schedule.hold("a.example", "out of scope"));
  EXPECT_TRUE(schedule.take(second(1), 10, second(600))->empty());
  EXPECT_EQ(schedule.counts(second(1))->held, 1U);
  ASSERT_TRUE(*schedule.bring_forward("a.example", second(2), "submitted"));
  EXPECT_EQ(schedule.take(second(2), 10, second(600))->size(), 1U);
}

}  // namespace
}  // namespace periplus
