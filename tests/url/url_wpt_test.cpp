// The URL Standard's own tests (web-platform-tests, url/resources).
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "testdata.h"
#include "url/idna.h"
#include "url/url.h"

namespace periplus {
namespace {

using nlohmann::json;

// JSON with lone surrogates (\uD800) is no valid UTF-8: each becomes U+FFFD, as a UTF-8
// implementation sees it.
json parse_lenient(std::string text) {
  for (std::size_t i = 0; i + 5 < text.size(); ++i) {
    if (text[i] != '\\') continue;
    if (text[i + 1] != 'u') {
      ++i;
      continue;
    }
    const auto unit = [&](std::size_t at) {
      return std::stoul(text.substr(at + 2, 4), nullptr, 16);
    };
    const unsigned long code = unit(i);
    const bool high = code >= 0xD800 && code < 0xDC00;
    const bool low = code >= 0xDC00 && code < 0xE000;
    const bool paired = high && i + 11 < text.size() && text[i + 6] == '\\' && text[i + 7] == 'u' &&
                        unit(i + 6) >= 0xDC00 && unit(i + 6) < 0xE000;
    if (paired)
      i += 11;
    else if (high || low)
      text.replace(i, 6, "\\uFFFD");
    else
      i += 5;
  }
  return json::parse(text);
}

// A copy in a heap block of exactly its size, so that a read one octet too far is seen.
struct Exact {
  explicit Exact(const std::string& text) : size(text.size()), bytes(new char[text.size()]) {
    std::copy(text.begin(), text.end(), bytes.get());
  }
  std::string_view view() const { return {bytes.get(), size}; }
  std::size_t size;
  std::unique_ptr<char[]> bytes;
};

TEST(UrlConformance, EveryCaseOfUrlTestData) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA("wpt-url/urltestdata.json");
  int cases = 0;
  for (const json& test : parse_lenient(read_file(path))) {
    if (test.is_string()) continue;
    ++cases;
    const std::string input = test["input"];
    const Exact exact(input);
    std::expected<Url, UrlFault> base;
    const bool has_base = test.contains("base") && test["base"].is_string();
    if (has_base) base = Url::parse(test["base"].get<std::string>());
    const bool fails = test.value("failure", false);
    if (has_base && !base) {
      EXPECT_TRUE(fails) << input << " base does not parse: " << test["base"];
      continue;
    }
    const auto url = Url::parse(exact.view(), has_base ? &*base : nullptr);
    if (fails) {
      EXPECT_FALSE(url) << input << " on " << test["base"] << " gave " << url->href();
      // What fails alone but may be relative: to any base, or to one whose path is not opaque.
      if (test.contains("relativeTo")) {
        bool some = false;
        for (const char* text :
             {"sc://example.com/a/b", "http://example.com/a/b", "https://example.com/a/b"}) {
          const auto base_with_path = Url::parse(text);
          some = some || Url::parse(exact.view(), &*base_with_path);
        }
        EXPECT_TRUE(some) << input;
        const auto opaque = Url::parse("sc:opaque");
        EXPECT_EQ(Url::parse(exact.view(), &*opaque).has_value(), test["relativeTo"] == "any-base")
            << input;
      }
      continue;
    }
    ASSERT_TRUE(url) << input << " on " << test["base"] << " should give " << test["href"];
    const std::string at = input + " on " + test["base"].dump();
    EXPECT_EQ(url->href(), test["href"].get<std::string>()) << at;
    EXPECT_EQ(url->protocol(), test["protocol"].get<std::string>()) << at;
    EXPECT_EQ(url->username(), test["username"].get<std::string>()) << at;
    EXPECT_EQ(url->password(), test["password"].get<std::string>()) << at;
    EXPECT_EQ(url->host(), test["host"].get<std::string>()) << at;
    EXPECT_EQ(url->hostname(), test["hostname"].get<std::string>()) << at;
    EXPECT_EQ(url->port(), test["port"].get<std::string>()) << at;
    EXPECT_EQ(url->pathname(), test["pathname"].get<std::string>()) << at;
    EXPECT_EQ(url->search(), test["search"].get<std::string>()) << at;
    EXPECT_EQ(url->hash(), test["hash"].get<std::string>()) << at;
    if (test.contains("origin")) EXPECT_EQ(url->origin(), test["origin"].get<std::string>()) << at;
    const auto again = Url::parse(url->href());
    ASSERT_TRUE(again) << at;
    EXPECT_EQ(again->href(), url->href()) << at;
  }
  EXPECT_GE(cases, 891);
}

TEST(UrlConformance, EveryCaseOfToAscii) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA("wpt-url/toascii.json");
  int cases = 0;
  for (const json& test : parse_lenient(read_file(path))) {
    if (test.is_string()) continue;
    ++cases;
    const std::string input = test["input"];
    const auto url = Url::parse("https://" + input + "/x");
    if (test["output"].is_null())
      EXPECT_FALSE(url) << input << " gave " << url->hostname();
    else
      EXPECT_EQ(url ? url->hostname() : "a failure", test["output"].get<std::string>()) << input;
  }
  EXPECT_GE(cases, 87);
}

