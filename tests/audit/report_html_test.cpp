// The HTML report read back with the project's own page reader.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "audit/made_read.h"
#include "audit/report/html.h"
#include "audit/report/html_parts.h"
#include "audit/report/html_writer.h"
#include "html/page_reader.h"

namespace periplus {
namespace {

using testing::HasSubstr;
using testing::Not;

PageFacts facts_of(const std::string& html) {
  PageFacts facts;
  read_page({.bytes = html, .content_type = "text/html; charset=utf-8"}, &facts);
  return facts;
}

std::size_t times(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size()))
    ++count;
  return count;
}

// What every report must hold to, whatever was read.
void expect_sound(const std::string& html) {
  const PageFacts facts = facts_of(html);
  EXPECT_TRUE(facts.faults.empty());
  EXPECT_TRUE(facts.doctype);
  EXPECT_EQ(facts.html_lang, "en");
  EXPECT_EQ(facts.visible_mains, 1u);

  EXPECT_TRUE(facts.resources.empty()) << facts.resources.front().url;
  EXPECT_TRUE(facts.images.empty());
  ASSERT_EQ(facts.link_rels.size(), 1u);
  EXPECT_EQ(facts.link_rels[0].href, "data:,");
  EXPECT_THAT(html, HasSubstr("default-src &#39;none&#39;; style-src &#39;sha256-"));
  EXPECT_THAT(html, Not(HasSubstr(" style=")));
  EXPECT_THAT(html, Not(HasSubstr("@import")));
  EXPECT_THAT(html, Not(HasSubstr("url(")));
  EXPECT_EQ(times(html, "<script"), 1u);
  EXPECT_EQ(times(html, "<style"), 1u);

  std::set<std::string_view> ids;
  for (const Id& id : facts.ids) EXPECT_TRUE(ids.insert(id.value).second) << id.value;

  int before = 0;
  for (const Heading& heading : facts.headings) {
    EXPECT_LE(heading.level, before + 1) << heading.text;
    EXPECT_FALSE(heading.text.empty());
    before = heading.level;
  }
  EXPECT_EQ(std::ranges::count(facts.headings, 1, &Heading::level), 1);

  for (const Link& link : facts.links) {
    EXPECT_FALSE(link.words.empty()) << link.href;
    if (link.href.starts_with("#")) {
      EXPECT_TRUE(ids.contains(link.href.substr(1))) << link.href;
    } else {
      EXPECT_TRUE(link.href.starts_with("http://") || link.href.starts_with("https://"))
          << link.href;
    }
  }
  for (const Control& control : facts.controls) EXPECT_TRUE(control.named) << control.element;
}

MadeRead with_outcome(OutcomeKind kind, std::string detail) {
  MadeRead read;
  read.source.site.outcome.kind = kind;
  read.source.site.outcome.detail = std::move(detail);
  return read;
}

TEST(HtmlWriter, EscapesTextAndAttributes) {
  HtmlWriter out;
  out.element("p", {{"title", "\"><b>'&"}}, "<script>alert(1)</script> \"'&");
  EXPECT_EQ(out.take(),
            "<p title=\"&quot;&gt;&lt;b&gt;&#39;&amp;\">&lt;script&gt;alert(1)&lt;/script&gt; "
            "&quot;&#39;&amp;</p>");
}

