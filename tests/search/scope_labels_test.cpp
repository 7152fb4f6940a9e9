#include "search/scope_labels.h"

#include <gtest/gtest.h>

#include "base/compress.h"
#include "store/made_visit.h"
#include "store/search_pages.h"

namespace periplus {
namespace {

SearchScope gozo() {
  auto scope = SearchScope::parse(
      "name='x'\n[verdict]\nin=2\nunsure=1\n[gazetteer]\nnames=['2\tGozo']\nevery=1\n"
      "[links]\nword_points=1",
      "s.toml", "");
  EXPECT_TRUE(scope);
  return std::move(*scope);
}

TEST(Labelled, PagesAreGivenByHtmlOrByTheirParts) {
  const auto pages = parse_labelled(
      "# a comment\n\n"
      R"({"url":"https://a.example/","label":"in","html":"<title>Gozo</title>"})"
      "\r\n"
      R"({"url":"https://b.example/","label":"out","lang":"en","title":"<b>","heading":"H",)"
      R"("description":"\"d\"","text":"one\ntwo & three","content_language":"mt",)"
      R"("links":{"in":3,"in_scope":2,"words":["w"]},"note":"why"})",
      "l.jsonl");
  ASSERT_TRUE(pages) << pages.error().sentence;
  ASSERT_EQ(pages->size(), 2U);
  EXPECT_TRUE((*pages)[0].in);
  EXPECT_EQ((*pages)[0].html, "<title>Gozo</title>");
  const LabelledPage& made = (*pages)[1];
  EXPECT_EQ(
      made.html,
      "<!doctype html><html lang=\"en\"><head><title>&lt;b&gt;</title><meta "
      "name=\"description\" content=\"&quot;d&quot;\"></head><body><h1>H</h1><p>one</p><p>two "
      "&amp; three</p></body></html>");
  EXPECT_EQ(made.line, 4U);
  EXPECT_EQ(made.links.in_links, 3U);
  EXPECT_EQ(made.links.in_links_in_scope, 2U);
  EXPECT_EQ(made.links.words, std::vector<std::string>{"w"});
}

TEST(Labelled, WhatIsWrongIsNamedWithItsLine) {
  const std::string head = "{\"url\":\"https://a.example/\",\"label\":\"in\"";
  for (const auto& [line, named] : std::vector<std::pair<std::string, std::string>>{
           {"{", "JSON"},
           {"[]", "object"},
           {"{\"label\":\"in\"}", "url"},
           {"{\"url\":\"a\",\"label\":\"in\"}", "url"},
           {"{\"url\":\"https://a.example/\"}", "label"},
           {"{\"url\":\"https://a.example/\",\"label\":\"maybe\"}", "label"},
           {head + ",\"colour\":\"\"}", "colour"},
           {head + ",\"title\":7}", "title must be a string"},
           {head + ",\"html\":\"\",\"title\":\"\"}", "not both"},
           {head + ",\"links\":[]}", "links must be an object"},
           {head + ",\"links\":{\"in\":-1}}", "links.in"},
           {head + ",\"links\":{\"words\":[1]}}", "links.words"},
           {head + ",\"links\":{\"out\":1}}", "links.out"}}) {
    const auto pages = parse_labelled("\n" + line, "l.jsonl");
    ASSERT_FALSE(pages) << line;
    EXPECT_EQ(pages.error().kind, ErrorKind::kInput);
    EXPECT_EQ(pages.error().place, "l.jsonl:2");
    EXPECT_NE(pages.error().sentence.find(named), std::string::npos) << pages.error().sentence;
  }
  EXPECT_FALSE(parse_labelled(head + "}\n" + head + "}", "l.jsonl")) << "one address, two labels";
}

TEST(Labelled, TheScoreCountsUnsureAsMissedButNotAsFalse) {
  const auto pages = parse_labelled(
      R"({"url":"https://a.example/1","label":"in","title":"Gozo"}
{"url":"https://a.example/2","label":"in","title":"x","text":"Gozo once"}
{"url":"https://a.example/3","label":"in","title":"x"}
{"url":"https://a.example/4","label":"out","title":"Gozo"}
{"url":"https://a.example/5","label":"out","title":"x","text":"Gozo once"}
{"url":"https://a.example/6","label":"out","title":"x"})",
      "l.jsonl");
  ASSERT_TRUE(pages);
  const SearchScope scope = gozo();
  const ScopeScore score = score_scope(scope, *pages, LabelledHalf::kBoth);
  EXPECT_EQ(score.pages(), 6U);
  EXPECT_EQ(score.confusion[1], (std::array<std::size_t, 3>{1, 1, 1}));
  EXPECT_EQ(score.confusion[0], (std::array<std::size_t, 3>{1, 1, 1}));
  EXPECT_DOUBLE_EQ(score.precision(), 0.5);
  EXPECT_DOUBLE_EQ(score.recall(), 1.0 / 3);
  ASSERT_EQ(score.mistakes.size(), 3U);
  EXPECT_EQ(score.mistakes[0].page->line, 2U);
  EXPECT_EQ(score.mistakes[2].page->line, 4U);
  const std::size_t tune = score_scope(scope, *pages, LabelledHalf::kTune).pages();
  EXPECT_EQ(tune + score_scope(scope, *pages, LabelledHalf::kHeldOut).pages(), 6U);
  EXPECT_EQ(ScopeScore{}.precision(), 1);
  EXPECT_EQ(ScopeScore{}.recall(), 1);
}

TEST(Labelled, TheHalvesNeverMove) {
  // Written down once: another split would let a scope be tuned on what judges it.
  std::string halves;
  for (int i = 0; i < 16; ++i)
    halves += is_held_out("https://a.example/" + std::to_string(i)) ? 'h' : 't';
  EXPECT_EQ(halves, "thtthttththtthth");
}

TEST(KnownPages, AreJudgedByCopyOrTextOrAddress) {
  const Home home;
  const std::unique_ptr<Store> store = opened(home.database());
  Schedule schedule(*store);
  ScheduledSite site;
  site.site = "a.example";
  site.start_url = "https://a.example/";
  ASSERT_TRUE(schedule.add(site));
  SearchPages pages(*store);
  SearchVisit visit;
  visit.visit = made_visit("a.example", 0);
  visit.visit.use = "search";
  visit.owner = "a.example";
  visit.next.site = "a.example";
  visit.next.line = Line::kVisited;
  for (const char* url : {"https://a.example/body", "https://a.example/gozo",
                          "https://a.example/none", "https://a.example/text"}) {
    SearchPage page;
    page.site = "a.example";
    page.url = url;
    page.state = "fetched";
    visit.pages.push_back(page);
  }
  visit.copies.push_back({"https://a.example/body", second(1), "text/html",
                          pack("<title>Gozo</title><p>Gozo"), pack("Gozo")});
  visit.copies.push_back(
      {"https://a.example/text", second(1), "text/html", "", pack("Gozo and more Gozo")});
  ASSERT_TRUE(store->lease("a.example", second(0), second(100)));
  ASSERT_TRUE(pages.record(visit));

  const SearchScope scope = gozo();
  std::vector<std::pair<std::string, double>> got;
  const auto done = each_known_page(*store, [&](const ScopeEvidence& evidence) {
    got.emplace_back(evidence.url->pathname(), scope.judge(evidence).points);
  });
  ASSERT_TRUE(done) << done.error().sentence;
  EXPECT_EQ(got, (std::vector<std::pair<std::string, double>>{
                     {"/body", 2}, {"/gozo", 2}, {"/none", 0}, {"/text", 1}}));
}

}  // namespace
}  // namespace periplus
