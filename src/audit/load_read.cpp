#include "audit/load_read.h"

#include <charconv>
#include <unordered_map>

#include "base/compress.h"
#include "visit/record_format.h"

namespace periplus {
namespace {

constexpr std::size_t kMostBody = 64UL * 1024 * 1024;
constexpr std::size_t kMostHops = 20;

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

std::optional<Failure> failure_of(const std::string& kind, const std::string& detail) {
  if (kind.empty()) return std::nullopt;
  return Failure{failure_kind(kind).value_or(FailureKind::kInternal), detail};
}

Result<std::string> unpacked(const std::string& packed) {
  if (packed.empty()) return std::string();
  return unpack(packed, kMostBody);
}

class StoredRead final : public SiteReadSource {
 public:
  StoredRead(Store& store, SiteRead read) : store_(store), read_(std::move(read)) {}
  const SiteRead& read() const override { return read_; }

  Result<void> each_document(const std::function<void(DocumentRecord&)>& each) override {
    std::optional<Error> fault;
    const Result<void> walked = store_.each_document(read_.visit, [&](StoredDocument& stored) {
      if (stored.kind == kNotFetchedDocument) return true;
      const Result<void> given = give_document(stored, each);
      if (!given) fault = given.error();
      return given.has_value();
    });
    if (fault) return std::unexpected(*fault);
    return walked;
  }

  Result<void> each_page(const std::function<void(PageRecord&)>& each) override {
    if (const Result<void> known = learn_redirects(); !known) return known;
    std::optional<Error> fault;
    const Result<void> walked =
        store_.each_page(read_.visit, kWithMessage | kWithBody, [&](StoredPage& stored) {
          const Result<void> given = give_page(stored, each);
          if (!given) fault = given.error();
          return given.has_value();
        });
    if (fault) return std::unexpected(*fault);
    return walked;
  }

 private:
  Result<void> give_document(const StoredDocument& stored,
                             const std::function<void(DocumentRecord&)>& each) {
    Result<StoredChain> chain = chain_from_json(stored.chain);
    if (!chain) return std::unexpected(chain.error());
    Result<std::string> body = unpacked(stored.packed_body);
    if (!body) return std::unexpected(body.error());
    DocumentRecord out;
    out.kind = stored.kind;
    out.url = stored.name;
    out.status = stored.status;
    out.failure = failure_of(stored.failure, {});
    out.attempts = chain->notes.attempts;
    out.hops = std::move(chain->hops);
    out.headers = Headers::from_text(stored.headers);
    out.body = std::move(*body);
    out.wall = chain->notes.wall;
    out.from_last_good = chain->notes.from_last_good;
    out.copy_at = chain->notes.copy_at;
    out.fetched_at = stored.fetched_at;
    each(out);
    return {};
  }

  Result<void> give_page(const StoredPage& stored, const std::function<void(PageRecord&)>& each) {
    Result<StoredChain> chain = chain_from_json(stored.chain);
    if (!chain) return std::unexpected(chain.error());
    Result<std::string> body = unpacked(stored.packed_body);
    if (!body) return std::unexpected(body.error());
    PageRecord out;
    out.url = stored.url;
    out.final_url = stored.final_url;
    out.depth = stored.depth;
    out.via = found_via(stored.via).value_or(FoundVia::kLink);
    out.found_from = stored.found_from;
    out.status = stored.status;
    out.failure = failure_of(stored.failure, stored.failure_detail);
    out.attempts = chain->notes.attempts;
    out.hops = std::move(chain->hops);
    out.cookie_retry = chain->notes.cookie_retry;
    out.headers = Headers::from_text(stored.headers);
    out.body = std::move(*body);
    out.cut = stored.cut;
    out.body_damaged = chain->notes.body_damaged;
    out.wire_bytes = chain->notes.wire_bytes;
    out.timings = chain->notes.timings;
    out.tls = chain->notes.tls;
    out.wall = chain->notes.wall;
    out.fetched_at = stored.fetched_at;
    join_hops(&out);
    each(out);
    return {};
  }

