// What a visit works with: one of each per event loop, all outliving every visit on it.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "http/fetcher.h"
#include "http/identity.h"
#include "url/site.h"
#include "visit/config.h"
#include "visit/pace.h"

namespace periplus {

// Last good copies of robots.txt, and the log of its readings: the store, or a map in tests.
struct GoodRobots {
  std::string body;
  Instant at{};
};
class RobotsBook {
 public:
  virtual ~RobotsBook() = default;
  virtual std::optional<GoodRobots> last_good(const std::string& origin) = 0;
  // One reading: `outcome` is a status ("200") or a failure kind; `body` is kept when it is a good
  // copy.
  virtual void note(const std::string& origin, Instant at, const std::string& outcome,
                    const std::string* body) = 0;
};

// Who wants to watch: a progress bar, a log of decisions. Called on the loop; must not block.
class VisitObserver {
 public:
  virtual ~VisitObserver() = default;
  // A step of the visit in words: "robots.txt: 200, 3 rules for us".
  virtual void step(const std::string& /*what*/) {}
  // Before a wait longer than a second.
  virtual void waiting(const std::string& /*url*/, Millis /*wait*/, const std::string& /*reason*/) {
  }
  virtual void page(const std::string& /*url*/, int /*status*/, std::size_t /*read*/,
                    std::size_t /*waiting*/, std::size_t /*limit*/) {}
};

struct Rooms {
  Loop& loop;
  Clock& clock;
  Resolver& resolver;
  const AddressGuard& guard;
  Fetcher& fetcher;
  Pace& pace;
  const PublicSuffixes& suffixes;
  const Identity& identity;
  RobotsBook& robots_book;
  VisitObserver& observer;
};

}  // namespace periplus
