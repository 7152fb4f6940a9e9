// The twenty-five inputs that auditors are known to get wrong.
#include <gmock/gmock.h>

#include "audit/made_read.h"

namespace periplus {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const AgentResult& agent(const Judgement& judgement, std::string_view token) {
  for (const AgentResult& result : judgement.agents) {
    if (result.agent->token == token) return result;
  }
  ADD_FAILURE() << "no agent " << token;
  return judgement.agents.front();
}

void set_robots(MadeRead& read, std::string text) {
  read.source.documents[0].body = std::move(text);
}
void set_sitemap(MadeRead& read, std::string text) {
  read.source.documents[1].body = std::move(text);
}
void set_llms(MadeRead& read, std::string text, int status = 200) {
  read.source.documents.back().body = std::move(text);
  read.source.documents.back().status = status;
}

TEST(HardInput01_RobotsBansOnlyGptBot, IsToldForThatAgentAlone) {
  MadeRead read = good_site();
  set_robots(read, "User-agent: GPTBot\nDisallow: /\n");
  const Judgement judgement = read.judge();
  EXPECT_FALSE(agent(judgement, "GPTBot").home_allowed);
  EXPECT_EQ(agent(judgement, "GPTBot").line, 2U);
  EXPECT_EQ(agent(judgement, "GPTBot").pages_closed, 3U);
  EXPECT_TRUE(agent(judgement, "Googlebot").home_allowed);
  EXPECT_TRUE(agent(judgement, "ClaudeBot").home_allowed);
  EXPECT_EQ(verdict(judgement, "robots-blocks-all"), Verdict::kPass);
  EXPECT_EQ(verdict(judgement, "ai-search-allowed"), Verdict::kPass);
  EXPECT_EQ(verdict(judgement, "ai-training-policy"), Verdict::kPass);
  EXPECT_EQ(shown(*judgement.overall), 100);
}

TEST(HardInput02_RobotsAllowsNamedEnginesAndBansAll, IsToldPerAgent) {
  MadeRead read = good_site();
  set_robots(
      read, "User-agent: Googlebot\nUser-agent: Bingbot\nAllow: /\n\nUser-agent: *\nDisallow: /\n");
  const Judgement judgement = read.judge();
  EXPECT_EQ(verdict(judgement, "robots-blocks-all"), Verdict::kPass);
  EXPECT_TRUE(agent(judgement, "Googlebot").home_allowed);
  EXPECT_FALSE(agent(judgement, "PerplexityBot").home_allowed);
  EXPECT_EQ(agent(judgement, "PerplexityBot").group, "*");
  EXPECT_EQ(verdict(judgement, "ai-search-allowed"), Verdict::kFail);
  EXPECT_THAT(messages(judgement, "ai-search-allowed"), Not(HasSubstr("Googlebot")));
}

TEST(HardInput03_UnknownRobotsFields, AreNoFaultsAndEndNoGroup) {
  MadeRead read = good_site();
  set_robots(
      read,
      "User-agent: *\nContent-Signal: search=yes, ai-train=no\nLicense: https://example.com/l\n"
      "Agentmap: https://example.com/a\nDisallow: /one\n");
  const Judgement judgement = read.judge();
  EXPECT_EQ(verdict(judgement, "robots-syntax"), Verdict::kPass)
      << messages(judgement, "robots-syntax");
  EXPECT_EQ(verdict(judgement, "ai-policy-consistent"), Verdict::kPass)
      << messages(judgement, "ai-policy-consistent");
  EXPECT_EQ(agent(judgement, "Googlebot").pages_closed, 1U);  // the rule still binds
}

TEST(HardInput04_RobotsRefusedWith403, MeansNoRules) {
  MadeRead read = good_site();
  read.source.documents[0].status = 403;
  read.source.documents[0].body = "Forbidden";
  const Judgement judgement = read.judge();
  EXPECT_EQ(verdict(judgement, "robots-status"), Verdict::kPass);
  EXPECT_EQ(verdict(judgement, "robots-blocks-all"), Verdict::kPass);
  EXPECT_TRUE(agent(judgement, "GPTBot").home_allowed);
}

TEST(HardInput05_LlmsTxtIsTheAppsShell, IsNoLlmsTxt) {
  MadeRead read = good_site();
  set_llms(read, "<!doctype html><html><div id=root></div></html>");
  const Judgement judgement = read.judge();
  EXPECT_EQ(verdict(judgement, "llms-txt-valid"), Verdict::kFail);
  EXPECT_THAT(messages(judgement, "llms-txt-valid"), HasSubstr("HTML page"));
}

TEST(HardInput05_LlmsTxtIsTheAppsShell, AFetchErrorIsUnknown) {
  MadeRead read = good_site();
  read.source.documents.back().failure = Failure{FailureKind::kTimeout, ""};
  EXPECT_EQ(verdict(read.judge(), "llms-txt-valid"), Verdict::kUnknown);
}

TEST(HardInput05_LlmsTxtIsTheAppsShell, TheSameForRobotsAndSitemap) {
  MadeRead read = good_site();
  set_robots(read, "<!DOCTYPE html>\n<html><body>App</body></html>");
  set_sitemap(read, "<!DOCTYPE html>\n<html><body>App</body></html>");
  const Judgement judgement = read.judge();
  EXPECT_EQ(verdict(judgement, "robots-is-text"), Verdict::kFail);
  EXPECT_EQ(verdict(judgement, "robots-syntax"), Verdict::kFail);  // hangs on robots-is-text
  EXPECT_EQ(verdict(judgement, "sitemap-parses"), Verdict::kFail);
  EXPECT_EQ(verdict(judgement, "robots-blocks-all"), Verdict::kPass);
}

TEST(HardInput06_BlockListOfRetiredNames, DoesNotBlockClaudeBot) {
  MadeRead read = good_site();
  set_robots(read, "User-agent: anthropic-ai\nUser-agent: Claude-Web\nDisallow: /\n");
  const Judgement judgement = read.judge();
  EXPECT_TRUE(agent(judgement, "ClaudeBot").home_allowed);
  EXPECT_FALSE(agent(judgement, "anthropic-ai").home_allowed);
  EXPECT_EQ(verdict(judgement, "ai-policy-consistent"), Verdict::kFail);
  EXPECT_THAT(messages(judgement, "ai-policy-consistent"), HasSubstr("ClaudeBot is not closed"));
  EXPECT_EQ(rule(judgement, "ai-policy-consistent").findings_total, 1U);
}

TEST(HardInput07_AmpersandsInSitemaps, AreDecodedOnce) {
  MadeRead read = good_site();
  read.page("https://example.com/list?a=1&b=2", good_page("A list by two values"));
  set_sitemap(read, sitemap_of({"https://example.com/list?a=1&amp;b=2"}));
  const Judgement judgement = read.judge();
  EXPECT_EQ(verdict(judgement, "sitemap-urls-ok"),
            Verdict::kPass);  // the page read is the one listed
  EXPECT_EQ(verdict(judgement, "url-trap"), Verdict::kPass);
}

TEST(HardInput08_BytesBeforeTheXmlDeclaration, AreReadAndNoted) {
  for (const std::string_view lead : {" \n", "\xef\xbb\xbf"}) {
    MadeRead read = good_site();
    set_sitemap(read, std::string(lead) + sitemap_of({"https://example.com/one"}));
    const Judgement judgement = read.judge();
    EXPECT_EQ(verdict(judgement, "sitemap-parses"), Verdict::kPass)
        << messages(judgement, "sitemap-parses");
    ASSERT_EQ(judgement.sitemaps.size(), 1U);
    EXPECT_EQ(judgement.sitemaps[0].entries, 1U);
    EXPECT_EQ(judgement.sitemaps[0].faults.size(), 1U);
  }
}

TEST(HardInput09_XmlGzThatIsPlainXml, IsToldByItsMagicBytes) {
  MadeRead read = good_site();
  read.source.documents[1].url = "https://example.com/sitemap.xml.gz";
  const Judgement judgement = read.judge();
  EXPECT_EQ(verdict(judgement, "sitemap-parses"), Verdict::kPass);
  EXPECT_EQ(judgement.sitemaps[0].entries, 3U);
}

TEST(HardInput10_SlashRedirects, AreThoseThatTheSiteWroteItself) {
  MadeRead read = good_site();
  read.source.pages[1].body =
      good_page("The first page", {}, "<a href=\"/dir/\">With its slash</a>");
  read.page("https://example.com/dir/", good_page("A folder of the site"));
  EXPECT_EQ(verdict(read.judge(), "redirect-linked"), Verdict::kPass);
  // Linked without the slash, the redirect is the link's.
  read.source.pages[1].body = good_page("The first page", {}, "<a href=\"/dir\">Without slash</a>");
  read.redirect("https://example.com/dir", "https://example.com/dir/");
  const Judgement judgement = read.judge();
  EXPECT_TRUE(fails_on(judgement, "redirect-linked", "https://example.com/one"));
  EXPECT_THAT(messages(judgement, "redirect-linked"), HasSubstr("https://example.com/dir/"));
}

TEST(HardInput10_SlashRedirects, TwoAddressesOfOnePageAreNoDuplicates) {
  MadeRead read = good_site();
  const std::string body = good_page("A folder of the site");
  read.page("https://example.com/dir/", body);
  PageRecord& second = read.page("https://example.com/dir", body);
  second.final_url = "https://example.com/dir/";
  second.hops = {{"https://example.com/dir", 301, "/dir/", "", {}},
                 {"https://example.com/dir/", 200, "", "", {}}};
  const Judgement judgement = read.judge();
  EXPECT_EQ(verdict(judgement, "content-duplicate"), Verdict::kPass);
  EXPECT_EQ(verdict(judgement, "title-duplicate"), Verdict::kPass);
  EXPECT_EQ(judgement.pages.back().leads_to, "https://example.com/dir/");
}

TEST(HardInput11_RelativeLinksOnARedirectedPage, ResolveOnTheFinalAddress) {
  MadeRead read = good_site();
  PageRecord& page = read.page("https://example.com/old",
                               good_page("A page that moved", {}, "<a href=\"next\">Next</a>"));
  page.final_url = "https://example.com/new/place";
  page.hops = {{"https://example.com/old", 301, "/new/place", "", {}},
               {"https://example.com/new/place", 200, "", "", {}}};
  read.page("https://example.com/next", "gone", 404);  // what the old base would have given
  read.page("https://example.com/new/next", good_page("The next page of them"));
  const Judgement judgement = read.judge();
  EXPECT_EQ(verdict(judgement, "link-broken"), Verdict::kPass)
      << messages(judgement, "link-broken");
}

TEST(HardInput11_RelativeLinksOnARedirectedPage, BaseHrefComesNext) {
  MadeRead read = good_site();
  read.page("https://example.com/deep/page",
            good_page("A page with a base", "<base href=\"/other/\"><base href=\"/no/\">",
                      "<a href=\"x\">X marks the spot</a>"));
  read.page("https://example.com/other/x", "gone", 404);
  const Judgement judgement = read.judge();
  EXPECT_TRUE(fails_on(judgement, "link-broken", "https://example.com/deep/page"));
}

TEST(HardInput11_RelativeLinksOnARedirectedPage, AnOffSiteLandingIsNotOurs) {
  MadeRead read = good_site();
  PageRecord& page = read.failing("https://example.com/away", FailureKind::kOffSite, 1);
  page.final_url = "https://elsewhere.org/";
  page.hops = {{"https://example.com/away", 302, "https://elsewhere.org/", "", {}}};
  const Judgement judgement = read.judge();
  EXPECT_EQ(failures(judgement), "");
  EXPECT_EQ(judgement.pages.back().leads_to, "https://elsewhere.org/");
  EXPECT_FALSE(judgement.pages.back().html);
}

TEST(HardInput12_RedirectToItselfWithACookie, IsUnknownAndNoLoop) {
  MadeRead read = good_site();
  PageRecord& page = read.failing("https://example.com/cookie", FailureKind::kRedirectLoop, 1);
  page.status = 302;
  page.cookie_retry = true;
  page.hops = {{"https://example.com/cookie", 302, "/cookie", "", {}},
               {"https://example.com/cookie", 302, "/cookie", "", {}}};
  const Judgement judgement = read.judge();
  EXPECT_EQ(rule(judgement, "redirect-loop").failing, 0U);
  EXPECT_EQ(rule(judgement, "redirect-loop").unknown, 1U);
}

TEST(HardInput13_BotChallenge, IsUnknownForContentRules) {
  for (const int status : {200, 403, 503}) {
    MadeRead read = good_site();
    read.walled("https://example.com/hidden", status);
    read.source.pages[1].body =
        good_page("The first page", {}, "<a href=\"/hidden\">What is hidden</a>");
    const Judgement judgement = read.judge();
    EXPECT_EQ(verdict(judgement, "bot-wall"), Verdict::kFail);
    for (const std::string_view id :
         {"title-missing", "link-broken", "page-client-error", "page-server-error",
          "html-structure", "text-in-html", "https-page"}) {
      EXPECT_EQ(rule(judgement, id).failing, 0U) << id << " at status " << status;
    }
    EXPECT_EQ(rule(judgement, "title-missing").unknown, 1U);
    EXPECT_TRUE(judgement.pages.back().blocked);
  }
}

TEST(HardInput13_BotChallenge, OnEveryPageGivesNoScore) {
  MadeRead read;
  read.walled("https://example.com/");
  read.source.site.outcome.kind = OutcomeKind::kBotWall;
  read.source.site.outcome.detail = "cloudflare: header cf-mitigated: challenge";
  const Judgement judgement = read.judge();
  EXPECT_FALSE(judgement.overall.has_value());
  EXPECT_THAT(judgement.no_score, HasSubstr("cloudflare"));
}

TEST(HardInput14_ObfuscatedMailAddresses, AreSkipped) {
  MadeRead read = good_site();
  read.source.pages[1].body =
      good_page("The first page", {},
                "<a href=\"/cdn-cgi/l/email-protection#a1b2\">[email&nbsp;protected]</a>");
  read.page("https://example.com/cdn-cgi/l/email-protection", "gone", 404);
  const Judgement judgement = read.judge();
  EXPECT_EQ(failures(judgement), "");
}

TEST(HardInput15_PreconnectAndDnsPrefetch, AreNoLinks) {
  MadeRead read = good_site();
  read.source.pages[1].body = good_page("The first page",
                                        "<link rel=preconnect href=\"https://example.com/gone\">"
                                        "<link rel=dns-prefetch href=\"//localhost\">");
  read.page("https://example.com/gone", "gone", 404).via = FoundVia::kSitemap;
  const Judgement judgement = read.judge();
  EXPECT_NE(verdict(judgement, "link-broken"), Verdict::kFail);
  EXPECT_NE(verdict(judgement, "link-localhost"), Verdict::kFail);
  EXPECT_NE(verdict(judgement, "mixed-active"), Verdict::kFail);
}

TEST(HardInput16_Fragments, AreDecodedAndDirectivesSkipped) {
  MadeRead read = good_site();
  read.source.pages[1].body = good_page(
      "The first page", {},
      "<a href=\"/two#merge%2Fpull-requests\">One</a> <a href=\"/two#:~:text=harbour\">Two</a> "
      "<a href=\"/two#old\">Three</a> <a href=\"/two#part:~:text=x\">Four</a> <a "
      "href=\"#\">Five</a> "
      "<a href=\"#top\">Six</a> <a href=\"/two#!/route\">Seven</a> <a "
      "href=\"/two#/route\">Eight</a>");
  read.source.pages[2].body =
      good_page("The second page", {},
                "<h2 id=\"merge/pull-requests\">M</h2><a name=\"old\"></a><h2 id=part>P</h2>");
  const Judgement judgement = read.judge();
  EXPECT_EQ(verdict(judgement, "fragment-broken"), Verdict::kPass)
      << messages(judgement, "fragment-broken");
}

TEST(HardInput16_Fragments, OfAnApplicationsShellAreUnknown) {
  MadeRead read = good_site();
  read.source.pages[1].body = good_page("The first page", {}, "<a href=\"/app#place\">A place</a>");
  read.page("https://example.com/app", "<!doctype html><title>The app</title><div id=root></div>");
  const Judgement judgement = read.judge();
  EXPECT_FALSE(fails_on(judgement, "fragment-broken", "https://example.com/one"));
  EXPECT_EQ(rule(judgement, "fragment-broken").unknown, 1U);
}

TEST(HardInput17_TitleInsideSvg, IsNoTitle) {
  MadeRead read = good_site();
  read.source.pages[1].body =
      "<!doctype html><html lang=en><body><svg><title>An icon's own title</title></svg><p>" +
      std::string(kWords);
  const Judgement judgement = read.judge();
  EXPECT_TRUE(fails_on(judgement, "title-missing", "https://example.com/one"));
  EXPECT_TRUE(fails_on(judgement, "title-length", "https://example.com/one"));  // hangs on it
}

TEST(HardInput18_EmptyTemplateHeading, IsPassedOver) {
  MadeRead read = good_site();
  read.source.pages[1].body =
      "<!doctype html><html lang=en><title>The first page</title><h1> </h1><h1>The real "
      "one</h1><p>" +
      std::string(kWords);
  EXPECT_EQ(verdict(read.judge(), "h1-missing"), Verdict::kPass);
}

TEST(HardInput19_EmptyAltAndLabelledLinks, AreNamed) {
  MadeRead read = good_site();
  read.source.pages[1].body =
      good_page("The first page", {},
                "<img src=a.png alt=\"\"> <img src=b.png role=presentation> "
                "<a href=\"/two\" aria-label=\"The second page\"><img src=c.png alt=\"\"></a>");
  const Judgement judgement = read.judge();
  EXPECT_EQ(verdict(judgement, "img-alt"), Verdict::kPass) << messages(judgement, "img-alt");
  EXPECT_EQ(verdict(judgement, "link-name"), Verdict::kPass) << messages(judgement, "link-name");
}

TEST(HardInput20_ShiftJisByMeta, IsObeyed) {
  MadeRead read = good_site();
  PageRecord& page = read.page(
      "https://example.com/jp",
      "<!doctype html><html lang=ja><meta charset=Shift_JIS><title>\x93\xfa\x96\x7b\x8c\xea\x82\xcc"
      "\x83\x79\x81\x5b\x83\x57</title><p>\x93\xfa\x96\x7b\x8c\xea");
  page.headers.lines[0].second = "text/html";
  const Judgement judgement = read.judge();
  EXPECT_FALSE(fails_on(judgement, "charset-valid", "https://example.com/jp"))
      << messages(judgement, "charset-valid");
  EXPECT_EQ(judgement.pages.back().title, "日本語のページ");
}

TEST(HardInput20_ShiftJisByMeta, ACharsetInAScriptsAddressIsNone) {
  MadeRead read = good_site();
  PageRecord& page =
      read.page("https://example.com/plain",
                "<!doctype html><html lang=en><script src=\"/a.js?charset=gbk&bbc=1\">"
                "</script><title>A page without a charset</title><p>Words.");
  page.headers.lines[0].second = "text/html";
  const Judgement judgement = read.judge();
  EXPECT_TRUE(fails_on(judgement, "charset-valid", "https://example.com/plain"));
  EXPECT_THAT(messages(judgement, "charset-valid"), HasSubstr("No encoding is declared"));
  EXPECT_THAT(messages(judgement, "charset-valid"), Not(HasSubstr("gbk")));
}

TEST(HardInput21_JsonLdThatIsNoJson, NamesTheCause) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"//<![CDATA[\n{\"a\":1}\n//]]>", "CDATA"},
      {"{\"a\":1};", "semicolon"},
      {"{&quot;a&quot;:1}", "entities"},
      {"<!-- x --> {\"a\":1}", "comment"},
      {"/* x */ {\"a\":1}", "comment"},
      {"{\"a\":[1,2,]}", "comma stands before"},
      {"{\"a\":\"one\ntwo\"}", "end of its line"},
      {"\xef\xbb\xbf{\"a\":1}", "byte order mark"},
      {"{\"a\":1", "too early"},
  };
  for (const auto& [block, cause] : cases) {
    MadeRead read = good_site();
    read.source.pages[1].body =
        good_page("The first page",
                  "<script type=\"application/ld+json\">" + std::string(block) + "</script>");
    const Judgement judgement = read.judge();
    EXPECT_TRUE(fails_on(judgement, "jsonld-parses", "https://example.com/one")) << block;
    EXPECT_THAT(messages(judgement, "jsonld-parses"), HasSubstr(cause)) << block;
  }
}

