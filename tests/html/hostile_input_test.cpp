// Pages made to hurt: deep, wide, cut, random. Time and memory stay bounded and facts sound.
#include <gtest/gtest.h>

#include <random>

#include "base/text.h"
#include "html/page_reader.h"

namespace periplus {
namespace {

PageFacts read(std::string_view html) {
  PageFacts facts;
  read_page({.bytes = html, .content_type = "text/html; charset=utf-8"}, &facts);
  return facts;
}

std::string repeat(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

constexpr std::string_view kPieces[] = {"<a href=x>",
                                        "</a>",
                                        "<b>",
                                        "</b>",
                                        "<p>",
                                        "</p>",
                                        "<div>",
                                        "</div>",
                                        "<table>",
                                        "</table>",
                                        "<tr>",
                                        "<td>",
                                        "</td>",
                                        "<tbody>",
                                        "<caption>",
                                        "</caption>",
                                        "<col>",
                                        "<colgroup>",
                                        "<select>",
                                        "<option>",
                                        "</select>",
                                        "<template>",
                                        "</template>",
                                        "<svg>",
                                        "<math>",
                                        "</svg>",
                                        "<mi>",
                                        "<title>t</title>",
                                        "<foreignObject>",
                                        "<button>",
                                        "</button>",
                                        "<form>",
                                        "</form>",
                                        "<li>",
                                        "<dd>",
                                        "<h1>",
                                        "</h2>",
                                        "<nav>",
                                        "</nav>",
                                        "<object>",
                                        "</object>",
                                        "<i hidden>",
                                        "</i>",
                                        "<nobr>",
                                        "text ",
                                        "&amp;",
                                        "<br>",
                                        "</br>",
                                        "<label>",
                                        "<input>",
                                        "<noscript>",
                                        "</noscript>",
                                        "<ruby><rt>",
                                        "<main>",
                                        "<html>",
                                        "<body>",
                                        "</body>",
                                        "</html>",
                                        "<head>",
                                        "<frameset>",
                                        "<font a=1>",
                                        "</font>",
                                        "<em>",
                                        "</em>",
                                        "<img alt=z>",
                                        "<dl>",
                                        "<dt>",
                                        "</dl>",
                                        "<ul>",
                                        "</ul>",
                                        "</x>",
                                        "<x>",
                                        "<annotation-xml encoding=text/html>",
                                        "<desc>",
                                        "</math>"};

TEST(HostileInput, RandomSoupGivesSoundFacts) {
  std::mt19937 random(3);
  PageFacts facts;
  for (int round = 0; round < 300; ++round) {
    std::string page;
    const std::size_t pieces = round % 10 == 0 ? 20'000 : 300;
    // A few kinds only, so that they nest deeper than the limit.
    std::vector<std::string_view> kinds;
    const std::size_t count = 2 + random() % 8;
    for (std::size_t i = 0; i < count; ++i) kinds.push_back(kPieces[random() % std::size(kPieces)]);
    for (std::size_t i = 0; i < pieces; ++i) page += kinds[random() % kinds.size()];
    read_page({.bytes = page, .content_type = ""}, &facts);
    EXPECT_TRUE(is_valid_utf8(facts.text));
    for (const Link& link : facts.links) EXPECT_EQ(link.href, "x");
    for (const Title& title : facts.titles) EXPECT_EQ(title.text, "t");
  }
}

TEST(HostileInput, EveryKindOfDepthIsBounded) {
  for (const std::string_view piece : kPieces) {
    const PageFacts facts = read(repeat(piece, 30'000) + "<a href=x>end</a>");
    EXPECT_LE(facts.text.size(), 30'000 * piece.size() + 3) << piece;
  }
}

TEST(HostileInput, ReopeningManyFormattingElementsIsNotQuadratic) {
  std::string page = repeat("<div>", 250);
  for (int i = 0; i < 300; ++i) page += "<b a=" + std::to_string(i) + ">";
  page += repeat("</div><div>x", 20'000);
  EXPECT_GT(read(page).words, 0U);
}

TEST(HostileInput, NestedNamesDoNotMultiplyTheText) {
  const PageFacts facts =
      read(repeat("<object><h1><a href=x><img alt=y>", 20'000) + "<p>" + std::string(500'000, 'z'));
  std::size_t names = 0;
  for (const Heading& heading : facts.headings) names += heading.text.size();
  for (const Link& link : facts.links) names += link.words.size();
  EXPECT_LT(names, 20'000'000U);
}

TEST(HostileInput, LongTokensAreReadOnce) {
  EXPECT_EQ(read("<p>" + std::string(1'000'000, '&')).words, 0U);
  EXPECT_EQ(read("<p>" + repeat("&#x", 300'000)).words, 300'000U);
  EXPECT_TRUE(read("<" + std::string(1'000'000, 'a')).links.empty());
  EXPECT_TRUE(read("<!" + std::string(1'000'000, '-')).links.empty());
  EXPECT_EQ(read("<script>" + repeat("<!--<script>", 80'000)).links.size(), 0U);
  EXPECT_EQ(read(repeat("<a href='", 100'000)).links.size(), 0U);
  EXPECT_EQ(read(repeat("<label for=x><input id=x>", 20'000)).controls.size(), 20'000U);
}

TEST(HostileInput, APageCutAnywhereIsRead) {
  const std::string page =
      "<!doctype html><html lang=en><head><meta charset=utf-8><title>T\u00E9</title></head><body>"
      "<h1>H</h1><a href='/x?a=1&amp;b'>caf\u00E9 &eacute;</a><script>if (a<b) {}</script><!-- c "
      "-->";
  PageFacts facts;
  for (std::size_t size = 0; size <= page.size(); ++size) {
    read_page({.bytes = std::string_view(page).substr(0, size), .content_type = ""}, &facts);
    EXPECT_TRUE(is_valid_utf8(facts.text));
    EXPECT_LE(facts.links.size(), 1U);
  }
  EXPECT_EQ(facts.links.size(), 1U);
}

}  // namespace
}  // namespace periplus
