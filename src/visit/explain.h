// Every decision about one address, in the order a visit takes them, each with its reason.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "visit/visit.h"

namespace periplus {

struct Decision {
  std::string step;     // "address", "robots", "pace", …
  bool goes_on = true;  // false: a visit would stop here
  std::string reason;
};

struct Explanation {
  Url url;
  std::vector<Decision> decisions;
  std::string
      address_verdict;  // "public", "refused: BLOCK", or "allowed: BLOCK" for one's own host
  std::vector<std::string> addresses;
  std::optional<OriginRobots> robots;
  std::optional<RobotsVerdict> verdict;
  // Only when it was fetched.
  std::optional<Chain> chain;
  std::optional<BotWall> wall;
  std::vector<Turn> turns;
  std::string charset;
  std::optional<Failure> failure;  // why it was not fetched, or how the fetch failed

  bool allowed() const;  // every decision goes on
};

// Asks DNS and robots.txt; the page itself only when `fetch` is set and nothing speaks against it.
Task<Explanation> explain_url(Url url, PageLimits limits, Rooms& rooms, bool fetch);

}  // namespace periplus
