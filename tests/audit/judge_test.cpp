// What the judge makes of a whole read: scores and why there is none, prerequisites, counts.
#include "audit/judge.h"

#include <gmock/gmock.h>

#include "audit/made_read.h"

namespace periplus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Judge, AnEmptyStartPageGetsNoScore) {
  MadeRead read = good_site();
  EXPECT_TRUE(read.judge().overall.has_value());
  read.source.pages[0].body.clear();
  const Judgement judged = read.judge();
  EXPECT_FALSE(judged.overall.has_value());
  EXPECT_NE(judged.no_score.find("start page is empty"), std::string::npos) << judged.no_score;
}

TEST(Judge, HreflangOfHeaderLinesIsJudged) {
  MadeRead read = good_site();
  read.source.pages[1].headers.add(
      "Link",
      "</style.css>; rel=preload, <https://example.com/two>; rel=\"alternate\"; hreflang=\"DE\"");
  const Judgement one_sided = read.judge();
  EXPECT_TRUE(fails_on(one_sided, "hreflang-return", "https://example.com/one"))
      << failures(one_sided);
  EXPECT_NE(messages(one_sided, "hreflang-return").find("hreflang \"de\""), std::string::npos);
  read.source.pages[2].headers.add("Link", "</one>;hreflang=en;rel=alternate");
  EXPECT_EQ(verdict(read.judge(), "hreflang-return"), Verdict::kPass);
}

// What one page says in its head, another in its header lines and the sitemap for both is one set.
TEST(Judge, HreflangOfSitemapsIsJudged) {
  const auto listed = [](std::string_view more) {
    return "<urlset "
           "xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"><url><loc>https://example.com/one</loc>"
           "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"/gone\"/></url>" +
           std::string(more) + "</urlset>";
  };
  MadeRead read = good_site();
  read.page("https://example.com/gone", "gone", 404);
  read.sitemap(listed(""), 200, "https://example.com/languages.xml");
  const Judgement judged = read.judge();
  EXPECT_TRUE(fails_on(judged, "hreflang-target", "https://example.com/one")) << failures(judged);
  EXPECT_EQ(rule(judged, "hreflang-target").findings_total, 1U);

  // Said twice, told once.
  read.source.pages[1].headers.add("Link", "</gone>; rel=alternate; hreflang=de");
  EXPECT_EQ(rule(read.judge(), "hreflang-target").findings_total, 1U);

  MadeRead both = good_site();
  both.source.pages[2].body =
      good_page("The second page", "<link rel=alternate hreflang=en href=/one>");
  EXPECT_TRUE(fails_on(both.judge(), "hreflang-return", "https://example.com/two"));
  both.sitemap(
      "<urlset><url><loc>https://example.com/one</loc><x:link rel='alternate' hreflang='de' "
      "href='https://example.com/two'/></url></urlset>",
      200, "https://example.com/languages.xml");
  EXPECT_EQ(verdict(both.judge(), "hreflang-return"), Verdict::kPass);
}

TEST(Judge, ARelativeAddressInASitemapIsNamed) {
  MadeRead read = good_site();
  read.sitemap("<urlset>\n<url><loc>/one</loc></url></urlset>", 200,
               "https://example.com/relative.xml");
  const Judgement judged = read.judge();
  EXPECT_NE(messages(judged, "sitemap-parses").find("relative.xml line 2: an address is relative"),
            std::string::npos)
      << failures(judged);
}

TEST(Judge, ARedirectThatRobotsStopsIsAPageThatLeadsAway) {
  MadeRead read = good_site();
  PageRecord& away = read.page("https://example.com/away", "", 302);
  away.headers = {};
  away.final_url = "https://example.com/private/room";
  away.hops = {{away.url, 302, "/private/room", "203.0.113.7", {}}};
  away.failure = Failure{FailureKind::kRobotsDisallowed, "Disallow: /private"};
  const Judgement judged = read.judge();
  ASSERT_EQ(judged.pages.size(), 4U);
  EXPECT_EQ(judged.pages[3].status, 302);
  EXPECT_EQ(judged.pages[3].leads_to, "https://example.com/private/room");
  EXPECT_EQ(failures(judged), "");
}

