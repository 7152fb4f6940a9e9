// kill -9, a full disk, a damaged file, a newer schema: nothing half-written, and a clear word.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "made_visit.h"
#include "store/schema.h"
#include "store/spool.h"
#include "store/sql.h"
#include "url/site.h"

namespace periplus {
namespace {

// Pages large enough to fill any cache on the way.
class ManyPages final : public PageSource {
 public:
  explicit ManyPages(int count) : count_(count) {}
  Result<bool> next(StoredPage* page) override {
    if (given_ == count_) return false;
    *page = made_page("example.org", given_++, " of the second read");
    page->headers += std::string(20'000, 'h');
    return true;
  }

 private:
  const int count_;
  int given_ = 0;
};

void expect_only_the_first_visit(const std::string& path, VisitId first) {
  const auto store = opened(path);
  EXPECT_EQ((*store->newest_visit("example.org", "audit"))->id, first);
  EXPECT_EQ(store->visits("example.org", 10)->size(), 1U);
  const auto pages = pages_of(*store, first, kWithMessage | kWithBody | kWithText);
  ASSERT_EQ(pages.size(), 30U);
  for (int n = 0; n < 30; ++n) {
    expect_same(pages[static_cast<std::size_t>(n)], made_page("example.org", n));
  }
  EXPECT_EQ(documents_of(*store, first).size(), 1U);
  EXPECT_EQ(faults_of(*store), "");
}

// A child says when it begins to record 1,000 pages, and is killed a little later each time.
TEST(StoreCrash, KilledInTheMiddleOfARecordNothingOfItIsThere) {
  const Home home;
  const VisitId first = recorded(*opened(home.database()), "example.org", 0, 30);
  int killed_before_the_end = 0;
  for (int milliseconds = 0; milliseconds < 200; ++milliseconds) {
    int begun[2];
    ASSERT_EQ(pipe(begun), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const auto store = opened(home.database());
      const auto spool = Spool::create(home.path());
      ManyPages pages(1000);
      for (StoredPage page; pages.next(&page).value_or(false);) (void)(*spool)->append(page);
      if (write(begun[1], "x", 1) != 1) _exit(1);
      (void)store->record(made_visit("example.org", 100), **spool, {});
      kill(getpid(), SIGKILL);
    }
    char byte = 0;
    ASSERT_EQ(read(begun[0], &byte, 1), 1);
    usleep(static_cast<useconds_t>(milliseconds) * 1000);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    close(begun[0]);
    close(begun[1]);
    ASSERT_TRUE(WIFSIGNALED(status));
    if (opened(home.database())->visits("example.org", 10)->size() > 1) break;  // it was done
    ++killed_before_the_end;
    expect_only_the_first_visit(home.database(), first);
  }
  EXPECT_GT(killed_before_the_end, 0);
  const auto store = opened(home.database());
  EXPECT_EQ(faults_of(*store), "");
  const auto visits = store->visits("example.org", 10);
  if (visits->size() > 1) {
    EXPECT_EQ(pages_of(*store, (*visits)[0].id, kWithBody).size(), 1000U);
  }
}

TEST(StoreCrash, KilledAtAnyMomentVisitsAreThereWholeOrNotAtAll) {
  const Home home;
  opened(home.database());
  std::mt19937 random(20261201);
  int most = 0;
  for (int round = 0; round < 40; ++round) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const auto store = opened(home.database());
      for (int n = 0;; ++n)
        recorded(*store, "example.org", n, 40, std::to_string(round * 1000 + n));
    }
    usleep(1000 + random() % 40'000);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    const auto store = opened(home.database());
    EXPECT_EQ(faults_of(*store), "") << round;
    const auto visits = store->visits("example.org", 1'000'000);
    ASSERT_TRUE(visits);
    for (std::size_t i = 0; i < visits->size(); ++i) {
      const auto pages = pages_of(*store, (*visits)[i].id, kWithBody | kWithText);
      ASSERT_EQ(pages.size(), 40U);
      EXPECT_EQ(pages[39].packed_body.empty(), i != 0);
      EXPECT_FALSE(pages[39].packed_text.empty());
    }
    most = std::max(most, static_cast<int>(visits->size()));
  }
  EXPECT_GT(most, 0);  // else the rounds proved nothing
}

TEST(StoreCrash, AFullDiskIsSaidAndChangesNothing) {
  const Home home;
  const VisitId first = recorded(*opened(home.database()), "example.org", 0, 30);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit most{1U << 20U, 1U << 20U};
    setrlimit(RLIMIT_FSIZE, &most);
    const auto store = opened(home.database());
    ManyPages pages(1000);
    const auto id = store->record(made_visit("example.org", 100), pages, {});
    const bool clear = !id && id.error().kind == ErrorKind::kIo && !id.error().sentence.empty();
    // The store can still be used.
    const bool goes_on = store->newest_visit("example.org", "audit").has_value() &&
                         store->note_start("example.org", "audit", second(1)).has_value();
    _exit(clear && goes_on ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  expect_only_the_first_visit(home.database(), first);
}

void overwrite(const std::string& path, std::uint64_t at, const std::string& bytes) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(at));
  file << bytes;
}

TEST(StoreDamage, AFileThatIsNoDatabaseIsNamed) {
  const Home home;
  std::ofstream(home.database()) << "This is a text file of some length, not a database at all.\n"
                                 << std::string(1000, '#');
  const auto store = Store::open(home.database(), OpenMode::kReadWrite);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().kind, ErrorKind::kDatabase);
  EXPECT_EQ(store.error().sentence, "the file is not a store of periplus");
  EXPECT_EQ(store.error().place, home.database());
}