TEST(UrlConformance, Utf8CasesOfPercentEncoding) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA("wpt-url/percent-encoding.json");
  for (const json& test : parse_lenient(read_file(path))) {
    if (test.is_string()) continue;
    const auto url =
        Url::parse("http://doesnotmatter.invalid/?" + test["input"].get<std::string>());
    ASSERT_TRUE(url);
    EXPECT_EQ(url->search(), "?" + test["output"]["utf-8"].get<std::string>());
  }
}

// ICU 72 has the tables of Unicode 15.0; the data are made for a newer one. Refused by us for that
// alone: names with U+32931 or U+32B9A, ideographs that were added later.
TEST(UrlConformance, IdnaTestV2DiffersOnlyByUnicodeVersion) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA("wpt-url/IdnaTestV2.json");
  std::vector<std::string> accepted, refused, other;
  int cases = 0;
  for (const json& test : parse_lenient(read_file(path))) {
    if (test.is_string()) continue;
    ++cases;
    const std::string input = test["input"];
    if (input.empty()) continue;  // no host at all: the slashes after it would be skipped
    const auto url = Url::parse("https://" + input + "/x");
    if (test["output"].is_null() && url) accepted.push_back(input);
    if (test["output"].is_string() && !url) refused.push_back(input);
    if (test["output"].is_string() && url && url->hostname() != test["output"].get<std::string>())
      other.push_back(input);
  }
  EXPECT_GE(cases, 2671);
  for (const std::string& input : other) ADD_FAILURE() << "another result: " << input;
  EXPECT_TRUE(accepted.empty()) << accepted.front();
  EXPECT_EQ(refused.size(), 3U);
  for (const std::string& input : refused) {
    const bool newer = input.find("\xF0\xB2\xA4\xB1") != std::string::npos ||
                       input.find("\xF0\xB2\xAE\x9A") != std::string::npos;
    EXPECT_TRUE(newer) << input;
  }
}

TEST(UrlConformance, HostsOfTheAddressTable) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA("addresses/addresses.json");
  const json data = json::parse(read_file(path));
  const json& hosts = data["addresses"];
  ASSERT_GE(hosts.size(), 100U);
  for (const json& test : hosts) {
    const std::string host = test["host"];
    const auto url = Url::parse("http://" + host + "/");
    EXPECT_EQ(url.has_value(), test["whatwg_valid"].get<bool>()) << host;
    if (url && test["whatwg_host"].is_string())
      EXPECT_EQ(url->hostname(), test["whatwg_host"].get<std::string>()) << host;
  }
}

}  // namespace
}  // namespace periplus
