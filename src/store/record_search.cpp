// Writing a visit of the search use: whole or not at all.
#include "store/inside.h"
#include "store/search_rows.h"

namespace periplus {
namespace {

constexpr std::int64_t kSequenceBucket = 0;
// Different words of one site for one page: what a menu, a heading and a few texts call it.
constexpr std::int64_t kMostAnchorsOfSite = 8;

void put_page(Connection& sql, const SearchPage& page, Sequence* sequence) {
  sql.run(
      "INSERT INTO search_pages (bucket, site, url, state, reason, depth, found_from, first_seen,"
      " last_try, last_ok, last_change, next_try, reads, changes, failure, failures, failing_since,"
      " status, etag, last_modified, title, description, lang, canonical, text_hash, fingerprint,"
      " orders, unavailable_after, verdict, points, scope, seq)"
      " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,"
      " $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32)"
      " ON CONFLICT (bucket, site, url) DO UPDATE SET state = excluded.state,"
      " reason = excluded.reason, depth = excluded.depth, last_try = excluded.last_try,"
      " last_ok = excluded.last_ok, last_change = excluded.last_change,"
      " next_try = excluded.next_try, reads = excluded.reads, changes = excluded.changes,"
      " failure = excluded.failure, failures = excluded.failures,"
      " failing_since = excluded.failing_since, status = excluded.status, etag = excluded.etag,"
      " last_modified = excluded.last_modified, title = excluded.title,"
      " description = excluded.description, lang = excluded.lang, canonical = excluded.canonical,"
      " text_hash = excluded.text_hash, fingerprint = excluded.fingerprint,"
      " orders = excluded.orders, unavailable_after = excluded.unavailable_after,"
      " verdict = excluded.verdict, points = excluded.points, scope = excluded.scope,"
      " seq = excluded.seq",
      bucket_of_site(page.site), page.site, page.url, page.state, page.reason, page.depth,
      page.found_from, page.first_seen, page.last_try, page.last_ok, page.last_change,
      page.next_try, page.reads, page.changes, page.failure, page.failures, page.failing_since,
      page.status, page.etag, page.last_modified, page.title, page.description, page.lang,
      page.canonical, static_cast<std::int64_t>(page.text_hash),
      static_cast<std::int64_t>(page.fingerprint), page.orders, page.unavailable_after,
      page.verdict, page.points, static_cast<std::int64_t>(page.scope), sequence->next());
  // Pages that call this one the original are judged anew beside it.
  sql.run(
      "UPDATE search_pages SET seq = $1 WHERE bucket = $2 AND site = $3 AND canonical = $4"
      " AND canonical <> '' AND url <> $4",
      sequence->next(), bucket_of_site(page.site), page.site, page.url);
}

void put_copy(Connection& sql, const std::string& site, const PageCopy& copy) {
  const std::int64_t bucket = bucket_of_site(site);
  if (copy.packed_body.empty() && copy.packed_text.empty()) {
    sql.run("DELETE FROM page_copies WHERE bucket = $1 AND site = $2 AND url = $3", bucket, site,
            copy.url);
    return;
  }
  sql.run(
      "INSERT INTO page_copies (bucket, site, url, at, content_type, body, text)"
      " VALUES ($1, $2, $3, $4, $5, $6, $7)"
      " ON CONFLICT (bucket, site, url) DO UPDATE SET at = excluded.at,"
      " content_type = excluded.content_type, body = excluded.body, text = excluded.text",
      bucket, site, copy.url, copy.at, copy.content_type, Blob{copy.packed_body},
      Blob{copy.packed_text});
}

void put_anchor(Connection& sql, const FoundAnchor& anchor, const std::string& from, Instant now,
                Sequence* sequence) {
  const std::int64_t bucket = bucket_of_site(anchor.site);
  {
    Query known = sql.query(
        "SELECT count(*), max(CASE WHEN words = $1 THEN 1 ELSE 0 END) FROM anchors"
        " WHERE bucket = $2 AND site = $3 AND url = $4 AND from_site = $5",
        anchor.words, bucket, anchor.site, anchor.url, from);
    known.next();
    if (known.integer(1) == 1 || known.integer(0) >= kMostAnchorsOfSite) return;
  }
  sql.run(
      "INSERT INTO anchors (bucket, site, url, from_site, words, last_seen)"
      " VALUES ($1, $2, $3, $4, $5, $6)",
      bucket, anchor.site, anchor.url, from, anchor.words, now);
  touch_page(sql, anchor.site, anchor.url, sequence);
}

void put_site(Connection& sql, const FoundSite& found, const std::string& from_owner, Instant now) {
  add_to_schedule(sql, found.site);
  const std::int64_t bucket = bucket_of_site(found.site.site);
  int grown = 1;
  int grown_in = found.from_in_scope ? 1 : 0;
  {
    Query known = sql.query(
        "SELECT in_scope FROM site_links WHERE bucket = $1 AND target = $2 AND owner = $3", bucket,
        found.site.site, from_owner);
    if (known.next()) {
      grown = 0;
      grown_in = found.from_in_scope && !known.flag(0) ? 1 : 0;
      if (grown_in == 0) return;
    }
  }
  sql.run(
      "INSERT INTO site_links (bucket, target, owner, in_scope, first_seen)"
      " VALUES ($1, $2, $3, $4, $5)"
      " ON CONFLICT (bucket, target, owner) DO UPDATE SET in_scope = excluded.in_scope",
      bucket, found.site.site, from_owner, found.from_in_scope, now);
  sql.run(
      "UPDATE schedule SET owners = owners + $1, owners_in = owners_in + $2,"
      " hops = CASE WHEN hops > $3 THEN $3 ELSE hops END WHERE bucket = $4 AND site = $5",
      grown, grown_in, found.site.hops, bucket, found.site.site);
}

void put_next(Connection& sql, const ScheduledSite& next, std::int64_t fresh_pages) {
  sql.run(
      "UPDATE schedule SET line = $1, next_visit = $2, reason = $3, visits = visits + 1,"
      " pages = pages + $4, failure = $5, failures = $6, verdict = $7, points = $8, held = $9,"
      " hops = $10, start_url = $11, sitemaps_read = $12 WHERE bucket = $13 AND site = $14",
      static_cast<int>(next.line), next.next_visit, next.reason, fresh_pages, next.failure,
      next.failures, next.verdict, next.points, next.held, next.hops, next.start_url,
      next.sitemaps_read, bucket_of_site(next.site), next.site);
}

}  // namespace

SearchPage search_page_of(const Query& row) {
  SearchPage page;
  page.site = row.text(0);
  page.url = row.text(1);
  page.state = row.text(2);
  page.reason = row.text(3);
  page.depth = row.number<std::uint32_t>(4);
  page.found_from = row.text(5);
  page.first_seen = row.instant(6);
  page.last_try = row.instant(7);
  page.last_ok = row.instant(8);
  page.last_change = row.instant(9);
  page.next_try = row.instant(10);
  page.reads = row.number<std::uint32_t>(11);
  page.changes = row.number<std::uint32_t>(12);
  page.failure = row.text(13);
  page.failures = row.number<std::uint32_t>(14);
  page.failing_since = row.instant(15);
  page.status = row.number<int>(16);
  page.etag = row.text(17);
  page.last_modified = row.text(18);
  page.title = row.text(19);
  page.description = row.text(20);
  page.lang = row.text(21);
  page.canonical = row.text(22);
  page.text_hash = row.number<std::uint64_t>(23);
  page.fingerprint = row.number<std::uint64_t>(24);
  page.orders = row.text(25);
  page.unavailable_after = row.instant(26);
  page.verdict = row.text(27);
  page.points = row.real(28);
  page.scope = row.number<std::uint64_t>(29);
  page.sequence = row.number<std::uint64_t>(30);
  return page;
}

Sequence::Sequence(Connection& sql) : sql_(sql) {
  Query row = sql.query("SELECT value FROM counters WHERE bucket = $1 AND name = 'search_pages'",
                        kSequenceBucket);
  first_ = last_ = row.next() ? row.integer(0) : 0;
}

void Sequence::write() {
  if (last_ == first_) return;
  sql_.run(
      "INSERT INTO counters (bucket, name, value) VALUES ($1, 'search_pages', $2)"
      " ON CONFLICT (bucket, name) DO UPDATE SET value = excluded.value",
      kSequenceBucket, last_);
}

bool add_found_page(Connection& sql, const FoundPage& page, Instant now, Sequence* sequence) {
  return sql
      .query(
          "INSERT INTO search_pages (bucket, site, url, state, reason, depth, found_from,"
          " first_seen, last_try, last_ok, last_change, next_try, reads, changes, failure,"
          " failures, failing_since, status, etag, last_modified, title, description, lang,"
          " canonical, text_hash, fingerprint, orders, unavailable_after, verdict, points, scope,"
          " seq) VALUES ($1, $2, $3, 'known', '', $4, $5, $6, 0, 0, 0, 0, 0, 0, '', 0, 0, 0, '',"
          " '', '', '', '', '', 0, 0, '', 0, '', 0, 0, $7)"
          " ON CONFLICT (bucket, site, url) DO NOTHING RETURNING url",
          bucket_of_site(page.site), page.site, page.url, page.depth, page.found_from, now,
          sequence->next())
      .next();
}

void touch_page(Connection& sql, const std::string& site, const std::string& url,
                Sequence* sequence) {
  sql.run("UPDATE search_pages SET seq = $1 WHERE bucket = $2 AND site = $3 AND url = $4",
          sequence->next(), bucket_of_site(site), site, url);
}

Result<VisitId> SearchPages::record(const SearchVisit& visit) {
  return guarded([&]() -> Result<VisitId> {
    Store::Inside& inside = store_.inside();
    Connection& sql = inside.sql;
    const std::string& site = visit.visit.site;
    const Instant now = visit.visit.ended;
    sql.set_durable(false);  // kill -9 forgets nothing of it; a loss of power at most whole visits
    Transaction transaction(sql);
    if (!has_lease(inside, site)) {
      return fail(ErrorKind::kBusy, "the lease has gone to another process meanwhile", site);
    }
    const VisitId id = next_visit_id(sql, bucket_of_site(site));
    write_visit(sql, visit.visit, id, kNoPages);
    Sequence sequence(sql);
    std::int64_t fresh = 0;
    for (const SearchPage& page : visit.pages) {
      if (page.reads <= 1 && add_found_page(sql, {site, page.url, page.found_from, page.depth},
                                            page.first_seen, &sequence)) {
        ++fresh;
      }
      put_page(sql, page, &sequence);
    }
    for (const PageCopy& copy : visit.copies) put_copy(sql, site, copy);
    for (const FoundPage& page : visit.found) {
      const bool added = add_found_page(sql, page, now, &sequence);
      if (added && page.site == site) ++fresh;
      if (added && page.site != site) {
        sql.run("UPDATE schedule SET pages = pages + 1 WHERE bucket = $1 AND site = $2",
                bucket_of_site(page.site), page.site);
      }
    }
    for (const FoundSite& found : visit.sites) put_site(sql, found, visit.owner, now);
    for (const FoundAnchor& anchor : visit.anchors) {
      put_anchor(sql, anchor, site, now, &sequence);
    }
    put_next(sql, visit.next, fresh);
    sequence.write();
    give_back_lease(inside, site);
    transaction.commit();
    return id;
  });
}

}  // namespace periplus