TEST(StoreDamage, AnotherProgramsDatabaseIsLeftAlone) {
  const Home home;
  {
    Connection other(home.database(), OpenMode::kReadWrite);
    other.script("CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')");
  }
  const auto store = Store::open(home.database(), OpenMode::kReadWrite);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().sentence, "the file is not a store of periplus");
  Connection other(home.database(), OpenMode::kReadWrite);
  EXPECT_TRUE(other.query("SELECT 1 FROM recipes").next());
  EXPECT_FALSE(other.query("SELECT 1 FROM sqlite_master WHERE name = 'visits'").next());
}

TEST(StoreDamage, OverwrittenBlocksAreErrorsAndFindingsNeverCrashes) {
  std::mt19937 random(7);
  for (int round = 0; round < 25; ++round) {
    const Home home;
    recorded(*opened(home.database()), "example.org", 0, 60);
    const auto size = std::filesystem::file_size(home.database());
    const std::uint64_t at = 8192 + random() % (size - 8192 - 600);
    std::string junk(500, '\0');
    for (char& c : junk) c = static_cast<char>(random());
    overwrite(home.database(), at, junk);
    const auto store = Store::open(home.database(), OpenMode::kReadWrite);
    if (!store) {
      EXPECT_EQ(store.error().kind, ErrorKind::kDatabase) << store.error().sentence;
      continue;
    }
    const auto visits = (*store)->visits("example.org", 10);
    for (const StoredVisit& visit : visits.value_or(std::vector<StoredVisit>())) {
      (void)(*store)->each_page(visit.id, kWithMessage | kWithBody | kWithText,
                                [](StoredPage& page) {
                                  (void)unpack(page.packed_body, 1U << 20U);
                                  return true;
                                });
    }
    EXPECT_TRUE((*store)->verify().has_value());
  }
}

TEST(StoreDamage, DoctorFindsTextsThatCannotBeUnpackedOrAreOthers) {
  const Home home;
  const auto store = opened(home.database());
  recorded(*store, "example.org", 0, 3);
  {
    Connection other(home.database(), OpenMode::kReadWrite);
    const auto hash_of = [](int n) {
      return static_cast<std::int64_t>(made_page("example.org", n).text_hash);
    };
    other.run("UPDATE texts SET body = $1 WHERE hash = $2", Blob{pack("other words")}, hash_of(2));
    other.run("UPDATE texts SET body = substr(body, 1, 9) WHERE hash = $1", hash_of(1));
  }
  const std::string faults = faults_of(*store);
  EXPECT_NE(faults.find("is not the one that was stored"), std::string::npos) << faults;
  EXPECT_NE(faults.find("a packed record is damaged"), std::string::npos) << faults;
}

std::string pages_file_of(const Home& home, VisitId id) {
  return home.database() + ".pages/" + std::to_string(id % 1024) + "/" + std::to_string(id);
}

TEST(StoreDamage, AFlippedBitAnywhereInKeptPagesIsNoticed) {
  const Home home;
  const auto store = opened(home.database());
  const VisitId id = recorded(*store, "example.org", 0, 4);
  const std::string file = pages_file_of(home, id);
  const std::string good = [&] {
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }();
  ASSERT_GT(good.size(), 1000U);
  for (std::size_t at = 0; at < good.size(); at += at < 200 ? 1 : 41) {
    overwrite(file, at, std::string(1, static_cast<char>(good[at] ^ 0x10)));
    EXPECT_NE(faults_of(*store), "") << at;
    const auto read = store->each_page(id, kWithBody, [](StoredPage&) { return true; });
    ASSERT_FALSE(read) << at;
    EXPECT_EQ(read.error().kind, ErrorKind::kDatabase);
    EXPECT_FALSE(read.error().sentence.empty());
    overwrite(file, at, std::string(1, good[at]));
  }
  EXPECT_EQ(faults_of(*store), "");
}

