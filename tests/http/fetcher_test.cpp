#include "http/fetcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/web.h"

namespace periplus {
namespace {

TEST(Fetcher, AnswerIsKeptAsItCame) {
  Web web(
      always_raw("HTTP/1.1 200 OK\r\nX-Robots-Tag: a\r\nx-robots-tag: b\r\nContent-Length: 5\r\n"
                 "\r\nhello"));
  const Exchange answer = web.get_path("/");
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
  Web web(always_raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  EXPECT_FALSE(web.get_path("/1").reused_connection);
  EXPECT_TRUE(web.get_path("/2").reused_connection);
  EXPECT_EQ(web.server.connections, 1);
  EXPECT_EQ(web.server.requests, 2);
}

TEST(Fetcher, InterimAnswersAndTrailersAreNoHeaders) {
  Web web(
      always_raw("HTTP/1.1 103 Early Hints\r\nLink: </early>\r\n\r\n"
                 "HTTP/1.1 200 OK\r\nKeep: yes\r\nHTTP/2: a field\r\nTransfer-Encoding: chunked\r\n"
                 "\r\n0\r\nLate: trailer\r\n\r\n"));
  const Exchange answer = web.get_path("/");
  ASSERT_FALSE(answer.failure) << answer.failure->detail;
  EXPECT_EQ(answer.headers.get("Keep"), "yes");
  EXPECT_FALSE(answer.headers.has("Link"));
  EXPECT_FALSE(answer.headers.has("Late"));
}

TEST(Fetcher, BodyOverTheLimitIsCutAndNoFailure) {
  Web web(always_raw(closing("HTTP/1.1 200 OK\r\n\r\n" + std::string(5000, 'x'))));
  Request request = web.at("/");
  request.max_bytes = 1000;
  const Exchange answer = web.get(std::move(request));
  EXPECT_FALSE(answer.failure);
  EXPECT_TRUE(answer.cut);
  EXPECT_EQ(answer.body.size(), 1000U);
}

TEST(Fetcher, BodyClosedEarlyIsConnectionLostAndKept) {
  Web web(always_raw(closing("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart")));
  const Exchange answer = web.get_path("/");
  EXPECT_EQ(kind(answer), FailureKind::kConnectionLost);
  EXPECT_EQ(answer.body, "part");
}

TEST(Fetcher, HeadersOverTheLimitAreRefused) {
  std::string octets = "HTTP/1.1 200 OK\r\n";
  for (int i = 0; i < 900; ++i) octets += "X-Fill: " + std::string(100, 'f') + "\r\n";
  Web large(always_raw(closing(octets + "\r\n")));
  EXPECT_EQ(kind(large.get_path("/")), FailureKind::kHeadersTooLarge);
  std::string many = "HTTP/1.1 200 OK\r\n";
  for (int i = 0; i < 1100; ++i) many += "X: y\r\n";
  Web lines(always_raw(closing(many + "\r\n")));
  EXPECT_EQ(kind(lines.get_path("/")), FailureKind::kHeadersTooLarge);
}

TEST(Fetcher, WhatIsNotHttpIsBadResponse) {
  Web web(always_raw(closing("<html>an answer of 1991</html>")));
  EXPECT_EQ(kind(web.get_path("/")), FailureKind::kBadResponse);
}

TEST(Fetcher, UnknownContentCodingIsRefused) {
  Web web(always_raw("HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\nContent-Length: 1\r\n\r\nx"));
  EXPECT_EQ(kind(web.get_path("/")), FailureKind::kBadEncoding);
}

TEST(Fetcher, TimeAllowedEndsTheTransferAndTellsHowFarItGot) {
  Web web(always_raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc" +
                     std::string(RawServer::kHold)));
  Request request = web.at("/");
  request.timeout = Millis(200);
  const Exchange answer = web.get(std::move(request));
  EXPECT_EQ(kind(answer), FailureKind::kTimeout);
  EXPECT_EQ(answer.body, "abc");
  EXPECT_EQ(answer.address, "127.0.0.1");
}

TEST(Fetcher, PrivateAddressesAndOtherPortsAreNeverAsked) {
  Web web(always_raw("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
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
  Web web(always_raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  web.guard.allow_private("localhost");
  Request request;
  request.url = *Url::parse("http://localhost:" + std::to_string(web.server.port) + "/");
  EXPECT_EQ(web.get(std::move(request)).body, "ok");
}

TEST(Fetcher, NobodyListeningIsConnectRefused) {
  int port = 0;
  {
    RawServer gone(always_raw(""));
    port = gone.port;
  }
  Web web(always_raw(""));
  Request request;
  request.url = *Url::parse("http://127.0.0.1:" + std::to_string(port) + "/");
  EXPECT_EQ(kind(web.get(std::move(request))), FailureKind::kConnectRefused);
}

TEST(Fetcher, AbortEndsWhatIsInFlightAndWhatComesLater) {
  Web web(always_raw(std::string(RawServer::kHold)));
  Exchange answer;
  bool ended = false;
  start(web.loop, fetch_into(*web.fetcher, web.at("/"), &answer),
        [&](std::exception_ptr) { ended = true; });
  while (web.server.requests == 0) web.loop.run_for(Millis(10));
  web.fetcher->abort_all();
  while (!ended && web.loop.run_one() > 0) continue;
  EXPECT_EQ(kind(answer), FailureKind::kAborted);
  EXPECT_EQ(kind(web.get_path("/")), FailureKind::kAborted);
}

TEST(Fetcher, LoopMayStopWithTransfersInFlight) {
  Web web(always_raw(std::string(RawServer::kHold)));
  Exchange answer;
  start(web.loop, fetch_into(*web.fetcher, web.at("/"), &answer), [](std::exception_ptr) {});
  while (web.server.requests == 0) web.loop.run_for(Millis(10));
  EXPECT_EQ(answer.status, 0);
}

}  // namespace
}  // namespace periplus
