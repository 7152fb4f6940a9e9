// Pages of the search use: written with their visit or not at all, followed by sequence.
#include "store/search_pages.h"

#include <gtest/gtest.h>

#include "made_visit.h"

namespace periplus {
namespace {

SearchPage made_search_page(const std::string& url, std::int64_t n) {
  SearchPage page;
  page.site = "a.example";
  page.url = url;
  page.state = "fetched";
  page.reason = "";
  page.depth = 2;
  page.found_from = "https://a.example/";
  page.first_seen = second(n);
  page.last_try = page.last_ok = page.last_change = second(n + 1);
  page.next_try = second(n + 1000);
  page.reads = 1;
  page.changes = 1;
  page.failing_since = second(n + 2);
  page.failures = 3;
  page.failure = "timeout";
  page.status = 200;
  page.etag = "\"x\"";
  page.last_modified = "Mon, 07 Dec 2026 00:00:00 GMT";
  page.title = "Ħobż";
  page.description = "about bread";
  page.lang = "mt";
  page.canonical = "https://a.example/canonical";
  page.text_hash = 0xfffffffffffffff0U;
  page.fingerprint = 0x8000000000000001U;
  page.orders = "noarchive";
  page.unavailable_after = second(n + 5000);
  page.verdict = "in";
  page.points = 7.5;
  page.scope = 0xfedcba9876543210U;
  return page;
}

class SearchPagesTest : public testing::Test {
 protected:
  VisitId record(SearchVisit visit) {
    visit.visit = made_visit("a.example", 0);
    visit.visit.use = "search";
    visit.owner = "a.example";
    visit.next.site = "a.example";
    visit.next.line = Line::kVisited;
    EXPECT_TRUE(store->lease("a.example", second(0), second(100)));
    const auto id = pages.record(visit);
    EXPECT_TRUE(id);
    return id.value_or(0);
  }
  SearchPage found(const std::string& url) {
    const auto page = pages.find("a.example", url);
    EXPECT_TRUE(page && *page) << url;
    return page && *page ? **page : SearchPage{};
  }

