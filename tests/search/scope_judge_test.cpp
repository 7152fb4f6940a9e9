#include <gtest/gtest.h>

#include <numeric>

#include "html/page_reader.h"
#include "search/gazetteer.h"
#include "search/language.h"
#include "search/scope.h"

namespace periplus {
namespace {

class Judged {
 public:
  explicit Judged(std::string_view toml)
      : scope_(SearchScope::parse("name = 'x'\n" + std::string(toml), "s.toml", "")) {
    EXPECT_TRUE(scope_) << scope_.error().sentence << " " << scope_.error().place;
  }
  ScopeJudgement page(std::string_view html, const std::string& url = "https://a.example/",
                      LinkEvidence links = {}, std::string_view content_language = {}) const {
    const auto parsed = Url::parse(url);
    PageFacts facts;
    read_page({html, "text/html; charset=utf-8", false}, &facts);
    ScopeJudgement out = scope_->judge({&*parsed, &facts, content_language, std::move(links)});
    double sum = 0;
    for (const ScopePoint& point : out.why) sum += point.points;
    EXPECT_DOUBLE_EQ(sum, out.points) << "every point is explained";
    return out;
  }
  ScopeJudgement address(const std::string& url, LinkEvidence links = {}) const {
    const auto parsed = Url::parse(url);
    return scope_->judge({.url = &*parsed, .links = std::move(links)});
  }
  const SearchScope& scope() const { return *scope_; }

