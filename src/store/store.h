// store: what a home remembers. One SQL schema, SQLite under it; and beside the database one file
// for the pages of each site's newest visit ("<database>.pages/").
//
// A visit is recorded whole or not at all, in one transaction. Small facts that a crash must not
// forget (politeness, leases, readings of robots.txt) are written at once, each in a transaction of
// its own: when a call has returned, kill -9 forgets nothing of it. A loss of power forgets at most
// the last paces (next_allowed), never a visit, a back-off or a lease.
//
// One Store belongs to one thread; processes may open the same file as they like, and take turns
// writing. Errors are kDatabase (damaged, too new, not ours), kIo (the folder or disk refuses) or
// kBusy (another process did not let go of the file in time, or holds the lease).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/time.h"

namespace periplus {

using VisitId = std::int64_t;

// One visit to one site. Words come from the closed lists of the rooms that own them.
struct StoredVisit {
  VisitId id = 0;  // given by record(), larger than those of the site's earlier visits
  std::string site;
  std::string start_url;
  std::string use;  // "audit"
  Instant started{}, ended{};
  std::string outcome;         // name(OutcomeKind)
  std::string outcome_detail;  // the deciding line, the wall's vendor, …
  std::string failure;         // name(FailureKind), or empty
  bool complete = false;
  std::uint32_t pages_read = 0;
  std::string identity;  // the user agent that was sent
  std::string limits;    // JSON: what the visit was allowed
  std::string notes;     // JSON: traps, reasons for cuts
};

// One page of a visit, in the order of reading. What starts with "packed" is base/compress.h's
// pack() of the bytes, and stays so on its way in and out; empty means that there is none.
struct StoredPage {
  std::string url;        // serialised, without fragment: the page's key within the visit
  std::string final_url;  // behind redirects
  std::uint32_t depth = 0;
  std::string found_from;  // the page that led here, or empty
  std::string via;         // name(FoundVia)
  int status = 0;          // 0 = no answer
  std::string failure;     // name(FailureKind), or empty
  std::string failure_detail;
  Instant fetched_at{};
  std::uint32_t words = 0;
  std::uint32_t links = 0;
  std::string content_type;  // essence, lower case
  std::string title;
  std::uint64_t text_hash = 0;   // hash64 of the visible text; 0 = no text
  std::uint64_t body_bytes = 0;  // decoded size of the body
  bool cut = false;              // the body stopped at the size limit
  std::string notes;             // JSON, small; kept as long as the visit

  // Kept for the newest read of a site only:
  std::string headers;         // Headers::to_text()
  std::string chain;           // JSON: the hops
  std::string packed_body;     // decoded octets as received
  std::string packed_targets;  // link targets, in the form that the writer chose

  // Kept once per version of the text, under text_hash. Given by a use that keeps no bodies; where
  // the body is kept the text waits until that goes (Store::read_texts_with).
  std::string packed_text;

  // Written later by put_report: ids of the failed rules, space between. record() ignores it.
  std::string failed_rules;
};

// Something of a site that is not a page, kept for the newest read only: robots.txt, a sitemap,
// what TLS told, the answer of a probe, the addresses left unread.
struct StoredDocument {
  std::string kind;  // "robots", "sitemap", "tls", "probe", "not-fetched", …: the writer's list
  std::string name;  // origin or URL
  int status = 0;
  std::string failure;
  Instant fetched_at{};
  std::string headers;      // Headers::to_text()
  std::string chain;        // JSON
  std::string packed_body;  // as StoredPage's
};

struct RuleCount {
  std::string rule;
  std::uint32_t failing = 0, passing = 0, unknown = 0, not_applicable = 0;
};

// The verdicts on one visit. The numbers are kept for good, the whole report while its visit is the
// newest.
struct StoredReport {
  VisitId visit = 0;
  std::string rulebook_version, score_version;
  Instant made{};
  std::optional<double> score;  // none: no_score says why
  std::string no_score;
  std::vector<std::pair<std::string, std::optional<double>>> stages;  // name, score: the four
  double coverage = 0;                                                // 0..1
  std::vector<RuleCount> rules;
  std::string packed_json;  // the full report
};

// What is owed to a site, an address or an owner.
struct PolitenessRow {
  std::string kind;  // "site", "address", "owner"
  std::string key;
  Instant next_allowed{};      // no request before
  Instant blocked_until{};     // Retry-After or back-off; zero when none
  std::string reason;          // why it is blocked
  std::string failure;         // kind of the last failure, empty after a success
  std::uint32_t failures = 0;  // times in a row of that same kind
};

// The last robots.txt of an origin that could be read, for the days when it cannot.
struct RobotsCopy {
  std::string site, origin;
  Instant fetched_at{};
  int status = 0;  // of that reading: 200, or a 4xx that means "no rules"
  std::string packed_body;
};

// One attempt to read a robots.txt.
struct RobotsReading {
  std::string site, origin;
  Instant at{};
  int status = 0;
  std::string failure;  // name(FailureKind), or empty
  std::string
      outcome;  // the reader's word for what followed: "rules", "open", "closed", "old copy"
};

// Hands the pages of a visit to record(), one at a time, so that memory stays flat.
class PageSource {
 public:
  virtual ~PageSource() = default;
  // Fills `*page` (every field) and gives true, or gives false behind the last page.
  virtual Result<bool> next(StoredPage* page) = 0;
};

// What to load of a page beside its summary; combine with |.
enum PageParts : std::uint8_t {
  kSummaryOnly = 0,
  kWithMessage = 1,  // headers, chain, packed_targets
  kWithBody = 2,     // packed_body
  kWithText = 4,     // packed_text; empty as long as the body is kept
};

// Gives the packed text of a page whose headers and packed_body are there.
using TextOfPage = std::function<Result<std::string>(const StoredPage& page)>;

// Something that `periplus doctor` should say.
struct StoreFinding {
  bool fault = false;  // false: worth knowing, no harm
  std::string what;    // one line
};

enum class OpenMode : std::uint8_t {
  kReadWrite,  // made when missing, brought to our schema when older
  kReadOnly,
};

class Spool;

class Store {
 public:
  // `path` is the database file; its folder must exist. A schema newer than ours is an error.
  static Result<std::unique_ptr<Store>> open(const std::string& path, OpenMode mode);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // --- visits -----------------------------------------------------------------------------------
  // How record() finds the texts of the bodies it drops, so that each version of a text stays.
  void read_texts_with(TextOfPage text_of);