TEST(HardInput22_CanonicalToHome, IsJudgedByTheSitesShare) {
  MadeRead read = good_site();
  const std::string to_home = "<link rel=canonical href=/>";
  for (int i = 0; i < 10; ++i)
    read.page("https://example.com/p" + std::to_string(i),
              good_page("Page number " + std::to_string(i)));
  read.page("https://example.com/amp", good_page("The start, for amp", to_home));
  read.page("https://example.com/index.html", good_page("The start, by its file", to_home));
  EXPECT_EQ(verdict(read.judge(), "canonical-home"), Verdict::kPass);
  for (int i = 10; i < 14; ++i)
    read.page("https://example.com/p" + std::to_string(i),
              good_page("Page number " + std::to_string(i), to_home));
  EXPECT_EQ(verdict(read.judge(), "canonical-home"), Verdict::kFail);
}

TEST(HardInput23_HreflangToARedirect, NamesTheRedirectOnce) {
  MadeRead read = good_site();
  read.source.pages[1].body =
      good_page("The first page",
                "<link rel=alternate hreflang=de href=/de/><link rel=alternate hreflang=en "
                "href=/en>");
  read.page("https://example.com/de/",
            good_page("The German page", "<link rel=alternate hreflang=en href=/one>"));
  read.redirect("https://example.com/en", "https://example.com/en/");
  read.page("https://example.com/en/",
            good_page("The English page", "<link rel=alternate hreflang=x-default href=/one>"));
  const Judgement judgement = read.judge();
  EXPECT_FALSE(fails_on(judgement, "hreflang-return", "https://example.com/one"))
      << messages(judgement, "hreflang-return");
  EXPECT_TRUE(fails_on(judgement, "hreflang-target", "https://example.com/one"));
  EXPECT_EQ(messages(judgement, "hreflang-target"),
            "hreflang \"en\": https://example.com/en redirects to https://example.com/en/.\n");
}

