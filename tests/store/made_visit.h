// Visits and homes for the tests of the store.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/compress.h"
#include "base/text.h"
#include "store/store.h"

namespace periplus {

// A folder that goes with the test.
class Home {
 public:
  Home() {
    std::string name = testing::TempDir() + "periplus-store-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~Home() { std::filesystem::remove_all(path_); }
  Home(const Home&) = delete;
  Home& operator=(const Home&) = delete;
  const std::string& path() const { return path_; }
  std::string database() const { return path_ + "/periplus.db"; }

 private:
  std::string path_;
};

inline Instant second(std::int64_t n) { return Instant(Millis(1'764'000'000'000 + n * 1000)); }

inline StoredVisit made_visit(const std::string& site, std::int64_t n) {
  StoredVisit visit;
  visit.site = site;
  visit.start_url = "https://" + site + "/";
  visit.use = "audit";
  visit.started = second(n);
  visit.ended = second(n + 60);
  visit.outcome = "page-limit";
  visit.outcome_detail = "after 100 pages";
  visit.failure = "";
  visit.complete = false;
  visit.pages_read = 3;
  visit.identity = "Periplus/0.1 (+https://periplus.example/bot)";
  visit.limits = R"({"pages":100})";
  visit.notes = R"({"traps":[]})";
  return visit;
}

inline StoredPage made_page(const std::string& site, int n, const std::string& salt = {}) {
  const std::string text = "Words of page " + std::to_string(n) + salt;
  StoredPage page;
  page.url = "https://" + site + "/page/" + std::to_string(n);
  page.final_url = page.url + "/";
  page.depth = static_cast<std::uint32_t>(n % 4);
  page.found_from = n == 0 ? "" : "https://" + site + "/";
  page.via = n == 0 ? "start" : "link";
  page.status = 200;
  page.failure = n % 7 == 6 ? "timeout" : "";
  page.failure_detail = n % 7 == 6 ? "after 60 s" : "";
  page.fetched_at = second(n);
  page.words = static_cast<std::uint32_t>(10 * n);
  page.links = static_cast<std::uint32_t>(n);
  page.content_type = "text/html";
  page.title = "Page " + std::to_string(n) + " ü";
  page.text_hash = hash64(text);
  page.body_bytes = 1000 + static_cast<std::uint64_t>(n);
  page.cut = n % 2 == 1;
  page.notes = "{}";
  page.headers = "Content-Type: text/html\r\nServer: x\r\n";
  page.chain = R"([{"status":301}])";
  page.packed_body = pack("<title>Page</title>" + text + std::string(2000, 'x'));
  page.packed_targets = pack(std::string("a\0b\0", 4));
  page.packed_text = pack(text);
  return page;
}

inline StoredDocument made_document(const std::string& site) {
  StoredDocument document;
  document.kind = "robots";
  document.name = "https://" + site;
  document.status = 200;
  document.failure = "";
  document.fetched_at = second(1);
  document.headers = "Content-Type: text/plain\r\n";
  document.chain = "[]";
  document.packed_body = pack("User-agent: *\nDisallow: /private\n");
  return document;
}

class ListedPages final : public PageSource {
 public:
  explicit ListedPages(std::vector<StoredPage> pages) : pages_(std::move(pages)) {}
  Result<bool> next(StoredPage* page) override {
    if (at_ == pages_.size()) return false;
    *page = pages_[at_++];
    return true;
  }

 private:
  std::vector<StoredPage> pages_;
  std::size_t at_ = 0;
};

inline std::vector<StoredPage> made_pages(const std::string& site, int count,
                                          const std::string& salt = {}) {
  std::vector<StoredPage> pages;
  for (int n = 0; n < count; ++n) pages.push_back(made_page(site, n, salt));
  return pages;
}

inline std::unique_ptr<Store> opened(const std::string& path,
                                     OpenMode mode = OpenMode::kReadWrite) {
  Result<std::unique_ptr<Store>> store = Store::open(path, mode);
  if (!store) ADD_FAILURE() << store.error().sentence << " " << store.error().place;
  return store ? std::move(*store) : nullptr;
}

inline VisitId recorded(Store& store, const std::string& site, std::int64_t n, int count,
                        const std::string& salt = {}) {
  StoredVisit visit = made_visit(site, n);
  visit.pages_read = static_cast<std::uint32_t>(count);
  ListedPages pages(made_pages(site, count, salt));
  const std::vector<StoredDocument> documents{made_document(site)};
  const Result<VisitId> id = store.record(visit, pages, documents);
  EXPECT_TRUE(id.has_value()) << id.error().sentence;
  return id.value_or(0);
}

inline std::vector<StoredPage> pages_of(Store& store, VisitId id, unsigned parts) {
  std::vector<StoredPage> pages;
  const Result<void> read = store.each_page(id, parts, [&](StoredPage& page) {
    pages.push_back(std::move(page));
    return true;
  });
  EXPECT_TRUE(read.has_value());
  return pages;
}

inline std::vector<StoredDocument> documents_of(Store& store, VisitId id) {
  std::vector<StoredDocument> documents;
  const Result<void> read = store.each_document(id, [&](StoredDocument& document) {
    documents.push_back(std::move(document));
    return true;
  });
  EXPECT_TRUE(read.has_value());
  return documents;
}

// Everything that verify() calls a fault, as one text.
inline std::string faults_of(Store& store) {
  const Result<std::vector<StoreFinding>> findings = store.verify();
  if (!findings) return findings.error().sentence;
  std::string faults;
  for (const StoreFinding& finding : *findings) {
    if (finding.fault) faults += finding.what + "\n";
  }
  return faults;
}

// Field by field, so that a difference is named.
inline void expect_same(const StoredPage& got, const StoredPage& wanted) {
  EXPECT_EQ(got.url, wanted.url);
  EXPECT_EQ(got.final_url, wanted.final_url);
  EXPECT_EQ(got.depth, wanted.depth);
  EXPECT_EQ(got.found_from, wanted.found_from);
  EXPECT_EQ(got.via, wanted.via);
  EXPECT_EQ(got.status, wanted.status);
  EXPECT_EQ(got.failure, wanted.failure);
  EXPECT_EQ(got.failure_detail, wanted.failure_detail);
  EXPECT_EQ(got.fetched_at, wanted.fetched_at);
  EXPECT_EQ(got.words, wanted.words);
  EXPECT_EQ(got.links, wanted.links);
  EXPECT_EQ(got.content_type, wanted.content_type);
  EXPECT_EQ(got.title, wanted.title);
  EXPECT_EQ(got.text_hash, wanted.text_hash);
  EXPECT_EQ(got.body_bytes, wanted.body_bytes);
  EXPECT_EQ(got.cut, wanted.cut);
  EXPECT_EQ(got.notes, wanted.notes);
  EXPECT_EQ(got.headers, wanted.headers);
  EXPECT_EQ(got.chain, wanted.chain);
  EXPECT_EQ(got.packed_body, wanted.packed_body);
  EXPECT_EQ(got.packed_targets, wanted.packed_targets);
  EXPECT_EQ(got.packed_text, wanted.packed_text);
  EXPECT_EQ(got.failed_rules, wanted.failed_rules);
}

}  // namespace periplus
