#include "http/redirects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/web.h"

namespace periplus {
namespace {

// Answers each request with a redirect to what `to` says for its path.
RawServer::Answer redirecting(std::function<std::string(const std::string& path)> to,
                              int status = 302, std::string more = {}) {
  return [to = std::move(to), status, more = std::move(more)](const std::string& head) {
    const std::string path = head.substr(4, head.find(' ', 4) - 4);
    return "HTTP/1.1 " + std::to_string(status) + " Elsewhere\r\nLocation: " + to(path) + "\r\n" +
           more + "Content-Length: 0\r\n\r\n";
  };
}

TEST(Redirects, EveryStatusThatRedirectsIsFollowedAndNoOther) {
  for (const int status : {300, 301, 302, 303, 304, 305, 307, 308}) {
    Web web([status](const std::string& head) {
      return head.starts_with("GET /a ")
                 ? "HTTP/1.1 " + std::to_string(status) +
                       " Elsewhere\r\nLocation: b#part\r\nContent-Length: 0\r\n\r\n"
                 : std::string("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nend");
    });
    const Chain chain = web.follow_path("/a");
    EXPECT_FALSE(chain.last.failure);
    const bool follows = status == 301 || status == 302 || status == 303 || status >= 307;
    ASSERT_EQ(chain.hops.size(), follows ? 2U : 1U) << status;
    EXPECT_EQ(chain.hops[0].status, status);
    EXPECT_EQ(chain.hops[0].location, follows ? "b#part" : "");
    EXPECT_EQ(chain.hops[0].address, "127.0.0.1");
    EXPECT_EQ(chain.last.status, follows ? 200 : status);
    if (follows) {
      EXPECT_THAT(chain.hops[1].url, testing::EndsWith("/b#part"));
    }
  }
}

TEST(Redirects, TenAreFollowedAndTheEleventhIsNot) {
  const auto on = [](const std::string& path) {
    return "/" + std::to_string(std::stoi(path.substr(1)) + 1);
  };
  Web web(redirecting(on));
  const Chain chain = web.follow_path("/0");
  EXPECT_EQ(kind(chain.last), FailureKind::kTooManyRedirects);
  EXPECT_EQ(chain.hops.size(), 11U);
  EXPECT_EQ(web.server.requests, 11);
  Web ten([&](const std::string& head) {
    return head.starts_with("GET /10 ") ? "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
                                        : redirecting(on)(head);
  });
  EXPECT_EQ(ten.follow_path("/0").last.status, 200);
}

TEST(Redirects, LoopsOfOneAndOfTwoAreTold) {
  Web one(redirecting([](const std::string& path) { return path; }));
  const Chain self = one.follow_path("/a");
  EXPECT_EQ(kind(self.last), FailureKind::kRedirectLoop);
  EXPECT_FALSE(self.cookie_retry);
  EXPECT_EQ(one.server.requests, 1);
  Web two(redirecting([](const std::string& path) { return path == "/a" ? "/b" : "/a"; }));
  EXPECT_EQ(kind(two.follow_path("/a").last), FailureKind::kRedirectLoop);
  EXPECT_EQ(two.server.requests, 2);
  Web fragment(redirecting([](const std::string& path) { return path + "#again"; }));
  EXPECT_EQ(kind(fragment.follow_path("/a").last), FailureKind::kRedirectLoop);
  EXPECT_EQ(fragment.server.requests, 1);
}

TEST(Redirects, CookiesOpenALoopOfTwoNever) {
  Web web(redirecting([](const std::string& path) { return path == "/a" ? "/b" : "/a"; }, 302,
                      "Set-Cookie: k=v\r\n"));
  const Chain chain = web.follow_path("/a");
  EXPECT_EQ(kind(chain.last), FailureKind::kRedirectLoop);
  EXPECT_FALSE(chain.cookie_retry);
  EXPECT_EQ(web.server.requests, 2);
}

TEST(Redirects, CookieWallIsTriedOnceWithItsCookie) {
  Web wall(redirecting([](const std::string& path) { return path; }, 302,
                       "Set-Cookie: k=v; Path=/\r\n"));
  const Chain stubborn = wall.follow_path("/a");
  EXPECT_EQ(kind(stubborn.last), FailureKind::kRedirectLoop);
  EXPECT_TRUE(stubborn.cookie_retry);
  EXPECT_EQ(wall.server.requests, 2);
  std::vector<std::string> heads;
  Web door([&](const std::string& head) {
    heads.push_back(head);
    if (head.starts_with("GET /c "))
      return std::string("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nin");
    if (head.find("Cookie: k=v; m=n\r\n") != std::string::npos)
      return redirecting([](const std::string&) { return "/c"; })(head);
    return redirecting([](const std::string&) { return "/a"; }, 302,
                       "Set-Cookie: k=v; Secure\r\nSet-Cookie: m=n\r\n")(head);
  });
  const Chain open = door.follow_path("/a");
  EXPECT_EQ(open.last.body, "in");
  EXPECT_TRUE(open.cookie_retry);
  ASSERT_EQ(heads.size(), 3U);
  EXPECT_THAT(heads[2], testing::Not(testing::HasSubstr("Cookie")));  // forgotten after its hop
}

TEST(Redirects, LocationThatLeadsNowhereIsABadRedirect) {
  for (const char* location :
       {"", "http://", "https://[::1", "mailto:someone@example", "javascript:alert(1)",
        "file:///etc/passwd", "data:text/html,x", "ftp://127.0.0.1/", "http://a b/"}) {
    Web web(redirecting([&](const std::string&) { return location; }));
    const Chain chain = web.follow_path("/a");
    EXPECT_EQ(kind(chain.last), FailureKind::kBadRedirect) << location;
    EXPECT_EQ(web.server.requests, 1) << location;
    EXPECT_EQ(chain.last.status, 302);
  }
  Web none(always_raw("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"));
  EXPECT_EQ(kind(none.follow_path("/").last), FailureKind::kBadRedirect);
}

TEST(Redirects, HopToAPrivateAddressIsRefused) {
  for (const char* location : {"http://127.0.0.2/", "http://[::1]/", "http://169.254.169.254/",
                               "http://0x7f.2/", "http://localhost/"}) {
    Web web(redirecting([&](const std::string&) { return location; }));
    const Chain chain = web.follow_path("/a");
    EXPECT_EQ(kind(chain.last), FailureKind::kAddressRefused) << location;
    EXPECT_EQ(chain.hops.size(), 2U);
  }
}

class ClosedAtHop final : public HopGate {
 public:
  Task<std::optional<Failure>> before(Url, int hop) override {
    std::optional<Failure> out;
    if (hop == 1) out = Failure{FailureKind::kRobotsDisallowed, "here"};
    co_return out;
  }
  void after(const Exchange& exchange) override { told.push_back(exchange.status); }
  std::vector<int> told;
};

TEST(Redirects, GateIsAskedBeforeAndToldAfterEveryHop) {
  Web web(redirecting([](const std::string&) { return "/b"; }));
  ClosedAtHop gate;
  Chain chain;
  run_to_end(web.loop, follow_into(*web.fetcher, web.at("/a"), gate, 10, &chain));
  EXPECT_EQ(kind(chain.last), FailureKind::kRobotsDisallowed);
  EXPECT_EQ(chain.last.failure->detail, "here");
  EXPECT_EQ(web.server.requests, 1);
  EXPECT_THAT(gate.told, testing::ElementsAre(302));
}

}  // namespace
}  // namespace periplus
