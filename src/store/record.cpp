// Writing a visit: whole or not at all.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/log.h"
#include "store/inside.h"
#include "store/page_records.h"
#include "store/spool.h"

namespace periplus {

VisitId next_visit_id(Connection& sql, std::int64_t bucket) {
  Query newest = sql.query("SELECT max(id) FROM visits WHERE bucket = $1", bucket);
  newest.next();
  return newest.is_null(0) ? kBuckets + bucket : newest.integer(0) + kBuckets;
}

void write_visit(Connection& sql, const StoredVisit& visit, VisitId id, int kept) {
  const std::int64_t bucket = bucket_of_visit(id);
  sql.run(
      "INSERT INTO visits (bucket, id, site, use, start_url, started, ended, outcome,"
      " outcome_detail, failure, complete, pages_read, identity, limits, notes, kept)"
      " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
      bucket, id, visit.site, visit.use, visit.start_url, visit.started, visit.ended, visit.outcome,
      visit.outcome_detail, visit.failure, visit.complete, visit.pages_read, visit.identity,
      visit.limits, visit.notes, kept);
  sql.run(
      "INSERT INTO sites (bucket, site, first_seen, last_visit) VALUES ($1, $2, $3, $4)"
      " ON CONFLICT (bucket, site) DO UPDATE SET last_visit = excluded.last_visit",
      bucket, visit.site, visit.started, id);
}

namespace {

void write_text(Connection& sql, const std::string& site, VisitId id, std::int64_t hash,
                std::string_view packed) {
  sql.run(
      "INSERT INTO texts (bucket, site, hash, first_visit, body) VALUES ($1, $2, $3, $4, $5)"
      " ON CONFLICT (bucket, site, hash) DO NOTHING",
      bucket_of_visit(id), site, hash, id, Blob{packed});
}

void write_page(Connection& sql, const std::string& site, VisitId id, std::int64_t seq,
                std::uint64_t place, const StoredPage& page) {
  const std::int64_t bucket = bucket_of_visit(id);
  const auto hash = static_cast<std::int64_t>(page.text_hash);
  sql.run(
      "INSERT INTO pages (bucket, visit, seq, place, url, final_url, depth, found_from, via, "
      "status,"
      " failure, failure_detail, fetched_at, words, links, content_type, title, text_hash,"
      " body_bytes, cut, notes, failed_rules)"
      " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,"
      " $19, $20, $21, '')",
      bucket, id, seq, place, page.url, page.final_url, page.depth, page.found_from, page.via,
      page.status, page.failure, page.failure_detail, page.fetched_at, page.words, page.links,
      page.content_type, page.title, hash, page.body_bytes, page.cut, page.notes);
  if (page.text_hash != 0 && !page.packed_text.empty()) {
    write_text(sql, site, id, hash, page.packed_text);
  }
}

void write_document(Connection& sql, VisitId id, std::int64_t seq, const StoredDocument& document) {
  sql.run(
      "INSERT INTO documents (bucket, visit, seq, kind, name, status, failure, fetched_at, headers,"
      " chain, body) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
      bucket_of_visit(id), id, seq, document.kind, document.name, document.status, document.failure,
      document.fetched_at, document.headers, document.chain, Blob{document.packed_body});
}

std::vector<VisitId> visits_with(Connection& sql, const StoredVisit& visit, VisitId before,
                                 Kept kept) {
  std::vector<VisitId> found;
  Query row = sql.query(
      "SELECT id FROM visits WHERE bucket = $1 AND site = $2 AND use = $3 AND id < $4 AND kept = "
      "$5",
      bucket_of_visit(before), visit.site, visit.use, before, static_cast<int>(kept));
  while (row.next()) found.push_back(row.integer(0));
  return found;
}

void set_kept(Connection& sql, VisitId id, Kept kept) {
  sql.run("UPDATE visits SET kept = $1 WHERE bucket = $2 AND id = $3", static_cast<int>(kept),
          bucket_of_visit(id), id);
}

// A text is kept once per version. While a page's body is kept its text can be read from that, so
// it is written here only when the body is about to go and the new visit did not bring the same
// text.
Result<void> keep_texts(Connection& sql, const std::string& site, VisitId old, VisitId newer,
                        const TextOfPage& text_of) {
  Query row = sql.query(
      "SELECT text_hash, min(place) FROM pages WHERE bucket = $1 AND visit = $2 AND text_hash <> 0"
      " AND text_hash NOT IN (SELECT text_hash FROM pages WHERE bucket = $1 AND visit = $3)"
      " AND text_hash NOT IN (SELECT hash FROM texts WHERE bucket = $1 AND site = $4)"
      " GROUP BY text_hash ORDER BY min(place)",
      bucket_of_visit(old), old, newer, site);
  std::optional<KeptPages> pages;
  StoredPage page;
  while (row.next()) {
    if (!pages) {
      Result<KeptPages> opened = KeptPages::open(pages_file(sql.path(), old));
      if (!opened) return std::unexpected(opened.error());
      pages.emplace(std::move(*opened));
    }
    if (const auto read = pages->read(row.number<std::uint64_t>(1), &page); !read) return read;
    if (page.packed_body.empty()) continue;
    const Result<std::string> text = text_of(page);
    if (!text) return std::unexpected(text.error());
    write_text(sql, site, old, row.integer(0), *text);
  }
  return {};
}

// What is kept for the newest read only goes with the arrival of a newer one; a visit that read
// nothing replaces others that read nothing. Gives the visits whose files may be removed once that
// is committed.
std::vector<VisitId> drop_what_older_visits_kept(Connection& sql, const StoredVisit& visit,
                                                 VisitId id, bool read_pages) {
  std::vector<VisitId> older;
  if (read_pages) {
    for (const VisitId removed : visits_with(sql, visit, id, kPagesToRemove)) {
      const std::string left_over = pages_file(sql.path(), removed);
      if (unlink(left_over.c_str()) == 0 || errno == ENOENT) set_kept(sql, removed, kNoPages);
    }
    older = visits_with(sql, visit, id, kPagesInPlace);
    for (const VisitId old : older) set_kept(sql, old, kPagesToRemove);
  }
  const std::int64_t bucket = bucket_of_visit(id);
  sql.run(
      "DELETE FROM documents WHERE bucket = $1 AND visit IN"
      " (SELECT id FROM visits WHERE bucket = $1 AND site = $2 AND use = $3 AND id < $4"
      " AND kept <> 1)",
      bucket, visit.site, visit.use, id);
  sql.run(
      "UPDATE reports SET json = NULL WHERE bucket = $1 AND json IS NOT NULL AND visit IN"
      " (SELECT id FROM visits WHERE bucket = $1 AND site = $2 AND use = $3 AND id < $4"
      " AND kept <> 1)",
      bucket, visit.site, visit.use, id);
  return older;
}

Result<std::string> place_for_pages(const std::string& database, VisitId id) {
  std::string file = pages_file(database, id);
  const std::string folder = file.substr(0, file.rfind('/'));
  for (const std::string& step : {folder.substr(0, folder.rfind('/')), folder}) {
    const bool made = mkdir(step.c_str(), 0755) == 0;
    if (made ? !sync_folder_of(step) : errno != EEXIST) {
      return std::unexpected(io_error("no folder for the pages of visits can be made", step));
    }
  }
  return file;
}

}  // namespace

Result<VisitId> Store::record(const StoredVisit& visit, PageSource& pages,
                              std::span<const StoredDocument> documents) {
  const std::string& path = inside_->sql.path();
  const std::size_t slash = path.rfind('/');
  const Result<std::unique_ptr<Spool>> spool =
      Spool::create(slash == std::string::npos ? "." : path.substr(0, slash + 1));
  if (!spool) return std::unexpected(spool.error());
  StoredPage page;
  while (true) {
    const Result<bool> more = pages.next(&page);
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
    const Result<std::uint64_t> place = (*spool)->append(page);
    if (!place) return std::unexpected(place.error());
  }
  return record(visit, **spool, documents);
}

Result<VisitId> Store::record(const StoredVisit& visit, Spool& pages,
                              std::span<const StoredDocument> documents) {
  return guarded([&]() -> Result<VisitId> {
    Connection& sql = inside_->sql;
    sql.set_durable(true);
    const Result<void> settled = pages.settle();  // while nobody has to wait for us
    if (!settled) return std::unexpected(settled.error());
    Transaction transaction(sql);
    const VisitId id = next_visit_id(sql, bucket_of_site(visit.site));
    write_visit(sql, visit, id, pages.pages() > 0 ? kPagesInPlace : kNoPages);

    StoredPage page;
    pages.rewind();
    for (std::int64_t seq = 0;; ++seq) {
      const std::uint64_t place = pages.place();
      const Result<bool> more = pages.next(&page);
      if (!more) return std::unexpected(more.error());
      if (!*more) break;
      write_page(sql, visit.site, id, seq, place, page);
    }
    std::int64_t seq = 0;
    for (const StoredDocument& document : documents) write_document(sql, id, seq++, document);

    const bool read_pages = pages.pages() > 0;
    if (read_pages && inside_->text_of) {
      for (const VisitId old : visits_with(sql, visit, id, kPagesInPlace)) {
        // A damaged old file costs its texts, not the new visit.
        const Result<void> kept = keep_texts(sql, visit.site, old, id, inside_->text_of);
        if (!kept) log(LogLevel::kWarn, "store.texts-lost", {{"why", kept.error().sentence}});
      }
    }
    const std::vector<VisitId> replaced = drop_what_older_visits_kept(sql, visit, id, read_pages);
    if (read_pages) {
      const Result<std::string> file = place_for_pages(sql.path(), id);
      if (!file) return std::unexpected(file.error());
      const Result<void> kept = pages.keep_as(*file);
      if (!kept) return std::unexpected(kept.error());
    }
    transaction.commit();
    // Should we die before this, the next visit to the site makes up for it.
    for (const VisitId old : replaced) unlink(pages_file(sql.path(), old).c_str());
    return id;
  });
}

}  // namespace periplus
