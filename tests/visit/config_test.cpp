#include "visit/config.h"

#include <gtest/gtest.h>

namespace periplus {
namespace {

TEST(Config, EmptyTextGivesTheDefaultsOfTheDesign) {
  const Result<Config> config = Config::parse("", "periplus.toml");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->limits.pages, 100U);
  EXPECT_EQ(config->limits.page_bytes, 1024U * 1024U);
  EXPECT_EQ(config->limits.redirects, 10);
  EXPECT_EQ(config->limits.request_time, Millis(60'000));
  EXPECT_EQ(config->pace.lanes, 3);
  EXPECT_EQ(config->store_url, "sqlite:periplus.db");
}

TEST(Config, TheSampleIsValidAndChangesNothing) {
  const Result<Config> sample = Config::parse(sample_config(), "sample");
  ASSERT_TRUE(sample) << sample.error().sentence;
  EXPECT_EQ(sample->pace.floor, Config{}.pace.floor);
}

TEST(Config, EveryCommentedKeyOfTheSampleIsKnownAndHoldsItsDefault) {
  std::string text = sample_config();
  for (std::size_t at = 0; (at = text.find("\n# ", at)) != std::string::npos;)
    text.erase(at + 1, 2);
  text.erase(0, text.find("[identity]"));
  const Result<Config> config = Config::parse(text, "sample");
  ASSERT_TRUE(config) << config.error().sentence << " at " << config.error().place << "\n" << text;
  EXPECT_EQ(config->limits.visit_time, Config{}.limits.visit_time);
  EXPECT_EQ(config->pace.floor, Config{}.pace.floor);
}

struct BadConfig {
  const char* text;
  const char* named;  // what the sentence must name
  const char* place;
};
class ConfigRefuses : public ::testing::TestWithParam<BadConfig> {};

TEST_P(ConfigRefuses, AndNamesThePlaceAndTheExpectedForm) {
  const Result<Config> config = Config::parse(GetParam().text, "p.toml");
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().kind, ErrorKind::kConfig);
  EXPECT_NE(config.error().sentence.find(GetParam().named), std::string::npos)
      << config.error().sentence;
  EXPECT_EQ(config.error().place, GetParam().place);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, ConfigRefuses,
    ::testing::Values(
        BadConfig{"[identity\n", "TOML", "p.toml:1"},
        BadConfig{"\n[identity]\ntoken = 7\n", "identity.token must be a string", "p.toml:3"},
        BadConfig{"[identity]\ntoken = \"two words\"", "product token", "p.toml"},
        BadConfig{"[identity]\ninfo_url = \"ftp://x\"", "identity.info_url", "p.toml"},
        BadConfig{"[identity]\ninfo_url = \"http://x/\\u000d\\u000aX: y\u00e9\"", "identity",
                  "p.toml"},
        BadConfig{"[identity]\nsignature_agent = \"http://x\"", "https", "p.toml"},
        BadConfig{"[identity]\nsignature_agent_form = \"x\"", "dictionary", "p.toml"},
        BadConfig{"[pace]\nfloor = \"soon\"", "pace.floor must be a duration", "p.toml:2"},
        BadConfig{"[pace]\nfloor = -1", "pace.floor must be a duration", "p.toml:2"},
        BadConfig{"[pace]\nlanes = 4", "pace.lanes must be a whole number from 1 to 3", "p.toml:2"},
        BadConfig{"[pace]\nlanes = 1.5", "whole number", "p.toml:2"},
        BadConfig{"[pace]\nspeed = 9", "unknown key pace.speed", "p.toml:2"},
        BadConfig{"[limits]\npages = 0", "limits.pages", "p.toml:2"},
        BadConfig{"[limits]\npages = 99999999999999", "limits.pages", "p.toml:2"},
        BadConfig{"[network]\nports = [0]", "network.ports", "p.toml:2"},
        BadConfig{"[network]\nports = [8e80]", "network.ports", "p.toml:2"},
        BadConfig{"[network]\ndns = [1]", "network.dns", "p.toml:2"},
        BadConfig{"[network]\ndns = \"x\"", "network.dns", "p.toml:2"},
        BadConfig{"[store]\nurl = \"mysql://x\"", "store.url", "p.toml"},
        BadConfig{"[store]\nurl = \"postgresql://x\"", "SQLite", "p.toml"},
        BadConfig{"limits = 3", "limits must be a table", "p.toml:1"},
        BadConfig{"[colour]\nx = 1", "unknown key colour", "p.toml:1"}));

TEST(Duration, UnitsAndBareSeconds) {
  EXPECT_EQ(parse_duration("2"), Millis(2000));
  EXPECT_EQ(parse_duration("1.5s"), Millis(1500));
  EXPECT_EQ(parse_duration("250ms"), Millis(250));
  EXPECT_EQ(parse_duration("10m"), Millis(600'000));
  EXPECT_EQ(parse_duration("0"), Millis(0));
  for (const char* bad : {"", "s", "-1s", "1 s", "1y", "nan", "inf", "1e99d", "0x10"})
    EXPECT_FALSE(parse_duration(bad)) << bad;
}

}  // namespace
}  // namespace periplus
