#include "http/address_guard.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "testdata.h"

namespace periplus {
namespace {

Address address(const std::string& text) {
  const std::optional<Address> out = Address::from_text(text);
  EXPECT_TRUE(out) << text;
  return out.value_or(Address{});
}

// Our departure, in full: anycast services that the registries call reachable are no websites.
const std::set<std::string> kStricterOnly = {"192.0.0.9", "192.0.0.10", "192.31.196.1", "2001:1::1",
                                             "2001:4:112::1"};

TEST(AddressGuard, StricterOnlyAnycastServicesAreRefused) {
  for (const std::string& text : kStricterOnly)
    EXPECT_FALSE(judge_address(address(text)).is_public) << text;
}

TEST(AddressGuard, EveryAddressOfTheSuiteIsJudgedAsTold) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA("addresses/addresses.json");
  const auto suite = nlohmann::json::parse(read_file(path));
  int judged = 0;
  for (const auto& entry : suite["addresses"]) {
    if (!entry.contains("public") || !entry["public"].is_boolean()) continue;
    std::string host = entry["whatwg_host"].is_string() ? entry["whatwg_host"].get<std::string>()
                                                        : entry["host"].get<std::string>();
    if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
    const std::optional<Address> parsed = Address::from_text(host);
    if (!parsed) continue;  // not an address at all: nothing to connect to
    ++judged;
    const AddressVerdict verdict = judge_address(*parsed);
    const bool expected = entry["public"].get<bool>() && !kStricterOnly.contains(host);
    EXPECT_EQ(verdict.is_public, expected) << entry["id"] << ' ' << host;
    EXPECT_EQ(verdict.block.empty(), verdict.is_public) << host;
  }
  EXPECT_GT(judged, 50);
}

TEST(AddressGuard, EveryBlockThatIsNotReachableIsRefused) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA("addresses/iana_special_purpose.json");
  const auto registry = nlohmann::json::parse(read_file(path));
  int blocks = 0;
  for (const char* family : {"ipv4", "ipv6"}) {
    for (const auto& entry : registry[family]) {
      if (!entry["globally_reachable"].is_boolean() || entry["globally_reachable"].get<bool>())
        continue;
      const std::string block = entry["block"];
      ++blocks;
      EXPECT_FALSE(judge_address(address(block.substr(0, block.find('/')))).is_public) << block;
    }
  }
  EXPECT_GT(blocks, 25);
}

TEST(AddressGuard, EmbeddedIpv4IsJudgedAsWhatItIs) {
  EXPECT_EQ(judge_address(address("::ffff:127.0.0.1")).block, "::ffff:0:0/96 around 127.0.0.0/8");
  EXPECT_FALSE(judge_address(address("64:ff9b::10.0.0.1")).is_public);
  EXPECT_TRUE(judge_address(address("64:ff9b::9.9.9.9")).is_public);
  for (const char* text : {"::127.0.0.1", "2002:7f00:1::", "2001::1", "::ffff:0:7f00:1", "ff02::1"})
    EXPECT_FALSE(judge_address(address(text)).is_public) << text;
}

TEST(AddressGuard, OnlyTheNamedHostIsExempt) {
  AddressGuard guard;
  guard.allow_private("test.example");
  EXPECT_FALSE(guard.judge("test.example", address("10.0.0.1")));
  EXPECT_TRUE(guard.judge("other.example", address("10.0.0.1")));
  EXPECT_FALSE(guard.judge_port("test.example", 8080));
  ASSERT_TRUE(guard.judge_port("other.example", 8080));
  EXPECT_EQ(guard.judge_port("other.example", 8080)->kind, FailureKind::kPortRefused);
  EXPECT_FALSE(guard.judge_port("other.example", 443));
}

}  // namespace
}  // namespace periplus