TEST(Judge, KeptOutGivesNoScoreAndQuotesTheLine) {
  MadeRead read;
  read.robots("User-agent: *\nDisallow: /\n");
  read.source.site.home_url.clear();
  read.source.site.outcome.kind = OutcomeKind::kKeptOut;
  read.source.site.outcome.detail = "line 2: Disallow: /";
  const Judgement judgement = read.judge();
  EXPECT_FALSE(judgement.overall.has_value());
  EXPECT_THAT(judgement.no_score, HasSubstr("line 2: Disallow: /"));
  for (const StageScore& stage : judgement.sheet.stages) EXPECT_FALSE(stage.score.has_value());
  ASSERT_TRUE(judgement.robots.has_value());
  EXPECT_EQ(judgement.robots->line, 2U);
  EXPECT_EQ(judgement.robots->rule, "Disallow: /");
  EXPECT_EQ(verdict(judgement, "robots-blocks-all"), Verdict::kFail);
  EXPECT_TRUE(judgement.pages.empty());
}

TEST(Judge, UnreachableGivesNoScoreAndTheReason) {
  MadeRead read;
  read.source.site.home_url.clear();
  read.source.site.outcome.kind = OutcomeKind::kUnreachable;
  read.source.site.outcome.failure = Failure{FailureKind::kTlsExpired, "ended yesterday"};
  const Judgement judgement = read.judge();
  EXPECT_FALSE(judgement.overall.has_value());
  EXPECT_THAT(judgement.no_score, HasSubstr("ended yesterday"));
  EXPECT_EQ(verdict(judgement, "tls-valid"), Verdict::kFail);
  EXPECT_EQ(verdict(judgement, "title-missing"), Verdict::kNotApplicable);
}

TEST(Judge, RobotsThatFailsGivesNoScore) {
  MadeRead read;
  read.robots("", 503);
  read.source.site.home_url.clear();
  read.source.site.outcome.kind = OutcomeKind::kRobotsClosed;
  read.source.site.outcome.detail = "status 503";
  const Judgement judgement = read.judge();
  EXPECT_THAT(judgement.no_score, HasSubstr("status 503"));
  EXPECT_EQ(verdict(judgement, "robots-status"), Verdict::kFail);
  EXPECT_EQ(verdict(judgement, "robots-blocks-all"), Verdict::kUnknown);
}

TEST(Judge, HomeErrorGivesNoScore) {
  MadeRead read;
  read.page("https://example.com/", "gone", 404);
  read.source.site.outcome.kind = OutcomeKind::kHomeError;
  read.source.site.outcome.detail = "status 404";
  const Judgement judgement = read.judge();
  EXPECT_FALSE(judgement.overall.has_value());
  EXPECT_EQ(verdict(judgement, "home-ok"), Verdict::kFail);
}

TEST(Judge, LittleCoverageGivesNoScore) {
  MadeRead read;
  read.page("https://example.com/", good_page("The start of the site"));
  for (int i = 0; i < 40; ++i)
    read.failing("https://example.com/" + std::to_string(i), FailureKind::kTimeout, 1);
  const Judgement judgement = read.judge();
  EXPECT_LT(judgement.sheet.coverage, kNoScoreUnder);
  EXPECT_FALSE(judgement.overall.has_value());
  EXPECT_THAT(judgement.no_score, HasSubstr("50 %"));
}

TEST(Judge, ADependentFailsWhileItsPrerequisiteDoes) {
  MadeRead read = good_site();
  read.source.pages[1].body = "<!doctype html><html lang=en><p>" + std::string(kWords);
  const Judgement judgement = read.judge();
  EXPECT_TRUE(fails_on(judgement, "title-missing", "https://example.com/one"));
  EXPECT_TRUE(fails_on(judgement, "title-length", "https://example.com/one"));
  EXPECT_TRUE(fails_on(judgement, "title-duplicate", "https://example.com/one"));
  EXPECT_EQ(messages(judgement, "title-length"), "Cannot pass while title-missing fails here.\n");
}

