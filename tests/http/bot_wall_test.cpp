#include "http/bot_wall.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "http/bot_wall_verdict.h"
#include "testdata.h"

namespace periplus {
namespace {

using Json = nlohmann::json;

TEST(BotWall, AllAnswersOfTheCollectionAreJudgedRight) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA("bot-protection/responses.json");
  int count = 0;
  for (const Json& response : Json::parse(read_file(path))["responses"]) {
    SCOPED_TRACE(response["id"].get<std::string>());
    ++count;
    Lines lines;
    for (const Json& line : response["headers"]) lines.emplace_back(line[0], line[1]);
    const Json& expected = response["expected"];
    std::string wanted = "none";
    if (expected["protected"].get<bool>()) {
      wanted = expected["vendor"].get<std::string>() + " " + expected["kind"].get<std::string>();
    }
    EXPECT_EQ(verdict(response["status"].get<int>(), lines, response["body"].get<std::string>()),
              wanted);
  }
  EXPECT_EQ(count, 46);
}

// The same pages as they come in the wild: other letter case, line breaks in tags, other quotes.
TEST(BotWall, LetterCaseWhiteSpaceAndQuotesDoNotMatter) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA("bot-protection/responses.json");
  const auto swap_quotes = [](std::string text) {
    for (char& c : text) {
      if (c == '"') {
        c = '\'';
      } else if (c == '\'') {
        c = '"';
      }
    }
    return text;
  };
  const auto upper = [](std::string text) {
    for (char& c : text) {
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
    }
    return text;
  };
  const auto spread = [](const std::string& text) {
    std::string spaced = "\r\n\t";
    bool in_tag = false;
    for (char c : text) {
      if (c == '<') in_tag = true;
      if (c == '>') in_tag = false;
      spaced += c;
      if (c == ' ' && in_tag) spaced += "\n   ";
      if (c == '>') spaced += '\n';
    }
    return spaced;
  };
  for (const Json& response : Json::parse(read_file(path))["responses"]) {
    SCOPED_TRACE(response["id"].get<std::string>());
    Lines lines;
    for (const Json& line : response["headers"]) {
      lines.emplace(lines.begin(), upper(line[0].get<std::string>()), line[1]);
    }
    const int status = response["status"];
    const std::string body = response["body"];
    const std::string plain = verdict(status, lines, body);
    EXPECT_EQ(verdict(status, lines, upper(body)), plain);
    EXPECT_EQ(verdict(status, lines, spread(body)), plain);
    // JSON has its own quotes.
    if (!body.starts_with('{')) {
      EXPECT_EQ(verdict(status, lines, swap_quotes(body)), plain);
    }
  }
}

// A protection product's page, with a whole article around it, is an article.
TEST(BotWall, ALongPageIsAPageWhateverStandsInIt) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA("bot-protection/responses.json");
  std::string article;
  for (int i = 0; i < 120; ++i) article += "<p>The ferry from Valletta runs every hour.</p>\n";
  for (const Json& response : Json::parse(read_file(path))["responses"]) {
    SCOPED_TRACE(response["id"].get<std::string>());
    const std::string body = response["body"];
    EXPECT_EQ(verdict(200, {{"content-type", "text/html"}}, article + body), "none");
    std::string quoted;
    for (char c : body) {
      if (c == '<') {
        quoted += "&lt;";
      } else {
        quoted += c;
      }
    }
    // Quoted in a short post, as code.
    EXPECT_EQ(verdict(200, {{"server", "cloudflare"}, {"cf-ray", "1-A"}},
                      "<html><title>How to recognise it</title><h1>How to recognise it</h1><pre>" +
                          quoted + "</pre></html>"),
              "none");
  }
}

TEST(BotWall, OnlyTheFirst64KibibytesAreLookedAt) {
  const std::string mark = "<title>Just a moment...</title><script>window._cf_chl_opt={}</script>";
  const std::string padding(70'000, ' ');
  EXPECT_EQ(verdict(403, {}, mark + padding), "cloudflare challenge");
  EXPECT_EQ(verdict(403, {}, padding + mark), "none");
}

TEST(BotWall, HostileMarkupIsReadInOnePass) {
  // Each of these would be slow for a reader that starts over; none may be judged a wall.
  for (const char* piece :
       {"<", "<script>", "<!--", "</", "<a href=\"", "&#", "error ", "<title>"}) {
    std::string body;
    while (body.size() < 300'000) body += piece;
    EXPECT_EQ(verdict(403, {{"server", "cloudflare"}}, body), "none") << piece;
  }
}

TEST(BotWall, TellsTheSignal) {
  Headers headers;
  headers.lines = {{"CF-Mitigated", " challenge "}};
  const std::optional<BotWall> wall = recognise_bot_wall(403, headers, "");
  ASSERT_TRUE(wall.has_value());
  EXPECT_EQ(wall->signal, "header cf-mitigated: challenge");
}

}  // namespace
}  // namespace periplus
