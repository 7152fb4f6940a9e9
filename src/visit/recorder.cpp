#include "visit/recorder.h"

#include <fmt/format.h>

#include <charconv>

#include "base/compress.h"
#include "base/text.h"
#include "html/page_reader.h"
#include "visit/record_format.h"

namespace periplus {
namespace {

constexpr std::size_t kMostBody = 64UL * 1024 * 1024;

template <class T>
T or_throw(Result<T> result) {
  if (!result) throw StoreRefused(std::move(result.error()));
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

std::string essence(std::string_view content_type) {
  return to_ascii_lower(trim(content_type.substr(0, content_type.find(';'))));
}

std::string site_of_origin(const PublicSuffixes& suffixes, const std::string& origin) {
  const auto url = Url::parse(origin);
  return url ? suffixes.site(url->hostname()) : origin;
}

}  // namespace

Result<std::string> packed_text_of(const StoredPage& page) {
  const Result<std::string> body = unpack(page.packed_body, kMostBody);
  if (!body) return std::unexpected(body.error());
  PageFacts facts;
  read_page({*body, Headers::from_text(page.headers).get("content-type"), true}, &facts);
  return pack(facts.text);
}

Result<std::unique_ptr<StoreRecorder>> StoreRecorder::create(Store& store,
                                                             const std::string& folder, Keep keep) {
  Result<std::unique_ptr<Spool>> spool = Spool::create(folder);
  if (!spool) return std::unexpected(spool.error());
  return std::unique_ptr<StoreRecorder>(new StoreRecorder(store, std::move(*spool), keep));
}

void StoreRecorder::page(const VisitedPage& page) {
  if (!keep_.addresses || fault_) return;
  const Exchange& answer = page.chain->last;
  StoredPage& row = page_;
  row.url = page.url;
  row.final_url = page.final_url;
  row.depth = page.depth;
  row.found_from = page.found_from;
  row.via = name(page.via);
  row.status = answer.status;
  row.failure = answer.failure ? name(answer.failure->kind) : "";
  row.failure_detail = answer.failure ? answer.failure->detail : "";
  row.fetched_at = answer.at;
  row.words = page.facts != nullptr ? page.facts->words : 0;
  row.links = page.facts != nullptr ? static_cast<std::uint32_t>(page.facts->links.size()) : 0;
  row.content_type = essence(answer.headers.get("content-type"));
  row.title = page.facts != nullptr ? page.facts->title : "";
  const std::string_view text = page.facts != nullptr ? page.facts->text : "";
  row.text_hash = text.empty() ? 0 : hash64(text);
  row.body_bytes = answer.body.size();
  row.cut = answer.cut;
  row.notes.clear();
  row.headers.clear();
  row.chain.clear();
  row.packed_body.clear();
  row.packed_targets.clear();
  row.packed_text.clear();
  if (keep_.html) {
    row.headers = answer.headers.to_text();
    row.chain = to_json(stored_chain(*page.chain, page.attempts, page.wall));
    if (!answer.body.empty()) pack_into(answer.body, &row.packed_body);
  }
  if (keep_.text && !keep_.html && !text.empty()) pack_into(text, &row.packed_text);
  if (const auto appended = spool_->append(row); !appended) fault_ = appended.error();
}

void StoreRecorder::add_document(std::string_view kind, std::string document_name,
                                 const StoredChain& notes, const Chain& chain) {
  if (!keep_.html) return;
  StoredDocument document;
  document.kind = kind;
  document.name = std::move(document_name);
  document.status = chain.last.status;
  document.failure = chain.last.failure ? name(chain.last.failure->kind) : "";
  document.fetched_at = chain.last.at;
  document.headers = chain.last.headers.to_text();
  document.chain = to_json(notes);
  if (!chain.last.body.empty()) document.packed_body = pack(chain.last.body);
  documents_.push_back(std::move(document));
}

void StoreRecorder::sitemap(const VisitedSitemap& sitemap) {
  add_document(kSitemapDocument, sitemap.url, stored_chain(sitemap.chain, 1, std::nullopt),
               sitemap.chain);
}

void StoreRecorder::document(const VisitedDocument& document) {
  add_document(document.kind, document.chain.last.url.href(),
               stored_chain(document.chain, 1, std::nullopt), document.chain);
}

void StoreRecorder::robots(const OriginRobots& reading) {
  StoredChain notes = stored_chain(reading.chain, reading.attempts, reading.wall);
  notes.notes.from_last_good = reading.from_last_good;
  notes.notes.copy_at = reading.copy_at;
  add_document(kRobotsDocument, reading.origin, notes, reading.chain);
}

Result<VisitId> StoreRecorder::record(const VisitResult& result, std::string_view use,
                                      const std::string& user_agent, const PageLimits& limits) {
  if (fault_) return std::unexpected(*fault_);
  StoredVisit visit;
  visit.site = result.site;
  visit.start_url = result.start.href();
  visit.use = use;
  visit.started = result.started;
  visit.ended = result.ended;
  visit.outcome = name(result.outcome.kind);
  visit.outcome_detail = result.outcome.detail;
  visit.failure = result.outcome.failure ? name(result.outcome.failure->kind) : "";
  visit.complete = result.outcome.complete();
  visit.pages_read = result.pages;
  visit.identity = user_agent;
  visit.limits = fmt::format(R"({{"pages":{},"page_bytes":{},"depth":{}}})", limits.pages,
                             limits.page_bytes, limits.depth);
  VisitNotes notes;
  notes.home = result.home.href();
  notes.owner = result.owner;
  notes.traps = result.traps;
  notes.not_fetched_counts.assign(result.not_fetched_counts.begin(),
                                  result.not_fetched_counts.end());
  notes.waited_seconds = result.waited_seconds;
  notes.retry_at = result.retry_at;
  if (keep_.addresses) {
    visit.notes = to_json(notes);
    StoredDocument not_fetched;
    not_fetched.kind = kNotFetchedDocument;
    not_fetched.fetched_at = result.ended;
    not_fetched.packed_body = pack(to_json(result.not_fetched));
    documents_.push_back(std::move(not_fetched));
  }
  spool_->rewind();
  return store_.record(visit, *spool_, documents_);
}

std::optional<PoliteRecord> StorePolitenessBook::recall(GateKind kind, const std::string& key) {
  const std::optional<PolitenessRow> row =
      or_throw(store_.politeness(std::string(name(kind)), key));
  if (!row) return std::nullopt;
  return PoliteRecord{row->next_allowed, row->blocked_until, row->reason, row->failure,
                      row->failures};
}

void StorePolitenessBook::remember(const std::vector<PoliteEntry>& entries) {
  std::vector<PolitenessRow> rows;
  rows.reserve(entries.size());
  for (const PoliteEntry& entry : entries) {
    rows.push_back({std::string(name(entry.kind)), entry.key, entry.record.next_allowed,
                    entry.record.blocked_until, entry.record.reason, entry.record.failure,
                    entry.record.failures});
  }
  or_throw(store_.put_politeness(rows));
}

std::optional<GoodRobots> StoreRobotsBook::last_good(const std::string& origin) {
  const Instant oldest = clock_.now() - std::chrono::days(30);
  const std::optional<RobotsCopy> copy =
      or_throw(store_.robots_copy(site_of_origin(suffixes_, origin), origin, oldest));
  if (!copy) return std::nullopt;
  std::string body;
  if (!copy->packed_body.empty()) body = or_throw(unpack(copy->packed_body, kRobotsBytes));
  return GoodRobots{std::move(body), copy->fetched_at};
}

void StoreRobotsBook::note(const std::string& origin, Instant at, const std::string& outcome,
                           const std::string* body) {
  const std::string site = site_of_origin(suffixes_, origin);
  int status = 0;
  const auto [end, fault] =
      std::from_chars(outcome.data(), outcome.data() + outcome.size(), status);
  const bool is_status = fault == std::errc() && end == outcome.data() + outcome.size();
  RobotsReading reading{site, origin, at, is_status ? status : 0, is_status ? "" : outcome, {}};
  reading.outcome = body != nullptr                                           ? "rules"
                    : robots_access(reading.status) == RobotsAccess::kNoRules ? "open"
                                                                              : "closed";
  or_throw(store_.note_robots_reading(reading));
  if (body != nullptr) or_throw(store_.put_robots_copy({site, origin, at, status, pack(*body)}));
}

}  // namespace periplus
