#include "visit/visit.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/event.h"
#include "base/text.h"
#include "html/meta_refresh.h"
#include "visit/answers.h"
#include "visit/page_reading.h"
#include "visit/scope.h"
#include "visit/side_documents.h"
#include "visit/site_robots.h"

namespace periplus {
namespace {

// One page on its way. Each is fetched by a task of its own, at most `lanes` at once, and digested
// by the visit in the order of asking, so that the order of a visit does not hang on which answer
// came first.
struct Flight {
  UrlId id = kNoUrl;
  int attempt = 1;
  bool landed = false;
  Chain chain;
  std::optional<Instant> refused_until;  // the turn was not granted
  double waited_seconds = 0;
  std::optional<NotFetchedReason> stopped;  // why its redirect was not followed
  std::vector<UrlId> claimed;               // the targets of redirects it fetches itself
};

class Visit {
 public:
  Visit(VisitPlan plan, Rooms& rooms, const Use& use, VisitRecorder& recorder)
      : plan_(std::move(plan)),
        rooms_(rooms),
        use_(use),
        recorder_(recorder),
        scope_(rooms.suffixes, plan_.start),
        robots_(rooms, plan_.limits),
        side_(rooms, robots_, scope_, plan_.limits, recorder) {}

  Task<VisitResult> run() {
    result_.start = plan_.start;
    result_.started = rooms_.clock.now();
    result_.site = scope_.site();
    result_.owner = rooms_.suffixes.owner(plan_.start.hostname());

    co_await check_address();
    if (!ended_) co_await read_robots_of_start();
    if (!ended_) co_await read_start_page();
    if (!ended_ && use_.reads_sitemaps()) co_await read_sitemaps();
    if (!ended_) co_await read_extra_documents();
    if (!ended_) co_await read_pages();
    finish();
    co_return std::move(result_);
  }

 private:
  // Address: every answer of the name must be public, or nothing is connected to.
  Task<void> check_address() {
    const std::string host(plan_.start.hostname());
    const Resolution resolution = co_await rooms_.resolver.resolve(host);
    std::optional<Failure> failure = resolution.failure;
    for (const Address& address : resolution.addresses) {
      if (!failure) failure = rooms_.guard.judge(host, address);
    }
    if (!failure) failure = rooms_.guard.judge_port(host, plan_.start.effective_port());
    if (failure) {
      end(OutcomeKind::kUnreachable, failure);
      co_return;
    }
    rooms_.observer.step(
        fmt::format("{} resolves to {}", host, resolution.addresses.front().to_text()));
  }

  // Robots: closed to us means that robots.txt is the one document read.
  Task<void> read_robots_of_start() {
    const OriginRobots* reading = co_await robots_.of(plan_.start);
    const Exchange& answer = reading->chain.last;
    if (reading->wall && !reading->from_last_good) {
      end(OutcomeKind::kBotWall, answer.failure,
          reading->wall->vendor + ": " + reading->wall->signal);
      co_return;
    }
    if (reading->closed()) {
      if (answer.failure && nothing_answers(answer.failure->kind)) {
        end(OutcomeKind::kUnreachable, answer.failure, std::string(sentence(answer.failure->kind)));
        co_return;
      }
      result_.retry_at = rooms_.pace.forecast({scope_.site(), {}, {}}, std::nullopt).not_before;
      end(OutcomeKind::kRobotsClosed, answer.failure,
          answer.failure ? std::string(sentence(answer.failure->kind))
                         : fmt::format("status {}", answer.status));
      co_return;
    }
    rooms_.observer.step(fmt::format("robots.txt: {}", answer.failure
                                                           ? std::string(name(answer.failure->kind))
                                                           : fmt::format("{}", answer.status)));
    if (reading->rules->closes_everything()) keep_out(*reading);
  }

  void keep_out(const OriginRobots& reading) {
    const RobotsVerdict verdict = reading.verdict(plan_.start);
    end(OutcomeKind::kKeptOut, std::nullopt,
        fmt::format("line {}: {}", verdict.line, verdict.rule));
  }

