// Pace: when the next request to a site may start. Every wait has its reason.
//
// Three gates stand before each request: the site's, its address's and its owner's. A gate has
// lanes (requests at once); after an answer its lane rests for the wait that is owed, and starts of
// different lanes are spread evenly. What is owed is written to the book before a request goes out,
// so that neither kill -9 nor a restart shortens a wait.
//
// Departure from the design's "± 10 %": jitter only lengthens a wait, so that no Crawl-delay is
// ever undercut.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/event.h"
#include "visit/config.h"

namespace periplus {

enum class GateKind : std::uint8_t { kSite, kAddress, kOwner };
std::string_view name(GateKind kind);

// What is remembered of a gate across restarts.
struct PoliteRecord {
  Instant next_allowed{};      // no request before
  Instant blocked_until{};     // Retry-After or back-off; zero when none
  std::string reason;          // why it is blocked
  std::string failure;         // kind of the last failure, empty after a success
  std::uint32_t failures = 0;  // times in a row of that same kind
};

struct PoliteEntry {
  GateKind kind = GateKind::kSite;
  std::string key;
  PoliteRecord record;
};

// Where politeness is kept: the store, or a map in tests.
class PolitenessBook {
 public:
  virtual ~PolitenessBook() = default;
  virtual std::optional<PoliteRecord> recall(GateKind kind, const std::string& key) = 0;
  // All at once. When this returns, a crash forgets none of it; throws when that cannot be had.
  virtual void remember(const std::vector<PoliteEntry>& entries) = 0;
};

struct PaceKeys {
  std::string site, address, owner;  // empty = no such gate
};

struct Turn {
  bool granted = false;
  Millis waited{0};
  std::string reason;  // the longest wait's: "Crawl-delay of 10 s", "5 × the answer time of 0.8 s",
                       // "Retry-After"
  Instant not_before{};  // when refused: the earliest time it could be
};

class Pace {
 public:
  // `book` may be null (nothing is remembered).
  Pace(Clock& clock, PaceLimits limits, PolitenessBook* book);
  ~Pace();
  // Waits for the turn of a request and takes it; every granted turn must be given back by done().
  // Refuses at once when the wait would be over limits.longest_wait.
  Task<Turn> turn(PaceKeys keys, std::optional<double> crawl_delay);
  // The answer has come (or failed) after `took`.
  void done(const PaceKeys& keys, std::optional<double> crawl_delay, Millis took);
  // The site asked for a pause: 429 or 503. `wait` is Retry-After's; without one 60 s, doubled for
  // each repetition up to a day. Returns the end of the pause.
  Instant back_off(const PaceKeys& keys, std::optional<Millis> retry_after, int status);
  // A success ends a run of failures.
  void succeeded(const PaceKeys& keys);
  // What a request would wait for now, without taking a turn.
  Turn forecast(const PaceKeys& keys, std::optional<double> crawl_delay);
  // What is owed between an answer and the next request, without jitter, and why.
  Millis owed(const std::string& site, std::optional<double> crawl_delay,
              std::string* reason) const;

 private:
  struct Gate;
  Gate& gate(GateKind kind, const std::string& key);
  std::vector<Gate*> gates(const PaceKeys& keys);
  int lanes(const Gate& gate, std::optional<double> crawl_delay) const;
  Millis rest(const Gate& gate, std::optional<double> crawl_delay, std::string* reason) const;
  Millis jittered(Millis wait);
  void remember(const std::vector<Gate*>& gates);

  Clock& clock_;
  PaceLimits limits_;
  PolitenessBook* book_;
  std::map<std::pair<GateKind, std::string>, std::unique_ptr<Gate>> gates_;
  Event changed_;  // a turn was given back
  std::minstd_rand random_;
};

}  // namespace periplus