  // Writes the visit, its pages, texts and documents in one transaction, and drops bodies, headers,
  // chains, targets, documents and full reports of the site's earlier visits of the same use in the
  // same one. A visit without a page keeps what the last one brought (a site that is down today
  // can still be re-judged): its summary and documents are added, and take the place of those of
  // an earlier visit without a page. Gives the visit's id.
  Result<VisitId> record(const StoredVisit& visit, PageSource& pages,
                         std::span<const StoredDocument> documents);
  // The same from a spool, whose file is kept as it is: every page is written once.
  Result<VisitId> record(const StoredVisit& visit, Spool& pages,
                         std::span<const StoredDocument> documents);

  Result<std::optional<StoredVisit>> newest_visit(const std::string& site, const std::string& use);
  // The newest visit that still has its bodies: the one to re-judge.
  Result<std::optional<StoredVisit>> newest_kept_visit(const std::string& site,
                                                       const std::string& use);
  Result<std::optional<StoredVisit>> visit(VisitId id);
  // Newest first, at most `most`.
  Result<std::vector<StoredVisit>> visits(const std::string& site, std::size_t most);
  // Every site with a visit, with its newest one, by name.
  Result<void> each_site(const std::function<void(const StoredVisit&)>& each);

  // The pages of a visit in the order of reading. `each` may move out of the page; it gives false
  // to stop. `parts` is a combination of PageParts.
  Result<void> each_page(VisitId id, unsigned parts, const std::function<bool(StoredPage&)>& each);
  Result<std::optional<StoredPage>> page(VisitId id, const std::string& url, unsigned parts);
  Result<void> each_document(VisitId id, const std::function<bool(StoredDocument&)>& each);

  // --- verdicts ---------------------------------------------------------------------------------
  // Replaces the report of report.visit; `failed` names pages by URL, with their failed rules.
  Result<void> put_report(const StoredReport& report,
                          std::span<const std::pair<std::string, std::string>> failed);
  Result<std::optional<StoredReport>> report(VisitId id);

  // --- politeness -------------------------------------------------------------------------------
  Result<std::optional<PolitenessRow>> politeness(const std::string& kind, const std::string& key);
  // All rows in one transaction. A row with blocked_until in it is also safe from a loss of power.
  Result<void> put_politeness(std::span<const PolitenessRow> rows);

  // --- robots.txt -------------------------------------------------------------------------------
  Result<void> put_robots_copy(const RobotsCopy& copy);
  // The last good copy if it is not older than `oldest` (RFC 9309 section 2.4; ours: 30 days).
  Result<std::optional<RobotsCopy>> robots_copy(const std::string& site, const std::string& origin,
                                                Instant oldest);
  Result<void> note_robots_reading(const RobotsReading& reading);
  // Newest first, at most `most`; the last 100 of an origin are kept.
  Result<std::vector<RobotsReading>> robots_readings(const std::string& site,
                                                     const std::string& origin, std::size_t most);

  // --- one process at a time --------------------------------------------------------------------
  // Takes the site for this Store until `until`, or renews that. kBusy when another holder lives:
  // its lease has not run out, and it is not a process of this machine that is gone.
  Result<void> lease(const std::string& site, Instant now, Instant until);
  Result<void> release(const std::string& site);
  // When a read of the site last began (noted by note_start), for the least time between reads.
  Result<std::optional<Instant>> last_start(const std::string& site, const std::string& use);
  Result<void> note_start(const std::string& site, const std::string& use, Instant at);

  // --- health -----------------------------------------------------------------------------------
  // Looks at everything: the file's integrity, references, packed records, counts, leases.
  Result<std::vector<StoreFinding>> verify();

  struct Inside;
  // For the other faces of this room (schedule.h, search_pages.h).
  Inside& inside() { return *inside_; }

 private:
  explicit Store(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace periplus
