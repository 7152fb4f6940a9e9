#include "visit/pace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace periplus {
namespace {

constexpr double kSmoothing = 0.3;  // weight of the newest answer time
constexpr Millis kSlow{500};        // below this a site does not count as slowing down
constexpr Millis kFirstBackOff{60'000};
constexpr Millis kLongestBackOff{24 * 3600 * 1000};

// "2 s", "0.25 s", "15 min", "3 h", "12 days".
std::string seconds(Millis wait) {
  const double s = static_cast<double>(wait.count()) / 1000.0;
  if (s >= 2 * 86400) return fmt::format("{:.0f} days", s / 86400);
  if (s >= 2 * 3600) return fmt::format("{:.1f} h", s / 3600);
  if (s >= 300) return fmt::format("{:.0f} min", s / 60);
  return fmt::format("{:.3g} s", s);
}

}  // namespace

std::string_view name(GateKind kind) {
  constexpr std::array<std::string_view, 3> kNames{"site", "address", "owner"};
  return kNames.at(static_cast<std::size_t>(kind));
}

struct Pace::Gate {
  GateKind kind = GateKind::kSite;
  std::string key;
  int in_flight = 0;
  std::vector<Instant> resting;  // lanes that answered: when each may be used again
  std::optional<Instant> last_answer;
  Instant next_start{};  // spreads the starts of different lanes
  double smoothed = 0;   // answer time, ms
  double fastest = 0;    // lowest smoothed value so far: the base line
  std::string resting_reason;
  PoliteRecord record;
};

Pace::Pace(Clock& clock, PaceLimits limits, PolitenessBook* book)
    : clock_(clock), limits_(limits), book_(book), random_(std::random_device{}()) {}
Pace::~Pace() = default;

Pace::Gate& Pace::gate(GateKind kind, const std::string& key) {
  std::unique_ptr<Gate>& slot = gates_[{kind, key}];
  if (!slot) {
    slot = std::make_unique<Gate>();
    slot->kind = kind;
    slot->key = key;
    if (book_ != nullptr) {
      if (const std::optional<PoliteRecord> known = book_->recall(kind, key)) slot->record = *known;
    }
    slot->next_start = slot->record.next_allowed;
    slot->resting_reason = "what was owed before a restart";
  }
  return *slot;
}

std::vector<Pace::Gate*> Pace::gates(const PaceKeys& keys) {
  std::vector<Gate*> out;
  if (!keys.site.empty()) out.push_back(&gate(GateKind::kSite, keys.site));
  if (!keys.address.empty()) out.push_back(&gate(GateKind::kAddress, keys.address));
  // An owner that is the site itself needs no gate of its own.
  if (!keys.owner.empty() && keys.owner != keys.site)
    out.push_back(&gate(GateKind::kOwner, keys.owner));
  return out;
}

int Pace::lanes(const Gate& gate, std::optional<double> crawl_delay) const {
  if (gate.kind != GateKind::kSite) return limits_.lanes;
  if (crawl_delay && *crawl_delay > 0) return 1;
  const bool slowing =
      gate.smoothed > 2 * gate.fastest && gate.smoothed > static_cast<double>(kSlow.count());
  return slowing ? 1 : limits_.lanes;
}

// What a lane owes after an answer.
Millis Pace::rest(const Gate& gate, std::optional<double> crawl_delay, std::string* reason) const {
  Millis wait = limits_.floor;
  *reason = "the pace floor of " + seconds(wait);
  if (gate.kind != GateKind::kSite) return wait;
  if (crawl_delay) {
    const Millis delay(static_cast<std::int64_t>(std::min(*crawl_delay, 1e7) * 1000));
    if (delay > wait) {
      wait = delay;
      *reason = "the Crawl-delay of " + seconds(delay);
    }
  }
  // A floor of zero (one's own machine only) means no waits of our own making.
  const Millis by_latency(limits_.floor.count() == 0
                              ? 0
                              : static_cast<std::int64_t>(limits_.latency_factor * gate.smoothed));
  if (by_latency > wait) {
    wait = by_latency;
    *reason = fmt::format("{:g} × the answer time of {}", limits_.latency_factor,
                          seconds(Millis(static_cast<std::int64_t>(gate.smoothed))));
  }
  return wait;
}

Millis Pace::owed(const std::string& site, std::optional<double> crawl_delay,
                  std::string* reason) const {
  const auto found = gates_.find({GateKind::kSite, site});
  return rest(found == gates_.end() ? Gate{} : *found->second, crawl_delay, reason);
}

Millis Pace::jittered(Millis wait) {
  std::uniform_real_distribution<double> share(0.0, limits_.jitter);
  return wait +
         Millis(static_cast<std::int64_t>(static_cast<double>(wait.count()) * share(random_)));
}

void Pace::remember(const std::vector<Gate*>& gates) {
  if (book_ == nullptr || gates.empty()) return;
  std::vector<PoliteEntry> entries;
  for (const Gate* gate : gates) entries.push_back({gate->kind, gate->key, gate->record});
  book_->remember(entries);
}

Turn Pace::forecast(const PaceKeys& keys, std::optional<double> crawl_delay) {
  const Instant now = clock_.now();
  Turn turn;
  turn.granted = true;
  turn.not_before = now;
  for (Gate* gate : gates(keys)) {
    std::erase_if(gate->resting, [&](Instant free) { return free <= now; });
    Instant start = gate->next_start;
    std::string reason = gate->resting_reason;
    const std::size_t allowed = static_cast<std::size_t>(lanes(*gate, crawl_delay));
    const std::size_t busy = static_cast<std::size_t>(gate->in_flight) + gate->resting.size();
    if (busy >= allowed && !gate->resting.empty()) {
      // So many lanes must be free again before another may start.
      std::vector<Instant> free = gate->resting;
      std::ranges::sort(free);
      const std::size_t needed = std::min(busy - allowed, free.size() - 1);
      start = std::max(start, free[needed]);
    }
    if (gate->kind == GateKind::kSite && crawl_delay && gate->last_answer) {
      // The answer before may have been robots.txt itself, asked before its Crawl-delay was known.
      const Millis delay(static_cast<std::int64_t>(std::min(*crawl_delay, 1e7) * 1000));
      if (*gate->last_answer + delay > start) {
        start = *gate->last_answer + delay;
        reason = "the Crawl-delay of " + seconds(delay);
      }
    }
    if (gate->record.blocked_until > start) {
      start = gate->record.blocked_until;
      reason = gate->record.reason;
    }
    if (static_cast<std::size_t>(gate->in_flight) >= allowed) turn.granted = false;
    if (start > turn.not_before) {
      turn.not_before = start;
      turn.reason = reason;
    }
  }
  return turn;
}

Task<Turn> Pace::turn(PaceKeys keys, std::optional<double> crawl_delay) {
  const Instant asked = clock_.now();
  std::string reason;
  for (;;) {
    Turn next = forecast(keys, crawl_delay);
    const Instant now = clock_.now();
    if (next.not_before - now > limits_.longest_wait) {
      next.granted = false;
      next.waited = now - asked;
      co_return next;
    }
    if (!next.reason.empty()) reason = next.reason;
    if (!next.granted) {
      // Every lane is in flight: wait until one is given back.
      co_await changed_.wait();
      continue;
    }
    if (next.not_before > now) {
      co_await clock_.sleep_until(next.not_before);
      continue;  // another request may have taken the turn meanwhile
    }
    std::vector<Gate*> owing;
    for (Gate* gate : gates(keys)) {
      std::string why;
      const Millis wait = rest(*gate, crawl_delay, &why);
      ++gate->in_flight;
      gate->next_start = now + jittered(wait / lanes(*gate, crawl_delay));
      gate->resting_reason = why;
      if (wait.count() > 0) {
        gate->record.next_allowed = now + wait;
        owing.push_back(gate);
      }
    }
    remember(owing);
    next.waited = now - asked;
    next.reason = next.waited.count() > 0 ? reason : "";
    co_return next;
  }
}

void Pace::done(const PaceKeys& keys, std::optional<double> crawl_delay, Millis took) {
  const Instant now = clock_.now();
  std::vector<Gate*> owing;
  for (Gate* gate : gates(keys)) {
    gate->in_flight = std::max(0, gate->in_flight - 1);
    gate->last_answer = now;
    const double answer = static_cast<double>(took.count());
    gate->smoothed =
        gate->smoothed == 0 ? answer : gate->smoothed + kSmoothing * (answer - gate->smoothed);
    gate->fastest = gate->fastest == 0 ? gate->smoothed : std::min(gate->fastest, gate->smoothed);
    const Millis wait = rest(*gate, crawl_delay, &gate->resting_reason);
    if (wait.count() == 0) continue;
    const Instant free = now + jittered(wait);
    gate->resting.push_back(free);
    gate->record.next_allowed = free;
    owing.push_back(gate);
  }
  remember(owing);
  changed_.notify();
}

Instant Pace::back_off(const PaceKeys& keys, std::optional<Millis> retry_after, int status) {
  Gate& site = gate(GateKind::kSite, keys.site);
  const std::string kind = fmt::format("status-{}", status);
  site.record.failures = site.record.failure == kind ? site.record.failures + 1 : 1;
  site.record.failure = kind;
  Millis wait = kFirstBackOff;
  for (std::uint32_t i = 1; i < site.record.failures && wait < kLongestBackOff; ++i) wait *= 2;
  wait = std::min(wait, kLongestBackOff);
  site.record.reason = fmt::format("status {} without a usable Retry-After", status);
  if (retry_after) {
    wait = *retry_after;
    site.record.reason = fmt::format("status {} with Retry-After of {}", status, seconds(wait));
  }
  site.record.blocked_until = std::max(site.record.blocked_until, clock_.now() + wait);
  remember({&site});
  return site.record.blocked_until;
}

void Pace::succeeded(const PaceKeys& keys) {
  Gate& site = gate(GateKind::kSite, keys.site);
  if (site.record.failure.empty()) return;
  site.record.failure.clear();
  site.record.failures = 0;
  remember({&site});
}

}  // namespace periplus
