// Reading robots.txt of an origin, with every status, redirect, failure and size rule of the
// design.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "http/bot_wall.h"
#include "http/redirects.h"
#include "robots/robots_txt.h"
#include "visit/rooms.h"

namespace periplus {

struct OriginRobots {
  std::string origin;  // "https://example.com"
  Url url;             // of the robots.txt
  Instant at{};
  RobotsAccess access = RobotsAccess::kUnreachable;
  Chain chain;                  // the answer, redirects and all; body as it came
  std::optional<BotWall> wall;  // a challenge instead of a robots.txt
  int attempts = 1;
  bool from_last_good = false;  // unreachable now, and judged by a copy of copy_at
  Instant copy_at{};
  std::shared_ptr<const RobotsTxt> text;     // what is judged by: parsed even when empty
  std::shared_ptr<const RobotsRules> rules;  // for our token

  // Closed for now: unreachable and no copy to go by.
  bool closed() const { return access == RobotsAccess::kUnreachable && !from_last_good; }
  RobotsVerdict verdict(const Url& page) const;
  bool allows(const Url& page) const;
  std::optional<double> crawl_delay() const { return rules ? rules->crawl_delay() : std::nullopt; }
};

// Whether a hop of robots.txt's own redirects may be asked: everything public may, robots.txt is
// exempt from itself. Reads robots.txt of `origin` (scheme, host and port of it), following up to
// `redirects` redirects, twice when the first try gave no answer or a 5xx. A reading is never an
// error: `access` and `chain` tell.
Task<OriginRobots> read_robots(Url origin, PageLimits limits, Rooms& rooms);

// Takes turns and reports answers for requests outside robots.txt's reach: robots.txt itself.
class PacedGate : public HopGate {
 public:
  // `crawl_delay` is that of the site, once known.
  PacedGate(Rooms& rooms, std::optional<double> crawl_delay)
      : rooms_(rooms), crawl_delay_(crawl_delay) {}
  Task<std::optional<Failure>> before(Url url, int hop) override;
  void after(const Exchange& exchange) override;
  // Set when a turn was refused because the wait would have been too long: when it could be had.
  std::optional<Instant> refused_until() const { return refused_until_; }
  // The turns taken, with what each waited for and why.
  const std::vector<Turn>& turns() const { return turns_; }
  double waited_seconds() const;
  void set_crawl_delay(std::optional<double> crawl_delay) { crawl_delay_ = crawl_delay; }

 protected:
  Rooms& rooms_;

 private:
  std::optional<double> crawl_delay_;
  std::optional<PaceKeys> turn_;  // the one we hold
  std::optional<double> turn_delay_;
  std::optional<Instant> refused_until_;
  std::vector<Turn> turns_;
};

}  // namespace periplus
