#include "url/url.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "testdata.h"
#include "url/idna.h"
#include "url/site.h"

namespace periplus {
namespace {

// A blank in front forces the long way through the parser.
void expect_same_both_ways(const std::string& input, const Url& base) {
  const auto quick = Url::parse(input, &base);
  const auto slow = Url::parse(" " + input, &base);
  ASSERT_EQ(quick.has_value(), slow.has_value()) << input << " on " << base.href();
  if (!quick) return;
  EXPECT_EQ(quick->href(), slow->href()) << input << " on " << base.href();
  EXPECT_EQ(quick->pathname(), slow->pathname()) << input;
  EXPECT_EQ(quick->search(), slow->search()) << input;
  EXPECT_EQ(quick->hash(), slow->hash()) << input;
  EXPECT_EQ(quick->host(), slow->host()) << input;
  EXPECT_EQ(quick->port(), slow->port()) << input;
}

TEST(UrlParser, ThePlainWayAgreesWithTheLongWay) {
  const char* bases[] = {"https://example.com",
                         "https://example.com/",
                         "http://u:p@example.com:81/a/b/c?q=1#f",
                         "https://example.com/a//b/",
                         "ftp://h/x/y",
                         "file:///a/b/c",
                         "file:///C:/a/b",
                         "ws://h/?x"};
  const char* parts[] = {"",    ".",        "..", "a",  "b.html", "...", "%2e", "~x",
                         "a b", "\xc3\xa4", ":",  "c:", "\\",     "'",   "|"};
  const char* tails[] = {"", "?", "?q=1&r='x'", "#", "#frag", "?a#b", "?#", "#<x>", "?a b"};
  for (const char* base_text : bases) {
    const Url base = Url::parse(base_text).value();
    for (const char* first : parts) {
      for (const char* second : parts) {
        for (const char* tail : tails) {
          expect_same_both_ways(fmt::format("{}/{}{}", first, second, tail), base);
          expect_same_both_ways(fmt::format("{}{}", first, tail), base);
          expect_same_both_ways(fmt::format("/{}/{}/{}", first, second, tail), base);
        }
      }
    }
  }
}

TEST(UrlParser, ReusesTheMemoryOfItsTarget) {
  const Url base = Url::parse("https://example.com/docs/").value();
  Url out;
  ASSERT_TRUE(Url::parse_into("a-rather-long-name-for-a-page.html", &base, &out));
  const char* before = out.href().data();
  ASSERT_TRUE(Url::parse_into("b.html", &base, &out));
  EXPECT_EQ(out.href(), "https://example.com/docs/b.html");
  EXPECT_EQ(out.href().data(), before);
}

TEST(UrlParser, MayWriteOverItsBase) {
  Url url = Url::parse("http://a.b/c/d/e?q#f").value();
  ASSERT_TRUE(Url::parse_into("../z/y.html#k", &url, &url));
  EXPECT_EQ(url.href(), "http://a.b/c/z/y.html#k");
}

TEST(Url, KeysAreTheWholeAddressWithoutItsFragment) {
  EXPECT_EQ(Url::parse("HTTP://Example.COM:80/A//b?x=&y#z").value().without_fragment(),
            "http://example.com/A//b?x=&y");
  EXPECT_EQ(Url::parse("https://x/").value().effective_port(), 443);
  EXPECT_EQ(Url::parse("https://x:8443/a?b").value().path_and_query(), "/a?b");
  EXPECT_EQ(Url::parse("https://x:8443/a?b").value().origin(), "https://x:8443");
}

TEST(Url, EveryFaultHasASentence) {
  EXPECT_EQ(Url::parse("x").error(), UrlFault::kNoScheme);
  EXPECT_EQ(Url::parse("https://").error(), UrlFault::kHostMissing);
  EXPECT_EQ(Url::parse("https://a b/").error(), UrlFault::kHostForbidden);
  EXPECT_EQ(Url::parse("https://1.2.3.256/").error(), UrlFault::kHostBadIpv4);
  EXPECT_EQ(Url::parse("https://[::1/").error(), UrlFault::kHostBadIpv6);
  EXPECT_EQ(Url::parse("https://x:70000/").error(), UrlFault::kPortInvalid);
  EXPECT_EQ(Url::parse("https://x/" + std::string(70'000, 'a')).error(), UrlFault::kTooLong);
  const Url opaque = Url::parse("mailto:x").value();
  EXPECT_EQ(Url::parse("y", &opaque).error(), UrlFault::kOpaqueBase);
  for (int i = 0; i <= static_cast<int>(UrlFault::kTooLong); ++i)
    EXPECT_FALSE(sentence(static_cast<UrlFault>(i)).empty());
}

TEST(Site, PrivatePartsOfTheListMakeSitesButNotOwners) {
  const auto list = PublicSuffixes::load().value();
  EXPECT_EQ(list->site("www.example.co.uk"), "example.co.uk");
  EXPECT_EQ(list->site("a.alice.github.io"), "alice.github.io");
  EXPECT_EQ(list->owner("a.alice.github.io"), "github.io");
  EXPECT_EQ(list->site("a.b.example.test"), "example.test");
  EXPECT_EQ(list->site("com"), "com");
  EXPECT_EQ(list->site("localhost"), "localhost");
  EXPECT_EQ(list->site("192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(list->site("[2001:db8::1]"), "[2001:db8::1]");
  EXPECT_EQ(list->site("www.ck"), "www.ck");
}

TEST(Site, AMissingListIsAnError) { EXPECT_FALSE(PublicSuffixes::load("/no/such/list")); }

// test_psl.txt: checkPublicSuffix('host', 'registrable domain' or null);
TEST(Site, TheListsOwnTests) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA("public-suffix-list/test_psl.txt");
  const auto list =
      PublicSuffixes::load(testdata_root() + "/public-suffix-list/public_suffix_list.dat").value();
  const std::string text = read_file(path);
  int cases = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string line = text.substr(start, end - start);
    start = end + 1;
    if (!line.starts_with("checkPublicSuffix('")) continue;
    const std::size_t host_end = line.find('\'', 19);
    const std::string host = line.substr(19, host_end - 19);
    const std::size_t quote = line.find('\'', host_end + 1);
    const std::string wanted = quote == std::string::npos
                                   ? ""
                                   : line.substr(quote + 1, line.find('\'', quote + 1) - quote - 1);
    ++cases;
    if (host.empty() || host[0] == '.') continue;  // no host that a URL can have
    const auto url = Url::parse("http://" + host + "/");
    ASSERT_TRUE(url) << host;
    const std::string site = list->site(url->hostname());
    // "null" there means that the host is itself a suffix; ours is then its own site.
    const auto wanted_ascii =
        wanted.empty() ? std::string(url->hostname())
                       : std::string(Url::parse("http://" + wanted + "/").value().hostname());
    EXPECT_EQ(site, wanted_ascii) << host;
  }
  EXPECT_GE(cases, 70);
}

TEST(Idna, ForDisplayPunycodeBecomesUnicode) {
  EXPECT_EQ(host_to_unicode("xn--exmple-cua.com"), "ex\xc3\xa4mple.com");
  EXPECT_EQ(host_to_unicode("example.com"), "example.com");
  EXPECT_TRUE(is_ip_literal("192.0.2.1"));
  EXPECT_TRUE(is_ip_literal("[::1]"));
  EXPECT_FALSE(is_ip_literal("a.1b"));
}

}  // namespace
}  // namespace periplus
