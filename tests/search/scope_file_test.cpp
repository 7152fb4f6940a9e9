#include <gtest/gtest.h>

#include "search/scope.h"

namespace periplus {
namespace {

Result<SearchScope> read(std::string_view text) { return SearchScope::parse(text, "s.toml", ""); }

TEST(ScopeFile, GivesWhatTheFileSays) {
  const auto scope = read(R"(
name = "Gozo"
seeds = ["https://www.example.mt/", "http://b.example/x"]
[limits]
pages_per_site = 7
hops = 0
)");
  ASSERT_TRUE(scope) << scope.error().sentence;
  EXPECT_EQ(scope->name(), "Gozo");
  ASSERT_EQ(scope->seeds().size(), 2U);
  EXPECT_EQ(scope->seeds()[1].href(), "http://b.example/x");
  EXPECT_EQ(scope->limits().pages_per_site, 7U);
  EXPECT_EQ(scope->limits().pages_unsure_site, ScopeLimits{}.pages_unsure_site);
  EXPECT_EQ(scope->limits().hops, 0U);
}

TEST(ScopeFile, TheSampleIsValidAndHoldsTheDefaults) {
  const auto sample = read(sample_scope());
  ASSERT_TRUE(sample) << sample.error().sentence << " " << sample.error().place;
  EXPECT_EQ(sample->limits().pages_per_site, ScopeLimits{}.pages_per_site);
  EXPECT_EQ(sample->limits().new_sites_per_day, ScopeLimits{}.new_sites_per_day);
  const auto bare = read("name = \"My region\"");
  ASSERT_TRUE(bare);
  const auto url = Url::parse("https://a.example/");
  EXPECT_EQ(sample->judge({.url = &*url}).verdict, bare->judge({.url = &*url}).verdict);
}

TEST(ScopeFile, EveryCommentedKeyOfTheSampleIsKnown) {
  std::string text = sample_scope();
  const std::size_t start = text.find("# [[language]]");
  ASSERT_NE(start, std::string::npos);
  for (std::size_t at = start; (at = text.find("# ", at)) != std::string::npos;) {
    if (text[at - 1] == '\n')
      text.erase(at, 2);
    else
      at = text.find('\n', at);
  }
  text.erase(text.find("file = "), text.find("names = ") - text.find("file = "));
  const auto scope = read(text);
  EXPECT_TRUE(scope) << scope.error().sentence << " at " << scope.error().place << "\n" << text;
}

TEST(ScopeFile, TheFingerprintFollowsVerdictsNotWords) {
  const auto of = [](std::string_view text) {
    const auto scope = read(text);
    EXPECT_TRUE(scope) << text;
    return scope ? scope->fingerprint() : 0;
  };
  const std::uint64_t plain = of("name = 'x'\n[domain]\nsuffixes = ['.mt']");
  EXPECT_EQ(plain, of("# a comment\nname = 'y'\nseeds = ['https://a.example/']\n"
                      "[domain]\nsuffixes = ['mt']\npoints = 0\n[limits]\nhops = 3"));
  EXPECT_NE(plain, of("name = 'x'\n[domain]\nsuffixes = ['.it']"));
  EXPECT_NE(plain, of("name = 'x'\n[domain]\nsuffixes = ['.mt']\npoints = 6"));
  EXPECT_NE(plain, of("name = 'x'\n[domain]\nsuffixes = ['.mt']\n[verdict]\nin = 5"));
  EXPECT_NE(plain, of("name = 'x'\n[domain]\nsuffixes = ['.mt']\n[sites]\nnever = ['a.mt']"));
  EXPECT_NE(plain, of("name = 'x'\n[domain]\nsuffixes = ['.mt']\n[gazetteer]\nnames=['1\tA']"));
}

struct BadScope {
  const char* text;
  const char* named;  // what the sentence must name
  const char* place;
};
class ScopeRefuses : public ::testing::TestWithParam<BadScope> {};

TEST_P(ScopeRefuses, AndNamesThePlaceAndTheExpectedForm) {
  const auto scope = read(GetParam().text);
  ASSERT_FALSE(scope);
  EXPECT_EQ(scope.error().kind, ErrorKind::kConfig);
  EXPECT_NE(scope.error().sentence.find(GetParam().named), std::string::npos)
      << scope.error().sentence;
  EXPECT_EQ(scope.error().place, GetParam().place);
}

#define NAMED "name = 'x'\n"
INSTANTIATE_TEST_SUITE_P(
    Kinds, ScopeRefuses,
    ::testing::Values(
        BadScope{"name = \n", "TOML", "s.toml:1"}, BadScope{"", "name is missing", "s.toml:1"},
        BadScope{"name = ' '", "name must be", "s.toml:1"},
        BadScope{"name = 7", "name must be a string", "s.toml:1"},
        BadScope{NAMED "colour = 1", "unknown key colour", "s.toml:2"},
        BadScope{NAMED "[limits]\npages = 1", "unknown key limits.pages", "s.toml:3"},
        BadScope{NAMED "limits = 1", "limits must be a table", "s.toml:2"},
        BadScope{NAMED "[limits]\nhops = 1.5", "whole number", "s.toml:3"},
        BadScope{NAMED "[limits]\nhops = -1", "from 0", "s.toml:3"},
        BadScope{NAMED "seeds = 'https://a.example/'", "a list", "s.toml:2"},
        BadScope{NAMED "seeds = ['a.example']", "http or https", "s.toml:2"},
        BadScope{NAMED "seeds = ['ftp://a.example/']", "http or https", "s.toml:2"},
        BadScope{NAMED "[verdict]\nin = 2\nunsure = 3", "verdict.unsure", "s.toml:2"},
        BadScope{NAMED "[verdict]\nin = nan", "a number", "s.toml:3"},
        BadScope{NAMED "[sites]\nalways = ['a b']", "not a domain", "s.toml:3"},
        BadScope{NAMED "[sites]\nnever_file = 'x'", "only in a scope that is a file", "s.toml:3"},
        BadScope{NAMED "[domain]\nsuffixes = ['.m t']", "end of a host", "s.toml:3"},
        BadScope{NAMED "[[language]]\npoints = 1", "language.code is missing", "s.toml:2"},
        BadScope{NAMED "[[language]]\ncode = 'zz'\npoints = 1", "recognised", "s.toml:3"},
        BadScope{NAMED "[language]\ncode = 'mt'", "[[language]]", "s.toml:2"},
        BadScope{NAMED "[[rule]]\npoints = 1", "rule.id is missing", "s.toml:2"},
        BadScope{NAMED "[[rule]]\nid = 'a'\nwords = ['b']", "rule.points is missing", "s.toml:2"},
        BadScope{NAMED "[[rule]]\nid = 'a'\npoints = 1", "neither patterns nor words", "s.toml:2"},
        BadScope{NAMED "[[rule]]\nid = 'a'\npoints = 1\npatterns = ['(']", "regular expression",
                 "s.toml:5"},
        BadScope{NAMED "[[rule]]\nid = 'a'\npoints = 1\npatterns = ['x*']", "nothing at all",
                 "s.toml:5"},
        BadScope{NAMED "[[rule]]\nid = 'a'\npoints = 1\nwords = ['!!']", "words", "s.toml:5"},
        BadScope{NAMED "[[rule]]\nid = 'a'\npoints = 1\nwords = ['b']\nwhere = ['body']",
                 "\"description\"", "s.toml:6"},
        BadScope{NAMED "[[rule]]\nid = 'a'\npoints = 1\nwords = ['b']\ngroup = 'g'", "[[group]]",
                 "s.toml:6"},
        BadScope{NAMED "[[rule]]\nid='a'\npoints=1\nwords=['b']\n[[rule]]\nid='a'\npoints=1",
                 "no other rule", "s.toml:7"},
        BadScope{NAMED "[gazetteer]\nnames = ['Gozo']", "names", "s.toml:3"},
        BadScope{NAMED "[gazetteer]\nfile = 'x.tsv'", "only in a scope", "s.toml:3"}));

TEST(ScopeFile, AFileThatIsNotThereIsAnError) {
  const auto scope = SearchScope::load("/nonexistent/scope.toml");
  ASSERT_FALSE(scope);
  EXPECT_EQ(scope.error().kind, ErrorKind::kConfig);
  EXPECT_EQ(scope.error().place, "/nonexistent/scope.toml");
  const auto names =
      SearchScope::parse("name = 'x'\n[gazetteer]\nfile = 'none.tsv'", "s.toml", "/nonexistent");
  ASSERT_FALSE(names);
  EXPECT_NE(names.error().sentence.find("none.tsv"), std::string::npos);
  EXPECT_EQ(names.error().place, "s.toml:3");
}

}  // namespace
}  // namespace periplus
