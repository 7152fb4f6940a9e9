// Visits: recorded whole, read back the same, the older ones reduced to their summary.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "made_visit.h"

namespace periplus {
namespace {

constexpr unsigned kEverything = kWithMessage | kWithBody | kWithText;

TEST(StoreVisit, ComesBackAsItWasRecorded) {
  const Home home;
  VisitId id = 0;
  {
    const auto store = opened(home.database());
    id = recorded(*store, "example.org", 100, 20);
  }
  const auto store = opened(home.database(), OpenMode::kReadOnly);  // another opening, on disk
  const auto visit = store->newest_visit("example.org", "audit");
  ASSERT_TRUE(visit && *visit);
  const StoredVisit wanted = made_visit("example.org", 100);
  EXPECT_EQ((*visit)->id, id);
  EXPECT_EQ((*visit)->site, wanted.site);
  EXPECT_EQ((*visit)->start_url, wanted.start_url);
  EXPECT_EQ((*visit)->use, wanted.use);
  EXPECT_EQ((*visit)->started, wanted.started);
  EXPECT_EQ((*visit)->ended, wanted.ended);
  EXPECT_EQ((*visit)->outcome, wanted.outcome);
  EXPECT_EQ((*visit)->outcome_detail, wanted.outcome_detail);
  EXPECT_EQ((*visit)->failure, wanted.failure);
  EXPECT_EQ((*visit)->complete, wanted.complete);
  EXPECT_EQ((*visit)->pages_read, 20U);
  EXPECT_EQ((*visit)->identity, wanted.identity);
  EXPECT_EQ((*visit)->limits, wanted.limits);
  EXPECT_EQ((*visit)->notes, wanted.notes);

  const std::vector<StoredPage> pages = pages_of(*store, id, kEverything);
  ASSERT_EQ(pages.size(), 20U);
  for (int n = 0; n < 20; ++n) {
    expect_same(pages[static_cast<std::size_t>(n)], made_page("example.org", n));
  }

  const auto documents = documents_of(*store, id);
  ASSERT_EQ(documents.size(), 1U);
  const StoredDocument document = made_document("example.org");
  EXPECT_EQ(documents[0].kind, document.kind);
  EXPECT_EQ(documents[0].name, document.name);
  EXPECT_EQ(documents[0].status, document.status);
  EXPECT_EQ(documents[0].failure, document.failure);
  EXPECT_EQ(documents[0].fetched_at, document.fetched_at);
  EXPECT_EQ(documents[0].headers, document.headers);
  EXPECT_EQ(documents[0].chain, document.chain);
  EXPECT_EQ(documents[0].packed_body, document.packed_body);
}

TEST(StoreVisit, KeepsEveryByteOfTextsWithZerosAndBadUtf8) {
  const Home home;
  const auto store = opened(home.database());
  StoredPage page = made_page("example.org", 1);
  page.title = std::string("a\0b\xFF\x80", 5);
  page.headers = std::string("X: \0\xFE\r\n", 8);
  page.text_hash = 0xFFFFFFFFFFFFFFFEU;
  page.depth = 0xFFFFFFFFU;
  page.packed_text.clear();
  page.packed_body.clear();
  ListedPages pages({page});
  const auto id = store->record(made_visit("example.org", 0), pages, {});
  ASSERT_TRUE(id);
  const auto got = pages_of(*store, *id, kEverything);
  ASSERT_EQ(got.size(), 1U);
  expect_same(got[0], page);
}

TEST(StoreVisit, LoadsOnlyThePartsAskedFor) {
  const Home home;
  const auto store = opened(home.database());
  const VisitId id = recorded(*store, "example.org", 0, 2);
  const StoredPage summary = pages_of(*store, id, kSummaryOnly)[1];
  EXPECT_EQ(summary.title, "Page 1 ü");
  EXPECT_TRUE(summary.headers.empty() && summary.packed_body.empty() &&
              summary.packed_text.empty());
  const StoredPage message = pages_of(*store, id, kWithMessage)[1];
  EXPECT_FALSE(message.headers.empty());
  EXPECT_FALSE(message.packed_targets.empty());
  EXPECT_TRUE(message.packed_body.empty() && message.packed_text.empty());
  const StoredPage text = pages_of(*store, id, kWithText)[1];
  EXPECT_TRUE(text.packed_body.empty() && text.headers.empty());
  EXPECT_FALSE(text.packed_text.empty());
}

TEST(StoreVisit, OnePageIsFoundByItsUrl) {
  const Home home;
  const auto store = opened(home.database());
  const VisitId id = recorded(*store, "example.org", 0, 5);
  const auto page = store->page(id, "https://example.org/page/3", kEverything);
  ASSERT_TRUE(page && *page);
  expect_same(**page, made_page("example.org", 3));
  EXPECT_FALSE(*store->page(id, "https://example.org/page/33", kSummaryOnly));
}

TEST(StoreVisit, AReaderMayStopAndMayAskOtherThingsMeanwhile) {
  const Home home;
  const auto store = opened(home.database());
  const VisitId id = recorded(*store, "example.org", 0, 5);
  int seen = 0, inner = 0;
  ASSERT_TRUE(store->each_page(id, kWithText, [&](StoredPage&) {
    EXPECT_TRUE(store->each_page(id, kWithText, [&](StoredPage&) { return ++inner > 0; }));
    return ++seen < 3;
  }));
  EXPECT_EQ(seen, 3);
  EXPECT_EQ(inner, 15);
}

TEST(StoreVisit, TheNewestReadAloneKeepsBodiesHeadersChainsAndDocuments) {
  const Home home;
  const auto store = opened(home.database());
  const VisitId first = recorded(*store, "example.org", 100, 4);
  const VisitId other = recorded(*store, "example.net", 100, 4);
  const VisitId second_id = recorded(*store, "example.org", 900, 4);
  EXPECT_GT(second_id, first);

  const auto old = pages_of(*store, first, kEverything);
  ASSERT_EQ(old.size(), 4U);
  for (int n = 0; n < 4; ++n) {
    StoredPage summary = made_page("example.org", n);
    summary.headers.clear();
    summary.chain.clear();
    summary.packed_body.clear();
    summary.packed_targets.clear();
    expect_same(old[static_cast<std::size_t>(n)], summary);  // the text stays
  }
  EXPECT_TRUE(documents_of(*store, first).empty());
  EXPECT_EQ(pages_of(*store, second_id, kEverything)[3].packed_body,
            made_page("example.org", 3).packed_body);
  EXPECT_EQ(pages_of(*store, other, kEverything)[3].packed_body,
            made_page("example.net", 3).packed_body);
  EXPECT_EQ(documents_of(*store, other).size(), 1U);
  EXPECT_EQ(faults_of(*store), "");
}

TEST(StoreVisit, AVisitThatReadNothingLeavesTheKeptPagesInPlace) {
  const Home home;
  const auto store = opened(home.database());
  const VisitId good = recorded(*store, "example.org", 100, 4);
  const VisitId down = recorded(*store, "example.org", 900, 0);
  EXPECT_EQ((*store->newest_visit("example.org", "audit"))->id, down);
  EXPECT_EQ((*store->newest_kept_visit("example.org", "audit"))->id, good);
  EXPECT_FALSE(pages_of(*store, good, kEverything)[0].packed_body.empty());
  EXPECT_EQ(documents_of(*store, good).size(), 1U);
  const VisitId back = recorded(*store, "example.org", 1900, 4);
  EXPECT_EQ((*store->newest_kept_visit("example.org", "audit"))->id, back);
  EXPECT_TRUE(pages_of(*store, good, kEverything)[0].packed_body.empty());
  EXPECT_EQ(faults_of(*store), "");
}

TEST(StoreVisit, OfVisitsThatReadNothingTheNewestKeepsItsDocuments) {
  const Home home;
  const auto store = opened(home.database());
  const VisitId good = recorded(*store, "example.org", 100, 2);
  const VisitId down = recorded(*store, "example.org", 200, 0);
  const VisitId still_down = recorded(*store, "example.org", 300, 0);
  EXPECT_EQ(documents_of(*store, good).size(), 1U);
  EXPECT_TRUE(documents_of(*store, down).empty());
  EXPECT_EQ(documents_of(*store, still_down).size(), 1U);
  recorded(*store, "example.org", 400, 2);
  EXPECT_TRUE(documents_of(*store, still_down).empty());
  EXPECT_TRUE(documents_of(*store, good).empty());
}

// One number of the file, through SQLite itself.
std::int64_t count_in(const std::string& path, const char* sql) {
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  sqlite3_stmt* statement = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(db, sql, -1, &statement, nullptr), SQLITE_OK);
  EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW);
  const std::int64_t count = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(db);
  return count;
}