TEST(Judge, ADependentOutsideItsScopeStaysOut) {
  MadeRead read = good_site();
  read.source.pages[1].body =
      "<!doctype html><html lang=en><meta name=robots content=noindex><p>" + std::string(kWords);
  const Judgement judgement = read.judge();
  EXPECT_TRUE(fails_on(judgement, "title-length", "https://example.com/one"));
  EXPECT_FALSE(fails_on(judgement, "title-duplicate", "https://example.com/one"));
}

TEST(Judge, HttpSiteFailsWhatHangsOnHttps) {
  MadeRead read("http://example.com/");
  read.page("http://example.com/", good_page("The start of the site"));
  const Judgement judgement = read.judge();
  for (const std::string_view id :
       {"https-page", "hsts", "mixed-active", "mixed-passive", "cookie-flags", "https-upgrade"})
    EXPECT_EQ(verdict(judgement, id), Verdict::kFail) << id;
}

TEST(Judge, MendingTheTitleNeverLowersTheScore) {
  MadeRead broken = good_site();
  broken.source.pages[1].body =
      "<!doctype html><html lang=en><meta name=viewport "
      "content=width=device-width><h1>x</h1><p>" +
      std::string(kWords);
  const double before = *broken.judge().overall;
  MadeRead mended = good_site();
  // A title, but too short and the same as another page's.
  mended.source.pages[2].body = good_page("Short", {}, "<p id=part>Other words.</p>");
  mended.source.pages[1].body =
      "<!doctype html><html lang=en><title>Short</title><meta name=viewport "
      "content=width=device-width><h1>x</h1><p>" +
      std::string(kWords);
  EXPECT_GT(*mended.judge().overall, before - 5);  // the other page's title fell too
  mended.source.pages[2] = good_site().source.pages[2];
  EXPECT_GE(*mended.judge().overall, before);
}

TEST(Judge, CountsAreExactWhenFindingsAreCapped) {
  std::string images;
  for (int i = 0; i < 40; ++i) images += "<img src=\"/" + std::to_string(i) + ".png\">\n";
  MadeRead read = good_site();
  read.source.pages[1].body = good_page("The first page", {}, images);
  const RuleResult result = rule(read.judge(), "img-alt");
  EXPECT_EQ(result.findings.size(), 5U);
  EXPECT_EQ(result.findings_total, 40U);
  EXPECT_EQ(result.failing, 1U);
  EXPECT_EQ(result.findings[0].place.line, 13U);
  EXPECT_EQ(result.findings[0].place.column, 1U);
  EXPECT_EQ(result.findings[0].quote, "<img src=\"/0.png\">");
}

TEST(Judge, AFailureOfEveryRuleIsOnItsPage) {
  MadeRead read = good_site();
  read.source.pages[2].body = "<p>Nothing.";
  const Judgement judgement = read.judge();
  for (std::size_t i = 0; i < judgement.rules.size(); ++i) {
    for (const PageId page : judgement.rules[i].failing_pages)
      EXPECT_THAT(judgement.pages[page].failed, ::testing::Contains(i));
  }
  EXPECT_TRUE(judgement.pages[1].failed.empty());
  EXPECT_GT(judgement.pages[2].failed.size(), 4U);
}

TEST(Judge, CountsOfEachPageRuleAddUpToThePages) {
  MadeRead read = good_site();
  read.walled("https://example.com/wall");
  read.failing("https://example.com/slow", FailureKind::kTimeout);
  read.redirect("https://example.com/old", "https://example.com/one");
  read.page("https://example.com/gone", "gone", 404);
  const Judgement judgement = read.judge();
  for (const RuleResult& result : judgement.rules) {
    const std::size_t sum =
        result.passing + result.failing + result.unknown + result.not_applicable;
    EXPECT_EQ(sum, result.rule->scope == RuleScope::kSite ? 1U : judgement.pages.size())
        << result.rule->id;
    EXPECT_EQ(result.failing_pages.size(),
              result.rule->scope == RuleScope::kSite ? 0U : result.failing);
  }
}

