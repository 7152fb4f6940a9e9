// One read of a site as the judge sees it: values, wherever they come from. The loader
// (load_read.h) makes them from the store, tests write them down.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "http/bot_wall.h"
#include "http/redirects.h"
#include "visit/frontier.h"
#include "visit/outcome.h"
#include "visit/traps.h"
#include "visit/visit.h"

namespace periplus {

// One address that was asked for.
struct PageRecord {
  std::string url;          // as asked for, without fragment
  std::string final_url;    // behind the redirects that were followed
  std::uint32_t depth = 0;  // clicks from the start page; kUnlinked when only a sitemap names it
  FoundVia via = FoundVia::kLink;
  std::string found_from;          // the page that led here first, or empty
  int status = 0;                  // of the last answer; 0 = none
  std::optional<Failure> failure;  // set: what follows may be incomplete
  int attempts = 1;
  std::vector<Hop> hops;      // all, the last one included; may be empty when none answered
  bool cookie_retry = false;  // a redirect to itself that set a cookie was retried with it
  Headers headers;            // of the last answer, lines apart
  std::string body;           // content-decoded
  bool cut = false;           // the body stopped at the size limit
  bool body_damaged = false;
  std::uint64_t wire_bytes = 0;  // body octets as transferred
  Timings timings;
  TlsFacts tls;
  std::optional<BotWall> wall;
  Instant fetched_at{};
};

// Something that is no page. `kind` is one of record_format.h's or audit_use.h's.
struct DocumentRecord {
  std::string kind;
  std::string url;  // a sitemap's address; the origin for robots.txt
  int status = 0;
  std::optional<Failure> failure;
  int attempts = 1;
  std::vector<Hop> hops;
  Headers headers;
  std::string body;  // a sitemap's is still gzipped when it came so
  bool cut = false;
  std::optional<BotWall> wall;
  bool from_last_good = false;  // robots.txt: unreachable, judged by the copy of copy_at
  Instant copy_at{};
  Instant fetched_at{};
};

// The read as a whole.
struct SiteRead {
  std::int64_t visit = 0;  // the store's number of it; 0 = none
  std::string site;        // "example.com"
  std::string start_url;
  std::string home_url;  // where the start page was found; empty when it never was
  Instant started{}, ended{};
  Outcome outcome;
  std::string user_agent;        // "Periplus/1.0 (+https://…)"
  std::uint32_t page_limit = 0;  // 0 = not known
  std::vector<Trap> traps;
  std::vector<std::pair<NotFetchedReason, std::uint64_t>> not_fetched_counts;
  std::vector<NotFetched> not_fetched;  // the first of them
  double waited_seconds = 0;
  Instant retry_at{};
};

class SiteReadSource {
 public:
  virtual ~SiteReadSource() = default;
  virtual const SiteRead& read() const = 0;
  // One at a time, in the order recorded; the callee may move out of it.
  virtual Result<void> each_document(const std::function<void(DocumentRecord&)>& each) = 0;
  virtual Result<void> each_page(const std::function<void(PageRecord&)>& each) = 0;
};

// A read that is all in memory.
struct SiteReadInMemory final : SiteReadSource {
  SiteRead site;
  std::vector<DocumentRecord> documents;
  std::vector<PageRecord> pages;

  const SiteRead& read() const override { return site; }
  Result<void> each_document(const std::function<void(DocumentRecord&)>& each) override {
    for (DocumentRecord document : documents) each(document);
    return {};
  }
  Result<void> each_page(const std::function<void(PageRecord&)>& each) override {
    for (PageRecord page : pages) each(page);
    return {};
  }
};

}  // namespace periplus
