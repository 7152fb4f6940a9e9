// A fetcher with all that it stands on, for tests: `get` runs the loop until the answer is there.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <string>

#include "http/fetcher.h"
#include "http/raw_server.h"
#include "http/redirects.h"

namespace periplus {

inline Task<void> fetch_into(Fetcher& fetcher, Request request, Exchange* out) {
  *out = co_await fetcher.fetch(std::move(request));
}

inline Task<void> resolve_into(Resolver& resolver, std::string host, Resolution* out) {
  *out = co_await resolver.resolve(std::move(host));
}

class OpenGate final : public HopGate {
 public:
  Task<std::optional<Failure>> before(Url, int) override { co_return std::nullopt; }
  void after(const Exchange&) override {}
};

inline Task<void> follow_into(Fetcher& fetcher, Request request, HopGate& gate, int most,
                              Chain* out) {
  *out = co_await fetch_following(fetcher, std::move(request), gate, most);
}

inline std::optional<FailureKind> kind(const Exchange& exchange) {
  if (!exchange.failure) return std::nullopt;
  return exchange.failure->kind;
}

// Runs the loop until the task is over.
inline void run_to_end(Loop& loop, Task<void> task) {
  bool ended = false;
  start(loop, std::move(task), [&](std::exception_ptr fault) {
    ended = true;
    EXPECT_FALSE(fault);
  });
  loop.restart();
  while (!ended && loop.run_one() > 0) continue;
  EXPECT_TRUE(ended);
}

struct Reader {
  explicit Reader(FetchOptions options = {}, ResolverOptions names = {}) {
    guard.allow_private("127.0.0.1");
    resolver = make_resolver(loop, *clock, std::move(names));
    fetcher = make_fetcher(loop, *clock, *resolver, guard, identity, nullptr, std::move(options));
  }
  static Request request(const std::string& url) {
    Request out;
    const auto parsed = Url::parse(url);
    EXPECT_TRUE(parsed) << url;
    if (parsed) out.url = *parsed;
    return out;
  }
  Exchange get(Request asked) {
    Exchange out;
    run_to_end(loop, fetch_into(*fetcher, std::move(asked), &out));
    return out;
  }
  Exchange get(const std::string& url) { return get(request(url)); }
  Chain follow(const std::string& url, int most = 10) {
    Chain out;
    OpenGate gate;
    run_to_end(loop, follow_into(*fetcher, request(url), gate, most, &out));
    return out;
  }

  Loop loop;
  std::unique_ptr<Clock> clock = make_system_clock(loop);
  AddressGuard guard;
  Identity identity;
  std::unique_ptr<Resolver> resolver;
  std::unique_ptr<Fetcher> fetcher;
};

// One raw server and one reader of it.
struct Web : Reader {
  explicit Web(RawServer::Answer answer, FetchOptions options = {})
      : Reader(std::move(options)), server(std::move(answer)) {}
  Request at(const std::string& path) const {
    return request("http://127.0.0.1:" + std::to_string(server.port) + path);
  }
  using Reader::get;
  Exchange get_path(const std::string& path) { return get(at(path)); }
  Chain follow_path(const std::string& path, int most = 10) {
    return follow(at(path).url.href(), most);
  }

  RawServer server;
};

inline RawServer::Answer always_raw(std::string answer) {
  return [answer = std::move(answer)](const std::string&) { return answer; };
}
inline std::string closing(std::string answer) { return answer.append(RawServer::kClose); }

}  // namespace periplus
