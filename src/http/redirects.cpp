#include "http/redirects.h"

#include <set>

#include "base/text.h"

namespace periplus {
namespace {

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

// "name=value" of every Set-Cookie line: enough to be recognised once.
std::string cookies_of(const Headers& headers) {
  std::string out;
  for (const std::string_view line : headers.all("set-cookie")) {
    const std::string_view pair = trim(line.substr(0, line.find(';')));
    if (pair.find('=') == std::string_view::npos) continue;
    if (!out.empty()) out += "; ";
    out += pair;
  }
  return out;
}

void fail_last(Chain* chain, FailureKind kind, std::string detail) {
  chain->last.failure = Failure{kind, std::move(detail)};
}

}  // namespace

Task<Chain> fetch_following(Fetcher& fetcher, Request request, HopGate& gate, int max_hops) {
  Chain chain;
  std::set<std::string> seen;
  for (int hop = 0;; ++hop) {
    const Url asked = request.url;
    std::optional<Failure> refused = co_await gate.before(asked, hop);
    if (refused) {
      chain.last = Exchange{};
      chain.last.url = asked;
      chain.last.failure = std::move(refused);
      co_return chain;
    }
    seen.insert(std::string(asked.without_fragment()));
    chain.last = co_await fetcher.fetch(request);
    gate.after(chain.last);
    const std::string location(chain.last.headers.get("location"));
    const bool redirects = !chain.last.failure && is_redirect(chain.last.status);
    chain.hops.push_back({asked.href(), chain.last.status, redirects ? location : std::string(),
                          chain.last.address, chain.last.timings});
    if (!redirects) co_return chain;

    // A Location may hold octets that are no UTF-8; the URL parser makes U+FFFD of them.
    const auto target = Url::parse(location, &asked);
    if (location.empty() || !target || !target->is_http()) {
      fail_last(&chain, FailureKind::kBadRedirect,
                location.empty() ? "the Location is missing" : location);
      co_return chain;
    }
    std::erase_if(request.headers, [](const auto& line) { return line.first == "Cookie"; });
    if (seen.contains(std::string(target->without_fragment()))) {
      const std::string cookies = cookies_of(chain.last.headers);
      const bool to_itself = target->without_fragment() == asked.without_fragment();
      if (!to_itself || chain.cookie_retry || cookies.empty()) {
        fail_last(&chain, FailureKind::kRedirectLoop, target->href());
        co_return chain;
      }
      chain.cookie_retry = true;
      request.headers.emplace_back("Cookie", cookies);
    }
    if (hop >= max_hops) {
      fail_last(&chain, FailureKind::kTooManyRedirects, target->href());
      co_return chain;
    }
    request.url = *target;
  }
}

}  // namespace periplus
