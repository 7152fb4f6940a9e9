// The index against a real database in a folder of its own: what is found, in which order, and what
// a reader sees while a writer works.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "search/index.h"

namespace periplus {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

class IndexTest : public testing::Test {
 protected:
  IndexTest() {
    std::string name = testing::TempDir() + "periplus-index-XXXXXX";
    home_ = mkdtemp(name.data());
    folder_ = home_ + "/index";
  }
  ~IndexTest() override { std::filesystem::remove_all(home_); }

  static IndexDocument page(const std::string& url, const std::string& title,
                            const std::string& text, const std::string& lang = "en") {
    IndexDocument document;
    document.url = url;
    const std::size_t host = url.find("://") + 3;
    document.host = url.substr(host, url.find('/', host) - host);
    document.site = document.host;
    document.title = title;
    document.main_text = text;
    document.lang = lang;
    return document;
  }
  void open_writer() {
    auto made = open_index_writer(folder_);
    ASSERT_TRUE(made) << made.error().sentence;
    writer_ = std::move(*made);
  }
  void put(const IndexDocument& document) {
    if (!writer_) open_writer();
    const auto done = writer_->put(document);
    ASSERT_TRUE(done) << done.error().sentence;
  }
  void commit() { ASSERT_TRUE(writer_->commit(++sequence_)); }
  IndexReader& reader() {
    if (!reader_) reader_ = std::move(*open_index_reader(folder_));
    return *reader_;
  }
  SearchAnswer answer(const SearchRequest& request) {
    auto found = reader().search(request);
    EXPECT_TRUE(found) << found.error().sentence;
    return found ? *std::move(found) : SearchAnswer{};
  }
  SearchAnswer answer(const std::string& query) {
    SearchRequest request;
    request.query = query;
    request.deadline = Millis(60'000);  // sanitizers are slow
    return answer(request);
  }
  std::vector<std::string> urls(const std::string& query) { return urls(answer(query)); }
  static std::vector<std::string> urls(const SearchAnswer& answer) {
    std::vector<std::string> out;
    for (const SearchHit& hit : answer.hits) out.push_back(hit.url);
    return out;
  }

  std::string home_, folder_;
  std::unique_ptr<IndexWriter> writer_;
  std::unique_ptr<IndexReader> reader_;
  std::uint64_t sequence_ = 0;
};

TEST_F(IndexTest, WhatWasPutIsFoundAfterTheCommitAndNotBefore) {
  open_writer();
  EXPECT_EQ(writer_->sequence(), 0U);
  EXPECT_EQ(reader().documents(), 0U);
  put(page("https://a.mt/x", "Bread", "Fresh bread from the village oven."));
  EXPECT_TRUE(urls("bread").empty());
  ASSERT_TRUE(writer_->commit(41));
  EXPECT_THAT(urls("bread"), ElementsAre("https://a.mt/x"));
  EXPECT_EQ(reader().sequence(), 41U);
  EXPECT_EQ(writer_->sequence(), 41U);
  writer_.reset();
  open_writer();
  EXPECT_EQ(writer_->sequence(), 41U);
}

TEST_F(IndexTest, WhatWasNotCommittedIsGone) {
  put(page("https://a.mt/x", "Bread", "oven"));
  commit();
  put(page("https://a.mt/y", "Cheese", "goats"));
  writer_.reset();
  EXPECT_TRUE(urls("cheese").empty());
  EXPECT_THAT(urls("bread"), ElementsAre("https://a.mt/x"));
}

TEST_F(IndexTest, PutReplacesAndRemoveRemoves) {
  put(page("https://a.mt/x", "Bread", "oven"));
  commit();
  put(page("https://a.mt/x", "Cheese", "goats"));
  commit();
  EXPECT_EQ(reader().documents(), 1U);
  EXPECT_TRUE(urls("bread").empty());
  EXPECT_THAT(urls("cheese"), ElementsAre("https://a.mt/x"));
  ASSERT_TRUE(writer_->remove("https://a.mt/x"));
  ASSERT_TRUE(writer_->remove("https://a.mt/never-there"));
  commit();
  EXPECT_TRUE(urls("cheese").empty());
  EXPECT_EQ(reader().documents(), 0U);
}

TEST_F(IndexTest, OneWriterAtATime) {
  open_writer();
  const auto second = open_index_writer(folder_);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::kBusy);
}

TEST_F(IndexTest, NoIndexAndADamagedOneAreSaid) {
  const auto none = open_index_reader(folder_);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::kDatabase);
  put(page("https://a.mt/x", "Bread", "oven"));
  commit();
  writer_.reset();
  std::ofstream(folder_ + "/iamglass", std::ios::trunc) << "nonsense";
  const auto damaged = open_index_reader(folder_);
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().kind, ErrorKind::kDatabase);
}