TEST(HardInput24_AddressesThatGrow, AreTracedToTheirSource) {
  MadeRead read = good_site();
  read.source.pages[1].body =
      good_page("The first page", {}, "<a href=\"/list?amp;p=1&amp;amp;p=2\">More of it</a>");
  read.source.site.traps.push_back({TrapKind::kRepeatedSegment, "/www.x.com/www.x.com/www.x.com",
                                    "https://example.com/www.x.com/www.x.com/www.x.com",
                                    "https://example.com/two", 0, 7});
  const Judgement judgement = read.judge();
  EXPECT_EQ(verdict(judgement, "url-trap"), Verdict::kFail);
  EXPECT_THAT(messages(judgement, "url-trap"), HasSubstr("www.x.com"));
  EXPECT_THAT(messages(judgement, "url-trap"), HasSubstr("amp;"));
  bool traced = false;
  for (const Finding& finding : rule(judgement, "url-trap").findings) {
    for (const std::string& related : finding.related)
      traced = traced || related == "https://example.com/two";
  }
  EXPECT_TRUE(traced);
}

TEST(HardInput25_SeveralSetCookieLines, AreJudgedApart) {
  MadeRead read = good_site();
  Headers& headers = read.source.pages[0].headers;
  headers.add("Set-Cookie", "good=1; Secure; SameSite=Lax; Expires=Wed, 02 Dec 2026 10:00:00 GMT");
  headers.add("Set-Cookie", "bad=2; Path=/");
  headers.add("Set-Cookie", "PHPSESSID=3; Secure; SameSite=Lax");
  headers.add("Set-Cookie", "XSRF-TOKEN=4; Secure; SameSite=Lax");
  const Judgement judgement = read.judge();
  EXPECT_EQ(messages(judgement, "cookie-flags"),
            "The cookie \"bad\" is set without Secure, SameSite.\n"
            "The cookie \"PHPSESSID\" is set without HttpOnly.\n");
}

