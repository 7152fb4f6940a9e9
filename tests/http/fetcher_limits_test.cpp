// What a server may do to a client, and where each of our limits ends it.
#include <brotli/encode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include "http/web.h"

namespace periplus {
namespace {

constexpr const char* kChunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

FetchOptions impatient() {
  FetchOptions options;
  options.rate_window = Millis(100);
  return options;
}

TEST(FetchLimits, DripOfBodyIsTooSlow) {
  Web web(always_raw("HTTP/1.1 200 OK\r\n\r\nbody" + std::string(RawServer::kDrip)), impatient());
  const Exchange answer = web.get_path("/");
  EXPECT_EQ(kind(answer), FailureKind::kTooSlow);
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.body, testing::StartsWith("body"));
}

TEST(FetchLimits, DripOfHeaderLinesIsTooSlow) {
  Web web(always_raw("HTTP/1.1 200 OK\r\n" + std::string(RawServer::kDrip)), impatient());
  EXPECT_EQ(kind(web.get_path("/")), FailureKind::kTooSlow);
}

TEST(FetchLimits, SilenceBeforeTheFirstOctetIsATimeout) {
  Web web(always_raw(std::string(RawServer::kHold)), impatient());
  Request request = web.at("/");
  request.timeout = Millis(700);
  EXPECT_EQ(kind(web.get(std::move(request))), FailureKind::kTimeout);
}

TEST(FetchLimits, SilenceAfterTheHeadersIsTooSlow) {
  Web web(
      always_raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n" + std::string(RawServer::kHold)),
      impatient());
  EXPECT_EQ(kind(web.get_path("/")), FailureKind::kTooSlow);
}

TEST(FetchLimits, EndlessChunksAreCut) {
  Web web(always_raw(kChunked + std::string(RawServer::kEndless)));
  Request request = web.at("/");
  request.max_bytes = 100'000;
  const Exchange answer = web.get(std::move(request));
  EXPECT_FALSE(answer.failure);
  EXPECT_TRUE(answer.cut);
  EXPECT_EQ(answer.body, std::string(100'000, 'x'));
  EXPECT_LT(answer.wire_bytes, 1'000'000U);
}

TEST(FetchLimits, BodyOfJustTheLimitIsNotCut) {
  Web web(always_raw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + std::string(1000, 'x')));
  Request request = web.at("/");
  request.max_bytes = 1000;
  const Exchange answer = web.get(std::move(request));
  EXPECT_FALSE(answer.cut);
  EXPECT_EQ(answer.body.size(), 1000U);
}

TEST(FetchLimits, ContentLengthThatBoastsReservesNoMoreThanTheLimit) {
  Web web(always_raw(closing("HTTP/1.1 200 OK\r\nContent-Length: 9000000000000000000\r\n\r\nabc")));
  const Exchange answer = web.get_path("/");
  EXPECT_EQ(kind(answer), FailureKind::kConnectionLost);
  EXPECT_EQ(answer.body, "abc");
  EXPECT_LE(answer.body.capacity(), 2U * 1024 * 1024);
}

TEST(FetchLimits, OneHeaderLineWithoutEndIsTooLarge) {
  Web web(always_raw(closing("HTTP/1.1 200 OK\r\nX: " + std::string(300'000, 'y'))));
  EXPECT_EQ(kind(web.get_path("/")), FailureKind::kHeadersTooLarge);
}

TEST(FetchLimits, EndlessInterimAnswersAreTooLarge) {
  std::string octets;
  for (int i = 0; i < 3000; ++i) octets += "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
  Web web(always_raw(closing(octets)));
  EXPECT_EQ(kind(web.get_path("/")), FailureKind::kHeadersTooLarge);
}

TEST(FetchLimits, ConnectTimeoutEndsWhatNeverConnects) {
  // A listener whose queue is full: the kernel drops further SYNs.
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&at), size), 0);
  ASSERT_EQ(listen(listener, 0), 0);
  getsockname(listener, reinterpret_cast<sockaddr*>(&at), &size);
  std::vector<int> waiting;
  for (int i = 0; i < 4; ++i) {
    waiting.push_back(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    connect(waiting.back(), reinterpret_cast<sockaddr*>(&at), sizeof at);
  }
  FetchOptions options;
  options.connect_timeout = Millis(200);
  Reader reader(options);
  const Exchange answer =
      reader.get("http://127.0.0.1:" + std::to_string(ntohs(at.sin_port)) + "/");
  EXPECT_EQ(kind(answer), FailureKind::kConnectTimeout);
  EXPECT_LT(answer.timings.total, Millis(10'000));
  for (const int fd : waiting) close(fd);
  close(listener);
}

TEST(FetchAnswers, FoldedLinesAreJoined) {
  Web web(always_raw("HTTP/1.1 200 OK\r\nX-Long: a\r\n \t b\r\n\tc\r\nContent-Length: 0\r\n\r\n"));
  EXPECT_EQ(web.get_path("/").headers.get("X-Long"), "a b c");
}

TEST(FetchAnswers, Http10IsRead) {
  Web web(always_raw(closing("HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\nold")));
  const Exchange answer = web.get_path("/");
  ASSERT_FALSE(answer.failure) << answer.failure->detail;
  EXPECT_EQ(answer.http_version, "1.0");
  EXPECT_EQ(answer.body, "old");
}

TEST(FetchAnswers, WhatHasNoStatusLineIsNoAnswer) {
  for (const char* octets :
       {"<html>1991</html>", "HTTQ/1.1 200 OK\r\n\r\n", "SSH-2.0-server\r\n", "\x15\x03\x01"}) {
    Web web(always_raw(closing(octets)));
    const Exchange answer = web.get_path("/");
    EXPECT_EQ(kind(answer), FailureKind::kBadResponse) << octets;
    EXPECT_TRUE(answer.body.empty());
  }
}

TEST(FetchAnswers, NothingAtAllIsConnectionLost) {
  Web web(always_raw(closing("")));
  EXPECT_EQ(kind(web.get_path("/")), FailureKind::kConnectionLost);
}

TEST(FetchAnswers, LengthAndChunksTogetherMeanChunks) {  // RFC 9112 section 6.3
  Web web(
      always_raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n"
                 "5\r\nhello\r\n0\r\n\r\n"));
  const Exchange answer = web.get_path("/");
  ASSERT_FALSE(answer.failure) << answer.failure->detail;
  EXPECT_EQ(answer.body, "hello");
}

TEST(FetchAnswers, ContentLengthThatIsNoNumberIsBad) {
  Web web(always_raw(closing("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nhello")));
  EXPECT_EQ(kind(web.get_path("/")), FailureKind::kBadResponse);
}

TEST(FetchAnswers, BrokenChunksLoseTheConnectionAndKeepWhatCame) {
  Web web(always_raw(closing(kChunked + std::string("5\r\nhello\r\nzz\r\n"))));
  const Exchange answer = web.get_path("/");
  EXPECT_EQ(kind(answer), FailureKind::kConnectionLost);
  EXPECT_EQ(answer.body, "hello");
}

TEST(FetchAnswers, ConnectionClosedWhileIdleIsReplaced) {
  Web web(always_raw(closing("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")));
  for (int turn = 1; turn <= 3; ++turn) {
    const Exchange answer = web.get_path("/");
    ASSERT_FALSE(answer.failure) << answer.failure->detail;
    EXPECT_EQ(answer.body, "ok");
    EXPECT_EQ(web.server.requests, turn);
    while (web.server.closed < turn) web.loop.poll();
  }
}

std::string encoded(const std::string& coding, const std::string& octets) {
  return "HTTP/1.1 200 OK\r\nContent-Encoding: " + coding +
         "\r\nContent-Length: " + std::to_string(octets.size()) + "\r\n\r\n" + octets;
}
std::string brotli_of(const std::string& text) {
  std::size_t size = BrotliEncoderMaxCompressedSize(text.size());
  std::string out(size, '\0');
  BrotliEncoderCompress(5, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_GENERIC, text.size(),
                        reinterpret_cast<const std::uint8_t*>(text.data()), &size,
                        reinterpret_cast<std::uint8_t*>(out.data()));
  out.resize(size);
  return out;
}
std::string zstd_of(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

TEST(FetchCodings, BrotliAndZstdAreReadAndWireOctetsTold) {
  const std::string text = "a page of some words; a page of some words";
  for (const auto& [coding, octets] :
       {std::pair("br", brotli_of(text)), std::pair("zstd", zstd_of(text))}) {
    Web web(always_raw(encoded(coding, octets)));
    const Exchange answer = web.get_path("/");
    ASSERT_FALSE(answer.failure) << coding;
    EXPECT_EQ(answer.body, text);
    EXPECT_EQ(answer.wire_bytes, octets.size());
    EXPECT_FALSE(answer.body_damaged);
  }
}

TEST(FetchCodings, BombsOfBrotliAndZstdAreToldAndBounded) {
  const std::string zeros(50'000'000, '\0');
  for (const auto& [coding, octets] :
       {std::pair("br", brotli_of(zeros)), std::pair("zstd", zstd_of(zeros))}) {
    Web web(always_raw(encoded(coding, octets)));
    Request request = web.at("/");
    request.max_bytes = 100'000'000;
    const Exchange answer = web.get(std::move(request));
    EXPECT_EQ(kind(answer), FailureKind::kExpansionBomb) << coding;
    EXPECT_LT(answer.body.size(), 20'000'000U);
  }
}

TEST(FetchCodings, StreamCutShortIsDamagedAndItsStartKept) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "line " + std::to_string(i * 7919) + "\n";
  const std::string whole = brotli_of(text);
  Web web(always_raw(encoded("br", whole.substr(0, whole.size() / 2))));
  const Exchange answer = web.get_path("/");
  EXPECT_FALSE(answer.failure);
  EXPECT_TRUE(answer.body_damaged);
  EXPECT_FALSE(answer.body.empty());
  EXPECT_TRUE(text.starts_with(answer.body));
}

TEST(FetchEnds, FetcherMayGoDuringATransferWhileTheLoopRunsOn) {
  Web web(always_raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc" +
                     std::string(RawServer::kHold)));
  Exchange answer;
  bool ended = false;
  start(web.loop, fetch_into(*web.fetcher, web.at("/"), &answer),
        [&](std::exception_ptr) { ended = true; });
  while (web.server.requests == 0) web.loop.run_for(Millis(5));
  web.fetcher.reset();
  web.loop.restart();
  web.loop.run();  // comes to its end: nothing is left waiting
  EXPECT_TRUE(ended);
  EXPECT_EQ(kind(answer), FailureKind::kAborted);
}

TEST(FetchEnds, LoopComesToItsEndWhenNothingIsInFlight) {
  Web web(always_raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  EXPECT_EQ(web.get_path("/").body, "ok");
  web.loop.restart();
  web.loop.run();  // the kept connection holds nobody up
  EXPECT_TRUE(web.get_path("/").reused_connection);
}

}  // namespace
}  // namespace periplus