TEST(HtmlWriter, ReplacesControlsAndReorderingCharacters) {
  HtmlWriter out;
  out.text(
      "a\x01"
      "b\x1b[31m\xE2\x80\xAE"
      "c\xFF");
  EXPECT_EQ(out.take(),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD[31m\xEF\xBF\xBD"
            "c\xEF\xBF\xBD");
}

TEST(HtmlWriter, LinksOnlyToHttp) {
  HtmlWriter out;
  out.address("javascript:alert(1)");
  out.address("data:text/html,x");
  out.address("https://example.com/?a=\"b");
  EXPECT_EQ(out.take(),
            "<bdi>javascript:alert(1)</bdi><bdi>data:text/html,x</bdi>"
            "<a href=\"https://example.com/?a=&quot;b\" rel=\"noreferrer\">"
            "<bdi>https://example.com/?a=&quot;b</bdi></a>");
}

TEST(HtmlWriter, ClosesWhatIsOpenAndNoVoidElement) {
  HtmlWriter out;
  out.open("ul");
  out.open("li");
  out.open("br");
  EXPECT_EQ(out.take(), "<ul><li><br></li></ul>");
}

TEST(HtmlReport, OfAGoodSiteIsSound) {
  const Judgement judged = good_site().judge();
  const std::string html = html_report(judged);
  expect_sound(html);
  EXPECT_THAT(html, HasSubstr("<strong>100</strong>"));
  EXPECT_THAT(html, HasSubstr("There is nothing to fix."));
  EXPECT_THAT(html, Not(HasSubstr("This is not the whole site.")));
}

TEST(HtmlReport, OfAFaultySiteIsSoundAndNamesEveryRule) {
  MadeRead read;
  read.page("https://example.com/", "<title>x</title><a href='/gone'></a><img src=/a.png>");
  read.page("https://example.com/gone", "<p>gone", 404);
  read.failing("https://example.com/late", FailureKind::kTimeout);
  read.walled("https://example.com/wall");
  read.redirect("https://example.com/old", "https://example.com/");
  read.robots("User-agent: GPTBot\nDisallow: /\n");
  read.sitemap("<urlset><url><loc>https://example.com/gone</loc>");
  const Judgement judged = read.judge();
  const std::string html = html_report(judged);
  expect_sound(html);
  for (const RuleResult& result : judged.rules) {
    EXPECT_EQ(times(html, "id=\"" + rule_anchor(*result.rule) + "\""), 1u) << result.rule->id;
  }
  for (PageId page = 0; page < judged.pages.size(); ++page) {
    EXPECT_EQ(times(html, "id=\"" + page_anchor(page) + "\""), 1u);
  }
  EXPECT_THAT(html, HasSubstr("<code><bdi>Disallow: /</bdi></code>"));
}

TEST(HtmlReport, WhatTheSiteWroteIsOnlyText) {
  MadeRead read;
  const std::string evil =
      "&lt;script>alert(1)&lt;/script>&lt;img src=x onerror=alert(2)> \"'\xE2\x80\xAEgnp.\x02";
  for (const char* path : {"", "a", "b?x=%22%3E%3Cscript%3E"}) {
    read.page(std::string("https://example.com/") + path,
              good_page(evil, {}, "<p><a href=\"javascript:alert(3)\">" + evil + "</a></p>"));
  }
  read.robots("User-agent: *\nDisallow: /<script>alert(4)</script>\nAllow: /\n");
  read.source.site.traps.push_back(
      {TrapKind::kMaze, "/<b>{n}", "javascript:alert(5)", "\"><i>", 3, 9});
  read.source.site.not_fetched_counts = {{NotFetchedReason::kNotHttp, 1}};
  read.source.site.not_fetched = {
      {"javascript:alert(6)", NotFetchedReason::kNotHttp, "https://example.com/<u>"}};
  read.source.site.user_agent = "Periplus <s>";
  const std::string html = html_report(read.judge());
  expect_sound(html);
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;"));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, Not(HasSubstr("<b>")));
  EXPECT_THAT(html, Not(HasSubstr("<i>")));
  EXPECT_THAT(html, Not(HasSubstr("<u>")));
  EXPECT_THAT(html, Not(HasSubstr("<s>")));
  EXPECT_THAT(html, Not(HasSubstr("\xE2\x80\xAE")));
  EXPECT_THAT(html, Not(HasSubstr("href=\"javascript")));
  EXPECT_EQ(html.find('\x02'), std::string::npos);
}

TEST(HtmlReport, OfAPartOfASiteSaysSoFirst) {
  MadeRead read = good_site();
  read.source.site.outcome.kind = OutcomeKind::kPageLimit;
  read.source.site.page_limit = 3;
  read.source.site.not_fetched_counts = {{NotFetchedReason::kPageLimit, 1234}};
  for (int i = 0; i < 150; ++i)
    read.source.site.not_fetched.push_back({"https://example.com/more/" + std::to_string(i),
                                            NotFetchedReason::kPageLimit, "https://example.com/"});
  const std::string html = html_report(read.judge());
  expect_sound(html);
  EXPECT_LT(html.find("This is not the whole site."), html.find("class=\"scorecard\""));
  EXPECT_LT(html.find("id=\"coverage\""), html.find("id=\"fixes\""));
  EXPECT_THAT(html, HasSubstr("The limit was 3 pages."));
  EXPECT_THAT(html, HasSubstr(">1,234<"));
  EXPECT_THAT(html, HasSubstr("/more/99<"));
  EXPECT_THAT(html, Not(HasSubstr("/more/100<")));
  EXPECT_THAT(html, HasSubstr("and 1,134 more"));
}

TEST(HtmlReport, OfASiteThatKeepsUsOutQuotesTheDecidingLine) {
  MadeRead read = with_outcome(OutcomeKind::kKeptOut, "line 2: Disallow: /");
  read.robots("User-agent: *\nDisallow: /\n");
  const std::string html = html_report(read.judge());
  expect_sound(html);
  EXPECT_THAT(html, HasSubstr("Kept out by robots.txt"));
  EXPECT_THAT(html, HasSubstr("Deciding line of robots.txt: line 2"));
  EXPECT_THAT(html, HasSubstr("<bdi>Disallow: /</bdi>"));
  EXPECT_THAT(html, Not(HasSubstr("of 100")));
  EXPECT_THAT(html, Not(HasSubstr("id=\"fixes\"")));
  EXPECT_THAT(html, HasSubstr("id=\"crawlers\""));
}

TEST(HtmlReport, OfASiteThatDoesNotAnswerNamesTheFailure) {
  MadeRead read = with_outcome(OutcomeKind::kUnreachable, "");
  read.source.site.outcome.failure = Failure{FailureKind::kTlsExpired, "expired <yesterday>"};
  read.failing("https://example.com/", FailureKind::kTlsExpired);
  const std::string html = html_report(read.judge());
  expect_sound(html);
  EXPECT_THAT(html, HasSubstr("The site cannot be reached"));
  EXPECT_THAT(html, HasSubstr("The certificate is not valid now (expired &lt;yesterday&gt;)."));
  EXPECT_THAT(html, Not(HasSubstr("of 100")));
}

TEST(HtmlReport, OfEveryOtherClosedSiteIsOnePageWithAdvice) {
  for (const OutcomeKind kind : {OutcomeKind::kRobotsClosed, OutcomeKind::kHomeError,
                                 OutcomeKind::kBotWall, OutcomeKind::kBackedOff}) {
    MadeRead read = with_outcome(kind, "the <detail>");
    if (kind == OutcomeKind::kBackedOff)
      read.source.site.retry_at = read.source.site.ended + std::chrono::hours(2);
    const std::string html = html_report(read.judge());
    expect_sound(html);
    EXPECT_THAT(html, HasSubstr("What to do"));
    EXPECT_THAT(html, HasSubstr("the &lt;detail&gt;"));
    EXPECT_THAT(html, Not(HasSubstr("class=\"scorecard\"")));
    EXPECT_EQ(kind == OutcomeKind::kBackedOff, html.contains("It may be asked again"));
  }
}

TEST(HtmlReport, ShowsFiftyFindingsOfARuleAndCountsTheRest) {
  MadeRead read;
  for (int i = 0; i < 60; ++i) {
    const std::string url = "https://example.com/" + (i == 0 ? "" : "p" + std::to_string(i));
    read.page(url, "<!doctype html><html lang=en><p>nothing " + std::to_string(i) + "</p>");
  }
  const Judgement judged = read.judge();
  const RuleResult& titles = rule(judged, "title-missing");
  ASSERT_EQ(titles.findings_total, 60u);
  const std::string html = html_report(judged);
  expect_sound(html);
  const std::size_t from = html.find("id=\"rule-title-missing\"");
  const std::string part = html.substr(from, html.find("id=\"rule-", from + 10) - from);
  EXPECT_EQ(times(part, "href=\"#page-"), 50u);
  EXPECT_THAT(part, HasSubstr("and 10 more in the JSON report"));
  EXPECT_THAT(part, HasSubstr("60 findings"));
}

TEST(HtmlReport, OfAHundredPagesOnWhichEverythingFailsIsUnderAMegabyte) {
  MadeRead read;
  for (int i = 0; i < 100; ++i)
    read.page(
        "https://example.com/a-page-with-an-address/of-ordinary-length/number-" + std::to_string(i),
        good_page("Page " + std::to_string(i)));
  Judgement judged = read.judge();
  for (std::uint16_t index = 0; index < judged.rules.size(); ++index) {
    RuleResult& result = judged.rules[index];
    result.findings.clear();
    result.failing_pages.clear();
    for (PageId page = 0; page < judged.pages.size(); ++page) {
      Finding finding;
      finding.page = page;
      finding.message = "A sentence of ordinary length that names what is wrong on page " +
                        std::to_string(page) + ".";
      finding.quote = "<a href=\"/somewhere/or-other\">quoted " + std::to_string(page) + "</a>";
      finding.place = {page + 1, 7};
      result.findings.push_back(std::move(finding));
      result.failing_pages.push_back(page);
    }
    result.failing = 100;
    result.passing = 0;
    result.findings_total = 100;
    for (PageResult& page : judged.pages) {
      if (index == 0) page.failed.clear();
      page.failed.push_back(index);
    }
  }
  const std::string html = html_report(judged);
  expect_sound(html);
  EXPECT_LT(html.size(), 1'000'000u);
}

}  // namespace
}  // namespace periplus