TEST(HardInputAlso, HttpCanonicalIsNoMixedContent) {
  MadeRead read = good_site();
  read.source.pages[1].body =
      good_page("The first page", "<link rel=canonical href=\"http://example.com/one\">");
  const Judgement judgement = read.judge();
  EXPECT_EQ(verdict(judgement, "mixed-active"), Verdict::kPass);
  EXPECT_EQ(verdict(judgement, "mixed-passive"), Verdict::kPass);
}

TEST(HardInputAlso, SitemapAddressesBeyondTheLimitAreNoOrphans) {
  MadeRead read = good_site();
  read.source.site.outcome.kind = OutcomeKind::kPageLimit;
  PageRecord& page = read.page("https://example.com/alone", good_page("A page alone"));
  page.depth = kUnlinked;
  page.via = FoundVia::kSitemap;
  set_sitemap(read, sitemap_of({"https://example.com/alone", "https://example.com/unread"}));
  const Judgement judgement = read.judge();
  EXPECT_EQ(rule(judgement, "orphan").failing, 0U);
  EXPECT_EQ(rule(judgement, "orphan").unknown, 1U);
}

TEST(HardInputAlso, TerminalEscapesDoNotReachAQuote) {
  MadeRead read = good_site();
  read.source.pages[1].body = good_page("\x1b[31mRed\x1b[0m");
  const Judgement judgement = read.judge();
  for (const RuleResult& result : judgement.rules) {
    for (const Finding& finding : result.findings) {
      EXPECT_EQ(finding.quote.find('\x1b'), std::string::npos);
      EXPECT_EQ(finding.message.find('\x1b'), std::string::npos);
    }
  }
  EXPECT_EQ(judgement.pages[1].title.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace periplus
