// The portal: what a search engine says to people. Results, cached copies, a site's page,
// submissions; the same functions answer the command line and the web.
//
// One Portal belongs to one thread, with a Store and an IndexReader of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "search/index.h"
#include "search/scope.h"
#include "store/desk.h"
#include "store/schedule.h"
#include "store/search_pages.h"
#include "store/store.h"
#include "url/site.h"
#include "visit/config.h"

namespace periplus {

struct ResultItem {
  std::string url, site;
  std::string title;  // the URL where no title is known
  std::string
      summary_html;        // escaped, the query's words in <b>; empty where no summary may be shown
  std::string no_summary;  // then why: "not visited yet", "robots.txt, line 3: Disallow: /x"
  std::string lang;
  Instant changed{};  // zero: not known
  Instant last_ok{};  // when it was last reached; zero: never
  bool crawled = false;
  bool has_copy = false;             // a cached copy may be shown
  std::uint32_t more_from_site = 0;  // results of the same site that are hidden; a lower bound
};

struct ResultPage {
  std::string query;
  std::size_t first = 0;  // results skipped
  std::vector<ResultItem> items;
  bool more = false;  // there is a next page
  std::uint64_t at_least = 0, estimated = 0;
  bool partial = false;              // the deadline came first
  bool widened = false;              // some words only
  std::string suggestion;            // the query with its spelling mended
  std::string complaint;             // what of the query could not be understood
  std::vector<std::string> notices;  // "removed: …" for banned or removed sites asked for by site:
  Millis took{0};
};

struct ResultRequest {
  std::string query;
  std::size_t first = 0, count = 10;
  std::size_t per_site = 2;
};

// A cached copy, as received; it must be shown without scripts.
struct CopyPage {
  std::string url;
  Instant at{};
  std::string content_type;
  std::string body;
};

struct SitePage {
  ScheduledSite schedule;
  std::vector<StoredVisit> visits;    // newest first, at most 20
  std::vector<RobotsReading> robots;  // newest first, at most 20, of the start page's origin
  std::vector<StateCount> states;
  std::optional<Ban> ban;              // in force
  std::vector<Removal> removals;       // in force
  std::vector<std::string> proved_by;  // methods of a valid ownership proof
};

// Why a page is, or is not, among the results: each line a decision, in order.
struct PageAnswer {
  std::string url, site;
  std::optional<SearchPage> page;  // nothing known of it: empty
  std::vector<std::string> why;
};

struct SubmitAnswer {
  bool accepted = false;
  std::string url, site;
  std::string sentence;  // what happens next, or why not
  ScopeJudgement scope;  // of the address and what is known of the site
  std::string robots;  // "robots.txt allows it", "robots.txt, line 3: Disallow: /", "not read yet"
  Instant next_visit{};  // when the site is asked, at the earliest; zero: at once
};

class Portal {
 public:
  // All references outlive the portal. `index` may be null: then nothing is found, and the page
  // says that nothing is indexed yet.
  Portal(Store& store, IndexReader* index, const SearchScope& scope, const PublicSuffixes& suffixes,
         const Config& config);
  ~Portal();

  Result<ResultPage> search(const ResultRequest& request);
  std::vector<std::string> suggest(std::string_view prefix, std::size_t most);
  // Nothing where no copy may be shown: not kept, ordered away, banned or removed meanwhile.
  Result<std::optional<CopyPage>> copy(const std::string& url);
  // `site` is any host or URL of it; nothing when the site is not known.
  Result<std::optional<SitePage>> site(const std::string& site);
  Result<PageAnswer> page(const std::string& url);
  // `from` names the sender for the limit per day (an address's keyed hash; "cli" has no limit).
  // kTooSoon with the time in its sentence when that is used up.
  Result<SubmitAnswer> submit(const std::string& url, const std::string& from, Instant now);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace periplus