  Task<void> read_start_page() {
    bool fresh = false;
    const UrlId id = frontier_.intern(plan_.start.without_fragment(), &fresh);
    if (!robots_.known(plan_.start)->allows(plan_.start)) {
      frontier_.refuse(id, NotFetchedReason::kRobots);
      co_return;  // the sitemap may still name pages that are open
    }
    frontier_.push(id, 0, kNoUrl, FoundVia::kStart);
    frontier_.pop(true);
    Flight flight;
    flight.id = id;
    co_await fly(flight);
    const Exchange& answer = flight.chain.last;
    if (!flight.refused_until && may_pass_with_time(answer) && !asks_for_a_pause(answer.status)) {
      release(flight);
      Flight again;
      again.id = id;
      again.attempt = 2;
      co_await fly(again);
      // A second try that would have to wait too long leaves the first one's answer standing.
      if (!again.refused_until) flight = std::move(again);
    }
    const auto landed =
        flight.chain.hops.empty() ? Url::parse(plan_.start.href()) : Url::parse(answer.url.href());
    if (landed && scope_.site() == rooms_.suffixes.site(landed->hostname())) {
      scope_.add(*landed);
      result_.home = *landed;
    }
    digest(flight);
    judge_start(flight);
  }

  // What an unusable start page means for the whole visit.
  void judge_start(const Flight& flight) {
    if (ended_) return;
    const Exchange& answer = flight.chain.last;
    if (!answer.failure && asks_for_a_pause(answer.status)) {
      const Turn next = rooms_.pace.forecast({scope_.site(), {}, {}}, std::nullopt);
      result_.retry_at = next.not_before;
      return end(OutcomeKind::kBackedOff, std::nullopt,
                 fmt::format("not before {}, by {}", to_rfc3339(next.not_before), next.reason));
    }
    if (std::optional<Outcome> fault = fault_of_start(answer))
      end(fault->kind, std::move(fault->failure), std::move(fault->detail));
  }

  // In line once all of them are known; the start page's links come first.
  Task<void> read_sitemaps() {
    const Url base = result_.home.empty() ? plan_.start : result_.home;
    const OriginRobots* reading = robots_.known(plan_.start);
    const std::vector<std::string> listed = co_await side_.read_sitemaps(reading, base);
    for (const std::string& loc : listed) {
      const auto url = Url::parse(loc, &base);
      if (url) consider(*url, kUnlinked, kNoUrl, FoundVia::kSitemap, false);
    }
  }

  Task<void> read_extra_documents() {
    if (result_.home.empty()) co_return;
    std::vector<ExtraDocument> wanted = use_.extra_documents(plan_.start, result_.home);
    co_await side_.read_extras(std::move(wanted));
  }

  // Pages: as many lanes as the pace allows; results are digested in the order of asking.
  Task<void> read_pages() {
    std::deque<std::unique_ptr<Flight>> flights;
    std::uint32_t robots_read_at = 0;
    for (;;) {
      if (!ended_ && result_.pages - robots_read_at >= plan_.limits.robots_every &&
          flights.empty()) {
        robots_read_at = result_.pages;
        const OriginRobots* reading = co_await robots_.again(plan_.start);
        if (reading->closed() || reading->rules->closes_everything()) keep_out_from_here(*reading);
      }
      const bool pause_for_robots =
          result_.pages + flights.size() - robots_read_at >= plan_.limits.robots_every;
      while (!ended_ && !pause_for_robots &&
             flights.size() < static_cast<std::size_t>(kMostLanes)) {
        const std::optional<UrlId> id = next_page(flights.size());
        if (!id) break;
        const auto url = Url::parse(frontier_[*id].href);
        const OriginRobots* reading = co_await robots_.of(*url);
        if (!reading->allows(*url)) {
          frontier_.refuse(*id, NotFetchedReason::kRobots);
          continue;
        }
        flights.push_back(std::make_unique<Flight>());
        flights.back()->id = *id;
        flights.back()->attempt = ++attempts_[*id];
        launch(*flights.back());
      }
      if (flights.empty()) {
        if (pause_for_robots && !ended_) continue;
        break;
      }
      while (!flights.front()->landed) co_await landed_.wait();
      digest(*flights.front());
      flights.pop_front();
    }
  }

