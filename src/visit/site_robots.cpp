#include "visit/site_robots.h"

#include "visit/scope.h"

namespace periplus {

Task<const OriginRobots*> SiteRobots::of(Url url) {
  const std::string origin = url.origin();
  for (;;) {
    const auto found = readings_.find(origin);
    if (found == readings_.end()) break;
    if (found->second) co_return found->second.get();
    co_await read_.wait();  // another page of this visit is reading it
  }
  const OriginRobots* reading = co_await again(url);
  co_return reading;
}

Task<const OriginRobots*> SiteRobots::again(Url url) {
  const std::string origin = url.origin();
  if (!readings_.contains(origin)) readings_[origin] = nullptr;
  OriginRobots reading = co_await read_robots(url, limits_, rooms_);
  std::unique_ptr<OriginRobots>& slot = readings_[origin];
  if (slot) {
    *slot = std::move(reading);  // in place: others may hold the pointer
  } else {
    slot = std::make_unique<OriginRobots>(std::move(reading));
  }
  read_.notify();
  co_return slot.get();
}

const OriginRobots* SiteRobots::known(const Url& url) const {
  const auto found = readings_.find(url.origin());
  return found == readings_.end() ? nullptr : found->second.get();
}

void SiteRobots::adopt(OriginRobots reading) {
  const std::string origin = reading.origin;
  readings_[origin] = std::make_unique<OriginRobots>(std::move(reading));
}

Task<std::optional<Failure>> PageGate::before(Url url, int hop) {
  if (hop > 0 && !scope_.contains_host(url)) co_return Failure{FailureKind::kOffSite, url.href()};
  if (hop > 0 && known_ && known_(url)) {
    stopped_at_known_ = true;
    co_return Failure{FailureKind::kAborted, "already known"};
  }
  const OriginRobots* reading = co_await robots_.of(url);
  if (!reading->allows(url)) {
    // A host that may not or cannot be connected to at all is told as such.
    const std::optional<Failure>& failure = reading->chain.last.failure;
    if (reading->closed() && failure &&
        (failure->kind == FailureKind::kAddressRefused ||
         failure->kind == FailureKind::kPortRefused || failure->kind == FailureKind::kNameNotFound))
      co_return *failure;
    const RobotsVerdict verdict = reading->verdict(url);
    co_return Failure{FailureKind::kRobotsDisallowed,
                      reading->closed() ? "robots.txt is unavailable" : verdict.rule};
  }
  set_crawl_delay(reading->crawl_delay());
  std::optional<Failure> refused = co_await PacedGate::before(url, hop);
  co_return refused;
}

}  // namespace periplus
