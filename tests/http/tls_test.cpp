// TLS on real sockets: what is wrong with a certificate is told by kind, and the certificate is
// described whether it is good or not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "http/tls_server.h"
#include "http/web.h"

namespace periplus {
namespace {

std::string ok(const std::string&) { return "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"; }

class Tls : public testing::Test {
 protected:
  KeyedCertificate signed_by_ca(const CertificateOrder& order) const {
    return make_certificate(order, &ca_);
  }
  FetchOptions trusting() const {
    FetchOptions options;
    options.ca_file = write_pem(ca_, "periplus_test_ca_" + std::to_string(getpid()) + ".pem");
    return options;
  }
  // What becomes of a visit to a server with that certificate.
  Exchange meet(const KeyedCertificate& certificate) const {
    TlsServer server(certificate, ok);
    Reader reader(trusting());
    Exchange answer = reader.get(server.url("/"));
    EXPECT_EQ(server.requests, answer.failure ? 0 : 1);  // nothing is sent to whom is not trusted
    return answer;
  }

  KeyedCertificate ca_ =
      make_certificate({.subject = "Test Authority", .names = "", .authority = true}, nullptr);
};

TEST_F(Tls, GoodCertificateIsDescribed) {
  const Exchange answer = meet(signed_by_ca({}));
  ASSERT_FALSE(answer.failure) << answer.failure->detail;
  EXPECT_EQ(answer.body, "ok");
  EXPECT_TRUE(answer.tls.used);
  EXPECT_EQ(answer.tls.version, "TLSv1.3");
  EXPECT_EQ(answer.tls.issuer, "Test Authority");
  EXPECT_EQ(answer.tls.subject, "127.0.0.1");
  ASSERT_TRUE(answer.tls.not_before && answer.tls.not_after);
  EXPECT_EQ(*answer.tls.not_after - *answer.tls.not_before, std::chrono::hours(91 * 24));
  EXPECT_GT(*answer.tls.not_after, answer.at);
}

TEST_F(Tls, OlderVersionIsTold) {
  TlsServer server(signed_by_ca({}), ok, {.max_version = TLS1_2_VERSION});
  Reader reader(trusting());
  EXPECT_EQ(reader.get(server.url("/")).tls.version, "TLSv1.2");
}

TEST_F(Tls, ExpiredIsToldWithItsDates) {
  const Exchange answer = meet(signed_by_ca({.from_days = -90, .until_days = -2}));
  EXPECT_EQ(kind(answer), FailureKind::kTlsExpired);
  EXPECT_TRUE(answer.tls.used);
  EXPECT_EQ(answer.tls.issuer, "Test Authority");
  EXPECT_EQ(answer.tls.subject, "127.0.0.1");
  ASSERT_TRUE(answer.tls.not_after);
  EXPECT_LT(*answer.tls.not_after, answer.at);
  EXPECT_EQ(answer.address, "127.0.0.1");
}

TEST_F(Tls, NotYetValidIsNotValidNow) {
  const Exchange answer = meet(signed_by_ca({.from_days = 2}));
  EXPECT_EQ(kind(answer), FailureKind::kTlsExpired);
  ASSERT_TRUE(answer.tls.not_before);
  EXPECT_GT(*answer.tls.not_before, answer.at);
}

TEST_F(Tls, CertificateForAnotherNameIsWrongName) {
  const Exchange address = meet(signed_by_ca({.subject = "other", .names = "IP:127.0.0.9"}));
  EXPECT_EQ(kind(address), FailureKind::kTlsWrongName);
  EXPECT_EQ(address.tls.subject, "other");
  const Exchange dns = meet(signed_by_ca({.subject = "127.0.0.1", .names = "DNS:other.example"}));
  EXPECT_EQ(kind(dns), FailureKind::kTlsWrongName);
}

TEST_F(Tls, SelfSignedIsUntrusted) {
  const Exchange answer = meet(make_certificate({}, nullptr));
  EXPECT_EQ(kind(answer), FailureKind::kTlsUntrusted);
  EXPECT_EQ(answer.tls.issuer, "127.0.0.1");
}

TEST_F(Tls, UnknownAuthorityIsUntrusted) {
  const KeyedCertificate stranger =
      make_certificate({.subject = "Unknown Authority", .names = "", .authority = true}, nullptr);
  const Exchange answer = meet(make_certificate({}, &stranger));
  EXPECT_EQ(kind(answer), FailureKind::kTlsUntrusted);
  EXPECT_EQ(answer.tls.issuer, "Unknown Authority");
  EXPECT_EQ(answer.tls.subject, "127.0.0.1");
}

TEST_F(Tls, WhatIsNoTlsOrGivesUpIsAHandshakeFailure) {
  for (const char* instead : {"HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-server\r\n", "close",
                              "\x15\x03\x03\x00\x02\x02\x28"}) {  // alert: handshake failure
    TlsServer::Options options;
    options.instead_of_hello = instead;
    TlsServer server(signed_by_ca({}), ok, options);
    Reader reader(trusting());
    const Exchange answer = reader.get(server.url("/"));
    EXPECT_EQ(kind(answer), FailureKind::kTlsHandshake) << instead;
    EXPECT_TRUE(answer.tls.used);
    EXPECT_EQ(answer.status, 0);
  }
}

TEST_F(Tls, VersionsOlderThan12AreRefused) {
  TlsServer server(signed_by_ca({}), ok, {.max_version = TLS1_1_VERSION});
  Reader reader(trusting());
  EXPECT_EQ(kind(reader.get(server.url("/"))), FailureKind::kTlsHandshake);
}

TEST_F(Tls, ReusedConnectionStillHasItsFacts) {
  TlsServer server(signed_by_ca({}), ok);
  Reader reader(trusting());
  const Exchange first = reader.get(server.url("/1"));
  const Exchange second = reader.get(server.url("/2"));
  EXPECT_TRUE(second.reused_connection);
  EXPECT_EQ(server.connections, 1);
  EXPECT_EQ(second.tls.version, first.tls.version);
  EXPECT_EQ(second.tls.issuer, "Test Authority");
  EXPECT_EQ(second.tls.not_after, first.tls.not_after);
}

TEST_F(Tls, NewConnectionResumesTheSessionAndHasItsFacts) {
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    TlsServer server(signed_by_ca({}), ok, {.http1_closes = true, .max_version = version});
    Reader reader(trusting());
    EXPECT_EQ(reader.get(server.url("/1")).body, "ok");
    // The server closes without a word. A request that meets this has had its turn and ends; the
    // next one opens anew.
    Exchange second = reader.get(server.url("/2"));
    if (second.failure) second = reader.get(server.url("/2"));
    EXPECT_EQ(second.body, "ok");
    EXPECT_FALSE(second.reused_connection);
    EXPECT_GE(server.connections, 2);
    EXPECT_GE(server.resumed,
              1);  // a ticket of TLS 1.3 serves once, and an ended request brings no new one
    EXPECT_EQ(second.tls.issuer, "Test Authority");
    EXPECT_EQ(second.tls.subject, "127.0.0.1");
    EXPECT_TRUE(second.tls.not_after);
    EXPECT_EQ(second.tls.version, version == TLS1_2_VERSION ? "TLSv1.2" : "TLSv1.3");
  }
}

TEST_F(Tls, FactsAreOfTheServerAskedAndNotOfAnotherPort) {
  TlsServer one(signed_by_ca({.subject = "one"}), ok);
  TlsServer two(signed_by_ca({.subject = "two"}), ok);
  Reader reader(trusting());
  EXPECT_EQ(reader.get(one.url("/")).tls.subject, "one");
  EXPECT_EQ(reader.get(two.url("/")).tls.subject, "two");
  EXPECT_EQ(reader.get(one.url("/")).tls.subject, "one");
}

TEST_F(Tls, NameServedByItsCertificateIsAsked) {
  TlsServer server(signed_by_ca({.subject = "localhost", .names = "DNS:localhost"}), ok);
  Reader reader(trusting());
  reader.guard.allow_private("localhost");
  const Exchange answer = reader.get(server.url("/", "localhost"));
  ASSERT_FALSE(answer.failure) << answer.failure->detail;
  EXPECT_EQ(answer.tls.subject, "localhost");
}

TEST_F(Tls, Http2IsSpokenWhereTheServerTakesIt) {
  TlsServer server(signed_by_ca({}), [](const std::string&) { return "over two"; },
                   {.http2 = true});
  Reader reader(trusting());
  const Exchange first = reader.get(server.url("/1"));
  ASSERT_FALSE(first.failure) << first.failure->detail;
  EXPECT_EQ(first.http_version, "2");
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(first.body, "over two");
  const Exchange second = reader.get(server.url("/2"));
  EXPECT_TRUE(second.reused_connection);
  EXPECT_EQ(second.tls.issuer, "Test Authority");
}

TEST_F(Tls, Http2IsNotSpokenWhenSwitchedOff) {
  TlsServer server(signed_by_ca({}), ok, {.http2 = true});
  FetchOptions options = trusting();
  options.http2 = false;
  Reader reader(std::move(options));
  EXPECT_EQ(reader.get(server.url("/")).http_version, "1.1");
}

}  // namespace
}  // namespace periplus
