#include "visit/traps.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "visit/frontier.h"
#include "visit/scope.h"

namespace periplus {
namespace {

Url url(const std::string& text) { return Url::parse(text).value(); }

std::string words(int seed, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    int v = seed * 7919 + i * 104729;
    for (int k = 0; k < 6; ++k, v /= 26) out += static_cast<char>('a' + (v % 26 + 26) % 26);
    out += ' ';
  }
  return out;
}

TEST(UrlPattern, BlanksNumbersIdsAndQueryValues) {
  EXPECT_EQ(url_pattern(url("https://x.test/cal/2031/05/")), "x.test/cal/{n}/{n}/");
  EXPECT_EQ(url_pattern(url("https://x.test/p?sid=81hf&b=2")), "x.test/p?sid={id}&b=*");
  EXPECT_EQ(url_pattern(url("https://x.test/s/0123456789abcdef0123/a")), "x.test/s/{id}/a");
  EXPECT_EQ(url_pattern(url("https://x.test/reference/strings.html")),
            "x.test/reference/strings.html");
}

TEST(Traps, RepeatedSegmentsAndGrowingQueriesAreNeverFollowed) {
  TrapWatch watch;
  EXPECT_FALSE(watch.may_follow(url("http://x.test/a/b/a/b/a/b"), "http://x.test/"));
  EXPECT_FALSE(
      watch.may_follow(url("http://x.test/www.x.com/www.x.com/www.x.com"), "http://x.test/"));
  EXPECT_FALSE(watch.may_follow(url("http://x.test/?amp;amp;p=1"), "http://x.test/"));
  EXPECT_FALSE(watch.may_follow(url("http://x.test/?p=1&p=1&p=1"), "http://x.test/"));
  EXPECT_FALSE(watch.may_follow(url("http://x.test/" + std::string(3000, 'a')), "http://x.test/"));
  ASSERT_EQ(watch.traps().size(), 4U);  // both queries are one pattern
  EXPECT_EQ(watch.traps()[0].kind, TrapKind::kRepeatedSegment);
  EXPECT_EQ(watch.traps()[0].found_on, "http://x.test/");
}

TEST(Traps, HonestAddressesAreFollowed) {
  TrapWatch watch;
  for (const char* honest : {"http://x.test/2026/12/12/12/", "http://x.test/a/b/a/c",
                             "http://x.test/?tag[]=a&tag[]=b&tag[]=c",
                             "http://x.test/docs/en/docs/x", "http://x.test/?a=1&b=2&c=3"}) {
    EXPECT_TRUE(watch.may_follow(url(honest), "http://x.test/")) << honest;
  }
  EXPECT_TRUE(watch.traps().empty());
}

TEST(Traps, ACalendarIsClosedOnceItsPagesBringNothingNew) {
  TrapWatch watch;
  int pages = 0;
  const char* months[] = {"January", "February", "March",     "April",   "May",      "June",
                          "July",    "August",   "September", "October", "November", "December"};
  for (int i = 0; i < 100; ++i) {
    const Url page = url(fmt::format("http://x.test/cal/{}/{}", 2026 + i / 12, i % 12 + 1));
    if (!watch.may_follow(page, "http://x.test/")) break;
    ++pages;
    watch.learn(page,
                fmt::format("Calendar of events for {} {}. No events are planned in {} yet.",
                            months[i % 12], 2026 + i / 12, months[i % 12]),
                2, 1);
  }
  EXPECT_LT(pages, 60);
  ASSERT_EQ(watch.traps().size(), 1U);
  EXPECT_EQ(watch.traps()[0].kind, TrapKind::kNoNewText);
  EXPECT_EQ(watch.traps()[0].pattern, "x.test/cal/{n}/{n}");
}

TEST(Traps, SessionIdsAreClosedQuickly) {
  TrapWatch watch;
  int pages = 0;
  for (int i = 0; i < 100; ++i) {
    const Url page = url(fmt::format("http://x.test/shop?sid={:032x}", i * 7919));
    if (!watch.may_follow(page, "")) break;
    ++pages;
    watch.learn(page, "Our shop sells rope and sails and many other things for ships", 5, 5);
  }
  EXPECT_LE(pages, 6);
}

TEST(Traps, AMazeOfEverNewTextIsNamed) {
  TrapWatch watch;
  int pages = 0;
  for (int i = 0; i < 200; ++i) {
    const Url page = url(fmt::format("http://x.test/maze/{}", i));
    if (!watch.may_follow(page, "")) break;
    ++pages;
    watch.learn(page, words(i, 200), 5, 5);
  }
  EXPECT_LT(pages, 50);
  ASSERT_EQ(watch.traps().size(), 1U);
  EXPECT_EQ(watch.traps()[0].kind, TrapKind::kMaze);
}

TEST(Traps, AnArchiveOfNumberedPagesWithTextOfTheirOwnIsReadToTheEnd) {
  TrapWatch watch;
  for (int i = 0; i < 500; ++i) {
    const Url page = url(fmt::format("http://x.test/posts/{}", i));
    ASSERT_TRUE(watch.may_follow(page, "")) << i;
    watch.learn(page, "Home About Contact " + words(i, 120), 12,
                1);  // navigation, and the next post
  }
  EXPECT_TRUE(watch.traps().empty());
}

TEST(Frontier, BreadthFirstThenTheSitemap) {
  Frontier frontier;
  bool fresh = false;
  const UrlId home = frontier.intern("http://x.test/", &fresh);
  const UrlId listed = frontier.intern("http://x.test/listed", &fresh);
  const UrlId a = frontier.intern("http://x.test/a", &fresh);
  EXPECT_TRUE(fresh);
  EXPECT_EQ(frontier.intern("http://x.test/a", &fresh), a);
  EXPECT_FALSE(fresh);
  frontier.push(home, 0, kNoUrl, FoundVia::kStart);
  frontier.push(listed, kUnlinked, kNoUrl, FoundVia::kSitemap);
  frontier.push(a, 1, home, FoundVia::kLink);
  frontier.push(a, 1, home, FoundVia::kLink);
  EXPECT_EQ(frontier.pop(false), home);
  EXPECT_EQ(frontier.pop(true), a);
  EXPECT_EQ(frontier.pop(true), std::nullopt);  // pages in flight may still bring links
  EXPECT_EQ(frontier.pop(false), listed);
  EXPECT_EQ(frontier.pop(false), std::nullopt);
}

TEST(Frontier, ANofollowLinkDoesNotSpeakForTheNextOne) {
  Frontier frontier;
  bool fresh = false;
  const UrlId id = frontier.intern("http://x.test/a", &fresh);
  frontier.refuse(id, NotFetchedReason::kNofollow);
  frontier.push(id, 1, kNoUrl, FoundVia::kLink);
  EXPECT_EQ(frontier.pop(false), id);
  const UrlId trap = frontier.intern("http://x.test/trap", &fresh);
  frontier.refuse(trap, NotFetchedReason::kTrap);
  frontier.push(trap, 1, kNoUrl, FoundVia::kLink);
  EXPECT_EQ(frontier.pop(false), std::nullopt);
}

TEST(Scope, AnApexMeansTheSiteAHostMeansItself) {
  const auto suffixes = PublicSuffixes::load().value();
  Scope apex(*suffixes, url("https://example.com/"));
  EXPECT_TRUE(apex.contains(url("http://blog.example.com/x")));
  EXPECT_TRUE(apex.contains(url("https://www.example.com/x")));
  EXPECT_FALSE(apex.contains(url("https://example.org/")));
  EXPECT_FALSE(apex.contains(url("https://notexample.com/")));
  EXPECT_FALSE(apex.contains(url("https://example.com:8443/")));
  Scope host(*suffixes, url("https://docs.example.com/"));
  EXPECT_TRUE(host.contains(url("https://docs.example.com/x")));
  EXPECT_FALSE(host.contains(url("https://example.com/")));
  Scope project(*suffixes, url("https://alice.github.io/"));
  EXPECT_FALSE(project.contains(url("https://bob.github.io/")));
}

TEST(Scope, EndingsThatAreNoPages) {
  EXPECT_FALSE(is_page_path("/a/manual.PDF"));
  EXPECT_FALSE(is_page_path("/style.css"));
  EXPECT_TRUE(is_page_path("/"));
  EXPECT_TRUE(is_page_path("/index.html"));
  EXPECT_TRUE(is_page_path("/v1.2/notes"));
  EXPECT_TRUE(is_page_path("/release-1.5"));
}

}  // namespace
}  // namespace periplus
