#include "robots/robots_txt.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "robots/robots_path.h"

namespace periplus {
namespace {

bool has(const RobotsTxt& text, RobotsFault fault, std::uint32_t line) {
  return std::any_of(text.findings().begin(), text.findings().end(),
                     [&](const RobotsFinding& f) { return f.fault == fault && f.line == line; });
}

TEST(RobotsTxt, BanOfAnotherAgentIsNotOurs) {  // audit input 1
  const RobotsTxt text = RobotsTxt::parse("User-agent: GPTBot\nDisallow: /\n");
  EXPECT_TRUE(text.rules_for("Periplus").allows("/"));
  EXPECT_FALSE(text.rules_for("GPTBot").allows("/"));
  EXPECT_TRUE(text.rules_for("Periplus").group().empty());
}

TEST(RobotsTxt, NamedAgentsMayEnterWhereOthersMayNot) {  // audit input 2
  const RobotsTxt text = RobotsTxt::parse(
      "User-agent: Googlebot\nUser-agent: Bingbot\nAllow: /\n\n"
      "User-agent: *\nDisallow: /\n");
  EXPECT_TRUE(text.rules_for("googlebot").allows("/a"));
  EXPECT_TRUE(text.rules_for("Bingbot").allows("/a"));
  EXPECT_FALSE(text.rules_for("Periplus").allows("/a"));
  EXPECT_EQ(text.agents(), (std::vector<std::string>{"Googlebot", "Bingbot", "*"}));
}

TEST(RobotsTxt, UnknownFieldsAreNoFaultsAndEndNoGroup) {  // audit input 3
  const RobotsTxt text = RobotsTxt::parse(
      "User-agent: Periplus\nContent-Signal: search=yes, ai-train=no\n"
      "License: https://example.com/l.xml\nAgentmap: /a.txt\nDisallow: /x\n");
  EXPECT_TRUE(text.findings().empty());
  EXPECT_FALSE(text.rules_for("Periplus").allows("/x"));
  ASSERT_EQ(text.use_signals().size(), 1U);
  EXPECT_EQ(text.use_signals()[0].field, "content-signal");
  EXPECT_EQ(text.use_signals()[0].value, "search=yes, ai-train=no");
  EXPECT_EQ(text.use_signals()[0].agents, std::vector<std::string>{"Periplus"});
}

TEST(RobotsTxt, OldAgentNamesDoNotBindNewOnes) {  // audit input 6
  const RobotsTxt text =
      RobotsTxt::parse("User-agent: anthropic-ai\nUser-agent: Claude-Web\nDisallow: /\n");
  EXPECT_TRUE(text.rules_for("ClaudeBot").allows("/"));
  EXPECT_FALSE(text.rules_for("Claude-Web").allows("/"));
}

TEST(RobotsTxt, TokensWithDigitsAreComparedWhole) {
  const RobotsTxt text =
      RobotsTxt::parse("User-agent: MJ12bot\nDisallow: /\nUser-agent: Ai2Bot/1.0\nDisallow: /a\n");
  EXPECT_FALSE(text.rules_for("MJ12bot").allows("/"));
  EXPECT_TRUE(text.rules_for("MJ13bot").allows("/"));
  EXPECT_FALSE(text.rules_for("AI2bot").allows("/a"));
  EXPECT_TRUE(text.rules_for("Ai2Bot-Dolma").allows("/a"));
}

TEST(RobotsTxt, ContentUsageKeepsItsPath) {
  const RobotsTxt text = RobotsTxt::parse("Content-Usage: /p train-ai=n\nContent-Usage: search=y");
  ASSERT_EQ(text.use_signals().size(), 2U);
  EXPECT_EQ(text.use_signals()[0].path, "/p");
  EXPECT_EQ(text.use_signals()[0].value, "/p train-ai=n");
  EXPECT_EQ(text.use_signals()[1].path, "");
  EXPECT_EQ(text.use_signals()[1].line, 2U);
}

TEST(RobotsTxt, VerdictNamesTheLineAsWritten) {
  const RobotsTxt text = RobotsTxt::parse("User-agent: *\r\n\r\n  Disallow : /private # no\r\n");
  const RobotsVerdict verdict = text.rules_for("a").verdict("/private/x?y");
  EXPECT_FALSE(verdict.allowed);
  EXPECT_EQ(verdict.line, 3U);
  EXPECT_EQ(verdict.rule, "Disallow : /private # no");
  EXPECT_EQ(text.rules_for("a").verdict("/p").line, 0U);
}

TEST(RobotsTxt, RobotsTxtItselfIsAlwaysAllowed) {
  const RobotsTxt text = RobotsTxt::parse("User-agent: *\nDisallow: /\n");
  EXPECT_TRUE(text.rules_for("a").allows("/robots.txt"));
  EXPECT_FALSE(text.rules_for("a").allows("/robots.txt.bak"));
  EXPECT_FALSE(text.rules_for("a").allows(""));
}

TEST(RobotsTxt, RulesOutliveTheText) {
  std::optional<RobotsTxt> text = RobotsTxt::parse("User-agent: *\nDisallow: /x\n");
  const RobotsRules rules = text->rules_for("a");
  const RobotsTxt moved = std::move(*text);
  text.reset();
  EXPECT_EQ(rules.verdict("/x").rule, "Disallow: /x");
  EXPECT_EQ(moved.line(1), "User-agent: *");
}

TEST(RobotsTxt, ClosedMeansThatNothingCanBeAllowed) {
  const auto closed = [](std::string_view rules) {
    return RobotsTxt::parse("User-agent: *\n" + std::string(rules))
        .rules_for("a")
        .closes_everything();
  };
  EXPECT_TRUE(closed("Disallow: /"));
  EXPECT_TRUE(closed("Disallow: *"));
  EXPECT_TRUE(closed("Disallow: /*\nAllow: /"));  // two octets against one
  EXPECT_FALSE(closed("Disallow: /\nAllow: /"));
  EXPECT_FALSE(closed("Disallow: /\nAllow: /a"));
  EXPECT_FALSE(closed("Disallow: /$"));
  EXPECT_FALSE(closed("Disallow: /a"));
  EXPECT_FALSE(closed("Disallow:"));
}

TEST(RobotsTxt, FaultsAreFoundWithTheirLines) {
  const RobotsTxt text = RobotsTxt::parse(
      "Disallow: /early\nUser-agent: *\nDisallow: private/\nno colon here\nDissallow: /x\n"
      "Allow: *.gif\nDis\0allow: /"
      "\n");
  EXPECT_TRUE(has(text, RobotsFault::kRuleBeforeGroup, 1));
  EXPECT_TRUE(has(text, RobotsFault::kBadPath, 3));
  EXPECT_TRUE(has(text, RobotsFault::kNoColon, 4));
  EXPECT_TRUE(has(text, RobotsFault::kMisspelt, 5));
  EXPECT_FALSE(has(text, RobotsFault::kBadPath, 6));
  EXPECT_FALSE(text.rules_for("a").allows("/private/x"));
}

TEST(RobotsTxt, BinaryIsFoundOnce) {
  using namespace std::string_view_literals;
  const RobotsTxt text = RobotsTxt::parse("\0\n\0\nUser-agent: *\nDisallow: /\n"sv);
  EXPECT_TRUE(has(text, RobotsFault::kBinary, 1));
  EXPECT_FALSE(has(text, RobotsFault::kBinary, 2));
  EXPECT_FALSE(text.rules_for("a").allows("/"));
}

TEST(RobotsTxt, HtmlIsNamedAndAllowsEverything) {
  const RobotsTxt text = RobotsTxt::parse(
      "\xEF\xBB\xBF\n<!DOCTYPE html>\n<html><head>\n<title>Not here</title>\n</head></html>\n");
  ASSERT_EQ(text.findings().size(), 1U);
  EXPECT_EQ(text.findings()[0].fault, RobotsFault::kLooksLikeHtml);
  EXPECT_TRUE(text.rules_for("a").allows("/"));
}

TEST(RobotsTxt, OnlyTheFirst512000OctetsCountAndTheCutLineIsDropped) {
  std::string bytes = "User-agent: *\nDisallow: /first\n";
  bytes += "#" + std::string(kRobotsBytes - bytes.size() - 20, 'x') + "\nDisallow: /cut-here\n";
  const RobotsTxt text = RobotsTxt::parse(bytes);
  EXPECT_TRUE(has(text, RobotsFault::kTooLarge, 0));
  EXPECT_FALSE(text.rules_for("a").allows("/first"));
  EXPECT_TRUE(text.rules_for("a").allows("/cut-here"));
  EXPECT_TRUE(text.rules_for("a").allows("/zzz"));
}

TEST(RobotsTxt, DelaysOfMergedGroupsAndOddForms) {
  const auto delay = [](std::string_view bytes) {
    return RobotsTxt::parse(bytes).rules_for("b").crawl_delay();
  };
  EXPECT_EQ(delay("User-agent: b\nCrawl-delay: 2\nUser-agent: x\nCrawl-delay: 9\n"
                  "User-agent: B\nCrawl-delay: 3.5\n"),
            3.5);
  EXPECT_EQ(delay("User-agent: *\nCrawl-delay: 10s\n"), 10);
  EXPECT_EQ(delay("User-agent: *\nCrawl-delay: .5\n"), 0.5);
  EXPECT_FALSE(delay("User-agent: *\nCrawl-delay: inf\n"));
  EXPECT_FALSE(delay("User-agent: *\nCrawl-delay: 1e999\n"));
  EXPECT_FALSE(delay("User-agent: *\nCrawl-delay: 5\nUser-agent: b\nDisallow: /x\n"));
}

TEST(RobotsTxt, CrawlDelayDoesNotSplitAGroup) {
  const RobotsTxt text =
      RobotsTxt::parse("User-agent: a\nCrawl-delay: 4\nUser-agent: b\nDisallow: /x\n");
  EXPECT_FALSE(text.rules_for("a").allows("/x"));
  EXPECT_FALSE(text.rules_for("b").allows("/x"));
  EXPECT_EQ(text.rules_for("a").crawl_delay(), 4);
  EXPECT_FALSE(text.rules_for("b").crawl_delay());
}

TEST(RobotsTxt, StatusDecidesWhatTheAnswerMeans) {
  EXPECT_EQ(robots_access(200), RobotsAccess::kRules);
  EXPECT_EQ(robots_access(401), RobotsAccess::kNoRules);
  EXPECT_EQ(robots_access(403), RobotsAccess::kNoRules);
  EXPECT_EQ(robots_access(404), RobotsAccess::kNoRules);
  EXPECT_EQ(robots_access(429), RobotsAccess::kUnreachable);
  EXPECT_EQ(robots_access(500), RobotsAccess::kUnreachable);
  EXPECT_EQ(robots_access(0), RobotsAccess::kUnreachable);
}

TEST(RobotsPattern, StarsAndTheEndMark) {
  const auto matches = [](std::string_view rule, std::string_view path) {
    return RobotsPattern(normal_rule_path(rule)).matches(normal_request_path(path));
  };
  EXPECT_TRUE(matches("/a*b$", "/axxb"));
  EXPECT_FALSE(matches("/a*b$", "/axxbc"));
  EXPECT_TRUE(matches("/a*b*$", "/axxbc"));
  EXPECT_FALSE(matches("/ab*b$", "/ab"));
  EXPECT_TRUE(matches("/*aba$", "/ababa"));
  EXPECT_TRUE(matches("*", "/"));
  EXPECT_FALSE(matches("/$", "/a"));
  EXPECT_TRUE(matches("/a%2Fb", "/a%2fb"));
  EXPECT_FALSE(matches("/a%2Fb", "/a/b"));
  EXPECT_TRUE(matches("/%7Eu", "/~u"));
  EXPECT_TRUE(matches("/100%", "/100%"));
  EXPECT_TRUE(matches("/100%", "/100%25"));
  EXPECT_EQ(normal_request_path("/%3%33"), "/%2533");
}

}  // namespace
}  // namespace periplus