 private:
  Result<SearchScope> scope_;
};

std::string why(const ScopeJudgement& judgement) {
  std::string out;
  for (const ScopePoint& point : judgement.why) out += point.rule + ": " + point.why + "\n";
  return out;
}

constexpr std::string_view kMaltese =
    "Il-kunsill lokali qed jistieden lir-residenti biex jattendu laqgħa pubblika dwar il-parkeġġ "
    "fit-triq prinċipali. Il-laqgħa ssir nhar it-Tlieta fis-sebgħa ta' filgħaxija fis-sala "
    "tal-iskola primarja u kulħadd huwa mistieden jieħu sehem u jistaqsi mistoqsijiet.";

TEST(FoldedWords, FoldsCaseAccentsAndStrokesAndKeepsPlaces) {
  const std::string text = "Ħal-Qormi, GĦAWDEX’s caf\u0065\u0301 ﬁne 東京";
  const FoldedWords words(text);
  std::vector<std::string> got;
  for (std::size_t i = 0; i < words.size(); ++i) got.emplace_back(words[i]);
  EXPECT_EQ(got,
            (std::vector<std::string>{"hal", "qormi", "ghawdex", "s", "cafe", "fine", "東", "京"}));
  EXPECT_EQ(text.substr(words.place(2).source_begin,
                        words.place(2).source_end - words.place(2).source_begin),
            "GĦAWDEX");
}

TEST(PhraseSet, FindsWholeWordsOnly) {
  PhraseSet set;
  EXPECT_TRUE(set.add("Gozo", 1));
  EXPECT_TRUE(set.add("San Ġiljan", 2));
  EXPECT_TRUE(set.add("san giljan bay", 3));
  EXPECT_FALSE(set.add("--", 4));
  std::vector<std::uint32_t> got;
  set.find(FoldedWords("Gozonians in SAN GILJAN bay; ingozo. Gozo! San"),
           [&](std::size_t, std::size_t, std::uint32_t n) { got.push_back(n); });
  EXPECT_EQ(got, (std::vector<std::uint32_t>{2, 3, 1}));
}

TEST(Gazetteer, LinesAreReadOrRefusedByNumber) {
  const auto names = parse_gazetteer("# c\n\n2.5\tGozo\tGħawdex\t Ghawdex \r\n1\tRabat", "g.tsv");
  ASSERT_TRUE(names);
  ASSERT_EQ(names->size(), 2U);
  EXPECT_EQ((*names)[0].points, 2.5);
  EXPECT_EQ((*names)[0].variants, (std::vector<std::string>{"Għawdex", "Ghawdex"}));
  for (const char* bad : {"\nGozo", "\n3", "\n0\tGozo", "\n11\tGozo", "\n2x\tGozo", "\nnan\tGozo",
                          "\n2\t...", "\n2\tGozo\t", "\n2\tG\xffzo"}) {
    const auto refused = parse_gazetteer(bad, "g.tsv");
    ASSERT_FALSE(refused) << bad;
    EXPECT_EQ(refused.error().place, "g.tsv:2") << bad;
  }
}

TEST(Language, IsReadFromTheTextAlone) {
  const LanguageReading maltese = read_language(kMaltese);
  ASSERT_FALSE(maltese.shares.empty());
  EXPECT_EQ(maltese.shares[0].code, "mt");
  EXPECT_GT(maltese.shares[0].percent, 80);
  EXPECT_GT(maltese.letters, 200U);
  EXPECT_EQ(read_language("").letters, 0U);
  EXPECT_EQ(read_language("12 34 !").letters, 0U);
  EXPECT_EQ(read_language("a\xff\xfe").letters, 1U);
}

TEST(ScopeJudge, DomainCountsAtALabelOnly) {
  const Judged scope("[domain]\nsuffixes = ['.mt', '.gozo.example']\npoints = 6");
  EXPECT_EQ(scope.address("https://www.x.com.mt/").verdict, ScopeVerdict::kIn);
  EXPECT_EQ(scope.address("https://a.gozo.example/").points, 6);
  EXPECT_EQ(scope.address("https://amt/").points, 0);
  EXPECT_EQ(scope.address("https://mt.example/").verdict, ScopeVerdict::kOut);
}

TEST(ScopeJudge, ListsDecideBeforeEverythingElse) {
  const Judged scope(
      "[domain]\nsuffixes=['.mt']\n[sites]\nalways=['a.example']\nnever=['bad.mt', "
      "'x.a.example']");
  EXPECT_EQ(scope.address("https://www.a.example/").verdict, ScopeVerdict::kIn);
  EXPECT_EQ(scope.address("https://x.a.example/").verdict, ScopeVerdict::kOut);
  EXPECT_EQ(scope.address("https://www.bad.mt/").verdict, ScopeVerdict::kOut);
  EXPECT_EQ(scope.address("https://ba.example/").verdict, ScopeVerdict::kOut);
  EXPECT_EQ(scope.address("https://www.a.example/").why[0].rule, "always");
}

TEST(ScopeJudge, LanguageNeedsEnoughLettersAndShare) {
  const Judged scope("[[language]]\ncode='mt'\npoints=5\nleast_share=20\nleast_letters=200");
  const ScopeJudgement page = scope.page("<p>" + std::string(kMaltese));
  EXPECT_EQ(page.points, 5);
  EXPECT_NE(why(page).find("language mt, "), std::string::npos) << why(page);
  EXPECT_EQ(page.verdict, ScopeVerdict::kUnsure);
  EXPECT_EQ(scope.page("<p>Il-kunsill lokali ta' Birkirkara").points, 0);
  std::string english = "<p>";
  for (int i = 0; i < 30; ++i)
    english += "The committee will meet again next week to discuss the road works planned here. ";
  EXPECT_EQ(scope.page(english + "Triq il-Kbira, Ħ'Attard").points, 0);
}

TEST(ScopeJudge, ClaimsCountOnce) {
  const Judged scope("[declared]\nlanguages=['mt']\ncountries=['MT','Malta']\npoints=3");
  EXPECT_EQ(scope.page("<html lang='mt-MT'><p>x").points, 3);
  EXPECT_EQ(scope.page("<html lang='mtx'><p>x").points, 0);
  EXPECT_EQ(scope.page("<p>x", "https://a.example/", {}, "mt; q=1").points, 3);
  const std::string data =
      "<script type='application/ld+json'>{\"@type\":\"Hotel\",\"address\":{"
      "\"addressCountry\":";
  EXPECT_EQ(scope.page(data + "\"MT\"}}</script>").points, 3);
  EXPECT_EQ(scope.page(data + "{\"@type\":\"Country\",\"name\":\"Malta\"}}}</script>").points, 3);
  EXPECT_EQ(scope.page(data + "{\"@type\":\"Country\"},\"name\":\"Malta\"}}</script>").points, 0);
  EXPECT_EQ(scope.page(data + "\"US\"}}</script>").points, 0);
  EXPECT_EQ(scope.page(data + "\"MT\"").points, 3) << "damaged behind what was read";
  const ScopeJudgement both =
      scope.page("<html lang=mt>" + data + "\"mt\"}}</script>", "https://a.example/", {}, "mt");
  EXPECT_EQ(both.points, 3);
  EXPECT_NE(why(both).find("addressCountry says mt"), std::string::npos);
}

TEST(ScopeJudge, PatternsAndWordsLookWhereTheyAreTold) {
  const Judged scope(
      "[[rule]]\nid='tel'\npoints=3\npatterns=['\\+356[ 0-9]{8,11}\\b']\n"
      "[[rule]]\nid='path'\npoints=2\npatterns=['(?i)/malta/']\nwhere=['url']\n"
      "[[rule]]\nid='dog'\npoints=-4\nwords=['maltese dog']\nwhere=['title']");
  EXPECT_EQ(scope.page("<p>Call +356 2122 3344").points, 3);
  EXPECT_EQ(scope.page("<p>Call +357 2122 3344").points, 0);
  EXPECT_EQ(scope.page("<p>/malta/", "https://a.example/Malta/x").points, 2);
  EXPECT_EQ(scope.page("<title>Maltese-Dog care</title><p>x").points, -4);
  EXPECT_EQ(scope.page("<title>x</title><p>maltese dog").points, 0);
}

TEST(ScopeJudge, ARuleMayNeedDifferentMatchesOrCountEach) {
  const Judged scope(
      "[[rule]]\nid='two'\npoints=3\nwords=['pastizzi','ftira','timpana']\nat_least=2\n"
      "[[rule]]\nid='each'\npoints=1\nwords=['qassata','kinnie','bigilla']\neach=true\nmost=2");
  EXPECT_EQ(scope.page("<p>pastizzi and Pastizzi").points, 0);
  EXPECT_EQ(scope.page("<p>pastizzi and ftira").points, 3);
  EXPECT_EQ(scope.page("<p>kinnie").points, 1);
  EXPECT_EQ(scope.page("<p>kinnie, qassata, bigilla").points, 2);
}

TEST(ScopeJudge, GroupsAskForCompanyAndAreBounded) {
  const Judged scope(
      "[[group]]\nid='contact'\nmost=5\nat_least=2\n"
      "[[rule]]\nid='a'\npoints=3\nwords=['alpha']\ngroup='contact'\n"
      "[[rule]]\nid='b'\npoints=3\nwords=['beta']\ngroup='contact'");
  EXPECT_EQ(scope.page("<p>alpha").points, 0);
  EXPECT_EQ(scope.page("<p>alpha beta").points, 5);
}

TEST(ScopeJudge, AMatchMayHaveToStandNearAName) {
  const Judged scope(
      "[[rule]]\nid='postcode'\npoints=3\npatterns=['\\b[A-Z]{3} ?[0-9]{4}\\b']\nnear_names=4\n"
      "[gazetteer]\nnames=['1\tValletta']");
  EXPECT_EQ(scope.page("<h1>x</h1><p>Republic Street, Valletta VLT 1117. Valletta").points, 4);
  std::string far = "<h1>x</h1><p>Valletta. ";
  for (int i = 0; i < 20; ++i) far += "word ";
  EXPECT_EQ(scope.page(far + "SKU 1117, Valletta not near? one two three four five").points, 4);
  EXPECT_EQ(scope.page("<h1>x</h1><p>VLT 1117").points, 0);
  EXPECT_EQ(scope.page("<p>Valletta Valletta one two three four five VLT 1117").points, 1);
}

TEST(ScopeJudge, NamesCountByPlaceAndRepetitionAndAreBounded) {
  const Judged scope(
      "[gazetteer]\nnames=['2\tGozo\tGħawdex','3\tBirkirkara','0.5\tVictoria','2\tGozo Channel']\n"
      "most=6\nalone=1\nevery=100\nthin=0.5");
  EXPECT_EQ(scope.page("<p>a trip to gozo").points, 2);
  EXPECT_EQ(scope.page("<p>Gozo and GHAWDEX").points, 2);
  EXPECT_EQ(scope.page("<title>Gozo</title><p>x").points, 2);
  EXPECT_EQ(scope.page("<p>x", "https://a.example/visit-gozo/").points, 2);
  EXPECT_EQ(scope.page("<title>Victoria</title><p>x").points, 0) << "weak alone";
  EXPECT_EQ(scope.page("<title>Victoria, Gozo</title><p>x").points, 2.5);
  EXPECT_EQ(scope.page("<title>Gozo Channel</title><p>x").points, 2) << "the longest alone";
  EXPECT_EQ(scope.page("<title>Gozo, Birkirkara, Gozo Channel</title><p>x").points, 6);
  std::string thin = "<p>Gozo Gozo ";
  for (int i = 0; i < 300; ++i) thin += "word ";
  EXPECT_EQ(scope.page(thin).points, 1) << "twice in 300 words, where one in 100 is asked for";
}

TEST(ScopeJudge, WhatARuleHidesNobodyElseSees) {
  const Judged scope(
      "[[rule]]\nid='elsewhere'\npoints=-4\nwords=['Malta, Montana']\nhides=true\n"
      "[[rule]]\nid='word'\npoints=1\nwords=['malta']\n[gazetteer]\nnames=['4\tMalta']");
  EXPECT_EQ(scope.page("<title>Malta, Montana</title><p>x").points, -4);
  EXPECT_EQ(scope.page("<title>Malta</title><p>not Malta, Montana").points, 1);
}

TEST(ScopeJudge, PhrasesDoNotReachFromOneFieldIntoTheNext) {
  const Judged scope("[[rule]]\nid='p'\npoints=3\nwords=['blue grotto']");
  EXPECT_EQ(scope.page("<title>Blue</title><p>Grotto").points, 0);
  EXPECT_EQ(scope.page("<p>the <b>Blue</b> Grotto").points, 3);
}

TEST(ScopeJudge, LinksSpeakForAPageThatWasNotRead) {
  const Judged scope(
      "[links]\npoints=4\nat_least=3\nword_points=1\n[gazetteer]\nnames=['2\tMalta']");
  EXPECT_EQ(scope.address("https://a.example/", {2, 2, {}}).points, 0);
  EXPECT_EQ(scope.address("https://a.example/", {4, 3, {}}).points, 3);
  const ScopeJudgement named = scope.address("https://a.example/", {4, 4, {"News of Malta"}});
  EXPECT_EQ(named.points, 5);
  EXPECT_NE(why(named).find("4 of 4 links"), std::string::npos);
  EXPECT_NE(why(named).find("links call it Malta"), std::string::npos);
}

TEST(ScopeJudge, ThresholdsPartTheVerdicts) {
  const Judged scope("[verdict]\nin=4\nunsure=2\n[gazetteer]\nnames=['2\tGozo','2\tMdina']");
  EXPECT_EQ(scope.page("<title>x</title>").verdict, ScopeVerdict::kOut);
  EXPECT_EQ(scope.page("<title>Gozo</title>").verdict, ScopeVerdict::kUnsure);
  EXPECT_EQ(scope.page("<title>Gozo, Mdina</title>").verdict, ScopeVerdict::kIn);
  EXPECT_EQ(name(ScopeVerdict::kIn), "in");
}

TEST(ScopeJudge, ASiteIsTheMeanOfItsPages) {
  const Judged scope("[sites]\nalways=['a.mt']\nnever=['b.mt']");
  const std::vector<double> half{6, 0};
  const std::vector<double> good{6, 7};
  EXPECT_EQ(scope.scope().judge_site("x.example", half).verdict, ScopeVerdict::kUnsure);
  EXPECT_EQ(scope.scope().judge_site("x.example", good).points, 6.5);
  EXPECT_EQ(scope.scope().judge_site("x.example", {}).verdict, ScopeVerdict::kOut);
  EXPECT_EQ(scope.scope().judge_site("a.mt", {}).verdict, ScopeVerdict::kIn);
  EXPECT_EQ(scope.scope().judge_site("b.mt", good).verdict, ScopeVerdict::kOut);
}

TEST(ScopeJudge, WhateverTheAddressItIsJudged) {
  const Judged scope("[gazetteer]\nnames=['2\tGozo']");
  EXPECT_EQ(scope.address("https://a.example/%FF%00gozo").points, 2);
  EXPECT_EQ(scope.address("https://a.example/%FF/gozo").points, 2);
  EXPECT_EQ(scope.scope().judge({}).verdict, ScopeVerdict::kOut);
}

}  // namespace
}  // namespace periplus