TEST(StoreDamage, MissingOrShortKeptPagesAreSaidAndSummariesStay) {
  const Home home;
  const auto store = opened(home.database());
  const VisitId id = recorded(*store, "example.org", 0, 4);
  const std::string file = pages_file_of(home, id);
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  EXPECT_NE(faults_of(*store).find("https://example.org/page/3"), std::string::npos);
  std::filesystem::remove(file);
  EXPECT_NE(faults_of(*store).find("missing"), std::string::npos);
  EXPECT_EQ(store->page(id, "https://example.org/page/1", kWithBody).error().kind,
            ErrorKind::kDatabase);
  EXPECT_EQ(pages_of(*store, id, kWithText).size(), 4U);
}

TEST(StoreCrash, AFileLeftByAKilledProcessIsReplaced) {
  const Home home;
  const auto store = opened(home.database());
  const VisitId first = recorded(*store, "example.org", 0, 4);
  const std::string next = pages_file_of(home, first + 1024);  // as if killed before the commit
  std::ofstream(next) << "half a visit";
  const auto findings = store->verify();
  ASSERT_EQ(findings->size(), 1U);
  EXPECT_FALSE((*findings)[0].fault);
  const VisitId second_id = recorded(*store, "example.org", 100, 4);
  EXPECT_EQ(pages_file_of(home, second_id), next);
  EXPECT_EQ(pages_of(*store, second_id, kWithBody).size(), 4U);
  EXPECT_FALSE(std::filesystem::exists(pages_file_of(home, first)));
  EXPECT_TRUE(store->verify()->empty());
  // As if killed behind the commit, before the old file was removed.
  std::ofstream(pages_file_of(home, first)) << "old";
  recorded(*store, "example.org", 200, 4);
  EXPECT_TRUE(store->verify()->empty());
}

TEST(StoreVisit, AReaderGoesOnWhileANewerVisitReplacesTheFile) {
  const Home home;
  const auto store = opened(home.database());
  const VisitId id = recorded(*store, "example.org", 0, 30);
  const auto other = opened(home.database());
  int seen = 0;
  ASSERT_TRUE(store->each_page(id, kWithBody, [&](StoredPage& page) {
    if (seen == 2) recorded(*other, "example.org", 100, 30);
    EXPECT_FALSE(page.packed_body.empty());
    return ++seen > 0;
  }));
  EXPECT_EQ(seen, 30);
  EXPECT_TRUE(pages_of(*store, id, kWithBody)[0].packed_body.empty());
}

TEST(StoreDamage, DoctorIsContentWithAGoodStore) {
  const Home home;
  const auto store = opened(home.database());
  EXPECT_TRUE(store->verify()->empty());
  recorded(*store, "example.org", 0, 3);
  recorded(*store, "example.org", 100, 3);
  EXPECT_TRUE(store->verify()->empty());
}

TEST(StoreOpen, AMissingFolderIsNamed) {
  const Home home;
  const auto store = Store::open(home.path() + "/nowhere/periplus.db", OpenMode::kReadWrite);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().kind, ErrorKind::kIo);
  EXPECT_EQ(store.error().place, home.path() + "/nowhere/periplus.db");
}

TEST(StoreOpen, ReadOnlyNeedsAFileAndWritesNothing) {
  const Home home;
  EXPECT_EQ(Store::open(home.database(), OpenMode::kReadOnly).error().kind, ErrorKind::kIo);
  EXPECT_FALSE(std::filesystem::exists(home.database()));
  const VisitId id = recorded(*opened(home.database()), "example.org", 0, 3);
  const auto store = opened(home.database(), OpenMode::kReadOnly);
  EXPECT_EQ((*store->newest_visit("example.org", "audit"))->id, id);
  EXPECT_EQ(store->note_start("example.org", "audit", second(1)).error().kind, ErrorKind::kIo);
}

