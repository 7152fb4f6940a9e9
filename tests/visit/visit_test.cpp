#include "visit/visit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>

#include "http/raw_server.h"
#include "visit/engine.h"

namespace periplus {
namespace {

class PagesOnly final : public Use {
 public:
  std::string_view name() const override { return "test"; }
  Keep keep() const override { return {.addresses = true, .html = true, .text = false}; }
  bool reads_sitemaps() const override { return true; }
  std::vector<ExtraDocument> extra_documents(const Url&, const Url&) const override { return {}; }
};

std::string page(const std::string& html) {
  return fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{}",
                     html.size(), html);
}
std::string moved(const std::string& to) {
  return "HTTP/1.1 301 Moved Permanently\r\nContent-Length: 0\r\nLocation: " + to + "\r\n\r\n";
}
std::string plain_text(const std::string& text) {
  return fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n{}",
                     text.size(), text);
}
const std::string kGone = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
const std::string kBroken = "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n";

// A site on loopback, and one whole visit of it by an engine with a home of its own. An address has
// one answer after the other; the last one stays.
class Visited {
 public:
  explicit Visited(std::map<std::string, std::vector<std::string>> site)
      : site_(std::move(site)), server_([this](const std::string& head) { return answer(head); }) {
    home_ = ::testing::TempDir() + fmt::format("periplus-visit-{}", server_.port);
    Config config;
    config.pace.floor = Millis(1);
    config.pace.latency_factor = 0;
    config.network.allow_private = {"127.0.0.1"};
    config.network.ports = {static_cast<std::uint16_t>(server_.port)};
    auto engine = Engine::open(config, home_, nullptr);
    EXPECT_TRUE(engine) << (engine ? "" : engine.error().sentence);
    if (!engine) return;
    VisitId id = 0;
    const Url start = Url::parse(url("/")).value();
    const PagesOnly use;
    auto visited = (*engine)->visit({start, config.limits}, use, &id);
    EXPECT_TRUE(visited) << (visited ? "" : visited.error().sentence);
    if (visited) result = std::move(*visited);
    const auto walked = (*engine)->store().each_page(id, kWithMessage, [&](StoredPage& stored) {
      pages.push_back(stored);
      return true;
    });
    EXPECT_TRUE(walked);
  }
  ~Visited() { std::filesystem::remove_all(home_); }
  Visited(const Visited&) = delete;
  Visited& operator=(const Visited&) = delete;

  std::string url(const std::string& path) const {
    return fmt::format("http://127.0.0.1:{}{}", server_.port, path);
  }
  const StoredPage* page_at(const std::string& path) const {
    const auto found = std::ranges::find(pages, url(path), &StoredPage::url);
    return found == pages.end() ? nullptr : &*found;
  }
  const NotFetched* left(const std::string& href) const {
    const auto found = std::ranges::find(result.not_fetched, href, &NotFetched::url);
    return found == result.not_fetched.end() ? nullptr : &*found;
  }
  int asked(const std::string& path) {
    const std::scoped_lock lock(guard_);
    return asked_[path];
  }

  VisitResult result;
  std::vector<StoredPage> pages;

 private:
  std::string answer(const std::string& head) {
    const std::size_t from = head.find(' ') + 1;
    const std::string path = head.substr(from, head.find(' ', from) - from);
    const std::scoped_lock lock(guard_);
    const int time = asked_[path]++;
    const auto found = site_.find(path);
    if (found == site_.end()) return kGone;
    return found
        ->second[std::min<std::size_t>(static_cast<std::size_t>(time), found->second.size() - 1)];
  }

  std::mutex guard_;
  std::map<std::string, std::vector<std::string>> site_;
  std::map<std::string, int> asked_;
  RawServer server_;
  std::string home_;
};

