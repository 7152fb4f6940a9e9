// The score: its worked examples, and that mending never lowers it.
#include "audit/score.h"

#include <gtest/gtest.h>

#include <random>

namespace periplus {
namespace {

RuleTally page_rule(Severity severity, std::uint32_t failed, std::uint32_t passed,
                    Stage stage = Stage::kReachable) {
  return {stage, severity, false, passed, failed, 0, 0};
}

// The other stages without a fault.
std::vector<RuleTally> with_rest(std::vector<RuleTally> tallies) {
  for (const Stage stage :
       {Stage::kReachable, Stage::kReadable, Stage::kUnderstandable, Stage::kTrusted})
    tallies.push_back(page_rule(Severity::kMajor, 0, 60, stage));
  return tallies;
}

double reachable(const ScoreSheet& sheet) { return *sheet.stages[0].score; }

TEST(Score, MajorOnThreeAndMinorOnTwelveOfSixtyPages) {
  const ScoreSheet sheet =
      score(with_rest({page_rule(Severity::kMajor, 3, 57), page_rule(Severity::kMinor, 12, 48)}));
  EXPECT_NEAR(reachable(sheet), 96.7, 0.05);
  EXPECT_NEAR(*sheet.overall, 96.7, 0.05);
}

TEST(Score, RobotsBlockingAllOnTopOfThat) {
  const ScoreSheet sheet =
      score(with_rest({page_rule(Severity::kMajor, 3, 57),
                       page_rule(Severity::kMinor, 12, 48),
                       {Stage::kReachable, Severity::kCritical, true, 0, 1, 0, 0}}));
  EXPECT_NEAR(*sheet.overall, 29.0, 0.05);
}

TEST(Score, TenMinorsOnEveryPage) {
  const std::vector<RuleTally> ten(10, page_rule(Severity::kMinor, 60, 0));
  EXPECT_NEAR(*score(with_rest(ten)).overall, 66.5, 0.05);
}

TEST(Score, FiveMajorsOnEveryPage) {
  const std::vector<RuleTally> five(5, page_rule(Severity::kMajor, 60, 0));
  EXPECT_NEAR(*score(with_rest(five)).overall, 44.4, 0.05);
}

TEST(Score, OneBadPageInAHundredStaysVisible) {
  const ScoreSheet sheet = score(with_rest({page_rule(Severity::kMajor, 1, 99)}));
  EXPECT_NEAR(sheet.rules[0].share, 0.109, 1e-9);
  EXPECT_LT(shown(*sheet.overall), 100);
}

TEST(Score, HundredMeansNoScoredFailure) {
  EXPECT_EQ(shown(*score(with_rest({})).overall), 100);
  const ScoreSheet sheet = score(with_rest({page_rule(Severity::kMinor, 1, 1'000'000)}));
  EXPECT_GT(*sheet.overall, 99.5);
  EXPECT_EQ(shown(*sheet.overall), 99);
}

TEST(Score, InfoIsNeverScored) {
  const ScoreSheet sheet = score(with_rest({page_rule(Severity::kInfo, 60, 0)}));
  EXPECT_EQ(shown(*sheet.overall), 100);
  EXPECT_TRUE(sheet.fix_order.empty());
}

TEST(Score, ARuleMoreThatPassesChangesNothing) {
  std::vector<RuleTally> tallies = with_rest({page_rule(Severity::kMajor, 3, 57)});
  const double before = *score(tallies).overall;
  tallies.push_back(page_rule(Severity::kCritical, 0, 60));
  EXPECT_DOUBLE_EQ(*score(tallies).overall, before);
}

TEST(Score, OverallCannotExceedReachable) {
  const ScoreSheet sheet =
      score(with_rest({{Stage::kReachable, Severity::kCritical, true, 0, 1, 0, 0}}));
  EXPECT_DOUBLE_EQ(*sheet.overall, reachable(sheet));
  EXPECT_NEAR(*sheet.overall, 30, 1e-9);
}

TEST(Score, WeightsOfTheStages) {
  const ScoreSheet readable =
      score(with_rest({page_rule(Severity::kCritical, 60, 0, Stage::kReadable)}));
  EXPECT_NEAR(*readable.overall, 100 - 0.25 * 70, 1e-9);
  const ScoreSheet trusted =
      score(with_rest({page_rule(Severity::kCritical, 60, 0, Stage::kTrusted)}));
  EXPECT_NEAR(*trusted.overall, 100 - 0.20 * 70, 1e-9);
}

TEST(Score, GainIsWhatMendingBrings) {
  std::vector<RuleTally> tallies =
      with_rest({page_rule(Severity::kMajor, 30, 30), page_rule(Severity::kMinor, 60, 0),
                 page_rule(Severity::kMajor, 6, 54, Stage::kTrusted)});
  const ScoreSheet before = score(tallies);
  ASSERT_EQ(before.fix_order.size(), 3U);
  for (const std::size_t fix : before.fix_order) {
    std::vector<RuleTally> mended = tallies;
    mended[fix].passed += mended[fix].failed;
    mended[fix].failed = 0;
    const ScoreSheet after = score(mended);
    const auto stage = static_cast<std::size_t>(tallies[fix].stage);
    EXPECT_NEAR(*after.stages[stage].score - *before.stages[stage].score,
                before.rules[fix].stage_gain, 1e-9);
    EXPECT_NEAR(*after.overall - *before.overall, before.rules[fix].gain, 1e-9);
  }
  for (std::size_t i = 1; i < before.fix_order.size(); ++i)
    EXPECT_GE(before.rules[before.fix_order[i - 1]].stage_gain,
              before.rules[before.fix_order[i]].stage_gain);
}

TEST(Score, CoverageIsWeightedBySlice) {
  std::vector<RuleTally> tallies = with_rest({});
  tallies.push_back({Stage::kReadable, Severity::kMajor, false, 0, 0, 60, 0});
  const ScoreSheet sheet = score(tallies);
  EXPECT_NEAR(sheet.stages[1].coverage, 0.5, 1e-9);
  EXPECT_TRUE(sheet.stages[1].partial);
  EXPECT_FALSE(sheet.stages[0].partial);
  EXPECT_NEAR(sheet.coverage, 1 - 0.25 * 0.5, 1e-9);
  EXPECT_TRUE(sheet.overall.has_value());
}

TEST(Score, NotApplicableCostsAndEarnsNothing) {
  std::vector<RuleTally> tallies = with_rest({page_rule(Severity::kMajor, 3, 57)});
  const ScoreSheet before = score(tallies);
  tallies.push_back({Stage::kReachable, Severity::kCritical, false, 0, 0, 0, 60});
  const ScoreSheet after = score(tallies);
  EXPECT_DOUBLE_EQ(*after.overall, *before.overall);
  EXPECT_DOUBLE_EQ(after.coverage, before.coverage);
}

TEST(Score, NoScoreUnderHalfCoverage) {
  std::vector<RuleTally> tallies;
  for (const Stage stage :
       {Stage::kReachable, Stage::kReadable, Stage::kUnderstandable, Stage::kTrusted}) {
    tallies.push_back({stage, Severity::kMinor, true, 1, 0, 0, 0});
    tallies.push_back({stage, Severity::kMajor, false, 0, 0, 60, 0});
  }
  const ScoreSheet sheet = score(tallies);
  EXPECT_LT(sheet.coverage, kNoScoreUnder);
  EXPECT_FALSE(sheet.overall.has_value());
}

TEST(Score, NoScoreWhenAStageHasNoEvidence) {
  EXPECT_FALSE(score(std::vector{page_rule(Severity::kMajor, 0, 60)}).overall.has_value());
}

// A site at random: rules with pages, some of them hanging on another rule. While the other fails
// on a page, the one that hangs on it fails there too; mended, it says what it would have said.
struct RandomSite {
  struct Rule {
    Stage stage;
    Severity severity;
    bool site;
    int prerequisite = -1;
    std::vector<Verdict> own;  // by page
  };
  std::vector<Rule> rules;
  std::size_t pages;

