// Every rule passes, fails, and abstains where it should; and the rulebook is whole.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "audit/check.h"
#include "audit/rule_cases.h"

namespace periplus {
namespace {

std::vector<RuleCase> all_cases() {
  std::vector<RuleCase> out = reachable_cases();
  for (RuleCase& one : readable_cases()) out.push_back(std::move(one));
  for (RuleCase& one : later_cases()) out.push_back(std::move(one));
  return out;
}

class EveryRule : public ::testing::TestWithParam<RuleCase> {};

TEST_P(EveryRule, Passes) {
  const Rule& asked = *Rulebook::standard().find(GetParam().id);
  if (!GetParam().passing) {
    EXPECT_TRUE(asked.optional);  // never asked
    return;
  }
  MadeRead read = GetParam().passing();
  const Judgement judgement = read.judge();
  EXPECT_EQ(verdict(judgement, GetParam().id), Verdict::kPass)
      << messages(judgement, GetParam().id);
  EXPECT_EQ(rule(judgement, GetParam().id).findings_total, 0U);
}

TEST_P(EveryRule, Fails) {
  const Rule& asked = *Rulebook::standard().find(GetParam().id);
  if (!GetParam().failing) {
    EXPECT_TRUE(asked.optional || asked.severity == Severity::kInfo);  // only tells
    return;
  }
  MadeRead read = GetParam().failing();
  const Judgement judgement = read.judge();
  EXPECT_EQ(verdict(judgement, GetParam().id), Verdict::kFail);
  EXPECT_THAT(messages(judgement, GetParam().id), ::testing::HasSubstr(GetParam().message));
  for (const Finding& finding : rule(judgement, GetParam().id).findings) {
    EXPECT_FALSE(finding.message.empty());
    EXPECT_LE(finding.quote.size(), kQuoteBytes);
    EXPECT_TRUE(is_valid_utf8(finding.quote));
  }
}

TEST_P(EveryRule, AbstainsWhereItCannotSay) {
  ASSERT_TRUE(GetParam().neither);
  MadeRead read = GetParam().neither();
  const Judgement judgement = read.judge();
  const RuleResult& result = rule(judgement, GetParam().id);
  EXPECT_EQ(result.failing, 0U) << messages(judgement, GetParam().id);
  EXPECT_EQ(result.passing, 0U);
  EXPECT_FALSE(result.unknown_reasons.empty() && result.not_applicable_reasons.empty());
}

INSTANTIATE_TEST_SUITE_P(Rulebook, EveryRule, ::testing::ValuesIn(all_cases()),
                         [](const ::testing::TestParamInfo<RuleCase>& named) {
                           std::string id(named.param.id);
                           std::ranges::replace(id, '-', '_');
                           return id;
                         });

TEST(RulebookTest, EveryRuleHasItsCases) {
  std::set<std::string_view> tested;
  for (const RuleCase& one : all_cases()) tested.insert(one.id);
  const Rulebook& book = Rulebook::standard();
  for (std::size_t i = 0; i < book.size(); ++i)
    EXPECT_TRUE(tested.contains(book[i].id)) << book[i].id;
  EXPECT_EQ(tested.size(), book.size());
}

TEST(RulebookTest, RulesExplainThemselves) {
  const Rulebook& book = Rulebook::standard();
  std::set<std::string_view> ids;
  for (std::size_t i = 0; i < book.size(); ++i) {
    const Rule& one = book[i];
    EXPECT_TRUE(ids.insert(one.id).second) << one.id;
    EXPECT_FALSE(one.title.empty()) << one.id;
    EXPECT_FALSE(one.why.empty()) << one.id;
    EXPECT_FALSE(one.fix.empty()) << one.id;
    EXPECT_FALSE(one.source.empty()) << one.id;
    EXPECT_NE(one.needs, 0) << one.id;
    EXPECT_EQ(book.find(one.id), &one);
    if (i > 0) {
      EXPECT_GE(one.stage, book[i - 1].stage);
    }
    if (one.prerequisite.empty()) continue;
    const Rule* before = book.find(one.prerequisite);
    ASSERT_NE(before, nullptr) << one.id;
    EXPECT_TRUE(before->prerequisite.empty())
        << one.id << ": chains of prerequisites are not followed";
  }
}

TEST(RulebookTest, AllRulesOfStageReachable) {
  std::size_t reachable = 0;
  const Rulebook& book = Rulebook::standard();
  for (std::size_t i = 0; i < book.size(); ++i) {
    if (book[i].stage == Stage::kReachable) ++reachable;
  }
  EXPECT_EQ(reachable, 38U);
}

TEST(RulebookTest, EachRuleIsJudgedInOneWay) {
  const Rulebook& book = Rulebook::standard();
  for (std::size_t i = 0; i < book.size(); ++i) {
    const RuleEntry& entry = book.entry(i);
    const int ways = (entry.page != nullptr) + (entry.graph != nullptr) + (entry.site != nullptr);
    EXPECT_EQ(ways, entry.rule.optional ? 0 : 1) << entry.rule.id;
    EXPECT_EQ(entry.site != nullptr, entry.rule.scope == RuleScope::kSite) << entry.rule.id;
  }
}

TEST(JudgeTest, AGoodSiteHasNoFailure) {
  MadeRead read = good_site();
  const Judgement judgement = read.judge();
  EXPECT_EQ(failures(judgement), "");
  ASSERT_TRUE(judgement.overall.has_value()) << judgement.no_score;
  EXPECT_EQ(shown(*judgement.overall), 100);
  EXPECT_EQ(judgement.rulebook_version, kRulebookVersion);
  EXPECT_TRUE(judgement.complete);
}

}  // namespace
}  // namespace periplus
