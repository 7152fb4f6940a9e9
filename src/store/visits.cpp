// Reading visits back.
#include "store/inside.h"
#include "store/page_records.h"

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

// From PERIPLUS_PAGE_COLUMNS; the parts that lie elsewhere are emptied.
void fill_summary(const Query& row, StoredPage* page) {
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
  for (std::string* part : {&page->headers, &page->chain, &page->packed_targets, &page->packed_body,
                            &page->packed_text}) {
    part->clear();
  }
}

#define PERIPLUS_PAGE_COLUMNS                                                                    \
  "url, final_url, depth, found_from, via, status, failure, failure_detail, fetched_at, words, " \
  "links, content_type, title, text_hash, body_bytes, cut, notes, failed_rules, place "

// The parts of one visit's pages that do not stand in its rows.
class PartsReader {
 public:
  PartsReader(Connection& sql, VisitId id, unsigned parts) : sql_(sql), id_(id), parts_(parts) {
    if (parts == kSummaryOnly || !look()) return;
    if ((parts & (kWithMessage | kWithBody)) == 0 || !kept_) return;
    Result<KeptPages> opened = KeptPages::open(pages_file(sql.path(), id));
    if (opened) {
      pages_.emplace(std::move(*opened));
    } else if (look() && kept_) {  // not just replaced by a newer visit
      throw SqlError{opened.error()};
    }
  }

  void add(std::uint64_t place, StoredPage* page) {
    if (pages_) {
      const Result<void> read = pages_->read(place, &record_);
      if (!read) throw SqlError{read.error()};
      if (record_.url != page->url) {
        throw SqlError{
            {ErrorKind::kDatabase, "the pages of the visit are not in their places", page->url}};
      }
      if ((parts_ & kWithMessage) != 0) {
        page->headers.swap(record_.headers);
        page->chain.swap(record_.chain);
        page->packed_targets.swap(record_.packed_targets);
      }
      if ((parts_ & kWithBody) != 0) page->packed_body.swap(record_.packed_body);
    }
    if ((parts_ & kWithText) != 0 && page->text_hash != 0) {
      Query row =
          sql_.query("SELECT body FROM texts WHERE bucket = $1 AND site = $2 AND hash = $3",
                     bucket_of_visit(id_), site_, static_cast<std::int64_t>(page->text_hash));
      if (row.next()) page->packed_text.assign(row.bytes(0));
    }
  }

 private:
  bool look() {
    Query row = sql_.query("SELECT site, kept FROM visits WHERE bucket = $1 AND id = $2",
                           bucket_of_visit(id_), id_);
    if (!row.next()) return false;
    site_ = row.text(0);
    kept_ = row.integer(1) == kPagesInPlace;
    return true;
  }

  Connection& sql_;
  const VisitId id_;
  const unsigned parts_;
  std::string site_;
  bool kept_ = false;
  std::optional<KeptPages> pages_;
  StoredPage record_;
};

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
    PartsReader reader(inside_->sql, id, parts);
    Query row = inside_->sql.query("SELECT " PERIPLUS_PAGE_COLUMNS
                                   "FROM pages WHERE bucket = $1 AND visit = $2 ORDER BY seq",
                                   bucket_of_visit(id), id);
    StoredPage page;
    while (row.next()) {
      fill_summary(row, &page);
      reader.add(row.number<std::uint64_t>(18), &page);
      if (!each(page)) break;
    }
    return {};
  });
}

Result<std::optional<StoredPage>> Store::page(VisitId id, const std::string& url, unsigned parts) {
  return guarded([&]() -> Result<std::optional<StoredPage>> {
    PartsReader reader(inside_->sql, id, parts);
    Query row = inside_->sql.query("SELECT " PERIPLUS_PAGE_COLUMNS
                                   "FROM pages WHERE bucket = $1 AND visit = $2 AND url = $3",
                                   bucket_of_visit(id), id, url);
    if (!row.next()) return std::nullopt;
    StoredPage page;
    fill_summary(row, &page);
    reader.add(row.number<std::uint64_t>(18), &page);
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
