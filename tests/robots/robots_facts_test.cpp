// The facts gathered from other implementations and the RFC (testdata/robots).
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "robots/robots_path.h"
#include "robots/robots_txt.h"
#include "testdata.h"

namespace periplus {
namespace {

using Json = nlohmann::json;

std::string from_hex(const std::string& hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    out.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return out;
}

std::string body_of(const Json& file) {
  if (file.contains("body")) return file["body"];
  if (file.contains("body_hex")) return from_hex(file["body_hex"]);
  const Json& repeat = file["body_repeat"];
  std::string out;
  for (int i = 0; i < repeat["times"].get<int>(); ++i) out += repeat["unit"];
  return out + repeat["then"].get<std::string>();
}

// The facts name raw addresses, some of which are no URLs; a request line would carry this.
std::string path_of(const std::string& url) {
  const std::size_t host = url.find("://");
  if (host == std::string::npos) return url.starts_with('/') ? url : "/";
  const std::size_t path = url.find_first_of("/?#", host + 3);
  return path == std::string::npos ? "/" : url.substr(path);
}

// Where we give another answer than the facts propose for a disputed case, and why.
const std::map<std::string, std::string> kDecidedOtherwise = {
    {"dual-special#2", "a '$' at the end of a rule is the end mark and nothing else (2.2.3)"},
    {"dual-special#3", "the same"},
};

TEST(RobotsFacts, VerdictsAgreeWithTheRfcAndItsCommonExtensions) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA("robots/robots_facts.json");
  const Json facts = Json::parse(read_file(path));
  std::map<std::string, RobotsTxt> texts;
  for (const auto& [name, file] : facts["files"].items()) {
    texts.emplace(name, RobotsTxt::parse(body_of(file)));
  }
  std::map<std::string, int> judged;
  for (const Json& fact : facts["cases"]) {
    const std::string id = fact["id"];
    const std::string agent = fact["agent"];
    const std::string request = path_of(fact["url"]);
    const bool wanted = fact["allowed"].get<bool>() != kDecidedOtherwise.contains(id);
    const RobotsRules rules = texts.at(fact["file"]).rules_for(agent);
    const RobotsVerdict verdict = rules.verdict(request);
    EXPECT_EQ(verdict.allowed, wanted)
        << id << " (" << fact["level"] << ") " << agent << " " << request.substr(0, 100) << " line "
        << verdict.line << " " << verdict.rule.substr(0, 100);
    EXPECT_EQ(rules.allows(request), verdict.allowed) << id;
    ++judged[fact["level"]];
  }
  EXPECT_EQ(judged["rfc"], 428);
  EXPECT_EQ(judged["extension"], 32);
  EXPECT_EQ(judged["disputed"], 25);
}

TEST(RobotsFacts, LinesAreCountedWhateverEndsThem) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA("robots/robots_facts.json");
  const Json facts = Json::parse(read_file(path));
  int seen = 0;
  for (const auto& [name, file] : facts["files"].items()) {
    if (!file.contains("lines")) continue;
    const RobotsTxt text = RobotsTxt::parse(body_of(file));
    const auto lines = file["lines"].get<std::uint32_t>();
    EXPECT_EQ(text.line(lines), "Disallow: /") << name;
    EXPECT_TRUE(text.line(lines + 1).empty()) << name;
    ++seen;
  }
  EXPECT_GT(seen, 2);
}

TEST(RobotsFacts, RulePathsAreEscapedAndKept) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA("robots/robots_extra_facts.json");
  const Json facts = Json::parse(read_file(path));
  for (const Json& fact : facts["rule_normalisation"]) {
    EXPECT_EQ(normal_rule_path(fact["rule"].get<std::string>()),
              fact["becomes"].get<std::string>());
  }
  for (const Json& row : facts["encoding_table_rfc9309_2_2_2"]) {
    for (const char* spelling : {"path", "encoded", "to_match"}) {
      const RobotsTxt text = RobotsTxt::parse(
          "User-agent: *\nDisallow: /\nAllow: " + row[spelling].get<std::string>() + "\n");
      for (const char* asked : {"path", "encoded", "to_match"}) {
        EXPECT_TRUE(text.rules_for("a").allows(row[asked].get<std::string>()))
            << row << spelling << " " << asked;
      }
    }
  }
}

TEST(RobotsFacts, SitemapsAndDelays) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA("robots/robots_extra_facts.json");
  const Json facts = Json::parse(read_file(path));
  for (const Json& fact : facts["sitemaps"]) {
    EXPECT_EQ(Json(RobotsTxt::parse(fact["robots"].get<std::string>()).sitemaps()),
              fact["sitemaps"])
        << fact;
  }
  for (const Json& fact : facts["crawl_delay"]) {
    const RobotsTxt text = RobotsTxt::parse(fact["robots"].get<std::string>());
    const std::optional<double> delay =
        text.rules_for(fact["agent"].get<std::string>()).crawl_delay();
    if (fact["seconds"].is_null()) {
      EXPECT_FALSE(delay) << fact;
    } else {
      EXPECT_EQ(delay, fact["seconds"].get<double>()) << fact;
    }
  }
}

TEST(RobotsFacts, LineKindsThatAreFindings) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA("robots/robots_extra_facts.json");
  const Json kinds = Json::parse(read_file(path))["line_kinds"];
  const RobotsTxt text = RobotsTxt::parse(kinds["robots"].get<std::string>());
  std::set<std::uint32_t> misspelt, no_colon;
  for (const RobotsFinding& finding : text.findings()) {
    if (finding.fault == RobotsFault::kMisspelt) misspelt.insert(finding.line);
    if (finding.fault == RobotsFault::kNoColon) no_colon.insert(finding.line);
  }
  for (const Json& line : kinds["lines"]) {
    const auto number = line["line"].get<std::uint32_t>();
    EXPECT_EQ(misspelt.contains(number), line.value("typo", false)) << line;
    if (line.value("missing_colon", false)) EXPECT_TRUE(no_colon.contains(number)) << line;
  }
}

}  // namespace
}  // namespace periplus
