// What `periplus doctor` asks of a store.
#include <fmt/format.h>

#include <filesystem>
#include <unordered_set>

#include "base/compress.h"
#include "base/text.h"
#include "store/inside.h"
#include "store/page_records.h"

namespace periplus {
namespace {

constexpr std::size_t kMostFindings = 50;  // a broken file has thousands; the first tell enough

class Examination {
 public:
  explicit Examination(Connection& sql) : sql_(sql) {}

  void fault(const std::string& what) { add(true, what); }
  void note(const std::string& what) { add(false, what); }

  // Rows of one text column, each a fault.
  void faults(const char* sql, std::string_view words) {
    Query row = sql_.query(sql);
    while (row.next()) fault(fmt::format("{}: {}", words, row.bytes(0)));
  }

  // Rows of (where, packed bytes).
  void packed(const char* sql, std::string_view what) {
    Query row = sql_.query(sql);
    while (row.next()) {
      record(row.bytes(1), what, row.bytes(0));
    }
  }

  // The files with the pages of newest visits: each there, each page in its place and readable.
  void kept_pages() {
    Query visit = sql_.query("SELECT id, site FROM visits WHERE kept = 1");
    while (visit.next()) {
      const VisitId id = visit.integer(0);
      Result<KeptPages> pages = KeptPages::open(pages_file(sql_.path(), id));
      if (!pages) {
        fault(fmt::format("{}: {}", visit.bytes(1), pages.error().sentence));
        continue;
      }
      StoredPage page;
      Query row =
          sql_.query("SELECT url, place FROM pages WHERE bucket = $1 AND visit = $2 ORDER BY seq",
                     bucket_of_visit(id), id);
      while (row.next()) {
        const Result<void> read = pages->read(row.number<std::uint64_t>(1), &page);
        if (!read) {
          fault(fmt::format("{}: {}", row.bytes(0), read.error().sentence));
          continue;
        }
        if (page.url != row.bytes(0)) fault(fmt::format("{} is not in its place", row.bytes(0)));
        record(page.packed_body, "the body of", page.url);
        record(page.packed_targets, "the links of", page.url);
      }
    }
  }

  // Files that belong to no visit: left by a process that was killed. They do no harm.
  void left_over_files() {
    std::unordered_set<std::string> known;
    Query visit = sql_.query("SELECT id FROM visits WHERE kept = 1");
    while (visit.next()) known.insert(pages_file(sql_.path(), visit.integer(0)));
    namespace fs = std::filesystem;
    std::error_code none;
    std::size_t count = 0;
    for (fs::recursive_directory_iterator at(sql_.path() + ".pages", none), end; !none && at != end;
         at.increment(none)) {
      if (!at->is_directory(none) && !known.contains(at->path().string())) ++count;
    }
    if (count > 0) {
      note(fmt::format("{} files of interrupted or replaced visits; the next visits remove them",
                       count));
    }
  }

  void texts() {
    Query row = sql_.query("SELECT site, hash, body FROM texts");
    while (row.next()) {
      const Result<std::string> text = unpack(row.bytes(2), kMostUnpacked);
      if (!text) {
        fault(fmt::format("a text of {}: {}", row.bytes(0), text.error().sentence));
      } else if (hash64(*text) != row.number<std::uint64_t>(1)) {
        fault(fmt::format("a text of {} is not the one that was stored", row.bytes(0)));
      }
    }
  }

  void leases() {
    Query row = sql_.query("SELECT site, machine, process, process_started FROM leases");
    while (row.next()) {
      if (is_gone({row.text(1), row.integer(2), row.integer(3)})) {
        note(fmt::format("{} was being read when process {} ended; the next read takes over",
                         row.bytes(0), row.integer(2)));
      }
    }
  }

  std::vector<StoreFinding> take() {
    if (more_ > 0) findings_.push_back({true, fmt::format("and {} more", more_)});
    return std::move(findings_);
  }

 private:
  void record(std::string_view packed, std::string_view what, std::string_view where) {
    if (packed.empty()) return;
    const Result<std::string> bytes = unpack(packed, kMostUnpacked);
    if (!bytes) fault(fmt::format("{} {}: {}", what, where, bytes.error().sentence));
  }

  void add(bool fault, const std::string& what) {
    if (findings_.size() < kMostFindings) {
      findings_.push_back({fault, without_controls(what)});
    } else {
      more_ += fault ? 1 : 0;
    }
  }

  Connection& sql_;
  std::vector<StoreFinding> findings_;
  std::size_t more_ = 0;
};

}  // namespace

Result<std::vector<StoreFinding>> Store::verify() {
  Connection& sql = inside_->sql;
  Examination examination(sql);
  const Result<void> looked = guarded([&]() -> Result<void> {
    {
      Query row = sql.query("PRAGMA integrity_check(20)");
      while (row.next()) {
        if (row.bytes(0) != "ok") examination.fault(fmt::format("the file: {}", row.bytes(0)));
      }
    }
    {
      Query row = sql.query("PRAGMA foreign_key_check");
      while (row.next()) {
        examination.fault(
            fmt::format("a row of {} belongs to nothing (to {})", row.bytes(0), row.bytes(2)));
      }
    }
    examination.kept_pages();
    examination.packed("SELECT name, body FROM documents WHERE body IS NOT NULL", "the document");
    examination.packed(
        "SELECT v.site, r.json FROM reports r JOIN visits v ON v.bucket = r.bucket"
        " AND v.id = r.visit WHERE r.json IS NOT NULL",
        "the report on");
    examination.packed("SELECT origin, body FROM robots_copies WHERE body IS NOT NULL",
                       "the robots.txt of");
    examination.texts();
    examination.faults(
        "SELECT site FROM visits v WHERE pages_read > 0 AND NOT EXISTS"
        " (SELECT 1 FROM pages p WHERE p.bucket = v.bucket AND p.visit = v.id)",
        "a visit that read pages has none");
    examination.faults(
        "SELECT site FROM visits WHERE kept = 1 GROUP BY bucket, site, use HAVING count(*) > 1",
        "more than one visit keeps its pages");
    examination.faults("SELECT url FROM pages GROUP BY bucket, visit, url HAVING count(*) > 1",
                       "a page stands twice in one visit");
    examination.faults(
        "SELECT site FROM sites s WHERE NOT EXISTS"
        " (SELECT 1 FROM visits v WHERE v.bucket = s.bucket AND v.id = s.last_visit)",
        "a site's last visit is missing");
    examination.left_over_files();
    examination.leases();
    return {};
  });
  // A file too damaged to be read to its end still tells what was found up to there.
  if (!looked) examination.fault(looked.error().sentence);
  return examination.take();
}

}  // namespace periplus