// As somebody who does not own the file; as root, permissions stop nobody.
TEST(StoreOpen, AFolderWeMayNotWriteInIsAClearError) {
  const Home home;
  recorded(*opened(home.database()), "example.org", 0, 3);
  std::filesystem::permissions(home.path(), std::filesystem::perms(0555));
  std::filesystem::permissions(home.database(), std::filesystem::perms(0444));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(2);
    const auto old = Store::open(home.database(), OpenMode::kReadWrite);
    const auto fresh = Store::open(home.path() + "/new.db", OpenMode::kReadWrite);
    const auto clear = [](const auto& store) {
      return !store && store.error().kind == ErrorKind::kIo && !store.error().place.empty();
    };
    _exit(clear(old) && clear(fresh) ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::filesystem::permissions(home.path(), std::filesystem::perms(0755));
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(StoreSchema, ANewerOneIsRefusedAndLeftAsItIs) {
  const Home home;
  opened(home.database());
  {
    Connection other(home.database(), OpenMode::kReadWrite);
    other.run("UPDATE periplus SET schema_version = 99");
  }
  for (const OpenMode mode : {OpenMode::kReadWrite, OpenMode::kReadOnly}) {
    const auto store = Store::open(home.database(), mode);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().kind, ErrorKind::kDatabase);
    EXPECT_NE(store.error().sentence.find("99"), std::string::npos);
    EXPECT_NE(store.error().sentence.find("newer"), std::string::npos);
  }
  Connection other(home.database(), OpenMode::kReadWrite);
  EXPECT_EQ(schema_version(other), 99);
}

TEST(StoreSchema, VersionOneIsBroughtToOursWithWhatIsInIt) {
  const Home home;
  {
    Connection first(home.database(), OpenMode::kReadWrite);
    migrate(first, migrations().first(1));
    EXPECT_EQ(schema_version(first), 1);
    first.run("INSERT INTO starts (bucket, site, use, at) VALUES ($1, 'example.org', 'audit', $2)",
              bucket_of("example.org"), second(5));
  }
  const auto store = opened(home.database());
  ASSERT_TRUE(store);
  EXPECT_EQ(*store->last_start("example.org", "audit"), second(5));
  Connection other(home.database(), OpenMode::kReadWrite);
  EXPECT_EQ(schema_version(other), migrations().back().number);
}

constexpr Migration kSteps[] = {{1, "CREATE TABLE a (x BIGINT)"},
                                {2, "ALTER TABLE a ADD COLUMN y BIGINT; UPDATE a SET y = x + 1"},
                                {3, "CREATE TABLE b (x BIGINT); INSERT INTO b SELECT y FROM a"}};

TEST(StoreSchema, StepsAreTakenInOrderAndOnce) {
  const Home home;
  Connection sql(home.database(), OpenMode::kReadWrite);
  migrate(sql, std::span(kSteps).first(1));
  sql.run("INSERT INTO a VALUES (41)");
  migrate(sql, kSteps);
  migrate(sql, kSteps);
  EXPECT_EQ(schema_version(sql), 3);
  Query row = sql.query("SELECT x FROM b");
  ASSERT_TRUE(row.next());
  EXPECT_EQ(row.integer(0), 42);
  EXPECT_FALSE(row.next());
}

TEST(StoreSchema, AStepThatFailsUndoesThoseBeforeIt) {
  const Home home;
  Connection sql(home.database(), OpenMode::kReadWrite);
  migrate(sql, std::span(kSteps).first(1));
  const Migration broken[] = {kSteps[0], kSteps[1], {3, "CREATE TABLE b (x BIGINT); NONSENSE"}};
  EXPECT_THROW(migrate(sql, broken), SqlError);
  EXPECT_EQ(schema_version(sql), 1);
  EXPECT_FALSE(sql.query("SELECT 1 FROM sqlite_master WHERE name = 'b'").next());
  EXPECT_THROW(sql.query("SELECT y FROM a"), SqlError);
}

TEST(StoreSchema, MigrationsAreNumberedWithoutAGap) {
  int expected = 1;
  for (const Migration& step : migrations()) EXPECT_EQ(step.number, expected++);
  EXPECT_GT(expected, 1);
}

TEST(StoreSchema, EveryTableStartsItsKeyWithTheBucket) {
  const Home home;
  opened(home.database());
  Connection sql(home.database(), OpenMode::kReadWrite);
  Query table =
      sql.query("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'periplus'");
  int tables = 0;
  while (table.next()) {
    ++tables;
    Query key = sql.query("SELECT name FROM pragma_table_info($1) WHERE pk = 1", table.text(0));
    ASSERT_TRUE(key.next()) << table.text(0);
    EXPECT_EQ(key.text(0), "bucket") << table.text(0);
  }
  EXPECT_GE(tables, 10);
}

TEST(StoreProcesses, TakeTurnsWriting) {
  const Home home;
  opened(home.database());
  std::vector<pid_t> children;
  for (int child = 0; child < 4; ++child) {
    const pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      const auto store = opened(home.database());
      bool good = true;
      for (int n = 0; n < 25; ++n) {
        const std::string site = "s" + std::to_string(child) + ".example";
        StoredVisit visit = made_visit(site, n);
        ListedPages pages(made_pages(site, 3));
        good = store->record(visit, pages, {}).has_value() && good;
        const std::vector<PolitenessRow> rows{{"site", site, second(n), {}, "", "", 0}};
        good = store->put_politeness(rows).has_value() && good;
      }
      _exit(good ? 0 : 1);
    }
    children.push_back(pid);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  const auto store = opened(home.database());
  for (int child = 0; child < 4; ++child) {
    EXPECT_EQ(store->visits("s" + std::to_string(child) + ".example", 100)->size(), 25U);
  }
  EXPECT_EQ(faults_of(*store), "");
}

}  // namespace
}  // namespace periplus
