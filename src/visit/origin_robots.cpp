#include "visit/origin_robots.h"

#include <fmt/format.h>

#include "http/retry_after.h"
#include "visit/answers.h"

namespace periplus {
namespace {

constexpr std::chrono::days kCopyKept{30};  // RFC 9309 section 2.3.1.4: "a reasonably long period"

// A 503 or 429 asks for a pause, which Pace::back_off keeps; asking again at once is no answer to
// that.
bool worth_a_second_try(const Chain& chain) {
  return may_pass_with_time(chain.last) && !asks_for_a_pause(chain.last.status);
}

std::string outcome_of(const Chain& chain) {
  return chain.last.failure ? std::string(name(chain.last.failure->kind))
                            : fmt::format("{}", chain.last.status);
}

}  // namespace

RobotsVerdict OriginRobots::verdict(const Url& page) const {
  if (!rules) return {.allowed = !closed(), .line = 0, .rule = {}};
  return rules->verdict(page.path_and_query());
}

bool OriginRobots::allows(const Url& page) const {
  if (closed()) return false;
  return !rules || rules->allows(page.path_and_query());
}

Task<std::optional<Failure>> PacedGate::before(Url url, int /*hop*/) {
  const std::string host(url.hostname());
  const Resolution resolution = co_await rooms_.resolver.resolve(host);
  PaceKeys keys{rooms_.suffixes.site(host), {}, rooms_.suffixes.owner(host)};
  if (!resolution.addresses.empty()) keys.address = resolution.addresses.front().to_text();
  const Turn forecast = rooms_.pace.forecast(keys, crawl_delay_);
  const Millis wait = std::chrono::duration_cast<Millis>(forecast.not_before - rooms_.clock.now());
  if (wait > Millis(1000)) rooms_.observer.waiting(url.href(), wait, forecast.reason);
  const Turn turn = co_await rooms_.pace.turn(keys, crawl_delay_);
  turns_.push_back(turn);
  if (!turn.granted) {
    refused_until_ = turn.not_before;
    co_return Failure{FailureKind::kAborted, "the next request may not start before " +
                                                 to_rfc3339(turn.not_before) + " (" + turn.reason +
                                                 ")"};
  }
  turn_ = keys;
  turn_delay_ = crawl_delay_;
  co_return std::nullopt;
}

double PacedGate::waited_seconds() const {
  Millis sum{0};
  for (const Turn& turn : turns_) sum += turn.waited;
  return static_cast<double>(sum.count()) / 1000.0;
}

void PacedGate::after(const Exchange& exchange) {
  if (!turn_) return;
  rooms_.pace.done(*turn_, turn_delay_, exchange.timings.total);
  if (exchange.status == 429 || exchange.status == 503) {
    const auto wait = parse_retry_after(exchange.headers.get("retry-after"), rooms_.clock.now());
    rooms_.pace.back_off(*turn_, wait, exchange.status);
  } else if (exchange.ok()) {
    rooms_.pace.succeeded(*turn_);
  }
  turn_.reset();
}

Task<OriginRobots> read_robots(Url origin, PageLimits limits, Rooms& rooms) {
  OriginRobots reading;
  reading.origin = origin.origin();
  const auto url = Url::parse("/robots.txt", &origin);
  reading.url = *url;
  Request request;
  request.url = reading.url;
  request.max_bytes = kRobotsBytes;
  request.timeout = limits.request_time;
  reading.at = rooms.clock.now();
  PacedGate gate(rooms, std::nullopt);
  reading.chain = co_await fetch_following(rooms.fetcher, request, gate, limits.robots_redirects);
  if (worth_a_second_try(reading.chain)) {
    PacedGate second_gate(rooms, std::nullopt);
    Chain second =
        co_await fetch_following(rooms.fetcher, request, second_gate, limits.robots_redirects);
    // A second try that would have to wait too long leaves the first one's answer standing.
    if (!second_gate.refused_until()) {
      reading.chain = std::move(second);
      reading.attempts = 2;
    }
  }

  const Exchange& answer = reading.chain.last;
  if (!answer.failure)
    reading.wall = recognise_bot_wall(answer.status, answer.headers, answer.body);
  // More redirects than we follow may be treated as "unavailable" (RFC 9309 section 2.3.1.2): no
  // rules.
  const bool too_many = answer.failure && (answer.failure->kind == FailureKind::kTooManyRedirects ||
                                           answer.failure->kind == FailureKind::kRedirectLoop ||
                                           answer.failure->kind == FailureKind::kBadRedirect);
  reading.access =
      too_many ? RobotsAccess::kNoRules : robots_access(answer.failure ? 0 : answer.status);
  if (reading.wall) reading.access = RobotsAccess::kUnreachable;

  std::string body;
  if (reading.access == RobotsAccess::kRules) {
    body = answer.body;
    rooms.robots_book.note(reading.origin, reading.at, outcome_of(reading.chain), &body);
  } else {
    rooms.robots_book.note(reading.origin, reading.at, outcome_of(reading.chain), nullptr);
    if (reading.access == RobotsAccess::kUnreachable) {
      const std::optional<GoodRobots> copy = rooms.robots_book.last_good(reading.origin);
      if (copy && reading.at - copy->at <= kCopyKept) {
        reading.from_last_good = true;
        reading.copy_at = copy->at;
        body = copy->body;
      }
    }
  }
  reading.text = std::make_shared<const RobotsTxt>(RobotsTxt::parse(body));
  reading.rules =
      std::make_shared<const RobotsRules>(reading.text->rules_for(rooms.identity.token));
  co_return reading;
}

}  // namespace periplus
