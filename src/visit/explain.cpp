#include "visit/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "html/page_reader.h"
#include "visit/answers.h"
#include "visit/scope.h"
#include "visit/site_robots.h"

namespace periplus {
namespace {

void decide(Explanation* to, std::string step, bool goes_on, std::string reason) {
  to->decisions.push_back({std::move(step), goes_on, std::move(reason)});
}

std::string describe(const OriginRobots& robots) {
  const Exchange& answer = robots.chain.last;
  std::string got = answer.failure ? std::string(sentence(answer.failure->kind))
                                   : fmt::format("status {}", answer.status);
  if (robots.wall)
    return "bot protection answered for robots.txt (" + robots.wall->vendor + "): closed for now";
  if (robots.from_last_good)
    return fmt::format("{} ({}); judged by the copy of {}", robots.url.href(), got,
                       to_rfc3339(robots.copy_at));
  switch (robots.access) {
    case RobotsAccess::kRules:
      return fmt::format("{} ({})", robots.url.href(), got);
    case RobotsAccess::kNoRules:
      return fmt::format("{} ({}): no rules, everything may be read", robots.url.href(), got);
    case RobotsAccess::kUnreachable:
      return fmt::format("{} ({}): closed for now", robots.url.href(), got);
  }
  return got;
}

void judge_addresses(Explanation* out, const Resolution& resolution, const AddressGuard& guard,
                     const std::string& host) {
  out->address_verdict = "public";
  for (const Address& address : resolution.addresses) {
    out->addresses.push_back(address.to_text());
    const AddressVerdict verdict = judge_address(address);
    const std::optional<Failure> refusal = guard.judge(host, address);
    if (!verdict.is_public && !refusal && out->address_verdict == "public")
      out->address_verdict = "allowed: " + verdict.block;
    if (refusal && !out->failure) {
      out->failure = refusal;
      out->address_verdict = "refused: " + std::string(verdict.block);
    }
    decide(out, "address", !refusal,
           address.to_text() + (verdict.is_public ? " is public"
                                : refusal         ? " is not public: " + std::string(verdict.block)
                                                  : " is private, and allowed by --allow-private"));
  }
}

}  // namespace

bool Explanation::allowed() const {
  return std::ranges::all_of(decisions, [](const Decision& d) { return d.goes_on; });
}

Task<Explanation> explain_url(Url url, PageLimits limits, Rooms& rooms, bool fetch) {
  Explanation out;
  out.url = url;
  const std::string host(url.hostname());
  decide(&out, "url", true, url.href());
  const std::string site = rooms.suffixes.site(host);
  const std::string owner = rooms.suffixes.owner(host);
  decide(&out, "site", true, fmt::format("site {}, owner {}", site, owner));
  if (!is_page_path(url.pathname()))
    decide(&out, "kind", true,
           "its ending says that it is no page: a visit would not follow a link to it");

  const Resolution resolution = co_await rooms.resolver.resolve(host);
  if (resolution.failure) {
    out.failure = resolution.failure;
    decide(&out, "dns", false, std::string(sentence(resolution.failure->kind)));
    co_return out;
  }
  decide(&out, "dns", true,
         fmt::format("{} address{}{}", resolution.addresses.size(),
                     resolution.addresses.size() == 1 ? "" : "es",
                     resolution.from_cache ? " (cached)" : ""));
  judge_addresses(&out, resolution, rooms.guard, host);
  const std::optional<Failure> port = rooms.guard.judge_port(host, url.effective_port());
  decide(&out, "port", !port,
         fmt::format("port {}{}", url.effective_port(), port ? ": only 80 and 443 are used" : ""));
  if (!out.failure) out.failure = port;
  if (out.failure) co_return out;

  out.robots = co_await read_robots(url, limits, rooms);
  out.verdict = out.robots->verdict(url);
  const bool closed = out.robots->closed();
  decide(&out, "robots", !closed, describe(*out.robots));
  if (closed) {
    // Where no server can be talked to at all, that is the reason and not a robots.txt.
    const std::optional<Failure>& why = out.robots->chain.last.failure;
    const bool unreachable = why && nothing_answers(why->kind);
    out.failure =
        unreachable ? *why : Failure{FailureKind::kRobotsDisallowed, "robots.txt is unavailable"};
    co_return out;
  }
  const std::string group =
      out.robots->rules->group().empty()
          ? "no group"
          : "group " + fmt::format("{}", fmt::join(out.robots->rules->group(), ", "));
  const std::string line = out.verdict->line == 0
                               ? "no rule matches"
                               : fmt::format("line {}: {}", out.verdict->line, out.verdict->rule);
  decide(&out, "robots", out.verdict->allowed,
         fmt::format("{}; {}: {}", group, line, out.verdict->allowed ? "allowed" : "disallowed"));
  if (!out.verdict->allowed) {
    out.failure = Failure{FailureKind::kRobotsDisallowed, line};
    co_return out;
  }

  PaceKeys keys{site, resolution.addresses.front().to_text(), owner};
  std::string why;
  const Millis owed = rooms.pace.owed(site, out.robots->crawl_delay(), &why);
  const Turn forecast = rooms.pace.forecast(keys, out.robots->crawl_delay());
  decide(&out, "pace", true,
         fmt::format("between requests {:.3g} s, by {}", static_cast<double>(owed.count()) / 1000,
                     why));
  if (forecast.not_before > rooms.clock.now())
    decide(&out, "pace", true,
           "not before " + to_rfc3339(forecast.not_before) + ", by " + forecast.reason);
  if (!fetch) co_return out;

  SiteRobots robots(rooms, limits);
  Scope scope(rooms.suffixes, url);
  PageGate gate(rooms, robots, scope);
  Request request;
  request.url = url;
  request.max_bytes = limits.page_bytes;
  request.timeout = limits.request_time;
  // The gate reads robots.txt itself; hand it the reading we have.
  robots.adopt(*out.robots);
  out.chain = co_await fetch_following(rooms.fetcher, request, gate, limits.redirects);
  out.turns = gate.turns();
  const Exchange& answer = out.chain->last;
  out.failure = answer.failure;
  for (const Hop& hop : out.chain->hops) {
    decide(&out, "fetch", true,
           fmt::format("{} from {}{}{}", hop.status, hop.address,
                       hop.location.empty() ? "" : ", leads to ", hop.location));
  }
  if (answer.failure)
    decide(&out, "fetch", false,
           std::string(sentence(answer.failure->kind)) +
               (answer.failure->detail.empty() ? "" : ": " + answer.failure->detail));
  if (answer.status != 0) out.wall = recognise_bot_wall(answer.status, answer.headers, answer.body);
  if (out.wall)
    decide(&out, "bot-wall", false,
           fmt::format("{} ({}): {}", out.wall->vendor, name(out.wall->kind), out.wall->signal));
  if (!answer.body.empty()) {
    PageFacts facts;
    read_page({answer.body, answer.headers.get("content-type"), true}, &facts);
    out.charset = facts.encoding;
  }
  co_return out;
}

}  // namespace periplus