TEST(StoreVisit, TextIsKeptOncePerVersion) {
  const Home home;
  const auto store = opened(home.database());
  recorded(*store, "example.org", 100, 6);
  recorded(*store, "example.org", 200, 6);
  EXPECT_EQ(count_in(home.database(), "SELECT count(*) FROM texts"), 6);
  recorded(*store, "example.org", 300, 6, " changed");
  EXPECT_EQ(count_in(home.database(), "SELECT count(*) FROM texts"), 12);
  recorded(*store, "example.net", 300, 6);
  EXPECT_EQ(count_in(home.database(), "SELECT count(*) FROM texts"), 18);
}

TEST(StoreVisit, AnUnchangedTextNeedsNotBeHandedInAgain) {
  const Home home;
  const auto store = opened(home.database());
  recorded(*store, "example.org", 100, 1);
  StoredPage page = made_page("example.org", 0);
  const std::string text = std::exchange(page.packed_text, {});
  ListedPages pages({page});
  const auto id = store->record(made_visit("example.org", 200), pages, {});
  ASSERT_TRUE(id);
  EXPECT_EQ(pages_of(*store, *id, kWithText)[0].packed_text, text);
}

// A page whose text can be read from its body: behind the last '>'.
Result<std::string> text_behind_markup(const StoredPage& page) {
  const Result<std::string> body = unpack(page.packed_body, 1 << 20);
  if (!body) return std::unexpected(body.error());
  return pack(body->substr(body->rfind('>') + 1));
}

