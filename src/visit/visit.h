// The visit: one polite conversation with one site, told top to bottom.
//
//   address  the name resolves to public addresses only
//   robots   robots.txt of the origin is read and binds everything after it
//   sitemap  the files it names, else /sitemap.xml
//   pages    the start page, then links breadth-first, then what only the sitemap names
//   done     an outcome from a closed list; `complete` when nothing we may read was left unread
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "html/page_facts.h"
#include "http/bot_wall.h"
#include "http/redirects.h"
#include "robots/page_directives.h"
#include "robots/sitemap.h"
#include "visit/frontier.h"
#include "visit/origin_robots.h"
#include "visit/outcome.h"
#include "visit/rooms.h"
#include "visit/traps.h"
#include "visit/use.h"

namespace periplus {

struct VisitPlan {
  Url start;
  PageLimits limits;
};

// One page, as the visit hands it to the recorder. Views live for the duration of the call.
struct VisitedPage {
  std::string_view url;        // as requested, without fragment
  std::string_view final_url;  // after redirects
  std::uint32_t depth = 0;  // clicks from the start page, kUnlinked when only the sitemap names it
  FoundVia via = FoundVia::kStart;
  std::string_view found_from;  // empty for the start page
  int attempts = 1;
  const Chain* chain = nullptr;  // hops, headers, body, failure
  std::optional<BotWall> wall;
  const PageDirectives* directives = nullptr;
  const PageFacts* facts = nullptr;  // null when it is no HTML; read with links_only
};

struct VisitedSitemap {
  std::string url;
  Chain chain;  // body still as it came (gzip not undone)
  std::size_t entries = 0;
};

struct VisitedDocument {
  std::string kind;  // of ExtraDocument
  Chain chain;
};

struct NotFetched {
  std::string url;
  NotFetchedReason reason = NotFetchedReason::kVisitEnded;
  std::string found_from;
};

struct VisitResult {
  Outcome outcome;
  Url start;
  Url home;  // where the start page was found; empty when it never was
  std::string site, owner;
  Instant started{}, ended{};
  std::uint32_t pages = 0;
  std::vector<OriginRobots> robots;     // of each origin, the newest reading
  std::vector<NotFetched> not_fetched;  // at most kNotFetchedKept; all are counted
  std::map<NotFetchedReason, std::uint64_t> not_fetched_counts;
  std::vector<Trap> traps;
  Instant retry_at{};         // with kBackedOff: when the site may be asked again
  double waited_seconds = 0;  // spent on politeness
};
inline constexpr std::size_t kNotFetchedKept = 10'000;

// Where a visit's findings go as they come. Nothing of it may become visible before the visit is
// recorded whole.
class VisitRecorder {
 public:
  virtual ~VisitRecorder() = default;
  virtual void page(const VisitedPage& page) = 0;
  virtual void sitemap(const VisitedSitemap& sitemap) = 0;
  virtual void document(const VisitedDocument& document) = 0;
  virtual void robots(const OriginRobots& reading) = 0;
};

// Reads one site. Never throws for anything the network or the site does. `plan` by value; the rest
// outlives it.
Task<VisitResult> visit_site(VisitPlan plan, Rooms& rooms, const Use& use, VisitRecorder& recorder);

}  // namespace periplus
