// rooms: store
// pkgs: libzstd
// What it costs to keep a visit: pack every page, spool it, record it in one transaction; against
// copying and against compressing the same bytes. CPU seconds, medians of seven runs.
//
//   store_bench [FOLDER…]    HTML files under these folders (default: Debian's documentation)
#include <zstd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "base/compress.h"
#include "base/text.h"
#include "store/spool.h"
#include "store/store.h"

namespace {

using namespace periplus;

constexpr std::size_t kMostPages = 4000;
constexpr int kRuns = 7;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double median_of_runs(const std::function<void()>& work) {
  std::vector<double> runs;
  for (int run = 0; run < kRuns; ++run) {
    const double begin = cpu_seconds();
    work();
    runs.push_back(cpu_seconds() - begin);
  }
  std::ranges::sort(runs);
  return runs[kRuns / 2];
}

std::vector<std::string> read_pages(const std::vector<std::string>& folders) {
  namespace fs = std::filesystem;
  std::vector<std::string> names;
  for (const std::string& folder : folders) {
    std::error_code failure;
    for (fs::recursive_directory_iterator it(folder, failure), end; it != end;
         it.increment(failure)) {
      if (it->path().extension() == ".html" && it->is_regular_file(failure)) {
        names.push_back(it->path());
      }
    }
  }
  std::ranges::sort(names);
  std::vector<std::string> pages;
  for (const std::string& name : names) {
    if (pages.size() == kMostPages) break;
    std::ifstream file(name, std::ios::binary);
    pages.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return pages;
}

void check(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "failed: %s\n", what);
  std::exit(1);
}

StoredPage facts_of(const std::string& body, std::size_t n) {
  StoredPage page;
  page.url = "https://docs.example/some/folder/page-" + std::to_string(n) + ".html";
  page.final_url = page.url;
  page.found_from = "https://docs.example/some/folder/index.html";
  page.via = "link";
  page.status = 200;
  page.content_type = "text/html";
  page.title = "A title of ordinary length for page " + std::to_string(n);
  page.headers = std::string(380, 'h');
  page.chain = R"([{"url":"https://docs.example/","status":200}])";
  page.text_hash = hash64(body, n);
  page.body_bytes = body.size();
  return page;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> folders(argv + 1, argv + argc);
  if (folders.empty()) {
    folders = {"/usr/share/doc/postgresql-doc-15",          "/usr/share/doc/python3.11/html",
               "/usr/share/doc/debian-handbook/html/en-US", "/usr/share/doc/rust-doc/html/book",
               "/usr/share/doc/rust-doc/html/reference",    "/usr/share/doc/rust-doc/html/std"};
  }
  const std::vector<std::string> bodies = read_pages(folders);
  check(!bodies.empty(), "no HTML files (install python3-doc, postgresql-doc-15 or name a folder)");
  double megabytes = 0;
  for (const std::string& body : bodies) megabytes += static_cast<double>(body.size()) / 1e6;
  std::printf("%zu pages, %.1f MB\n", bodies.size(), megabytes);

  // A text of a fifth of the page, as documentation has it.
  std::vector<std::string_view> texts;
  for (const std::string& body : bodies)
    texts.push_back(std::string_view(body).substr(0, body.size() / 5));

  std::string space(64U << 20U, '\0');
  const auto report = [&](const char* name, double seconds, double reference) {
    std::printf("%-44s %8.3f s %9.0f MB/s  %.4f s per 1,000 pages of 50 KB  %6.2f x zstd -1\n",
                name, seconds, megabytes / seconds, seconds / megabytes * 50, seconds / reference);
  };

  const double zstd = median_of_runs([&] {
    for (const std::string& body : bodies) {
      ZSTD_compress(space.data(), space.size(), body.data(), body.size(), 1);
    }
  });
  report("reference: zstd level 1", zstd, zstd);
  report("reference: memcpy", median_of_runs([&] {
           for (const std::string& body : bodies)
             std::memcpy(space.data(), body.data(), body.size());
         }),
         zstd);

  std::uint64_t packed_bytes = 0;
  report("pack bodies and texts", median_of_runs([&] {
           packed_bytes = 0;
           for (std::size_t n = 0; n < bodies.size(); ++n) {
             packed_bytes += pack(bodies[n]).size() + pack(texts[n]).size();
           }
         }),
         zstd);

  const char* scratch = std::getenv("TMPDIR");
  std::string home = std::string(scratch != nullptr ? scratch : "/tmp") + "/periplus-bench-XXXXXX";
  check(mkdtemp(home.data()) != nullptr, "no temporary folder");
  int round = 0;
  double spool_seconds = 0, record_seconds = 0;
  const double whole = median_of_runs([&] {
    const std::string file = home + "/" + std::to_string(round++) + ".db";
    auto store = Store::open(file, OpenMode::kReadWrite);
    auto spool = Spool::create(home);
    check(store && spool, "open");
    const double begin = cpu_seconds();
    for (std::size_t n = 0; n < bodies.size(); ++n) {
      StoredPage page = facts_of(bodies[n], n);
      page.packed_body = pack(bodies[n]);
      page.packed_text = pack(texts[n]);
      check((*spool)->append(page).has_value(), "append");
    }
    const double middle = cpu_seconds();
    StoredVisit visit;
    visit.site = "docs.example";
    visit.use = "audit";
    check((*store)->record(visit, **spool, {}).has_value(), "record");
    store->reset();
    spool_seconds = middle - begin;
    record_seconds = cpu_seconds() - middle;
  });
  report("pack, spool and record the visit", whole, zstd);
  report("  of it: pack and spool (last run)", spool_seconds, zstd);
  report("  of it: record (last run)", record_seconds, zstd);

  const std::string file = home + "/0.db";
  {
    auto store = Store::open(file, OpenMode::kReadWrite);
    std::uint64_t bytes = 0;
    const VisitId id = (*(*store)->newest_visit("docs.example", "audit"))->id;
    report("read every page back and unpack", median_of_runs([&] {
             check((*store)
                       ->each_page(id, kWithMessage | kWithBody,
                                   [&](StoredPage& page) {
                                     bytes += unpack(page.packed_body, 64U << 20U)->size();
                                     return true;
                                   })
                       .has_value(),
                   "read");
           }),
           zstd);
    const int turns = 10'000;
    const double polite = median_of_runs([&] {
      std::vector<PolitenessRow> rows{{"site", "docs.example", {}, {}, "", "", 0},
                                      {"address", "192.0.2.1", {}, {}, "", "", 0},
                                      {"owner", "docs.example", {}, {}, "", "", 0}};
      for (int n = 0; n < turns; ++n) {
        for (PolitenessRow& row : rows) row.next_allowed = Instant(Millis(n));
        check((*store)->put_politeness(rows).has_value(), "politeness");
      }
    });
    std::printf("%-44s %8.1f µs\n", "put_politeness, three rows", polite / turns * 1e6);
  }
  std::printf("packed %.1f MB (ratio %.2f), file %.1f MB\n",
              static_cast<double>(packed_bytes) / 1e6,
              megabytes * 1.2 / (static_cast<double>(packed_bytes) / 1e6),
              static_cast<double>(std::filesystem::file_size(file)) / 1e6);
  std::filesystem::remove_all(home);
  return 0;
}