  void keep_out_from_here(const OriginRobots& reading) {
    end(reading.closed() ? OutcomeKind::kRobotsClosed : OutcomeKind::kKeptOut,
        reading.chain.last.failure, "robots.txt changed during the read");
  }

  // The next address that may still be fetched, or none for the moment.
  std::optional<UrlId> next_page(std::size_t in_flight) {
    if (result_.pages + in_flight >= plan_.limits.pages) {
      if (in_flight == 0 && anything_left()) end(OutcomeKind::kPageLimit);
      return std::nullopt;
    }
    if (rooms_.clock.now() - result_.started > plan_.limits.visit_time) {
      if (in_flight == 0 && anything_left()) end(OutcomeKind::kTimeLimit);
      return std::nullopt;
    }
    while (const std::optional<UrlId> id = frontier_.pop(in_flight > 0)) {
      const KnownUrl& known = frontier_[*id];
      if (known.refused || attempts_[*id] >= 2) continue;
      if (attempts_[*id] == 0) {
        const auto url = Url::parse(known.href);
        if (known.via != FoundVia::kStart && traps_.is_closed(*url)) {
          frontier_.refuse(*id, NotFetchedReason::kTrap);
          continue;
        }
        if (read_.contains(*id)) continue;  // the target of a redirect that was read meanwhile
      }
      return id;
    }
    return std::nullopt;
  }

  // Whether anything in line could still be read; empties the line, for the visit is over either
  // way.
  bool anything_left() {
    while (const std::optional<UrlId> id = frontier_.pop(false)) {
      if (frontier_[*id].refused || read_.contains(*id)) continue;
      const auto url = Url::parse(frontier_[*id].href);
      const OriginRobots* reading = robots_.known(*url);
      if (reading == nullptr || reading->allows(*url)) return true;
    }
    return false;
  }

  void launch(Flight& flight) {
    start(rooms_.loop, fly(flight), [this, &flight](const std::exception_ptr& error) {
      if (error)
        flight.chain.last.failure =
            Failure{FailureKind::kInternal, "the fetch ended by an exception"};
      flight.landed = true;
      landed_.notify();
    });
  }

  Task<void> fly(Flight& flight) {
    const auto url = Url::parse(frontier_[flight.id].href);
    // The first chain that comes to an address fetches it; for every other it is known.
    PageGate gate(rooms_, robots_, scope_, [this, &flight](const Url& target) {
      bool fresh = false;
      const UrlId id = frontier_.intern(target.without_fragment(), &fresh);
      if (id == flight.id || std::ranges::find(flight.claimed, id) != flight.claimed.end())
        return false;  // a circle: the chain sees it itself
      if (read_.contains(id) || (frontier_[id].taken && !frontier_[id].refused)) return true;
      frontier_.mark_taken(id);
      flight.claimed.push_back(id);
      return false;
    });
    Request request;
    request.url = *url;
    request.max_bytes = plan_.limits.page_bytes;
    request.timeout = plan_.limits.request_time;
    flight.chain = co_await fetch_following(rooms_.fetcher, request, gate, plan_.limits.redirects);
    flight.refused_until = gate.refused_until();
    if (gate.stopped_at_known()) {
      // The chain ends at an address with a record of its own; nothing failed.
      flight.chain.last.failure.reset();
      flight.chain.last.status = flight.chain.hops.back().status;
    }
    if (flight.chain.last.failure && !flight.chain.hops.empty()) {
      flight.stopped = stopped_because(flight.chain.last.failure->kind);
      if (flight.stopped) flight.chain.last.status = flight.chain.hops.back().status;
    }
    flight.waited_seconds = gate.waited_seconds();
  }