  Result<void> learn_redirects() {
    std::optional<Error> fault;
    const Result<void> walked =
        store_.each_page(read_.visit, kWithMessage, [&](StoredPage& stored) {
          if (!is_redirect(stored.status) && stored.url == stored.final_url) return true;
          Result<StoredChain> chain = chain_from_json(stored.chain);
          if (!chain) {
            fault = chain.error();
            return false;
          }
          redirects_[stored.url] = {std::move(chain->hops), stored.final_url, stored.status};
          return true;
        });
    if (fault) return std::unexpected(*fault);
    return walked;
  }

  // Follows a redirect into the records of other addresses.
  void join_hops(PageRecord* page) const {
    while (is_redirect(page->status) && !page->failure && page->final_url != page->url &&
           page->hops.size() < kMostHops) {
      const auto next = redirects_.find(page->final_url);
      if (next == redirects_.end()) return;  // it ends at a page
      const Redirect& more = next->second;
      for (const Hop& hop : more.hops) {
        if (hop.url == page->url) {
          page->failure = Failure{FailureKind::kRedirectLoop, hop.url};
          return;
        }
        page->hops.push_back(hop);
      }
      page->final_url = more.final_url;
      if (!is_redirect(more.status) || more.final_url == next->first) return;
    }
  }

  struct Redirect {
    std::vector<Hop> hops;
    std::string final_url;
    int status = 0;
  };
  Store& store_;
  SiteRead read_;
  std::unordered_map<std::string, Redirect> redirects_;
};

// A number of the limits column ({"pages":100,…}); 0 when it is not there.
std::uint32_t limit_of(std::string_view json, std::string_view key) {
  const std::string quoted = "\"" + std::string(key) + "\":";
  const std::size_t at = json.find(quoted);
  std::uint32_t value = 0;
  if (at != std::string_view::npos)
    std::from_chars(json.data() + at + quoted.size(), json.data() + json.size(), value);
  return value;
}

}  // namespace

Result<std::unique_ptr<SiteReadSource>> load_read(Store& store, VisitId id) {
  const Result<std::optional<StoredVisit>> visit = store.visit(id);
  if (!visit) return std::unexpected(visit.error());
  if (!*visit) return fail(ErrorKind::kInput, "there is no such visit");
  const Result<VisitNotes> notes = visit_notes_from_json((*visit)->notes);
  if (!notes) return std::unexpected(notes.error());

  SiteRead read;
  read.visit = id;
  read.site = (*visit)->site;
  read.start_url = (*visit)->start_url;
  read.home_url = notes->home;
  read.started = (*visit)->started;
  read.ended = (*visit)->ended;
  read.outcome.kind = outcome_kind((*visit)->outcome).value_or(OutcomeKind::kAborted);
  read.outcome.failure = failure_of((*visit)->failure, {});
  read.outcome.detail = (*visit)->outcome_detail;
  read.user_agent = (*visit)->identity;
  read.page_limit = limit_of((*visit)->limits, "pages");
  read.traps = notes->traps;
  read.not_fetched_counts = notes->not_fetched_counts;
  read.waited_seconds = notes->waited_seconds;
  read.retry_at = notes->retry_at;

  std::optional<Error> fault;
  const Result<void> walked = store.each_document(id, [&](StoredDocument& document) {
    if (document.kind != kNotFetchedDocument) return true;
    const Result<std::string> json = unpacked(document.packed_body);
    Result<std::vector<NotFetched>> list =
        json ? not_fetched_from_json(*json) : std::unexpected(json.error());
    if (list)
      read.not_fetched = std::move(*list);
    else
      fault = list.error();
    return false;
  });
  if (fault) return std::unexpected(*fault);
  if (!walked) return std::unexpected(walked.error());
  return std::make_unique<StoredRead>(store, std::move(read));
}

}  // namespace periplus