TEST_F(IndexTest, ReadersAreNeverDisturbedByTheWriter) {
  put(page("https://a.mt/0", "Bread", "oven"));
  commit();
  std::atomic<bool> done = false;
  std::atomic<int> good = 0;
  std::atomic<int> bad = 0;
  std::thread reading([&] {
    auto own = std::move(*open_index_reader(folder_));
    while (!done || good == 0) {
      SearchRequest request;
      request.query = "bread oven";
      request.deadline = Millis(60'000);
      const auto found = own->search(request);
      const bool right = found && !found->hits.empty() && !found->suggestion.size();
      ++(right ? good : bad);
    }
  });
  // A reader that was overtaken by two commits must read again.
  for (int n = 1; n <= 60; ++n) {
    put(page("https://a.mt/" + std::to_string(n % 7), "Bread " + std::to_string(n),
             "oven and word" + std::to_string(n)));
    commit();
  }
  done = true;
  reading.join();
  EXPECT_GT(good, 0);
  EXPECT_EQ(bad, 0);
}

TEST_F(IndexTest, FieldsCountInTheirOrder) {
  const std::string filler = " The rest of the page speaks of the weather and the sea at length.";
  put(page("https://text.mt/p", "Weather", "One lighthouse." + filler));
  put(page("https://title.mt/p", "Lighthouse", "One tower." + filler));
  IndexDocument heading = page("https://heading.mt/p", "Weather", "One tower." + filler);
  heading.headings = {"Lighthouse"};
  put(heading);
  IndexDocument other = page("https://other.mt/p", "Weather", "One tower." + filler);
  other.other_text = "Lighthouse";
  put(other);
  commit();
  EXPECT_THAT(urls("lighthouse"), ElementsAre("https://title.mt/p", "https://heading.mt/p",
                                              "https://text.mt/p", "https://other.mt/p"));
}

TEST_F(IndexTest, LinkWordsOfOtherSitesFindAPageAndOwnOnesCountLess) {
  IndexDocument outer = page("https://a.mt/1", "Home", "Welcome to our pages.");
  outer.anchors = {{.words = "observatory", .sites = 4}, {.words = "click here", .sites = 9}};
  IndexDocument own = page("https://b.mt/1", "Home", "Welcome to our pages.");
  own.anchors = {{.words = "observatory", .sites = 1, .own = true}};
  put(own);
  put(outer);
  commit();
  EXPECT_THAT(urls("observatory"), ElementsAre("https://a.mt/1", "https://b.mt/1"));
  EXPECT_TRUE(urls("click").empty());
}

TEST_F(IndexTest, StaticRankDecidesBetweenEqualPages) {
  IndexDocument low = page("https://a.mt/1", "Ferry times", "The ferry leaves at noon.");
  IndexDocument high = page("https://b.mt/1", "Ferry times", "The ferry leaves at noon.");
  low.rank = 0.1;
  high.rank = 0.9;
  put(low);
  put(high);
  commit();
  EXPECT_THAT(urls("ferry"), ElementsAre("https://b.mt/1", "https://a.mt/1"));
}

TEST_F(IndexTest, WordsSideBySideComeFirst) {
  put(page("https://far.mt/1", "Notes",
           "A stone here. Then much is said of boats and of nets and of men, and of a bridge."));
  put(page("https://near.mt/1", "Notes",
           "A stone bridge here. Then much is said of boats and of nets and of men, and of it."));
  commit();
  EXPECT_THAT(urls("stone bridge"), ElementsAre("https://near.mt/1", "https://far.mt/1"));
}

TEST_F(IndexTest, DiacriticsFoldAndTheFormThatWasTypedWinsATie) {
  put(page("https://plain.mt/1", "Hobz", "Hobz tal-Malti", "mt"));
  put(page("https://maltese.mt/1", "Ħobż", "Ħobż tal-Malti", "mt"));
  commit();
  EXPECT_THAT(urls("ħobż"), ElementsAre("https://maltese.mt/1", "https://plain.mt/1"));
  EXPECT_THAT(urls("HOBZ"), UnorderedElementsAre("https://maltese.mt/1", "https://plain.mt/1"));
}

TEST_F(IndexTest, ArticlesAndApostrophesOfMaltesePartFromTheirWord) {
  put(page("https://a.mt/1", "Il-Ħamrun", "Il-każin tal-Ħamrun f’Malta.", "mt"));
  commit();
  EXPECT_EQ(urls("tal hamrun").size(), 1U);
  EXPECT_EQ(urls("hamrun").size(), 1U);
  EXPECT_EQ(urls("\"tal-Ħamrun\"").size(), 1U);
  EXPECT_EQ(urls("malta").size(), 1U);
  EXPECT_EQ(urls("f'malta").size(), 1U);
}

TEST_F(IndexTest, StemsOfThePageLanguage) {
  put(page("https://en.mt/1", "Fishing", "The boats were painted."));
  put(page("https://mt.mt/1", "Skejjel", "Il-ktieb u l-pagni; sejrin lejn il-komunitajiet.", "mt"));
  commit();
  EXPECT_THAT(urls("boat painting"), ElementsAre("https://en.mt/1"));
  EXPECT_THAT(urls("pagna"), ElementsAre("https://mt.mt/1"));
}

TEST_F(IndexTest, PhrasesHoldWithinOneFieldOnly) {
  IndexDocument document = page("https://a.mt/1", "Grand harbour", "Cruise ships arrive daily.");
  document.anchors = {{.words = "old boat"}, {.words = "house by the sea"}};
  put(document);
  commit();
  EXPECT_EQ(urls("\"grand harbour\"").size(), 1U);
  EXPECT_EQ(urls("\"cruise ships arrive\"").size(), 1U);
  EXPECT_TRUE(urls("\"harbour grand\"").empty());
  EXPECT_TRUE(urls("\"harbour cruise\"").empty());
  EXPECT_TRUE(urls("\"boat house\"").empty());
  // Each word in the form that was typed.
  EXPECT_TRUE(urls("\"cruises ships\"").empty());
}

TEST_F(IndexTest, CommonWordsInPhrasesAndUnderAFolder) {
  put(page("https://a.mt/plays/hamlet.html", "Hamlet", "To be, or not to be, that is it."));
  put(page("https://a.mt/other/x.html", "Other", "Not to be or to be."));
  commit();
  EXPECT_THAT(urls("\"to be or not to be\""), ElementsAre("https://a.mt/plays/hamlet.html"));
  EXPECT_THAT(urls("site:a.mt/plays/ \"to be\""), ElementsAre("https://a.mt/plays/hamlet.html"));
  EXPECT_THAT(urls("site:https://a.mt/plays \"to be\""),
              ElementsAre("https://a.mt/plays/hamlet.html"));
  EXPECT_EQ(urls("to be").size(), 2U);
}

TEST_F(IndexTest, Filters) {
  IndexDocument old = page("https://www.a.mt/news/old", "Harbour news", "harbour", "en");
  old.changed = *parse_w3c_date("2024-05-06");
  IndexDocument fresh = page("https://b.mt/fresh", "Aħbarijiet", "harbour", "mt");
  fresh.changed = *parse_w3c_date("2026-02-03");
  put(old);
  put(fresh);
  put(page("https://sub.b.mt/undated", "Undated", "harbour", ""));
  commit();
  EXPECT_THAT(urls("harbour site:a.mt"), ElementsAre("https://www.a.mt/news/old"));
  EXPECT_EQ(urls("harbour site:b.mt").size(), 2U);
  EXPECT_EQ(urls("harbour -site:b.mt").size(), 1U);
  EXPECT_THAT(urls("harbour lang:mt"), ElementsAre("https://b.mt/fresh"));
  EXPECT_THAT(urls("harbour after:2025"), ElementsAre("https://b.mt/fresh"));
  EXPECT_THAT(urls("harbour before:2025"), ElementsAre("https://www.a.mt/news/old"));
  EXPECT_THAT(urls("harbour date:2024-05"), ElementsAre("https://www.a.mt/news/old"));
  EXPECT_THAT(urls("harbour date:2024..2025"), ElementsAre("https://www.a.mt/news/old"));
  EXPECT_THAT(urls("intitle:news"), ElementsAre("https://www.a.mt/news/old"));
  EXPECT_THAT(urls("intitle:\"harbour news\""), ElementsAre("https://www.a.mt/news/old"));
  EXPECT_TRUE(urls("intitle:harbour intitle:undated").empty());
  EXPECT_THAT(urls("inurl:fresh"), ElementsAre("https://b.mt/fresh"));
  EXPECT_THAT(urls("harbour -news -undated"), ElementsAre("https://b.mt/fresh"));
  EXPECT_THAT(urls("harbour -\"harbour news\" lang:en"), ElementsAre());
  EXPECT_EQ(urls("site:b.mt").size(), 2U);
  EXPECT_TRUE(urls("-harbour").empty());
  EXPECT_NE(answer("-harbour").complaint, "");
}

TEST_F(IndexTest, SitesAreHeldToTheirNumberAndTheRestIsCounted) {
  for (int n = 0; n < 6; ++n) {
    put(page("https://big.mt/" + std::to_string(n), "Lace", "Lace from Gozo"));
  }
  put(page("https://small.mt/1", "Crafts", "Some lace among other things, a long list of them."));
  commit();
  const SearchAnswer two = answer("lace");
  ASSERT_EQ(two.hits.size(), 3U);
  EXPECT_EQ(two.hits[0].more_from_site, 0U);
  EXPECT_EQ(two.hits[1].site, "big.mt");
  EXPECT_GE(two.hits[1].more_from_site, 1U);
  EXPECT_EQ(two.hits[2].site, "small.mt");
  EXPECT_GE(two.at_least, 3U);
  EXPECT_GE(two.estimated, two.at_least);
  EXPECT_EQ(urls("lace site:big.mt").size(), 6U);
  SearchRequest all;
  all.query = "lace";
  all.per_site = 0;
  EXPECT_EQ(answer(all).hits.size(), 7U);
}

TEST_F(IndexTest, PagesOfResultsJoinWithoutGapOrRepeat) {
  for (int n = 0; n < 37; ++n) {
    put(page("https://s" + std::to_string(n) + ".mt/", "Luzzu",
             "A luzzu" + std::string(n % 5, ' ') + " is a boat, number " + std::to_string(n)));
  }
  commit();
  std::vector<std::string> seen;
  for (std::size_t first = 0;; first += 10) {
    SearchRequest request;
    request.query = "luzzu";
    request.first = first;
    const auto page_urls = urls(answer(request));
    if (page_urls.empty()) break;
    seen.insert(seen.end(), page_urls.begin(), page_urls.end());
  }
  EXPECT_EQ(seen.size(), 37U);
  std::ranges::sort(seen);
  EXPECT_EQ(std::ranges::unique(seen).size(), 0U);
}

TEST_F(IndexTest, NearDuplicatesAreShownOnce) {
  for (int n = 0; n < 3; ++n) {
    IndexDocument document =
        page("https://m" + std::to_string(n) + ".mt/", "Festa", "The village festa in July.");
    document.cluster = 77;
    put(document);
  }
  put(page("https://else.mt/", "Festa", "Another festa, in another month."));
  commit();
  EXPECT_EQ(urls("festa").size(), 2U);
}

TEST_F(IndexTest, HiddenSitesAndPagesGoAtOnceAndLeaveNoHoles) {
  for (int n = 0; n < 14; ++n) {
    put(page("https://s" + std::to_string(n) + ".mt/", "Regatta", "The regatta of the harbour."));
  }
  commit();
  SearchRequest request;
  request.query = "regatta";
  request.hidden_sites = {"s1.mt", "s2.mt"};
  request.hidden_urls = {"https://s3.mt/", "https://nowhere.mt/"};
  const SearchAnswer found = answer(request);
  EXPECT_EQ(found.hits.size(), 10U);
  for (const SearchHit& hit : found.hits) {
    EXPECT_NE(hit.site, "s1.mt");
    EXPECT_NE(hit.site, "s2.mt");
    EXPECT_NE(hit.url, "https://s3.mt/");
  }
}

TEST_F(IndexTest, KnownButUncrawledPagesAreFoundByLinkWordsAndAddress) {
  for (int n = 0; n < 12; ++n) {
    put(page("https://c" + std::to_string(n) + ".mt/", "Carnival", "Carnival of the year."));
  }
  for (int n = 0; n < 4; ++n) {
    IndexDocument known;
    known.url = "https://k" + std::to_string(n) + ".mt/nadur-carnival";
    known.host = known.site = "k" + std::to_string(n) + ".mt";
    known.anchors = {{.words = "carnival", .sites = 3}};
    known.crawled = false;
    put(known);
  }
  commit();
  EXPECT_EQ(urls("nadur").size(), 4U);
  EXPECT_FALSE(answer("nadur").hits[0].crawled);
  const SearchAnswer mixed = answer("carnival");
  ASSERT_EQ(mixed.hits.size(), 10U);
  EXPECT_LE(std::ranges::count_if(mixed.hits, [](const SearchHit& hit) { return !hit.crawled; }),
            2);
  SearchRequest all;
  all.query = "carnival";
  all.count = 100;
  EXPECT_EQ(answer(all).hits.size(), 16U);
}

TEST_F(IndexTest, WidensWhenNotAllWordsAreFoundTogether) {
  put(page("https://a.mt/", "Salt", "Salt pans by the sea"));
  put(page("https://b.mt/", "Pepper", "Pepper from afar"));
  commit();
  const SearchAnswer some = answer("salt pepper");
  EXPECT_TRUE(some.widened);
  EXPECT_EQ(some.hits.size(), 2U);
  EXPECT_FALSE(answer("salt pans").widened);
}

TEST_F(IndexTest, TheNameOfASiteFindsItsStartPage) {
  put(page("https://other.mt/", "All about the valley news",
           "Valley news, valley news and again valley news: what others write of valley news."));
  put(page("https://valleynews.mt/", "Welcome", "Today's stories."));
  IndexDocument inner = page("https://valleynews.mt/story", "A story", "Of the valley, news.");
  put(inner);
  commit();
  EXPECT_EQ(urls("valleynews").front(), "https://valleynews.mt/");
}

TEST_F(IndexTest, SpellingIsMendedOnlyWhereItFindsMore) {
  for (int n = 0; n < 12; ++n) {
    put(page("https://s" + std::to_string(n) + ".mt/", "Cathedral of Mdina",
             "The cathedral stands in Mdina."));
  }
  commit();
  EXPECT_EQ(answer("cathedrel").suggestion, "cathedral");
  EXPECT_EQ(answer("mdina catehdral").suggestion, "mdina cathedral");
  EXPECT_EQ(answer("cathedral").suggestion, "");
  EXPECT_EQ(answer("zzzzqqqq").suggestion, "");
}

TEST_F(IndexTest, SuggestsWordsAndTitles) {
  put(page("https://a.mt/", "Marsaxlokk market", "market"));
  put(page("https://b.mt/", "Marsaskala bay", "bay"));
  put(page("https://c.mt/", "Marsaxlokk", "village"));
  commit();
  EXPECT_EQ(reader().suggest("marsaxlokk m", 5), std::vector<std::string>{"Marsaxlokk market"});
  const auto words = reader().suggest("MARSAX", 4);
  ASSERT_FALSE(words.empty());
  EXPECT_EQ(words.front(), "marsaxlokk");
  EXPECT_TRUE(reader().suggest("", 5).empty());
  EXPECT_TRUE(reader().suggest("qqq", 5).empty());
}

TEST_F(IndexTest, ADeadlineThatIsOverGivesWhatThereIsAndSaysSo) {
  put(page("https://a.mt/", "Honey", "honey"));
  commit();
  SearchRequest request;
  request.query = "honey";
  request.deadline = Millis(0);
  EXPECT_TRUE(answer(request).partial);
  EXPECT_FALSE(answer("honey").partial);
}

TEST_F(IndexTest, LongWordsAddressesAndHostileBytesDoNotStopARun) {
  IndexDocument document =
      page("https://a.mt/" + std::string(3'000, 'p') + "?q=" + std::string(500, 'q'), "Long",
           std::string(5'000, 'w') + " ordinary \xFF\xFE bytes " + std::string(300, '\xC4'));
  document.title = "Line\nbreak\tand\x01 control";
  document.headings = {std::string(400, 'h')};
  put(document);
  IndexDocument twin = document;
  twin.url.back() = 'r';
  put(twin);
  put(page("not a url", "Odd", "ordinary"));
  commit();
  EXPECT_EQ(reader().documents(), 3U);
  EXPECT_EQ(urls("ordinary").size(), 3U);
  EXPECT_EQ(answer("break").hits.at(0).title, "Line break and\x01 control");
  ASSERT_TRUE(writer_->remove(document.url));
  commit();
  EXPECT_EQ(reader().documents(), 2U);
}

TEST_F(IndexTest, ScriptsWithoutSpacesAreFoundByTheirPairs) {
  put(page("https://a.mt/", "東京都", "東京都庁", "ja"));
  commit();
  EXPECT_EQ(urls("東").size(), 1U);
  EXPECT_EQ(urls("東京").size(), 1U);
  EXPECT_EQ(urls("東京都").size(), 1U);
  EXPECT_EQ(urls("\"京都庁\"").size(), 1U);
  EXPECT_TRUE(urls("\"京東\"").empty());
}

TEST_F(IndexTest, MarkupInATitleStaysText) {
  put(page("https://a.mt/", "<script>alert(1)</script>", "plain <b>text</b> & more"));
  commit();
  EXPECT_EQ(answer("alert").hits[0].title, "<script>alert(1)</script>");
  EXPECT_EQ(reader().snippet("text", "plain <b>text</b> & more", 100),
            "plain &lt;b&gt;<b>text</b>&lt;/b&gt; &amp; more");
}

}  // namespace
}  // namespace periplus