TEST(Judge, TheSameReadGivesTheSameJudgement) {
  MadeRead read = good_site();
  read.source.pages[1].body = "<p>Nothing <a href=/gone>gone</a>.";
  read.page("https://example.com/gone", "gone", 404);
  const Judgement first = read.judge();
  const Judgement second = read.judge();
  EXPECT_EQ(failures(first), failures(second));
  EXPECT_EQ(first.overall, second.overall);
  EXPECT_EQ(first.fix_list, second.fix_list);
}

TEST(Judge, FixListStartsWithTheLargestGain) {
  MadeRead read = good_site();
  read.source.documents[0].body = "User-agent: *\nDisallow: /\nUser-agent: Periplus\nAllow: /\n";
  read.source.pages[1].body = good_page("The first page", {}, "<img src=x.png>");
  const Judgement judgement = read.judge();
  ASSERT_GE(judgement.fix_list.size(), 2U);
  EXPECT_EQ(judgement.rules[judgement.fix_list[0]].rule->id, "robots-blocks-all");
  for (std::size_t i = 1; i < judgement.fix_list.size(); ++i)
    EXPECT_GE(judgement.rules[judgement.fix_list[i - 1]].stage_gain,
              judgement.rules[judgement.fix_list[i]].stage_gain);
}

TEST(Judge, LinksAreToldOnceForEachTarget) {
  MadeRead read;
  read.page("https://example.com/",
            good_page("The start of the site", {},
                      "<a href=/one>One</a> <a href=\"/one#x\">Again</a> "
                      "<a rel=nofollow href=\"https://other.org/\">Other</a>"));
  read.page("https://example.com/one", good_page("The first page"));
  const std::vector<LinkRecord> links = read.judge().links();
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[0].to, "https://example.com/one");
  EXPECT_EQ(links[0].words, "One");
  EXPECT_EQ(links[0].status, 200);
  EXPECT_TRUE(links[0].internal);
  EXPECT_EQ(links[1].to, "https://other.org/");
  EXPECT_FALSE(links[1].internal);
  EXPECT_TRUE(links[1].nofollow);
  EXPECT_FALSE(links[1].status.has_value());
}

TEST(Judge, EverySourceOfABrokenLinkIsNamed) {
  MadeRead read = good_site();
  for (std::size_t i = 1; i < 3; ++i)
    read.source.pages[i].body = good_page("Page " + std::to_string(i) + " of several", {},
                                          "<p id=part><a href=/gone>What is gone</a>");
  read.page("https://example.com/gone", "gone", 404);
  const Judgement judgement = read.judge();
  EXPECT_EQ(rule(judgement, "link-broken").failing, 2U);
  ASSERT_EQ(rule(judgement, "page-client-error").findings.size(), 1U);
  EXPECT_THAT(rule(judgement, "page-client-error").findings[0].related,
              ElementsAre("https://example.com/one", "https://example.com/two"));
}

TEST(Judge, ABrokenLinkBehindARedirectNamesBothAddresses) {
  MadeRead read = good_site();
  read.source.pages[1].body = good_page("The first page", {}, "<a href=/old>Old</a>");
  read.redirect("https://example.com/old", "https://example.com/gone");
  read.page("https://example.com/gone", "gone", 404);
  const Judgement judgement = read.judge();
  ASSERT_EQ(rule(judgement, "link-broken").findings.size(), 1U);
  EXPECT_THAT(rule(judgement, "link-broken").findings[0].related,
              ElementsAre("https://example.com/old", "https://example.com/gone"));
}

