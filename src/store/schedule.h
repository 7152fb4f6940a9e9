// The schedule: every known site, when it is visited next, and why then. A table, so that a site in
// line costs a row and nothing else, and kill -9 changes nothing.
//
// New sites come in order of the distinct owners known to link to them (those of sites in scope
// first), visited ones in order of their next visit. A site that is taken out of the line is leased
// to this process (Store::lease) until record() or hand_back(); reclaim() puts those of dead
// processes back.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "store/store.h"

namespace periplus {

enum class Line : std::uint8_t {
  kNew = 0,       // never tried: always due
  kVisited = 1,   // due at next_visit
  kHeld = 2,      // not to be visited: `reason` says why
  kVisiting = 3,  // a process has it
};

struct ScheduledSite {
  std::string site, owner, start_url;
  Instant known_since{};
  std::string source;           // "seed", "submitted", "link"
  std::uint32_t owners = 0;     // distinct owners whose sites link here
  std::uint32_t owners_in = 0;  // of them with a site in scope
  std::uint32_t hops = 0;       // sites out of scope on the way from a seed
  Line line = Line::kNew;
  Instant next_visit{};
  std::string reason;          // of next_visit, or of being held
  std::uint32_t visits = 0;    // recorded
  std::uint32_t pages = 0;     // known addresses
  std::string failure;         // of the last visit, empty after a success
  std::uint32_t failures = 0;  // times in a row of that same kind
  std::string verdict;         // of the scope, empty while not judged
  double points = 0;
  std::string held;         // why pages that seem gone are not dropped; empty: nothing is held
  Instant sitemaps_read{};  // zero: never
};

struct ScheduleCounts {
  std::uint64_t fresh = 0, visited = 0, held = 0, visiting = 0;
  std::uint64_t due = 0;  // visited before, and due now
};

class Schedule {
 public:
  explicit Schedule(Store& store) : store_(store) {}

  // Puts a site in line if it is unknown; true when it was.
  Result<bool> add(const ScheduledSite& site);
  // Has the site visited at `at` if that is sooner than planned; false when it is unknown. One that
  // is held back is let in line again.
  Result<bool> bring_forward(const std::string& site, Instant at, const std::string& reason);
  Result<void> hold(const std::string& site, const std::string& reason);
  // Lets pages that were held against a mass deletion go.
  Result<void> release_held_pages(const std::string& site);

  // Takes up to `most` due sites out of the line, new ones and visited ones in turn, and leases
  // them until `lease_until`. A site that another process holds is left.
  Result<std::vector<ScheduledSite>> take(Instant now, std::size_t most, Instant lease_until);
  // Back into the line it came from, as if it had never been taken.
  Result<void> hand_back(const std::string& site);
  // Puts back what processes that are gone, or whose lease has run out, had taken.
  Result<std::size_t> reclaim(Instant now);

  Result<std::optional<ScheduledSite>> find(const std::string& site);
  // When the next visited site is due; none when nothing waits.
  Result<std::optional<Instant>> next_due();
  Result<ScheduleCounts> counts(Instant now);
  // Sites by name from `after` on, at most `most`.
  Result<std::vector<ScheduledSite>> list(const std::string& after, std::size_t most);

 private:
  Store& store_;
};

}  // namespace periplus