  explicit RandomSite(std::mt19937& random) {
    const auto pick = [&](int below) {
      return static_cast<int>(random() % static_cast<unsigned>(below));
    };
    pages = static_cast<std::size_t>(1 + pick(12));
    const int count = 4 + pick(10);
    for (int i = 0; i < count; ++i) {
      Rule rule{static_cast<Stage>(i < 4 ? i : pick(4)),
                static_cast<Severity>(pick(4)),
                pick(4) == 0,
                -1,
                {}};
      if (i > 0 && pick(3) == 0) {
        const int other = pick(i);
        if (rules[static_cast<std::size_t>(other)].prerequisite < 0 &&
            rules[static_cast<std::size_t>(other)].site == rule.site)
          rule.prerequisite = other;
      }
      rule.own.resize(rule.site ? 1 : pages);
      for (Verdict& verdict : rule.own) {
        const int roll = pick(10);
        verdict = roll < 5   ? Verdict::kPass
                  : roll < 8 ? Verdict::kFail
                  : roll < 9 ? Verdict::kNotApplicable
                             : Verdict::kUnknown;
      }
      rules.push_back(std::move(rule));
    }
  }

  ScoreSheet judged() const {
    std::vector<RuleTally> tallies;
    for (const Rule& rule : rules) {
      RuleTally tally{rule.stage, rule.severity, rule.site, 0, 0, 0, 0};
      for (std::size_t page = 0; page < rule.own.size(); ++page) {
        Verdict verdict = rule.own[page];
        if (rule.prerequisite >= 0 &&
            rules[static_cast<std::size_t>(rule.prerequisite)].own[page] == Verdict::kFail)
          verdict = Verdict::kFail;
        switch (verdict) {
          case Verdict::kPass:
            ++tally.passed;
            break;
          case Verdict::kFail:
            ++tally.failed;
            break;
          case Verdict::kUnknown:
            ++tally.unknown;
            break;
          case Verdict::kNotApplicable:
            ++tally.not_applicable;
            break;
        }
      }
      tallies.push_back(tally);
    }
    return score(tallies);
  }
};

double overall_of(const ScoreSheet& sheet) {
  double mean = 0;
  for (std::size_t i = 0; i < kStages; ++i)
    mean += kStageWeights[i] * sheet.stages[i].score.value_or(100);
  return std::min(sheet.stages[0].score.value_or(100), mean);
}

TEST(Score, MendingOneFailureNeverLowersAnything) {
  std::mt19937 random(20261201);
  std::size_t mended = 0;
  std::size_t uncovered = 0;
  while (mended < 25'000) {
    RandomSite site(random);
    const ScoreSheet before = site.judged();
    RandomSite::Rule& rule = site.rules[random() % site.rules.size()];
    const std::size_t page = random() % rule.own.size();
    if (rule.own[page] != Verdict::kFail) continue;
    rule.own[page] = Verdict::kPass;
    // What hung on it may turn out to be anything, failing included.
    for (RandomSite::Rule& other : site.rules) {
      if (other.prerequisite < 0 ||
          &site.rules[static_cast<std::size_t>(other.prerequisite)] != &rule)
        continue;
      other.own[page] = static_cast<Verdict>(random() % 4);
      if (other.own[page] == Verdict::kFail) ++uncovered;
    }
    const ScoreSheet after = site.judged();
    ++mended;
    for (std::size_t stage = 0; stage < kStages; ++stage) {
      if (!before.stages[stage].score || !after.stages[stage].score) continue;
      ASSERT_GE(*after.stages[stage].score, *before.stages[stage].score - 1e-9)
          << "stage " << stage << " after " << mended << " trials";
    }
    ASSERT_GE(overall_of(after), overall_of(before) - 1e-9) << "after " << mended << " trials";
  }
  EXPECT_GT(uncovered, 500U);  // the case that matters was met
}

}  // namespace
}  // namespace periplus