VisitId record_with_text_in_body(Store& store, std::int64_t at, const std::string& text) {
  StoredPage page = made_page("example.org", 0);
  page.packed_text.clear();
  page.packed_body = pack("<title>Page</title>" + text);
  page.text_hash = hash64(text);
  ListedPages pages({page});
  const auto id = store.record(made_visit("example.org", at), pages, {});
  EXPECT_TRUE(id);
  return id.value_or(0);
}

TEST(StoreVisit, ATextIsWrittenWhenItsBodyGoesAndOncePerVersion) {
  const Home home;
  const auto store = opened(home.database());
  store->read_texts_with(text_behind_markup);
  const auto texts = [&] { return count_in(home.database(), "SELECT count(*) FROM texts"); };
  const VisitId first = record_with_text_in_body(*store, 100, "old");
  EXPECT_EQ(texts(), 0);
  record_with_text_in_body(*store, 200, "old");
  EXPECT_EQ(texts(), 0);  // the new body brought the same text
  record_with_text_in_body(*store, 300, "new");
  EXPECT_EQ(texts(), 1);
  EXPECT_EQ(pages_of(*store, first, kWithText)[0].packed_text, pack("old"));
  record_with_text_in_body(*store, 400, "old");
  record_with_text_in_body(*store, 500, "new");
  EXPECT_EQ(texts(), 2);
  EXPECT_EQ(faults_of(*store), "");
}

TEST(StoreVisit, ADamagedOldPageCostsItsTextNotTheNewVisit) {
  const Home home;
  const auto store = opened(home.database());
  record_with_text_in_body(*store, 100, "old");
  store->read_texts_with([](const StoredPage&) -> Result<std::string> {
    return fail(ErrorKind::kDatabase, "the body is damaged");
  });
  const VisitId second = record_with_text_in_body(*store, 200, "new");
  EXPECT_EQ((*store->newest_visit("example.org", "audit"))->id, second);
  EXPECT_EQ(count_in(home.database(), "SELECT count(*) FROM texts"), 0);
}

class FailingPages final : public PageSource {
 public:
  Result<bool> next(StoredPage* page) override {
    if (++given_ > 3) return fail(ErrorKind::kIo, "the spool broke");
    *page = made_page("example.org", given_);
    return true;
  }

 private:
  int given_ = 0;
};

TEST(StoreVisit, ASourceThatFailsLeavesNothingOfTheVisit) {
  const Home home;
  const auto store = opened(home.database());
  const VisitId before = recorded(*store, "example.org", 100, 4);
  FailingPages pages;
  const auto id = store->record(made_visit("example.org", 200), pages, {});
  ASSERT_FALSE(id);
  EXPECT_EQ(id.error().sentence, "the spool broke");
  EXPECT_EQ((*store->newest_visit("example.org", "audit"))->id, before);
  EXPECT_FALSE(pages_of(*store, before, kWithBody)[0].packed_body.empty());
  EXPECT_EQ(count_in(home.database(), "SELECT count(*) FROM pages"), 4);
  recorded(*store, "example.org", 300, 4);  // and the store goes on
  EXPECT_EQ(faults_of(*store), "");
}

TEST(StoreVisit, VisitsOfASiteAreListedNewestFirst) {
  const Home home;
  const auto store = opened(home.database());
  std::vector<VisitId> ids;
  for (int n = 0; n < 4; ++n) ids.push_back(recorded(*store, "example.org", n * 100, 1));
  recorded(*store, "example.net", 50, 1);
  const auto visits = store->visits("example.org", 3);
  ASSERT_TRUE(visits);
  ASSERT_EQ(visits->size(), 3U);
  EXPECT_EQ((*visits)[0].id, ids[3]);
  EXPECT_EQ((*visits)[2].id, ids[1]);
  EXPECT_EQ((*store->visit(ids[1]))->started, second(100));
  EXPECT_FALSE(*store->visit(12345678));
  EXPECT_FALSE(*store->newest_visit("example.com", "audit"));
  EXPECT_FALSE(*store->newest_visit("example.org", "map"));

  std::vector<std::string> sites;
  ASSERT_TRUE(store->each_site(
      [&](const StoredVisit& visit) { sites.push_back(visit.site + to_rfc3339(visit.started)); }));
  EXPECT_EQ(sites, (std::vector<std::string>{"example.net" + to_rfc3339(second(50)),
                                             "example.org" + to_rfc3339(second(300))}));
}

