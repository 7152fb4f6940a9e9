// Writing a visit: whole or not at all.
#include <algorithm>

#include "store/inside.h"

namespace periplus {
namespace {

VisitId next_id(Connection& sql, std::int64_t bucket) {
  Query newest = sql.query("SELECT max(id) FROM visits WHERE bucket = $1", bucket);
  newest.next();
  return newest.is_null(0) ? kBuckets + bucket : newest.integer(0) + kBuckets;
}

void write_visit(Connection& sql, const StoredVisit& visit, VisitId id, bool kept) {
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

void write_page(Connection& sql, const std::string& site, VisitId id, std::int64_t seq,
                const StoredPage& page) {
  const std::int64_t bucket = bucket_of_visit(id);
  const auto hash = static_cast<std::int64_t>(page.text_hash);
  sql.run(
      "INSERT INTO pages (bucket, visit, seq, url, final_url, depth, found_from, via, status,"
      " failure, failure_detail, fetched_at, words, links, content_type, title, text_hash,"
      " body_bytes, cut, notes, failed_rules)"
      " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,"
      " $19, $20, '')",
      bucket, id, seq, page.url, page.final_url, page.depth, page.found_from, page.via, page.status,
      page.failure, page.failure_detail, page.fetched_at, page.words, page.links, page.content_type,
      page.title, hash, page.body_bytes, page.cut, page.notes);
  sql.run(
      "INSERT INTO messages (bucket, visit, seq, headers, chain, targets, body)"
      " VALUES ($1, $2, $3, $4, $5, $6, $7)",
      bucket, id, seq, page.headers, page.chain, Blob{page.packed_targets}, Blob{page.packed_body});
  if (page.text_hash != 0 && !page.packed_text.empty()) {
    sql.run(
        "INSERT INTO texts (bucket, site, hash, first_visit, body) VALUES ($1, $2, $3, $4, $5)"
        " ON CONFLICT (bucket, site, hash) DO NOTHING",
        bucket, site, hash, id, Blob{page.packed_text});
  }
}

void write_document(Connection& sql, VisitId id, std::int64_t seq, const StoredDocument& document) {
  sql.run(
      "INSERT INTO documents (bucket, visit, seq, kind, name, status, failure, fetched_at, headers,"
      " chain, body) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
      bucket_of_visit(id), id, seq, document.kind, document.name, document.status, document.failure,
      document.fetched_at, document.headers, document.chain, Blob{document.packed_body});
}

// What is kept for the newest read only goes with the arrival of a newer one.
void drop_what_older_visits_kept(Connection& sql, const StoredVisit& visit, VisitId id) {
  const std::int64_t bucket = bucket_of_visit(id);
  std::vector<VisitId> older;
  {
    Query row = sql.query(
        "SELECT id FROM visits WHERE bucket = $1 AND site = $2 AND use = $3 AND kept = 1"
        " AND id < $4",
        bucket, visit.site, visit.use, id);
    while (row.next()) older.push_back(row.integer(0));
  }
  for (const VisitId old : older) {
    sql.run("DELETE FROM messages WHERE bucket = $1 AND visit = $2", bucket, old);
    sql.run("DELETE FROM documents WHERE bucket = $1 AND visit = $2", bucket, old);
    sql.run("UPDATE reports SET json = NULL WHERE bucket = $1 AND visit = $2", bucket, old);
    sql.run("UPDATE visits SET kept = 0 WHERE bucket = $1 AND id = $2", bucket, old);
  }
}

}  // namespace

Result<VisitId> Store::record(const StoredVisit& visit, PageSource& pages,
                              std::span<const StoredDocument> documents) {
  return guarded([&]() -> Result<VisitId> {
    Connection& sql = inside_->sql;
    sql.set_durable(true);
    Transaction transaction(sql);
    const VisitId id = next_id(sql, bucket_of_site(visit.site));
    write_visit(sql, visit, id, false);

    StoredPage page;
    std::int64_t count = 0;
    while (true) {
      const Result<bool> more = pages.next(&page);
      if (!more) return std::unexpected(more.error());
      if (!*more) break;
      write_page(sql, visit.site, id, count++, page);
    }
    std::int64_t seq = 0;
    for (const StoredDocument& document : documents) write_document(sql, id, seq++, document);
    if (count > 0) {
      drop_what_older_visits_kept(sql, visit, id);
      sql.run("UPDATE visits SET kept = 1 WHERE bucket = $1 AND id = $2", bucket_of_visit(id), id);
    }
    transaction.commit();
    return id;
  });
}

}  // namespace periplus
