#include "store/spool.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "made_visit.h"

namespace periplus {
namespace {

std::unique_ptr<Spool> made_spool(const Home& home) {
  Result<std::unique_ptr<Spool>> spool = Spool::create(home.path());
  EXPECT_TRUE(spool.has_value());
  return spool ? std::move(*spool) : nullptr;
}

TEST(Spool, GivesPagesBackInOrderAndByPlace) {
  const Home home;
  const auto spool = made_spool(home);
  std::vector<std::uint64_t> places;
  const auto wanted = [](int n) {
    StoredPage page = made_page("example.org", n);
    page.packed_body.append(static_cast<std::size_t>(n) * 1000, 'b');  // up to three blocks
    page.failed_rules = "a b";
    page.text_hash = ~page.text_hash;
    return page;
  };
  for (int n = 0; n < 600; ++n) {
    const auto place = spool->append(wanted(n));
    ASSERT_TRUE(place);
    places.push_back(*place);
  }
  EXPECT_EQ(spool->pages(), 600U);
  EXPECT_GT(spool->bytes(), 100'000'000U);
  for (int round = 0; round < 2; ++round) {
    StoredPage page;
    for (int n = 0; n < 600; ++n) {
      const auto more = spool->next(&page);
      ASSERT_TRUE(more && *more);
      if (n % 37 == 0) expect_same(page, wanted(n));
      ASSERT_EQ(page.url, wanted(n).url);
    }
    const auto end = spool->next(&page);
    ASSERT_TRUE(end);
    EXPECT_FALSE(*end);
    spool->rewind();
  }
  StoredPage page;
  for (const int n : {599, 0, 301, 300, 17}) {
    ASSERT_TRUE(spool->at(places[static_cast<std::size_t>(n)], &page));
    expect_same(page, wanted(n));
  }
}

TEST(Spool, MayBeReadWhileItGrows) {
  const Home home;
  const auto spool = made_spool(home);
  StoredPage page;
  for (int n = 0; n < 50; ++n) {
    EXPECT_FALSE(*spool->next(&page));
    ASSERT_TRUE(spool->append(made_page("example.org", n)));
    ASSERT_TRUE(*spool->next(&page));
    expect_same(page, made_page("example.org", n));
  }
}

TEST(Spool, AnEmptyOneHasNoPages) {
  const Home home;
  StoredPage page;
  const auto spool = made_spool(home);
  EXPECT_FALSE(*spool->next(&page));
  EXPECT_EQ(spool->at(spool->bytes(), &page).error().kind, ErrorKind::kDatabase);
}

TEST(Spool, LeavesNothingInTheFolderEvenWhenKilled) {
  const Home home;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto spool = made_spool(home);
    for (int n = 0; n < 1000; ++n) (void)spool->append(made_page("example.org", n));
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(std::filesystem::is_empty(home.path()));
}

TEST(Spool, AFullDiskIsSaid) {
  const Home home;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit most{1U << 20U, 1U << 20U};
    setrlimit(RLIMIT_FSIZE, &most);
    const auto spool = made_spool(home);
    StoredPage page = made_page("example.org", 1);
    page.packed_body.assign(100'000, 'b');
    int good = 0;
    ErrorKind kind{};
    for (int n = 0; n < 40; ++n) {
      const auto place = spool->append(page);
      if (place) {
        ++good;
      } else {
        kind = place.error().kind;
      }
    }
    // What could be appended can still be read.
    int read = 0;
    while (spool->next(&page).value_or(false)) ++read;
    _exit(good < 40 && kind == ErrorKind::kIo && read == good ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Spool, OnAnotherDiskThanTheStoreIsCopied) {
  const Home home;
  struct stat here{}, there{};
  if (stat("/dev/shm", &there) != 0 || stat(home.path().c_str(), &here) != 0 ||
      here.st_dev == there.st_dev || access("/dev/shm", W_OK) != 0) {
    GTEST_SKIP() << "there is no second file system at /dev/shm";
  }
  const auto store = opened(home.database());
  const auto spool = Spool::create("/dev/shm");
  ASSERT_TRUE(spool);
  for (int n = 0; n < 300; ++n) {
    StoredPage page = made_page("example.org", n);
    page.headers.append(3000, 'h');  // several blocks
    ASSERT_TRUE((*spool)->append(page));
  }
  const auto id = store->record(made_visit("example.org", 0), **spool, {});
  ASSERT_TRUE(id) << id.error().sentence;
  const auto pages = pages_of(*store, *id, kWithMessage | kWithBody);
  ASSERT_EQ(pages.size(), 300U);
  EXPECT_EQ(pages[299].packed_body, made_page("example.org", 299).packed_body);
  EXPECT_EQ(faults_of(*store), "");
}

TEST(Spool, AMissingFolderIsAClearError) {
  const Home home;
  const auto spool = Spool::create(home.path() + "/nowhere");
  ASSERT_FALSE(spool);
  EXPECT_EQ(spool.error().kind, ErrorKind::kIo);
  EXPECT_EQ(spool.error().place, home.path() + "/nowhere");
}

TEST(Spool, FeedsARecord) {
  const Home home;
  const auto store = opened(home.database());
  const auto spool = made_spool(home);
  for (int n = 0; n < 40; ++n) ASSERT_TRUE(spool->append(made_page("example.org", n)));
  StoredPage page;
  ASSERT_TRUE(*spool->next(&page));  // what has been read of it does not matter
  const auto id = store->record(made_visit("example.org", 0), *spool, {});
  ASSERT_TRUE(id);
  const auto pages = pages_of(*store, *id, kWithMessage | kWithBody | kWithText);
  ASSERT_EQ(pages.size(), 40U);
  expect_same(pages[39], made_page("example.org", 39));
}

}  // namespace
}  // namespace periplus