StoredReport made_report(VisitId id) {
  StoredReport report;
  report.visit = id;
  report.rulebook_version = "2026-12";
  report.score_version = "1";
  report.made = second(500);
  report.score = 83.25;
  report.stages = {{"reachable", 100.0},
                   {"readable", 75.5},
                   {"understandable", std::nullopt},
                   {"quotable", 0.0}};
  report.coverage = 0.875;
  report.rules = {{"title-missing", 1, 2, 3, 4}, {"link-broken", 0, 9, 0, 0}};
  report.packed_json = pack("{\"score\":83.25}");
  return report;
}

TEST(StoreReport, ComesBackAndNamesTheFailedRulesOfEachPage) {
  const Home home;
  const auto store = opened(home.database());
  const VisitId id = recorded(*store, "example.org", 100, 3);
  EXPECT_FALSE(*store->report(id));
  const std::vector<std::pair<std::string, std::string>> failed{
      {"https://example.org/page/1", "title-missing link-broken"},
      {"https://example.org/page/2", "link-broken"}};
  ASSERT_TRUE(store->put_report(made_report(id), failed));
  const auto report = store->report(id);
  ASSERT_TRUE(report && *report);
  const StoredReport wanted = made_report(id);
  EXPECT_EQ((*report)->visit, id);
  EXPECT_EQ((*report)->rulebook_version, wanted.rulebook_version);
  EXPECT_EQ((*report)->score_version, wanted.score_version);
  EXPECT_EQ((*report)->made, wanted.made);
  EXPECT_EQ((*report)->score, wanted.score);
  EXPECT_EQ((*report)->stages, wanted.stages);
  EXPECT_EQ((*report)->coverage, wanted.coverage);
  EXPECT_EQ((*report)->packed_json, wanted.packed_json);
  ASSERT_EQ((*report)->rules.size(), 2U);
  EXPECT_EQ((*report)->rules[0].rule, "title-missing");
  EXPECT_EQ((*report)->rules[0].failing, 1U);
  EXPECT_EQ((*report)->rules[0].passing, 2U);
  EXPECT_EQ((*report)->rules[0].unknown, 3U);
  EXPECT_EQ((*report)->rules[0].not_applicable, 4U);
  const auto pages = pages_of(*store, id, kSummaryOnly);
  EXPECT_EQ(pages[0].failed_rules, "");
  EXPECT_EQ(pages[1].failed_rules, "title-missing link-broken");
  EXPECT_EQ(pages[2].failed_rules, "link-broken");
}

TEST(StoreReport, ANewVerdictReplacesTheOld) {
  const Home home;
  const auto store = opened(home.database());
  const VisitId id = recorded(*store, "example.org", 100, 2);
  const std::vector<std::pair<std::string, std::string>> failed{
      {"https://example.org/page/1", "a"}};
  ASSERT_TRUE(store->put_report(made_report(id), failed));
  StoredReport second_report = made_report(id);
  second_report.score.reset();
  second_report.no_score = "kept out";
  second_report.rules.resize(1);
  second_report.stages.clear();
  ASSERT_TRUE(store->put_report(second_report, {}));
  const auto report = store->report(id);
  EXPECT_EQ((*report)->score, std::nullopt);
  EXPECT_EQ((*report)->no_score, "kept out");
  EXPECT_EQ((*report)->rules.size(), 1U);
  EXPECT_TRUE((*report)->stages.empty());
  EXPECT_EQ(pages_of(*store, id, kSummaryOnly)[1].failed_rules, "");
}

TEST(StoreReport, OldOnesKeepTheirNumbersAndLoseTheirText) {
  const Home home;
  const auto store = opened(home.database());
  const VisitId id = recorded(*store, "example.org", 100, 2);
  ASSERT_TRUE(store->put_report(made_report(id), {}));
  recorded(*store, "example.org", 200, 2);
  const auto report = store->report(id);
  ASSERT_TRUE(report && *report);
  EXPECT_EQ((*report)->score, 83.25);
  EXPECT_EQ((*report)->rules.size(), 2U);
  EXPECT_EQ((*report)->packed_json, "");
}

TEST(StoreReport, OnAVisitThatWasNeverRecordedIsRefused) {
  const Home home;
  const auto store = opened(home.database());
  EXPECT_EQ(store->put_report(made_report(4711), {}).error().kind, ErrorKind::kInternal);
}

}  // namespace
}  // namespace periplus