  Home home;
  std::unique_ptr<Store> store = opened(home.database());
  SearchPages pages{*store};
};

TEST_F(SearchPagesTest, APageComesBackAsItWasRecorded) {
  SearchVisit visit;
  const SearchPage made = made_search_page("https://a.example/x", 3);
  visit.pages.push_back(made);
  record(visit);
  const SearchPage page = found(made.url);
  EXPECT_EQ(page.site, made.site);
  EXPECT_EQ(page.state, made.state);
  EXPECT_EQ(page.depth, made.depth);
  EXPECT_EQ(page.found_from, made.found_from);
  EXPECT_EQ(page.first_seen, made.first_seen);
  EXPECT_EQ(page.last_try, made.last_try);
  EXPECT_EQ(page.next_try, made.next_try);
  EXPECT_EQ(page.failing_since, made.failing_since);
  EXPECT_EQ(page.failure, made.failure);
  EXPECT_EQ(page.failures, made.failures);
  EXPECT_EQ(page.etag, made.etag);
  EXPECT_EQ(page.last_modified, made.last_modified);
  EXPECT_EQ(page.title, made.title);
  EXPECT_EQ(page.description, made.description);
  EXPECT_EQ(page.lang, made.lang);
  EXPECT_EQ(page.canonical, made.canonical);
  EXPECT_EQ(page.text_hash, made.text_hash);
  EXPECT_EQ(page.fingerprint, made.fingerprint);
  EXPECT_EQ(page.orders, made.orders);
  EXPECT_EQ(page.unavailable_after, made.unavailable_after);
  EXPECT_EQ(page.verdict, made.verdict);
  EXPECT_EQ(page.points, made.points);
  EXPECT_EQ(page.scope, made.scope);
  EXPECT_GT(page.sequence, 0U);
}

TEST_F(SearchPagesTest, KnownAddressesStayAsTheyAreAndNewOnesCountOnce) {
  ASSERT_TRUE(*Schedule(*store).add([] {
    ScheduledSite site;
    site.site = "a.example";
    return site;
  }()));
  SearchVisit visit;
  visit.pages.push_back(made_search_page("https://a.example/x", 3));
  visit.found.push_back({"a.example", "https://a.example/x", "", 9});
  visit.found.push_back({"a.example", "https://a.example/y", "https://a.example/x", 3});
  visit.found.push_back({"a.example", "https://a.example/y", "https://a.example/", 1});
  record(visit);
  EXPECT_EQ(found("https://a.example/x").depth, 2U);
  EXPECT_EQ(found("https://a.example/y").depth, 3U);
  EXPECT_EQ(found("https://a.example/y").state, "known");
  EXPECT_EQ((*Schedule(*store).find("a.example"))->pages, 2U);
}

TEST_F(SearchPagesTest, AVisitThatLostItsLeaseWritesNothing) {
  SearchVisit visit;
  visit.visit = made_visit("a.example", 0);
  visit.pages.push_back(made_search_page("https://a.example/x", 3));
  visit.next.site = "a.example";
  EXPECT_FALSE(pages.record(visit));
  EXPECT_FALSE(*pages.find("a.example", "https://a.example/x"));
  EXPECT_EQ(*pages.newest_sequence(), 0U);
}

TEST_F(SearchPagesTest, EveryChangeHasALaterNumber) {
  SearchVisit first;
  first.pages.push_back(made_search_page("https://a.example/x", 3));
  first.pages.push_back(made_search_page("https://a.example/y", 3));
  record(first);
  const std::uint64_t before = *pages.newest_sequence();
  EXPECT_EQ(pages.changed(0, 10)->size(), 2U);
  EXPECT_TRUE(pages.changed(before, 10)->empty());

  SearchVisit second_visit;
  second_visit.anchors.push_back({"a.example", "https://a.example/x", "fresh bread"});
  record(second_visit);
  auto changed = pages.changed(before, 10);
  ASSERT_EQ(changed->size(), 1U);
  EXPECT_EQ((*changed)[0].url, "https://a.example/x");

  const std::uint64_t later = *pages.newest_sequence();
  record(second_visit);  // the same words again change nothing
  EXPECT_TRUE(pages.changed(later, 10)->empty());
  ASSERT_TRUE(pages.touch("a.example", ""));
  EXPECT_EQ(pages.changed(later, 10)->size(), 2U);
}

TEST_F(SearchPagesTest, APageIsLookedAtAgainWhenItsOriginalIsRead) {
  SearchVisit first;
  first.pages.push_back(made_search_page("https://a.example/x", 3));
  record(first);
  const std::uint64_t before = *pages.newest_sequence();
  SearchVisit then;
  then.pages.push_back(made_search_page("https://a.example/canonical", 4));
  record(then);
  std::vector<std::string> urls;
  for (const SearchPage& page : *pages.changed(before, 10)) urls.push_back(page.url);
  EXPECT_EQ(urls, (std::vector<std::string>{"https://a.example/canonical", "https://a.example/x"}));
}

TEST_F(SearchPagesTest, DueAreThoseWhoseTimeHasComeTheUntriedFirst) {
  SearchVisit visit;
  visit.pages.push_back(made_search_page("https://a.example/late", 2000));
  visit.pages.push_back(made_search_page("https://a.example/soon", 0));
  visit.found.push_back({"a.example", "https://a.example/new", "", 1});
  record(visit);
  std::vector<std::string> urls;
  for (const SearchPage& page : *pages.due("a.example", second(1500), 10)) urls.push_back(page.url);
  EXPECT_EQ(urls, (std::vector<std::string>{"https://a.example/new", "https://a.example/soon"}));
  EXPECT_EQ(*pages.next_try("a.example"), Instant{});
}

TEST_F(SearchPagesTest, CopiesArePutAndTaken) {
  SearchVisit visit;
  visit.pages.push_back(made_search_page("https://a.example/x", 3));
  visit.copies.push_back({"https://a.example/x", second(4), "text/html", "BODY", "TEXT"});
  record(visit);
  auto copy = pages.copy("a.example", "https://a.example/x");
  ASSERT_TRUE(copy && *copy);
  EXPECT_EQ((*copy)->packed_body, "BODY");
  ASSERT_TRUE(pages.drop_copies("a.example", "https://a.example/x"));
  EXPECT_EQ((*pages.copy("a.example", "https://a.example/x"))->packed_body, "");
  EXPECT_EQ((*pages.copy("a.example", "https://a.example/x"))->packed_text, "TEXT");
  SearchVisit gone;
  gone.copies.push_back({"https://a.example/x", second(5), "", "", ""});
  record(gone);
  EXPECT_FALSE(*pages.copy("a.example", "https://a.example/x"));
}

TEST_F(SearchPagesTest, WordsOfOneSiteAreFewAndItsOwnApart) {
  SearchVisit visit;
  visit.pages.push_back(made_search_page("https://a.example/x", 3));
  for (int n = 0; n < 20; ++n) {
    visit.anchors.push_back({"a.example", "https://a.example/x", "words " + std::to_string(n)});
  }
  record(visit);
  const auto anchors = pages.anchors("a.example", "https://a.example/x", 100);
  ASSERT_EQ(anchors->size(), 8U);
  EXPECT_TRUE((*anchors)[0].own);
}

TEST_F(SearchPagesTest, TextsWithinThreeBitsShareACluster) {
  const std::uint64_t text = 0x0123456789abcdefU;
  EXPECT_EQ(*pages.cluster_of(text), text);
  EXPECT_EQ(*pages.cluster_of(text), text);
  EXPECT_EQ(*pages.cluster_of(text ^ 0x8000000000010001U), text);  // three bits, three bands
  const std::uint64_t far = text ^ 0x0f01000f0001000fU;            // each band differs
  EXPECT_EQ(*pages.cluster_of(far), far);
}

}  // namespace
}  // namespace periplus
