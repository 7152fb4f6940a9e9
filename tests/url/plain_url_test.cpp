// The short way for absolute addresses against the whole parser: whatever it takes, both read
// alike.
#include "url/plain_url.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "testdata.h"
#include "url/url.h"

namespace periplus {
namespace {

// True when the short way took `input`. A blank in front keeps the whole parser from taking it.
bool same_as_whole_parser(const std::string& input) {
  Url quick;
  if (!PlainUrl::absolute(input, &quick)) {
    EXPECT_TRUE(quick.empty()) << input;
    return false;
  }
  const auto whole = Url::parse(" " + input);
  EXPECT_TRUE(whole) << input;
  if (!whole) return true;
  EXPECT_EQ(quick.href(), whole->href());
  EXPECT_EQ(quick.protocol(), whole->protocol()) << input;
  EXPECT_EQ(quick.scheme(), whole->scheme()) << input;
  EXPECT_EQ(quick.username(), whole->username()) << input;
  EXPECT_EQ(quick.password(), whole->password()) << input;
  EXPECT_EQ(quick.host(), whole->host()) << input;
  EXPECT_EQ(quick.hostname(), whole->hostname()) << input;
  EXPECT_EQ(quick.port(), whole->port()) << input;
  EXPECT_EQ(quick.effective_port(), whole->effective_port()) << input;
  EXPECT_EQ(quick.pathname(), whole->pathname()) << input;
  EXPECT_EQ(quick.search(), whole->search()) << input;
  EXPECT_EQ(quick.hash(), whole->hash()) << input;
  EXPECT_EQ(quick.path_and_query(), whole->path_and_query()) << input;
  EXPECT_EQ(quick.without_fragment(), whole->without_fragment()) << input;
  EXPECT_EQ(quick.origin(), whole->origin()) << input;
  EXPECT_EQ(quick.has_opaque_path(), whole->has_opaque_path()) << input;
  EXPECT_EQ(quick.is_http(), whole->is_http()) << input;
  return true;
}

// One to four octets put in, taken out or replaced, most of them such as mean something in a URL.
std::string mutated(std::string text, std::mt19937* random) {
  constexpr std::string_view kPieces[] = {
      "/",  ".", "..",  "%2e", "%2E", "%41", "%", "?", "#",        "@",    ":", ":80", ":443",
      "\\", "[", "]",   "0x",  "1",   "9.",  "-", "_", "xn--",     "A",    "z", " ",   "\t",
      "\n", "'", "\"",  "<",   "`",   "{",   "|", "^", "\x7f",     "\xc3", ";", "=",   "&",
      "~",  "$", "127", "//",  "/./", "/..", "*", "!", "\xc3\xa4", "http:"};
  const auto below = [&](std::size_t n) { return (*random)() % n; };
  for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t gone = std::min(below(3), text.size() - at);
    if (below(8) == 0) {
      text.replace(at, gone, 1, static_cast<char>(below(256)));
    } else {
      text.replace(at, gone, kPieces[below(std::size(kPieces))]);
    }
  }
  return text;
}

TEST(PlainUrl, TakesOrdinaryAddresses) {
  for (const char* text : {"https://example.com/", "http://www.example.com/a/b.html?q=1&r=%20#top",
                           "https://xn--exmple-cua.com/a:b@c//d;e", "http://a_b.c-d/?",
                           "http://h/#", "https://1.2.3.com/x..y/...z"}) {
    EXPECT_EQ(same_as_whole_parser(text), std::string_view(text).find("/...") == std::string::npos)
        << text;
  }
}

TEST(PlainUrl, LeavesTheRestToTheWholeParser) {
  for (const char* text : {"",
                           "http:",
                           "http://",
                           "http:///",
                           "https://example.com",
                           "https://example.com?q",
                           "HTTPS://example.com/",
                           "https://Example.com/",
                           "https://example.com:443/",
                           "https://user@example.com/",
                           "https://127.1/",
                           "https://0x7f.0.0.0x1/",
                           "https://a.08/",
                           "https://a.b./",
                           "https://[::1]/",
                           "https://example.com/a/../b",
                           "https://example.com/%2E/",
                           "https://example.com/a b",
                           "https://example.com/a\\b",
                           "https://example.com/?'",
                           "https://example.com/#`",
                           "https://example.com/\xc3\xa4",
                           "ftp://example.com/",
                           "https://exa%6dple.com/"}) {
    EXPECT_FALSE(same_as_whole_parser(text)) << text;
  }
  EXPECT_FALSE(same_as_whole_parser("https://x/" + std::string(kMaxUrlBytes, 'a')));
}

TEST(PlainUrl, DoesNotLookAtTheBase) {
  const Url base = Url::parse("https://other.example/a/b").value();
  EXPECT_EQ(Url::parse("https://example.com/x", &base)->href(), "https://example.com/x");
  Url over = base;
  ASSERT_TRUE(Url::parse_into("https://example.com/y", &over, &over));
  EXPECT_EQ(over.href(), "https://example.com/y");
}

TEST(PlainUrl, AgreesOnMutationsOfItsOwn) {
  std::mt19937 random(20'240'601);
  int taken = 0;
  for (int i = 0; i < 200'000 && !testing::Test::HasFailure(); ++i) {
    taken += same_as_whole_parser(
                 mutated("https://www.example.com/articles/part.html?page=1&x=y#top", &random))
                 ? 1
                 : 0;
  }
  EXPECT_GE(taken, 20'000);
}

TEST(PlainUrl, AgreesOnTheStandardsCasesAndMutationsOfThem) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA("wpt-url/urltestdata.json");
  std::vector<std::string> seeds;
  for (const nlohmann::json& test : nlohmann::json::parse(read_file(path), nullptr, false)) {
    if (!test.is_object()) continue;
    for (const char* key : {"input", "href"}) {
      if (test.contains(key) && test[key].is_string()) seeds.push_back(test[key]);
    }
  }
  ASSERT_GE(seeds.size(), 1'000U);
  std::mt19937 random(7);
  int taken = 0;
  for (const std::string& seed : seeds) {
    taken += same_as_whole_parser(seed) ? 1 : 0;
    for (int i = 0; i < 100 && !testing::Test::HasFailure(); ++i)
      taken += same_as_whole_parser(mutated(seed, &random)) ? 1 : 0;
  }
  EXPECT_GE(taken, 2'000);
}

}  // namespace
}  // namespace periplus