TEST(Judge, RecordsOfOneChainAreJoined) {
  MadeRead read = good_site();
  read.redirect("https://example.com/a", "https://example.com/b");
  read.redirect("https://example.com/b", "https://example.com/c");
  read.redirect("https://example.com/c", "https://example.com/one");
  const Judgement judgement = read.judge();
  EXPECT_TRUE(fails_on(judgement, "redirect-chain", "https://example.com/a"));
  EXPECT_TRUE(fails_on(judgement, "redirect-chain", "https://example.com/b"));
  EXPECT_FALSE(fails_on(judgement, "redirect-chain", "https://example.com/c"));
  EXPECT_EQ(judgement.pages[3].leads_to, "https://example.com/one");
}

TEST(Judge, ACircleOfRecordsIsALoop) {
  MadeRead read = good_site();
  read.redirect("https://example.com/a", "https://example.com/b");
  read.redirect("https://example.com/b", "https://example.com/a");
  const Judgement judgement = read.judge();
  EXPECT_TRUE(fails_on(judgement, "redirect-loop", "https://example.com/a"));
  EXPECT_TRUE(fails_on(judgement, "redirect-loop", "https://example.com/b"));
}

TEST(Judge, ABrokenOffPageIsNotFoundToLackWhatMayHaveFollowed) {
  MadeRead read = good_site();
  PageRecord& page = read.page("https://example.com/part", "<!doctype html><html lang=en><p>Begun");
  page.body_damaged = true;
  const Judgement judgement = read.judge();
  for (const std::string_view id :
       {"title-missing", "h1-missing", "text-in-html", "description-missing", "viewport"})
    EXPECT_FALSE(fails_on(judgement, id, "https://example.com/part")) << id;
}

TEST(Judge, ASuspectedSoft404IsUnknownWithoutProof) {
  MadeRead read = good_site();
  read.page(
      "https://example.com/odd",
      "<!doctype html><html lang=sl><title>Stran ne obstaja</title><h1>Stran ne obstaja</h1>");
  const Judgement judgement = read.judge();
  EXPECT_EQ(rule(judgement, "soft-404").failing, 0U);
  EXPECT_EQ(rule(judgement, "soft-404").unknown, 1U);
  EXPECT_FALSE(judgement.pages.back().indexable.has_value());
}

TEST(Judge, ASoft404IsProvedByASecondAddressWithTheSameWords) {
  MadeRead read = good_site();
  for (const std::string_view path : {"a", "b"})
    read.page("https://example.com/" + std::string(path),
              "<!doctype html><html lang=ja><title>ページが見つかりません</title><p>トップへ");
  const Judgement judgement = read.judge();
  EXPECT_EQ(rule(judgement, "soft-404").failing, 2U);
  EXPECT_FALSE(*judgement.pages.back().indexable);
}

TEST(Judge, APageAboutErrorsIsNoSoft404) {
  MadeRead read = good_site();
  std::string words;
  for (int i = 0; i < 6; ++i) words.append(kWords).append(" ");
  read.page("https://example.com/help", good_page("404 Not Found", {}, "<p>" + words + "</p>"));
  const Judgement judgement = read.judge();
  EXPECT_EQ(rule(judgement, "soft-404").failing, 0U);
  EXPECT_EQ(rule(judgement, "soft-404").unknown, 0U);
}

TEST(Judge, TranslationsAndSeriesMayShareATitle) {
  MadeRead read = good_site();
  const std::string set =
      "<link rel=alternate hreflang=en href=/en/x>"
      "<link rel=alternate hreflang=de href=/de/x>";
  read.page("https://example.com/en/x", good_page("Periplus Maris", set, "<p>English.</p>"));
  read.page("https://example.com/de/x", good_page("Periplus Maris", set, "<p>Deutsch.</p>"));
  read.page("https://example.com/news", good_page("News of the harbour"));
  read.page("https://example.com/news?page=2", good_page("News of the harbour", {}, "<p>2</p>"));
  read.page("https://example.com/news/page/3", good_page("News of the harbour", {}, "<p>3</p>"));
  const Judgement judgement = read.judge();
  EXPECT_EQ(verdict(judgement, "title-duplicate"), Verdict::kPass)
      << messages(judgement, "title-duplicate");
}

}  // namespace
}  // namespace periplus