  // What one answer brings: a record, new addresses, or the end.
  void digest(Flight& flight) {
    result_.waited_seconds += flight.waited_seconds;
    const Exchange& answer = flight.chain.last;
    if (flight.refused_until) {
      result_.retry_at = *flight.refused_until;
      if (!ended_)
        end(OutcomeKind::kBackedOff, std::nullopt, answer.failure ? answer.failure->detail : "");
      return;
    }
    if (answer.failure && answer.failure->kind == FailureKind::kAborted) {
      if (!ended_) end(OutcomeKind::kAborted);
      return;
    }
    attempts_[flight.id] = flight.attempt;
    const bool retried = flight.attempt == 1 && frontier_[flight.id].via != FoundVia::kStart;
    if (!ended_ && retried && may_pass_with_time(answer) &&
        !recognise_bot_wall(answer.status, answer.headers, answer.body)) {
      release(flight);
      frontier_.push_again(flight.id);
      return;
    }
    ++result_.pages;

    VisitedPage page;
    const KnownUrl& known = frontier_[flight.id];
    page.url = known.href;
    page.depth = known.depth;
    page.via = known.via;
    if (known.found_from != kNoUrl) page.found_from = frontier_[known.found_from].href;
    page.attempts = flight.attempt;
    page.chain = &flight.chain;
    page.final_url = answer.url.empty() ? page.url : answer.url.without_fragment();
    read_answer(answer, rooms_.identity, &reading_);
    page.wall = reading_.wall;
    if (reading_.html) page.facts = &reading_.facts;
    page.directives = &reading_.directives;
    mark_hops(flight);
    recorder_.page(page);
    rooms_.observer.page(known.href, answer.status, result_.pages, frontier_.waiting(),
                         plan_.limits.pages);
    if (page.wall && page.wall->kind != BotWallKind::kRateLimit && !ended_) {
      end(OutcomeKind::kBotWall, std::nullopt, page.wall->vendor + ": " + page.wall->signal);
      return;
    }
    if (reading_.content) follow_links(flight.id, answer.url);
    if (flight.stopped) note_stopped(flight);
  }

  // A second try goes the whole way again: what the first one went through is not known by it.
  void release(const Flight& flight) {
    for (const UrlId id : flight.claimed) frontier_.release(id);
  }

  // Addresses that a chain went through need no fetch of their own.
  void mark_hops(const Flight& flight) {
    read_.insert(flight.id);
    for (const Hop& hop : flight.chain.hops) {
      bool fresh = false;
      const std::string_view href = hop.url;
      read_.insert(frontier_.intern(href.substr(0, href.find('#')), &fresh));
    }
  }

  // A redirect into what robots.txt closes, or out of the site: the page that redirects is read,
  // its target is not.
  void note_stopped(const Flight& flight) {
    bool fresh = false;
    const UrlId target = frontier_.intern(flight.chain.last.url.without_fragment(), &fresh);
    frontier_.refuse(target, *flight.stopped, flight.id);
  }

  void follow_links(UrlId from, const Url& page_url) {
    const bool nofollow = reading_.directives.nofollow;
    const KnownUrl& page = frontier_[from];
    const std::uint32_t depth = page.depth == kUnlinked ? 0 : page.depth;
    const Url base = base_of(reading_.facts, page_url);
    std::uint32_t in_scope = 0;
    std::uint32_t fresh_links = 0;
    const std::string pattern = url_pattern(page_url);
    for (const Link& link : reading_.facts.links) {
      if (!link.has_href || link.href.empty() || link.href.starts_with('#')) continue;
      if (!Url::parse_into(link.href, &base, &link_url_)) continue;
      const bool hint = nofollow || (link.rel & (kRelNofollow | kRelUgc | kRelSponsored)) != 0;
      const int known = consider(link_url_, depth + 1, from, FoundVia::kLink, hint);
      if (known == kOutside) continue;
      ++in_scope;
      if (known == kFresh && url_pattern(link_url_) == pattern) ++fresh_links;
    }
    for (const Meta& meta : reading_.facts.metas) {
      if (!meta.http_equiv || meta.name != "refresh") continue;
      const std::string_view target = refresh_target(meta.content);
      if (target.empty() || !Url::parse_into(target, &base, &link_url_)) continue;
      if (consider(link_url_, depth + 1, from, FoundVia::kRedirect, nofollow) != kOutside)
        ++in_scope;
    }
    traps_.learn(page_url, reading_.facts.text, in_scope, fresh_links);
  }

