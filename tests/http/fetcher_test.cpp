#include "http/fetcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "http/raw_server.h"
#include "http/redirects.h"

namespace periplus {
namespace {

Task<void> fetch_into(Fetcher& fetcher, Request request, Exchange* out) {
  *out = co_await fetcher.fetch(std::move(request));
}

class OpenGate final : public HopGate {
 public:
  Task<std::optional<Failure>> before(Url, int) override { co_return std::nullopt; }
  void after(const Exchange&) override {}
};

Task<void> follow_into(Fetcher& fetcher, Request request, HopGate& gate, Chain* out) {
  *out = co_await fetch_following(fetcher, std::move(request), gate, 5);
}

// One server, one fetcher: `get` runs the loop until the answer is there.
struct Web {
  explicit Web(RawServer::Answer answer, FetchOptions options = {}) : server(std::move(answer)) {
    guard.allow_private("127.0.0.1");
    fetcher = make_fetcher(loop, *clock, *resolver, guard, identity, nullptr, std::move(options));
  }
  Request request(const std::string& path) const {
    Request out;
    out.url = *Url::parse("http://127.0.0.1:" + std::to_string(server.port) + path);
    return out;
  }
  void run(Task<void> task) {
    bool ended = false;
    start(loop, std::move(task), [&](std::exception_ptr fault) {
      ended = true;
      EXPECT_FALSE(fault);
    });
    loop.restart();
    while (!ended && loop.run_one() > 0) continue;
    EXPECT_TRUE(ended);
  }
  Exchange get(Request asked) {
    Exchange out;
    run(fetch_into(*fetcher, std::move(asked), &out));
    return out;
  }
  Exchange get(const std::string& path) { return get(request(path)); }
  Chain follow(const std::string& path) {
    Chain out;
    OpenGate gate;
    run(follow_into(*fetcher, request(path), gate, &out));
    return out;
  }

