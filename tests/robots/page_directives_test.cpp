#include "robots/page_directives.h"

#include <gtest/gtest.h>

#include "robots/feed_date.h"

namespace periplus {
namespace {

PageDirectives header(std::string_view value) {
  PageDirectives out;
  add_x_robots_tag(value, "Periplus", &out);
  return out;
}

PageDirectives meta(std::string_view name, std::string_view content) {
  PageDirectives out;
  add_meta_robots(name, content, "Periplus", &out);
  return out;
}

std::string date(const PageDirectives& directives) {
  return directives.unavailable_after ? to_rfc3339(*directives.unavailable_after) : "";
}

TEST(MetaRobots, GenericAndOwnNameCountInAnyLetterCase) {
  EXPECT_TRUE(meta("ROBOTS", "NoIndex").noindex);
  EXPECT_TRUE(meta("periplus", "noindex").noindex);
  EXPECT_FALSE(meta("googlebot", "noindex").noindex);
  const PageDirectives none = meta("robots", " none , noarchive,nosnippet");
  EXPECT_TRUE(none.noindex && none.nofollow && none.noarchive && none.nosnippet);
  EXPECT_EQ(none.sources[0], "meta robots: none");
  EXPECT_FALSE(meta("robots", "index, follow, all").noindex);
  EXPECT_TRUE(meta("robots", "noimageai").noai);
}

TEST(MetaRobots, TheMostRestrictiveSnippetWins) {
  PageDirectives out = meta("robots", "max-snippet:-1");
  EXPECT_EQ(out.max_snippet, -1);
  add_meta_robots("Periplus", "max-snippet: 50", "Periplus", &out);
  add_meta_robots("robots", "max-snippet:200, max-snippet:x, max-snippet:-7", "Periplus", &out);
  EXPECT_EQ(out.max_snippet, 50);
}

TEST(XRobotsTag, NamesOfCrawlersBindUpToTheNextName) {
  EXPECT_TRUE(header("noindex, nofollow").nofollow);
  EXPECT_FALSE(header("otherbot: noindex, nofollow").noindex);
  EXPECT_FALSE(header("otherbot: noindex, nofollow").nofollow);
  EXPECT_TRUE(header("PERIPLUS: noindex").noindex);
  const PageDirectives mixed = header("googlebot: nofollow, periplus: noindex");
  EXPECT_TRUE(mixed.noindex);
  EXPECT_FALSE(mixed.nofollow);
  EXPECT_EQ(header("max-snippet: 20, noindex").max_snippet, 20);
}

TEST(XRobotsTag, DatesKeepTheirCommasAndColons) {
  EXPECT_EQ(date(header("unavailable_after: 25 Jun 2010 15:00:00 PST")), "2010-06-25T23:00:00Z");
  EXPECT_EQ(date(header("unavailable_after: Sunday, 06-Nov-94 08:49:37 GMT, noindex")),
            "1994-11-06T08:49:37Z");
  EXPECT_TRUE(header("unavailable_after: Sunday, 06-Nov-94 08:49:37 GMT, noindex").noindex);
  EXPECT_EQ(date(header("nofollow, unavailable_after: 2030-01-02T03:04:05+01:00")),
            "2030-01-02T02:04:05Z");
  EXPECT_EQ(date(header("Periplus: unavailable_after: Sun, 06 Nov 1994 08:49:37 GMT, noindex")),
            "1994-11-06T08:49:37Z");
  EXPECT_EQ(date(header("otherbot: unavailable_after: 25 Jun 2010 15:00:00 PST")), "");
  const PageDirectives bad = header("unavailable_after: soon, noindex");
  EXPECT_EQ(date(bad), "");
  EXPECT_TRUE(bad.noindex);
}

TEST(FeedDate, FormsWithAndWithoutWeekDayAndZone) {
  const auto read = [](std::string_view text) {
    const auto at = parse_feed_date(text);
    return at ? to_rfc3339(*at) : std::string();
  };
  EXPECT_EQ(read("Thu, 05 Jan 2017 13:34:51 +0100"), "2017-01-05T12:34:51Z");
  EXPECT_EQ(read("5 Jan 17 13:34 -0130"), "2017-01-05T15:04:00Z");
  EXPECT_EQ(read("05 Jan 17 13:34:55"), "");
  EXPECT_EQ(read("31 Feb 2017 13:34:55 GMT"), "");
  EXPECT_EQ(read("05 Jan 2017 24:34:55 GMT"), "");
  EXPECT_EQ(read("05 Foo 2017 04:34:55 GMT"), "");
  EXPECT_EQ(read(""), "");
}

}  // namespace
}  // namespace periplus
