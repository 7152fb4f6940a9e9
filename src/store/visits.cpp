// Reading visits back.
#include "store/inside.h"

namespace periplus {
namespace {

#define PERIPLUS_VISIT_COLUMNS                                                             \
  "id, site, use, start_url, started, ended, outcome, outcome_detail, failure, complete, " \
  "pages_read, identity, limits, notes "

StoredVisit visit_of(const Query& row) {
  StoredVisit visit;
  visit.id = row.integer(0);
  visit.site = row.text(1);
  visit.use = row.text(2);
  visit.start_url = row.text(3);
  visit.started = row.instant(4);
  visit.ended = row.instant(5);
  visit.outcome = row.text(6);
  visit.outcome_detail = row.text(7);
  visit.failure = row.text(8);
  visit.complete = row.flag(9);
  visit.pages_read = row.number<std::uint32_t>(10);
  visit.identity = row.text(11);
  visit.limits = row.text(12);
  visit.notes = row.text(13);
  return visit;
}

std::optional<StoredVisit> first_visit(Query row) {
  if (!row.next()) return std::nullopt;
  return visit_of(row);
}

// Columns 0 to 18 of every query for pages; what `parts` adds follows.
void fill_page(const Query& row, unsigned parts, StoredPage* page) {
  page->url.assign(row.bytes(0));
  page->final_url.assign(row.bytes(1));
  page->depth = row.number<std::uint32_t>(2);
  page->found_from.assign(row.bytes(3));
  page->via.assign(row.bytes(4));
  page->status = row.number<int>(5);
  page->failure.assign(row.bytes(6));
  page->failure_detail.assign(row.bytes(7));
  page->fetched_at = row.instant(8);
  page->words = row.number<std::uint32_t>(9);
  page->links = row.number<std::uint32_t>(10);
  page->content_type.assign(row.bytes(11));
  page->title.assign(row.bytes(12));
  page->text_hash = row.number<std::uint64_t>(13);
  page->body_bytes = row.number<std::uint64_t>(14);
  page->cut = row.flag(15);
  page->notes.assign(row.bytes(16));
  page->failed_rules.assign(row.bytes(17));
  const auto part = [&](unsigned wanted, int column) {
    return (parts & wanted) != 0 ? row.bytes(column) : std::string_view();
  };
  page->headers.assign(part(kWithMessage, 19));
  page->chain.assign(part(kWithMessage, 20));
  page->packed_targets.assign(part(kWithMessage, 21));
  page->packed_body.assign(part(kWithBody, 22));
  page->packed_text.clear();
}

#define PERIPLUS_PAGE_COLUMNS                                                                   \
  "p.url, p.final_url, p.depth, p.found_from, p.via, p.status, p.failure, p.failure_detail, "   \
  "p.fetched_at, p.words, p.links, p.content_type, p.title, p.text_hash, p.body_bytes, p.cut, " \
  "p.notes, p.failed_rules, p.seq "
#define PERIPLUS_MESSAGE_COLUMNS ", m.headers, m.chain, m.targets, m.body "
#define PERIPLUS_MESSAGE_JOIN \
  " LEFT JOIN messages m ON m.bucket = p.bucket AND m.visit = p.visit AND m.seq = p.seq "

void fill_text(Connection& sql, const std::string& site, VisitId id, StoredPage* page) {
  if (page->text_hash == 0) return;
  Query row = sql.query("SELECT body FROM texts WHERE bucket = $1 AND site = $2 AND hash = $3",
                        bucket_of_visit(id), site, static_cast<std::int64_t>(page->text_hash));
  if (row.next()) page->packed_text.assign(row.bytes(0));
}

std::string site_of(Connection& sql, VisitId id) {
  Query row =
      sql.query("SELECT site FROM visits WHERE bucket = $1 AND id = $2", bucket_of_visit(id), id);
  return row.next() ? row.text(0) : std::string();
}

}  // namespace

Result<std::optional<StoredVisit>> Store::newest_visit(const std::string& site,
                                                       const std::string& use) {
  return guarded([&]() -> Result<std::optional<StoredVisit>> {
    return first_visit(inside_->sql.query(
        "SELECT " PERIPLUS_VISIT_COLUMNS
        "FROM visits WHERE bucket = $1 AND site = $2 AND use = $3 ORDER BY id DESC LIMIT 1",
        bucket_of_site(site), site, use));
  });
}

Result<std::optional<StoredVisit>> Store::newest_kept_visit(const std::string& site,
                                                            const std::string& use) {
  return guarded([&]() -> Result<std::optional<StoredVisit>> {
    return first_visit(
        inside_->sql.query("SELECT " PERIPLUS_VISIT_COLUMNS
                           "FROM visits WHERE bucket = $1 AND site = $2 AND use = $3 AND kept = 1"
                           " ORDER BY id DESC LIMIT 1",
                           bucket_of_site(site), site, use));
  });
}

Result<std::optional<StoredVisit>> Store::visit(VisitId id) {
  return guarded([&]() -> Result<std::optional<StoredVisit>> {
    return first_visit(inside_->sql.query("SELECT " PERIPLUS_VISIT_COLUMNS
                                          "FROM visits WHERE bucket = $1 AND id = $2",
                                          bucket_of_visit(id), id));
  });
}

Result<std::vector<StoredVisit>> Store::visits(const std::string& site, std::size_t most) {
  return guarded([&]() -> Result<std::vector<StoredVisit>> {
    std::vector<StoredVisit> found;
    Query row =
        inside_->sql.query("SELECT " PERIPLUS_VISIT_COLUMNS
                           "FROM visits WHERE bucket = $1 AND site = $2 ORDER BY id DESC LIMIT $3",
                           bucket_of_site(site), site, static_cast<std::int64_t>(most));
    while (row.next()) found.push_back(visit_of(row));
    return found;
  });
}

Result<void> Store::each_site(const std::function<void(const StoredVisit&)>& each) {
  return guarded([&]() -> Result<void> {
    Query row = inside_->sql.query(
        "SELECT " PERIPLUS_VISIT_COLUMNS
        "FROM visits WHERE (bucket, id) IN (SELECT bucket, last_visit FROM sites) ORDER BY site");
    while (row.next()) each(visit_of(row));
    return {};
  });
}

Result<void> Store::each_page(VisitId id, unsigned parts,
                              const std::function<bool(StoredPage&)>& each) {
  return guarded([&]() -> Result<void> {
    Connection& sql = inside_->sql;
    const std::string site = (parts & kWithText) != 0 ? site_of(sql, id) : std::string();
    const bool message = (parts & (kWithMessage | kWithBody)) != 0;
    const char* text = message ? "SELECT " PERIPLUS_PAGE_COLUMNS PERIPLUS_MESSAGE_COLUMNS
                                 "FROM pages p" PERIPLUS_MESSAGE_JOIN
                                 "WHERE p.bucket = $1 AND p.visit = $2 ORDER BY p.seq"
                               : "SELECT " PERIPLUS_PAGE_COLUMNS
                                 "FROM pages p WHERE p.bucket = $1 AND p.visit = $2 ORDER BY p.seq";
    Query row = sql.query(text, bucket_of_visit(id), id);
    StoredPage page;
    while (row.next()) {
      fill_page(row, parts, &page);
      if ((parts & kWithText) != 0) fill_text(sql, site, id, &page);
      if (!each(page)) break;
    }
    return {};
  });
}

Result<std::optional<StoredPage>> Store::page(VisitId id, const std::string& url, unsigned parts) {
  return guarded([&]() -> Result<std::optional<StoredPage>> {
    Connection& sql = inside_->sql;
    Query row = sql.query("SELECT " PERIPLUS_PAGE_COLUMNS PERIPLUS_MESSAGE_COLUMNS
                          "FROM pages p" PERIPLUS_MESSAGE_JOIN
                          "WHERE p.bucket = $1 AND p.visit = $2 AND p.url = $3",
                          bucket_of_visit(id), id, url);
    if (!row.next()) return std::nullopt;
    StoredPage page;
    fill_page(row, parts, &page);
    if ((parts & kWithText) != 0) fill_text(sql, site_of(sql, id), id, &page);
    return page;
  });
}

Result<void> Store::each_document(VisitId id, const std::function<bool(StoredDocument&)>& each) {
  return guarded([&]() -> Result<void> {
    Query row = inside_->sql.query(
        "SELECT kind, name, status, failure, fetched_at, headers, chain, body FROM documents"
        " WHERE bucket = $1 AND visit = $2 ORDER BY seq",
        bucket_of_visit(id), id);
    while (row.next()) {
      StoredDocument document;
      document.kind = row.text(0);
      document.name = row.text(1);
      document.status = row.number<int>(2);
      document.failure = row.text(3);
      document.fetched_at = row.instant(4);
      document.headers = row.text(5);
      document.chain = row.text(6);
      document.packed_body = row.text(7);
      if (!each(document)) break;
    }
    return {};
  });
}

}  // namespace periplus