  // Puts an address in line if scope, shape and depth allow. Tells whether it was in scope, and
  // new.
  static constexpr int kOutside = 0, kKnown = 1, kFresh = 2;
  int consider(const Url& url, std::uint32_t depth, UrlId from, FoundVia via, bool nofollow) {
    if (!url.is_http()) return kOutside;
    if (!scope_.contains(url)) return kOutside;
    bool fresh = false;
    const UrlId id = frontier_.intern(url.without_fragment(), &fresh);
    if (nofollow) {
      if (fresh) frontier_.refuse(id, NotFetchedReason::kNofollow);
      return fresh ? kFresh : kKnown;
    }
    if (fresh) {
      if (!is_page_path(url.pathname())) {
        frontier_.refuse(id, NotFetchedReason::kNotPage);
      } else if (depth != kUnlinked && depth > static_cast<std::uint32_t>(plan_.limits.depth)) {
        frontier_.refuse(id, NotFetchedReason::kTooDeep);
      } else if (!traps_.may_follow(url,
                                    from == kNoUrl ? "" : std::string_view(frontier_[from].href))) {
        frontier_.refuse(id, NotFetchedReason::kTrap);
      }
    }
    frontier_.push(id, depth, from, via);
    return fresh ? kFresh : kKnown;
  }

  void end(OutcomeKind kind, std::optional<Failure> failure = std::nullopt,
           std::string detail = {}) {
    ended_ = true;
    result_.outcome = {kind, std::move(failure), std::move(detail)};
    if (result_.outcome.detail.empty() && result_.outcome.failure)
      result_.outcome.detail = result_.outcome.failure->detail;
  }

  // Done: what was left unread and why, and whether anything was.
  void finish() {
    bool too_deep = false;
    for (UrlId id = 0; id < frontier_.known(); ++id) {
      const KnownUrl& known = frontier_[id];
      if (read_.contains(id)) continue;
      NotFetchedReason reason = known.refused.value_or(left_because(result_.outcome.kind));
      const auto url = Url::parse(known.href);
      const OriginRobots* reading = robots_.known(*url);
      if (!known.refused && reading != nullptr && !reading->allows(*url))
        reason = NotFetchedReason::kRobots;
      too_deep = too_deep || reason == NotFetchedReason::kTooDeep;
      ++result_.not_fetched_counts[reason];
      if (result_.not_fetched.size() >= kNotFetchedKept) continue;
      const std::string from = known.found_from == kNoUrl ? "" : frontier_[known.found_from].href;
      result_.not_fetched.push_back({known.href, reason, from});
    }
    result_.traps = traps_.traps();
    result_.waited_seconds += side_.waited_seconds();
    if (!ended_) {
      const OriginRobots* start = robots_.known(plan_.start);
      const bool endless = std::ranges::any_of(result_.traps, [](const Trap& trap) {
        return trap.kind == TrapKind::kMaze || trap.kind == TrapKind::kNoNewText;
      });
      if (result_.pages == 0 && !start->allows(plan_.start))
        keep_out(*start);
      else if (endless)
        end(OutcomeKind::kTrap, std::nullopt, result_.traps.front().pattern);
      else if (too_deep)
        end(OutcomeKind::kPageLimit, std::nullopt, "pages deeper than the limit were left");
      else
        end(OutcomeKind::kComplete);
    }
    for (auto& [origin, reading] : robots_.take()) {
      if (!reading) continue;
      recorder_.robots(*reading);
      result_.robots.push_back(std::move(*reading));
    }
    result_.ended = rooms_.clock.now();
  }

  static constexpr int kMostLanes = 3;

  VisitPlan plan_;
  Rooms& rooms_;
  const Use& use_;
  VisitRecorder& recorder_;
  Scope scope_;
  SiteRobots robots_;
  SideDocuments side_;
  Frontier frontier_;
  TrapWatch traps_;
  std::unordered_map<UrlId, int> attempts_;
  std::unordered_set<UrlId> read_;  // fetched, or the end of a chain that was
  Event landed_;
  PageReading reading_;
  Url link_url_;
  bool ended_ = false;
  VisitResult result_;
};

}  // namespace

Task<VisitResult> visit_site(VisitPlan plan, Rooms& rooms, const Use& use,
                             VisitRecorder& recorder) {
  Visit visit(std::move(plan), rooms, use, recorder);
  VisitResult result = co_await visit.run();
  co_return result;
}

}  // namespace periplus