TEST(Visit, ARedirectIntoWhatRobotsClosesIsReadAndItsTargetIsNot) {
  Visited v({{"/robots.txt", {plain_text("User-agent: *\nDisallow: /private\n")}},
             {"/", {page("<a href=/in>In</a>")}},
             {"/in", {moved("/private/room")}}});
  const StoredPage* in = v.page_at("/in");
  ASSERT_NE(in, nullptr);
  EXPECT_EQ(in->status, 301);
  EXPECT_EQ(in->failure, name(FailureKind::kRobotsDisallowed));
  EXPECT_EQ(v.asked("/private/room"), 0);
  const NotFetched* left = v.left(v.url("/private/room"));
  ASSERT_NE(left, nullptr);
  EXPECT_EQ(left->reason, NotFetchedReason::kRobots);
  EXPECT_EQ(left->found_from, v.url("/in"));
  EXPECT_EQ(v.result.outcome.kind, OutcomeKind::kComplete);
}

TEST(Visit, ARedirectOutOfTheSiteIsReadAndItsTargetIsNot) {
  Visited v({{"/", {page("<a href=/out>Out</a>")}},
             {"/out", {moved("/further")}},
             {"/further", {moved("http://other.example/there")}}});
  const StoredPage* out = v.page_at("/out");
  ASSERT_NE(out, nullptr);
  EXPECT_EQ(out->status, 301);
  EXPECT_EQ(out->failure, name(FailureKind::kOffSite));
  const NotFetched* left = v.left("http://other.example/there");
  ASSERT_NE(left, nullptr);
  EXPECT_EQ(left->reason, NotFetchedReason::kOtherSite);
  EXPECT_EQ(left->found_from, v.url("/out"));
  // What the chain went through was read.
  EXPECT_EQ(v.left(v.url("/further")), nullptr);
  EXPECT_EQ(v.result.not_fetched.size(), 1U);
}

TEST(Visit, AMetaRefreshLeadsOn) {
  Visited v({{"/", {page("<meta http-equiv=refresh content='0; url=/new'>")}},
             {"/new", {page("<meta http-equiv=refresh content='30;URL=\"/later\"'>")}},
             {"/later", {page("<meta http-equiv=refresh content=180><p>Here")}}});
  ASSERT_NE(v.page_at("/new"), nullptr);
  EXPECT_EQ(v.page_at("/new")->via, name(FoundVia::kRedirect));
  EXPECT_EQ(v.page_at("/new")->found_from, v.url("/"));
  EXPECT_EQ(v.page_at("/new")->depth, 1U);
  ASSERT_NE(v.page_at("/later"), nullptr);
  EXPECT_EQ(v.pages.size(), 3U);
}

TEST(Visit, AMetaRefreshOfAPageWithNofollowDoesNot) {
  Visited v({{"/",
              {page("<meta name=robots content=nofollow>"
                    "<meta http-equiv=refresh content='0; url=/new'>")}},
             {"/new", {page("<p>New")}}});
  EXPECT_EQ(v.page_at("/new"), nullptr);
  ASSERT_NE(v.left(v.url("/new")), nullptr);
  EXPECT_EQ(v.left(v.url("/new"))->reason, NotFetchedReason::kNofollow);
}

TEST(Visit, ARelativeAddressInASitemapIsTheSitemapsOwn) {
  Visited v({{"/robots.txt", {plain_text("User-agent: *\nAllow: /\n")}},
             {"/", {page("<p>Start")}},
             {"/sitemap.xml",
              {"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nContent-Length: 64\r\n\r\n"
               "<urlset><url><loc>listed</loc></url></urlset>                   "}},
             {"/listed", {page("<p>Listed")}}});
  ASSERT_NE(v.page_at("/listed"), nullptr);
  EXPECT_EQ(v.page_at("/listed")->via, name(FoundVia::kSitemap));
}

TEST(Visit, TheSecondTryOfARedirectGoesTheWholeWay) {
  Visited v({{"/", {moved("/start")}},
             {"/start", {kBroken, page("<a href=/one>One</a>")}},
             {"/one", {moved("/two")}},
             {"/two", {kBroken, page("<p>Two")}}});
  ASSERT_NE(v.page_at("/"), nullptr);
  EXPECT_EQ(v.page_at("/")->status, 200);
  EXPECT_EQ(v.page_at("/")->final_url, v.url("/start"));
  ASSERT_NE(v.page_at("/one"), nullptr);
  EXPECT_EQ(v.page_at("/one")->status, 200);
  EXPECT_EQ(v.page_at("/one")->final_url, v.url("/two"));
  EXPECT_TRUE(v.result.not_fetched.empty());
}

}  // namespace
}  // namespace periplus
