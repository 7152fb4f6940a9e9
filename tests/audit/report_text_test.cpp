// The reports for scripts, spreadsheets and terminals, made from judgements written down here.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "audit/report/report.h"
#include "base/text.h"

namespace periplus {
namespace {

using nlohmann::json;

constexpr Rule kTitle{.id = "title-missing",
                      .title = "Every page has a title",
                      .stage = Stage::kUnderstandable,
                      .severity = Severity::kMajor,
                      .why = "why",
                      .fix = "fix",
                      .source = "source"};
constexpr Agent kAgent{"GPTBot", "OpenAI", AgentPurpose::kTraining, ""};
constexpr std::string_view kHostile =
    "=HYPERLINK(\"x\")\x1b[2J<script>alert(1)</script>\xe2\x80\xae";

Judgement judged() {
  Judgement j;
  j.rulebook_version = "1";
  j.score_version = "1";
  j.read.site = "example.com";
  j.read.start_url = j.read.home_url = "https://example.com/";
  j.read.started = j.read.ended = Instant{Millis{1'790'000'000'000}};
  j.read.outcome.kind = OutcomeKind::kPageLimit;
  j.read.user_agent = "Periplus/1.0";
  j.read.page_limit = 2;
  j.read.traps.push_back({TrapKind::kMaze, std::string(kHostile), "e", "f", 3, 4});
  j.read.not_fetched.push_back({"https://example.com/c", NotFetchedReason::kPageLimit, "f"});
  j.read.not_fetched_counts = {{NotFetchedReason::kPageLimit, 12}};
  j.overall = 83.4;
  j.sheet.coverage = 0.7;
  j.sheet.partial = true;
  for (StageScore& stage : j.sheet.stages) stage = {83.4, 0.7, true};
  PageResult page;
  page.url = page.final_url = "https://example.com/";
  page.status = 200;
  page.depth = 0;
  page.title = kHostile;
  page.failed = {0};
  j.pages = {page, page};
  RuleResult rule;
  rule.rule = &kTitle;
  rule.failing = 2;
  rule.gain = 1.5;
  rule.findings_total = 1;
  rule.unknown_reasons = {{"bot protection answered", 1}};
  rule.findings.push_back({0, std::string(kHostile), "a\"b,c", {3, 7}, {"https://example.com/x"}});
  j.rules.assign(12, rule);
  for (std::uint16_t i = 0; i < 12; ++i) j.fix_list.push_back(i);
  j.robots.emplace();
  j.robots->url = "https://example.com";
  j.robots->status = 200;
  j.robots->rule = "Allow: /";
  j.sitemaps.emplace_back();
  j.sitemaps.back().kind = "url set";
  j.agents.emplace_back();
  j.agents.back().agent = &kAgent;
  j.tls = TlsFacts{true, "TLSv1.3", "CA", "example.com", j.read.ended, j.read.ended};
  return j;
}

Judgement closed(OutcomeKind kind) {
  Judgement j = judged();
  j.overall.reset();
  j.no_score = "nothing was read";
  j.pages.clear();
  j.rules.clear();
  j.fix_list.clear();
  j.sheet = {};
  j.read.outcome = {kind, std::nullopt, "line 2: Disallow: /"};
  if (kind == OutcomeKind::kUnreachable)
    j.read.outcome.failure = Failure{FailureKind::kTlsExpired, "yesterday"};
  return j;
}

bool has_type(const json& value, const std::string& type) {
  return (type == "null" && value.is_null()) || (type == "string" && value.is_string()) ||
         (type == "boolean" && value.is_boolean()) || (type == "object" && value.is_object()) ||
         (type == "array" && value.is_array()) || (type == "number" && value.is_number()) ||
         (type == "integer" && value.is_number_integer());
}

// As much of JSON Schema as the schema uses; says where it first does not hold.
std::string fault(const json& root, const json& schema, const json& value, const std::string& at) {
  if (schema.contains("$ref"))
    return fault(root, root.at(json::json_pointer(schema["$ref"].get<std::string>().substr(1))),
                 value, at);
  if (schema.contains("const") && value != schema["const"]) return at + ": const";
  if (schema.contains("enum") && std::ranges::find(schema["enum"], value) == schema["enum"].end())
    return at + ": enum";
  if (schema.contains("type")) {
    const json types = schema["type"].is_array() ? schema["type"] : json::array({schema["type"]});
    if (std::ranges::none_of(types, [&](const json& t) { return has_type(value, t); }))
      return at + ": type";
  }
  if (value.is_number() && ((schema.contains("minimum") && value < schema["minimum"]) ||
                            (schema.contains("maximum") && value > schema["maximum"])))
    return at + ": range";
  if (value.is_array() && schema.contains("items")) {
    for (const json& item : value)
      if (auto found = fault(root, schema["items"], item, at + "[]"); !found.empty()) return found;
  }
  if (!value.is_object()) return {};
  for (const json& key : schema.value("required", json::array()))
    if (!value.contains(key.get<std::string>())) return at + ": lacks " + key.dump();
  for (const auto& [key, item] : value.items()) {
    const json properties = schema.value("properties", json::object());
    const json& others = schema.at("additionalProperties");
    if (!properties.contains(key) && others == json(false)) return at + ": has " + key;
    const json& next = properties.contains(key) ? properties[key] : others;
    if (auto found = fault(root, next, item, at + "." + key); !found.empty()) return found;
  }
  return {};
}

std::string schema_fault(const Judgement& j) {
  std::ifstream file("docs/formats/audit-report.schema.json");
  const json schema = json::parse(file);
  return fault(schema, schema, json::parse(json_report(j)), "report");
}

TEST(JsonReport, KeepsItsPublishedSchema) {
  EXPECT_EQ(schema_fault(judged()), "");
  EXPECT_EQ(schema_fault(closed(OutcomeKind::kKeptOut)), "");
  EXPECT_EQ(schema_fault(closed(OutcomeKind::kUnreachable)), "");
}

TEST(JsonReport, SaysWhyThereIsNoScore) {
  const json report = json::parse(json_report(closed(OutcomeKind::kKeptOut)));
  EXPECT_TRUE(report["score"].is_null());
  EXPECT_EQ(report["no_score"], "nothing was read");
  EXPECT_EQ(report["outcome"]["detail"], "line 2: Disallow: /");
}

TEST(JsonReport, CountsWhatWasNotFetchedAndNamesWhereFindingsAre) {
  const json report = json::parse(json_report(judged()));
  EXPECT_EQ(report["not_fetched_counts"][std::string(name(NotFetchedReason::kPageLimit))], 12);
  const json& finding = report["rules"][0]["findings"][0];
  EXPECT_EQ(finding["line"], 3);
  EXPECT_EQ(finding["column"], 7);
  EXPECT_EQ(finding["page"], "https://example.com/");
  EXPECT_EQ(report["pages"][0]["failed_rules"][0], "title-missing");
}

TEST(CsvReport, NoCellBeginsAsAFormula) {
  const std::string kept = findings_csv(judged());
  EXPECT_NE(kept.find("\"'=HYPERLINK(\"\"x\"\")"), std::string::npos);
  for (const std::string_view start : {"=", "+", "-", "@", "\t", "\r", "  =", "\n="}) {
    Judgement j = judged();
    j.pages[0].title = std::string(start) + "1";
    EXPECT_NE(pages_csv(j).find("\"'" + j.pages[0].title + "\""), std::string::npos) << start;
  }
}

TEST(CsvReport, QuotesAsRfc4180) {
  const std::string kept = findings_csv(judged());
  EXPECT_NE(kept.find(",\"a\"\"b,c\","), std::string::npos);
  EXPECT_TRUE(kept.ends_with("\r\n"));
  EXPECT_TRUE(kept.starts_with("rule,"));  // no byte order mark
}

void expect_one_screen(const std::string& text) {
  EXPECT_LE(std::ranges::count(text, '\n'), 24);
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, &at);
    columns = c == U'\n' ? 0 : columns + 1;
    EXPECT_LE(columns, 80U) << text;
  }
}

TEST(TerminalReport, FitsOneScreen) {
  expect_one_screen(terminal_report(judged(), false));
  expect_one_screen(terminal_report(closed(OutcomeKind::kKeptOut), false));
  expect_one_screen(terminal_report(closed(OutcomeKind::kUnreachable), false));
}

TEST(TerminalReport, LetsNoControlOfTheSiteThrough) {
  Judgement j = judged();
  j.read.home_url = j.read.outcome.detail = kHostile;
  const std::string text = terminal_report(j, false);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\xe2\x80\xae"), std::string::npos);
  EXPECT_NE(terminal_report(j, true).find("\x1b[1m"), std::string::npos);
}

TEST(TerminalReport, NamesTheDecidingLineAndGivesNoScore) {
  const std::string text = terminal_report(closed(OutcomeKind::kKeptOut), false);
  EXPECT_NE(text.find("line 2: Disallow: /"), std::string::npos);
  EXPECT_NE(text.find("no score"), std::string::npos);
  EXPECT_EQ(text.find("of 100"), std::string::npos);
}

}  // namespace
}  // namespace periplus
