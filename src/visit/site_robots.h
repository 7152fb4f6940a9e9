// The robots.txt readings of one visit: one for each origin it meets, read when first needed.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/event.h"
#include "visit/origin_robots.h"

namespace periplus {

class SiteRobots {
 public:
  SiteRobots(Rooms& rooms, PageLimits limits) : rooms_(rooms), limits_(limits) {}
  // The reading that binds `url`; read now if it is the first of its origin. Never null.
  Task<const OriginRobots*> of(Url url);
  // The same, if it was read already; else null.
  const OriginRobots* known(const Url& url) const;
  // Reads the origin of `url` again. Answers under the old reading end as they are.
  Task<const OriginRobots*> again(Url url);
  // Uses a reading made elsewhere.
  void adopt(OriginRobots reading);
  // Every origin's newest reading.
  const std::map<std::string, std::unique_ptr<OriginRobots>>& all() const { return readings_; }
  std::map<std::string, std::unique_ptr<OriginRobots>> take() { return std::move(readings_); }

 private:
  Rooms& rooms_;
  PageLimits limits_;
  std::map<std::string, std::unique_ptr<OriginRobots>> readings_;  // null while being read
  Event read_;
};

// The gate of pages: scope and robots.txt for every hop after the first (the visit has judged that
// one), then the site's pace.
class Scope;
class PageGate final : public PacedGate {
 public:
  // `known` tells whether a redirect's target has, or will have, a record of its own: it is then
  // not fetched twice.
  PageGate(Rooms& rooms, SiteRobots& robots, Scope& scope,
           std::function<bool(const Url&)> known = {})
      : PacedGate(rooms, std::nullopt), robots_(robots), scope_(scope), known_(std::move(known)) {}
  Task<std::optional<Failure>> before(Url url, int hop) override;
  bool stopped_at_known() const { return stopped_at_known_; }

 private:
  SiteRobots& robots_;
  Scope& scope_;
  std::function<bool(const Url&)> known_;
  bool stopped_at_known_ = false;
};

}  // namespace periplus
