#include "http/resolver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/dns_server.h"
#include "http/raw_server.h"
#include "http/web.h"

namespace periplus {
namespace {

using std::chrono::seconds;

std::vector<std::string> texts(const Resolution& resolution) {
  std::vector<std::string> out;
  for (const Address& address : resolution.addresses) out.push_back(address.to_text());
  return out;
}

// A resolver that asks one server of the test's making, on a clock moved by hand.
struct Names {
  explicit Names(DnsServer::Answer answer, ResolverOptions options = {})
      : server(std::move(answer)) {
    options.servers = {server.address()};
    resolver = make_resolver(loop, clock, options);
  }
  Resolution ask(const std::string& host) {
    Resolution out;
    run_to_end(loop, resolve_into(*resolver, host, &out));
    return out;
  }
  std::optional<FailureKind> failure(const std::string& host) {
    const Resolution out = ask(host);
    if (!out.failure) return std::nullopt;
    return out.failure->kind;
  }

  DnsServer server;
  Loop loop;
  SimulatedClock clock{loop, Instant(seconds(1'000'000))};
  std::unique_ptr<Resolver> resolver;
};

DnsServer::Answer always(DnsAnswer answer) {
  return [answer = std::move(answer)](const std::string&, bool) { return answer; };
}

TEST(Resolver, AddressesComeAsServedVersion4First) {
  Names names(always({.addresses = {"192.0.2.9", "2001:db8::2", "192.0.2.1", "2001:db8::1"}}));
  const Resolution answer = names.ask("www.test");
  EXPECT_FALSE(answer.failure);
  EXPECT_THAT(texts(answer),
              testing::ElementsAre("192.0.2.9", "192.0.2.1", "2001:db8::2", "2001:db8::1"));
  EXPECT_EQ(names.server.asked(false), 1);
  EXPECT_EQ(names.server.asked(true), 1);
}

TEST(Resolver, AliasesAreFollowed) {
  Names names(always({.addresses = {"192.0.2.9"}, .alias = "edge.test"}));
  EXPECT_THAT(texts(names.ask("www.test")), testing::ElementsAre("192.0.2.9"));
}

TEST(Resolver, OneFamilyIsEnough) {
  Names only_v6([](const std::string&, bool v6) {
    return v6 ? DnsAnswer{.addresses = {"2001:db8::1"}} : DnsAnswer{.code = 2};
  });
  EXPECT_THAT(texts(only_v6.ask("www.test")), testing::ElementsAre("2001:db8::1"));
  Names only_v4([](const std::string&, bool v6) {
    return v6 ? DnsAnswer{.code = 2} : DnsAnswer{.addresses = {"192.0.2.9"}};
  });
  EXPECT_THAT(texts(only_v4.ask("www.test")), testing::ElementsAre("192.0.2.9"));
}

TEST(Resolver, AnswersAreKeptForTheirTtl) {
  Names names(always({.addresses = {"192.0.2.9"}, .ttl = 100}));
  EXPECT_FALSE(names.ask("www.test").from_cache);
  names.clock.advance(seconds(99));
  EXPECT_TRUE(names.ask("www.test").from_cache);
  EXPECT_EQ(names.server.asked(false), 1);
  names.clock.advance(seconds(1));
  EXPECT_FALSE(names.ask("www.test").from_cache);
  EXPECT_EQ(names.server.asked(false), 2);
}

TEST(Resolver, TtlIsHeldWithinItsBounds) {
  Names brief(always({.addresses = {"192.0.2.9"}, .ttl = 0}));
  brief.ask("www.test");
  brief.clock.advance(seconds(4));
  EXPECT_TRUE(brief.ask("www.test").from_cache);
  brief.clock.advance(seconds(1));
  EXPECT_FALSE(brief.ask("www.test").from_cache);
  for (const unsigned ttl : {1'000'000U, 0xffffffffU}) {
    Names lasting(always({.addresses = {"192.0.2.9"}, .ttl = ttl}));
    lasting.ask("www.test");
    lasting.clock.advance(seconds(3'600));
    EXPECT_FALSE(lasting.ask("www.test").from_cache) << ttl;
  }
}

TEST(Resolver, AbsenceIsRememberedForAWhile) {
  Names names(always({.code = 3}));
  EXPECT_EQ(names.failure("no.test"), FailureKind::kNameNotFound);
  names.clock.advance(seconds(29));
  const Resolution again = names.ask("no.test");
  EXPECT_TRUE(again.from_cache);
  ASSERT_TRUE(again.failure);
  EXPECT_EQ(again.failure->kind, FailureKind::kNameNotFound);
  const int asked = names.server.asked();
  names.clock.advance(seconds(1));
  EXPECT_EQ(names.failure("no.test"), FailureKind::kNameNotFound);
  EXPECT_GT(names.server.asked(), asked);
}

TEST(Resolver, NameWithoutAddressesIsNotFound) {
  Names names(always({}));
  EXPECT_EQ(names.failure("mail-only.test"), FailureKind::kNameNotFound);
}

TEST(Resolver, ServersThatFailAreNoAbsenceAndNotRemembered) {
  for (const int code : {2, 5}) {
    Names names(always({.code = code}));
    EXPECT_EQ(names.failure("www.test"), FailureKind::kNameServerFailed) << code;
    EXPECT_FALSE(names.ask("www.test").from_cache);
  }
}

TEST(Resolver, NoAnswerIsANameServerFailure) {
  ResolverOptions options;
  options.timeout = Millis(90);
  Names names(always({.silent = true}), options);
  EXPECT_EQ(names.failure("www.test"), FailureKind::kNameServerFailed);
  EXPECT_EQ(names.server.asked(false), 2);  // tried twice
}

TEST(Resolver, LookUpsOfOneNameAtTheSameTimeAreOne) {
  Names names(always({.addresses = {"192.0.2.9"}}));
  std::vector<Resolution> answers(20);
  int ended = 0;
  for (Resolution& answer : answers) {
    start(names.loop, resolve_into(*names.resolver, "www.test", &answer),
          [&](std::exception_ptr) { ++ended; });
  }
  while (ended < 20 && names.loop.run_one() > 0) continue;
  for (const Resolution& answer : answers)
    EXPECT_THAT(texts(answer), testing::ElementsAre("192.0.2.9"));
  EXPECT_EQ(names.server.asked(false), 1);
  EXPECT_EQ(names.server.asked(true), 1);
}

TEST(Resolver, LiteralsLocalhostAndOnionAskNobody) {
  Names names(always({.addresses = {"192.0.2.9"}}));
  EXPECT_THAT(texts(names.ask("198.51.100.7")), testing::ElementsAre("198.51.100.7"));
  EXPECT_THAT(texts(names.ask("[2001:db8::7]")), testing::ElementsAre("2001:db8::7"));
  for (const char* host : {"localhost", "localhost.", "a.localhost"})
    EXPECT_THAT(texts(names.ask(host)), testing::ElementsAre("127.0.0.1", "::1")) << host;
  EXPECT_EQ(names.failure("abcdef.onion"), FailureKind::kNameNotFound);
  EXPECT_EQ(names.server.asked(), 0);
}

TEST(Resolver, NamesThatDnsCannotHoldAskNobody) {
  Names names(always({.addresses = {"192.0.2.9"}}));
  const std::string label(63, 'a');
  for (const std::string& host :
       {std::string(64, 'a') + ".test", std::string("a..test"), std::string(".test"),
        label + "." + label + "." + label + "." + label, std::string("."), std::string()})
    EXPECT_EQ(names.failure(host), FailureKind::kNameNotFound) << host;
  EXPECT_EQ(names.server.asked(), 0);
  EXPECT_FALSE(names.failure(label + ".test"));
}

TEST(Resolver, UnusableServerAddressIsANameServerFailure) {
  Loop loop;
  SimulatedClock clock{loop, Instant(seconds(1'000'000))};
  ResolverOptions options;
  options.servers = {"not an address"};
  const std::unique_ptr<Resolver> resolver = make_resolver(loop, clock, options);
  Resolution out;
  run_to_end(loop, resolve_into(*resolver, "www.test", &out));
  ASSERT_TRUE(out.failure);
  EXPECT_EQ(out.failure->kind, FailureKind::kNameServerFailed);
}

TEST(Resolver, CacheIsBounded) {
  ResolverOptions options;
  options.max_entries = 3;
  Names names(always({.addresses = {"192.0.2.9"}}), options);
  int kept = 0;
  for (int i = 0; i < 10; ++i) names.ask("n" + std::to_string(i) + ".test");
  for (int i = 0; i < 10; ++i)
    kept += names.resolver->at_once("n" + std::to_string(i) + ".test") ? 1 : 0;
  EXPECT_EQ(kept, 3);
}

TEST(Resolver, MayGoWithQueriesInFlightWhileTheLoopRunsOn) {
  Names names(always({.silent = true}));
  Resolution answer;
  bool ended = false;
  start(names.loop, resolve_into(*names.resolver, "www.test", &answer),
        [&](std::exception_ptr) { ended = true; });
  while (names.server.asked() < 2) names.loop.run_for(Millis(5));
  names.resolver.reset();
  names.loop.restart();
  names.loop.run();  // comes to its end: nothing is left waiting
  EXPECT_TRUE(ended);
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->kind, FailureKind::kAborted);
}

// An answer is in the socket, and its handler queued, when the resolver goes.
TEST(Resolver, MayGoWithAnAnswerOnItsWay) {
  Names names(always({.addresses = {"192.0.2.9"}}));
  Resolution answer;
  bool ended = false;
  start(names.loop, resolve_into(*names.resolver, "www.test", &answer),
        [&](std::exception_ptr) { ended = true; });
  while (names.server.asked() < 2 && !ended) names.loop.poll_one();
  names.resolver.reset();
  names.loop.restart();
  names.loop.run();
  EXPECT_TRUE(ended);
}

// The guard and the resolver together, as a fetch meets them.
class Rebinding : public testing::Test {
 protected:
  static Request request(const std::string& host) {
    return Reader::request("http://" + host + "/");
  }
  std::optional<FailureKind> fetch_kind(Names& names, const std::string& host) const {
    FetchOptions options;
    options.connect_timeout = Millis(50);
    const std::unique_ptr<Fetcher> fetcher =
        make_fetcher(names.loop, names.clock, *names.resolver, guard_, identity_, nullptr, options);
    Exchange out;
    run_to_end(names.loop, fetch_into(*fetcher, request(host), &out));
    return kind(out);
  }
  AddressGuard guard_;
  Identity identity_;
};

TEST_F(Rebinding, AnswerThatTurnsPrivateIsRefused) {
  std::atomic<bool> turned = false;
  Names names([&](const std::string&, bool) {
    return DnsAnswer{.addresses = {turned ? "10.0.0.1" : "9.9.9.9"}, .ttl = 1};
  });
  EXPECT_THAT(texts(names.ask("rebind.test")), testing::ElementsAre("9.9.9.9"));
  EXPECT_FALSE(guard_.judge("rebind.test", names.ask("rebind.test").addresses.at(0)));
  turned = true;
  names.clock.advance(seconds(6));
  EXPECT_EQ(fetch_kind(names, "rebind.test"), FailureKind::kAddressRefused);
}

TEST_F(Rebinding, OnePrivateAddressAmongPublicOnesIsRefused) {
  for (const char* address : {"10.0.0.1", "127.0.0.1", "169.254.169.254", "::1", "fd00::1"}) {
    Names names(always({.addresses = {"9.9.9.9", address}}));
    EXPECT_EQ(fetch_kind(names, "mixed.test"), FailureKind::kAddressRefused) << address;
  }
}

TEST_F(Rebinding, FailuresOfLookUpsAreTheFetchs) {
  Names absent(always({.code = 3}));
  EXPECT_EQ(fetch_kind(absent, "no.test"), FailureKind::kNameNotFound);
  EXPECT_EQ(fetch_kind(absent, "no.test"), FailureKind::kNameNotFound);  // remembered
  Names failing(always({.code = 2}));
  EXPECT_EQ(fetch_kind(failing, "www.test"), FailureKind::kNameServerFailed);
}

TEST_F(Rebinding, NamedHostIsReachedAtTheAddressItsNameHas) {
  RawServer server([](const std::string& head) {
    const bool named = head.find("Host: www.test:") != std::string::npos;
    return std::string("HTTP/1.1 ") + (named ? "200 OK" : "400 Bad Request") +
           "\r\nContent-Length: 0\r\n\r\n";
  });
  Names names(always({.addresses = {"127.0.0.1"}}));
  guard_.allow_private("www.test");
  const std::unique_ptr<Fetcher> fetcher =
      make_fetcher(names.loop, names.clock, *names.resolver, guard_, identity_, nullptr, {});
  for (int turn = 0; turn < 2; ++turn) {
    Exchange out;
    run_to_end(names.loop,
               fetch_into(*fetcher, request("www.test:" + std::to_string(server.port)), &out));
    ASSERT_FALSE(out.failure) << out.failure->detail;
    EXPECT_EQ(out.status, 200);
    EXPECT_EQ(out.reused_connection, turn == 1);
  }
}

TEST_F(Rebinding, AbortEndsALookUp) {
  Names names(always({.silent = true}));
  const std::unique_ptr<Fetcher> fetcher =
      make_fetcher(names.loop, names.clock, *names.resolver, guard_, identity_, nullptr, {});
  Exchange out;
  bool ended = false;
  start(names.loop, fetch_into(*fetcher, request("www.test"), &out),
        [&](std::exception_ptr) { ended = true; });
  while (names.server.asked() < 1) names.loop.run_for(Millis(5));
  fetcher->abort_all();
  names.loop.restart();
  for (int turn = 0; turn < 100 && !ended; ++turn) names.loop.poll();  // with no name server's help
  EXPECT_TRUE(ended);
  EXPECT_EQ(kind(out), FailureKind::kAborted);
}

TEST_F(Rebinding, FetcherMayGoDuringALookUp) {
  Names names(always({.silent = true}));
  std::unique_ptr<Fetcher> fetcher =
      make_fetcher(names.loop, names.clock, *names.resolver, guard_, identity_, nullptr, {});
  Exchange out;
  bool ended = false;
  start(names.loop, fetch_into(*fetcher, request("www.test"), &out),
        [&](std::exception_ptr) { ended = true; });
  while (names.server.asked() < 1) names.loop.run_for(Millis(5));
  fetcher.reset();
  names.resolver.reset();
  names.loop.restart();
  names.loop.run();
  EXPECT_TRUE(ended);
  EXPECT_EQ(kind(out), FailureKind::kAborted);
}

}  // namespace
}  // namespace periplus