  RawServer server;
  Loop loop;
  std::unique_ptr<Clock> clock = make_system_clock(loop);
  std::unique_ptr<Resolver> resolver = make_resolver(loop, *clock, {});
  AddressGuard guard;
  Identity identity;
  std::unique_ptr<Fetcher> fetcher;
};

RawServer::Answer always(std::string answer) {
  return [answer = std::move(answer)](const std::string&) { return answer; };
}
std::string closing(std::string answer) { return answer.append(RawServer::kClose); }

std::optional<FailureKind> kind(const Exchange& exchange) {
  if (!exchange.failure) return std::nullopt;
  return exchange.failure->kind;
}

TEST(Fetcher, AnswerIsKeptAsItCame) {
  Web web(
      always("HTTP/1.1 200 OK\r\nX-Robots-Tag: a\r\nx-robots-tag: b\r\nContent-Length: 5\r\n"
             "\r\nhello"));
  const Exchange answer = web.get("/");
  ASSERT_FALSE(answer.failure) << answer.failure->detail;
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "hello");
  EXPECT_EQ(answer.http_version, "1.1");
  EXPECT_EQ(answer.address, "127.0.0.1");
  EXPECT_THAT(answer.headers.all("X-Robots-Tag"), testing::ElementsAre("a", "b"));
}

TEST(Fetcher, RequestNamesUsAndCarriesNoCredentials) {
  std::string head;
  Web web([&](const std::string& got) {
    head = got;
    return std::string("HTTP/1.1 204 No Content\r\n\r\n");
  });
  Request request;
  request.url =
      *Url::parse("http://me:secret@127.0.0.1:" + std::to_string(web.server.port) + "/a/../b");
  EXPECT_EQ(web.get(std::move(request)).status, 204);
  EXPECT_THAT(head, testing::StartsWith("GET /b HTTP/1.1\r\n"));
  EXPECT_THAT(head, testing::HasSubstr("User-Agent: " + web.identity.user_agent() + "\r\n"));
  EXPECT_THAT(head, testing::HasSubstr("Accept-Encoding: gzip, br, zstd\r\n"));
  EXPECT_THAT(head, testing::Not(testing::HasSubstr("Authorization")));
}

TEST(Fetcher, ConnectionIsKeptAliveAndReused) {
  Web web(always("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  EXPECT_FALSE(web.get("/1").reused_connection);
  EXPECT_TRUE(web.get("/2").reused_connection);
  EXPECT_EQ(web.server.connections, 1);
  EXPECT_EQ(web.server.requests, 2);
}

TEST(Fetcher, InterimAnswersAndTrailersAreNoHeaders) {
  Web web(
      always("HTTP/1.1 103 Early Hints\r\nLink: </early>\r\n\r\n"
             "HTTP/1.1 200 OK\r\nKeep: yes\r\nHTTP/2: a field\r\nTransfer-Encoding: chunked\r\n"
             "\r\n0\r\nLate: trailer\r\n\r\n"));
  const Exchange answer = web.get("/");
  ASSERT_FALSE(answer.failure) << answer.failure->detail;
  EXPECT_EQ(answer.headers.get("Keep"), "yes");
  EXPECT_FALSE(answer.headers.has("Link"));
  EXPECT_FALSE(answer.headers.has("Late"));
}

TEST(Fetcher, BodyOverTheLimitIsCutAndNoFailure) {
  Web web(always(closing("HTTP/1.1 200 OK\r\n\r\n" + std::string(5000, 'x'))));
  Request request = web.request("/");
  request.max_bytes = 1000;
  const Exchange answer = web.get(std::move(request));
  EXPECT_FALSE(answer.failure);
  EXPECT_TRUE(answer.cut);
  EXPECT_EQ(answer.body.size(), 1000U);
}

TEST(Fetcher, BodyClosedEarlyIsConnectionLostAndKept) {
  Web web(always(closing("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart")));
  const Exchange answer = web.get("/");
  EXPECT_EQ(kind(answer), FailureKind::kConnectionLost);
  EXPECT_EQ(answer.body, "part");
}

TEST(Fetcher, HeadersOverTheLimitAreRefused) {
  std::string octets = "HTTP/1.1 200 OK\r\n";
  for (int i = 0; i < 900; ++i) octets += "X-Fill: " + std::string(100, 'f') + "\r\n";
  Web large(always(closing(octets + "\r\n")));
  EXPECT_EQ(kind(large.get("/")), FailureKind::kHeadersTooLarge);
  std::string many = "HTTP/1.1 200 OK\r\n";
  for (int i = 0; i < 1100; ++i) many += "X: y\r\n";
  Web lines(always(closing(many + "\r\n")));
  EXPECT_EQ(kind(lines.get("/")), FailureKind::kHeadersTooLarge);
}

TEST(Fetcher, WhatIsNotHttpIsBadResponse) {
  Web web(always(closing("<html>an answer of 1991</html>")));
  EXPECT_EQ(kind(web.get("/")), FailureKind::kBadResponse);
}

TEST(Fetcher, UnknownContentCodingIsRefused) {
  Web web(always("HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\nContent-Length: 1\r\n\r\nx"));
  EXPECT_EQ(kind(web.get("/")), FailureKind::kBadEncoding);
}

TEST(Fetcher, TimeAllowedEndsTheTransferAndTellsHowFarItGot) {
  Web web(
      always("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc" + std::string(RawServer::kHold)));
  Request request = web.request("/");
  request.timeout = Millis(200);
  const Exchange answer = web.get(std::move(request));
  EXPECT_EQ(kind(answer), FailureKind::kTimeout);
  EXPECT_EQ(answer.body, "abc");
  EXPECT_EQ(answer.address, "127.0.0.1");
}

TEST(Fetcher, PrivateAddressesAndOtherPortsAreNeverAsked) {
  Web web(always("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
  Request request;
  request.url = *Url::parse("http://127.0.0.2/");
  EXPECT_EQ(kind(web.get(request)), FailureKind::kAddressRefused);
  request.url = *Url::parse("http://[::ffff:127.0.0.1]/");
  EXPECT_EQ(kind(web.get(request)), FailureKind::kAddressRefused);
  request.url = *Url::parse("http://localhost/");
  EXPECT_EQ(kind(web.get(request)), FailureKind::kAddressRefused);
  request.url = *Url::parse("http://192.0.2.1:8080/");
  EXPECT_EQ(kind(web.get(request)), FailureKind::kPortRefused);
  EXPECT_EQ(web.server.connections, 0);
}

TEST(Fetcher, LocalhostAnswersWhenAllowed) {
  Web web(always("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  web.guard.allow_private("localhost");
  Request request;
  request.url = *Url::parse("http://localhost:" + std::to_string(web.server.port) + "/");
  EXPECT_EQ(web.get(std::move(request)).body, "ok");
}

TEST(Fetcher, NobodyListeningIsConnectRefused) {
  int port = 0;
  {
    RawServer gone(always(""));
    port = gone.port;
  }
  Web web(always(""));
  Request request;
  request.url = *Url::parse("http://127.0.0.1:" + std::to_string(port) + "/");
  EXPECT_EQ(kind(web.get(std::move(request))), FailureKind::kConnectRefused);
}

TEST(Fetcher, AbortEndsWhatIsInFlightAndWhatComesLater) {
  Web web(always(std::string(RawServer::kHold)));
  Exchange answer;
  bool ended = false;
  start(web.loop, fetch_into(*web.fetcher, web.request("/"), &answer),
        [&](std::exception_ptr) { ended = true; });
  while (web.server.requests == 0) web.loop.run_for(Millis(10));
  web.fetcher->abort_all();
  while (!ended && web.loop.run_one() > 0) continue;
  EXPECT_EQ(kind(answer), FailureKind::kAborted);
  EXPECT_EQ(kind(web.get("/")), FailureKind::kAborted);
}

TEST(Fetcher, LoopMayStopWithTransfersInFlight) {
  Web web(always(std::string(RawServer::kHold)));
  Exchange answer;
  start(web.loop, fetch_into(*web.fetcher, web.request("/"), &answer), [](std::exception_ptr) {});
  while (web.server.requests == 0) web.loop.run_for(Millis(10));
  EXPECT_EQ(answer.status, 0);
}

TEST(Redirects, ChainIsFollowedAndEveryHopTold) {
  Web web([](const std::string& head) {
    return std::string(head.starts_with("GET /a ")
                           ? "HTTP/1.1 301 Moved\r\nLocation: b\r\nContent-Length: 0\r\n\r\n"
                           : "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nend");
  });
  const Chain chain = web.follow("/a");
  ASSERT_EQ(chain.hops.size(), 2U);
  EXPECT_EQ(chain.hops[0].status, 301);
  EXPECT_EQ(chain.hops[0].location, "b");
  EXPECT_EQ(chain.last.body, "end");
}

TEST(Redirects, LoopIsToldAndACookieIsTriedOnce) {
  Web loop(always("HTTP/1.1 302 Found\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n"));
  EXPECT_EQ(kind(loop.follow("/a").last), FailureKind::kRedirectLoop);
  EXPECT_EQ(loop.server.requests, 1);
  Web wall(
      always("HTTP/1.1 302 Found\r\nLocation: /a\r\nSet-Cookie: k=v; Path=/\r\n"
             "Content-Length: 0\r\n\r\n"));
  const Chain stubborn = wall.follow("/a");
  EXPECT_EQ(kind(stubborn.last), FailureKind::kRedirectLoop);
  EXPECT_TRUE(stubborn.cookie_retry);
  EXPECT_EQ(wall.server.requests, 2);
  Web door([](const std::string& head) {
    return std::string(
        head.find("Cookie: k=v\r\n") != std::string::npos
            ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nin"
            : "HTTP/1.1 302 Found\r\nLocation: /a\r\nSet-Cookie: k=v\r\nContent-Length: 0\r\n\r\n");
  });
  EXPECT_EQ(door.follow("/a").last.body, "in");
}

TEST(Redirects, TooManyAndUnusableOnesFail) {
  int turn = 0;
  Web web([&](const std::string&) {
    return "HTTP/1.1 302 Found\r\nLocation: /" + std::to_string(++turn) +
           "\r\nContent-Length: 0\r\n\r\n";
  });
  EXPECT_EQ(kind(web.follow("/").last), FailureKind::kTooManyRedirects);
  EXPECT_EQ(web.server.requests, 6);
  Web none(always("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"));
  EXPECT_EQ(kind(none.follow("/").last), FailureKind::kBadRedirect);
}

}  // namespace
}  // namespace periplus
