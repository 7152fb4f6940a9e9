#include "audit/score.h"

#include <algorithm>
#include <cmath>

namespace periplus {
namespace {

double share_of(const RuleTally& tally) {
  if (tally.failed == 0) return 0;
  if (tally.site) return 1;
  return 0.1 + 0.9 * tally.failed / (static_cast<double>(tally.passed) + tally.failed);
}

double overall_of(const std::array<double, kStages>& stages) {
  double mean = 0;
  for (std::size_t i = 0; i < kStages; ++i) mean += kStageWeights[i] * stages[i];
  return std::min(stages[0], mean);
}

}  // namespace

double slice(Severity severity) {
  switch (severity) {
    case Severity::kCritical:
      return 0.70;
    case Severity::kMajor:
      return 0.15;
    case Severity::kMinor:
      return 0.04;
    case Severity::kInfo:
      return 0;
  }
  return 0;
}

ScoreSheet score(std::span<const RuleTally> tallies) {
  ScoreSheet sheet;
  sheet.rules.resize(tallies.size());
  std::array<double, kStages> stages = {100, 100, 100, 100};
  std::array<bool, kStages> decided{};
  std::array<double, kStages> covered{};
  std::array<double, kStages> asked{};
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    const RuleTally& tally = tallies[i];
    const auto at = static_cast<std::size_t>(tally.stage);
    const double weight = slice(tally.severity);
    sheet.rules[i].share = share_of(tally);
    stages[at] *= 1 - weight * sheet.rules[i].share;
    const double known = static_cast<double>(tally.passed) + tally.failed;
    if (weight == 0 || known + tally.unknown == 0) continue;
    decided[at] = decided[at] || known > 0;
    covered[at] += weight * known / (known + tally.unknown);
    asked[at] += weight;
  }
  bool all_decided = true;
  double weights = 0;
  for (std::size_t i = 0; i < kStages; ++i) {
    StageScore& stage = sheet.stages[i];
    if (decided[i]) stage.score = stages[i];
    all_decided = all_decided && decided[i];
    stage.coverage = asked[i] > 0 ? covered[i] / asked[i] : 0;
    stage.partial = stage.coverage < kPartialUnder;
    sheet.coverage += kStageWeights[i] * stage.coverage;
    weights += kStageWeights[i];
  }
  sheet.coverage /= weights;
  sheet.partial = sheet.coverage < kPartialUnder;
  const double overall = overall_of(stages);
  if (all_decided && sheet.coverage >= kNoScoreUnder) sheet.overall = overall;

  for (std::size_t i = 0; i < tallies.size(); ++i) {
    RuleGain& rule = sheet.rules[i];
    const auto at = static_cast<std::size_t>(tallies[i].stage);
    const double lost = slice(tallies[i].severity) * rule.share;
    if (lost == 0) continue;
    std::array<double, kStages> mended = stages;
    mended[at] = stages[at] / (1 - lost);
    rule.stage_gain = mended[at] - stages[at];
    rule.gain = overall_of(mended) - overall;
    sheet.fix_order.push_back(i);
  }
  std::ranges::sort(sheet.fix_order, [&](std::size_t a, std::size_t b) {
    const RuleGain& left = sheet.rules[a];
    const RuleGain& right = sheet.rules[b];
    if (left.stage_gain != right.stage_gain) return left.stage_gain > right.stage_gain;
    if (left.gain != right.gain) return left.gain > right.gain;
    return a < b;
  });
  return sheet;
}

// A hair of tolerance, for a product of ones divided and multiplied again may end a hair below.
int shown(double score) { return static_cast<int>(std::floor(score + 1e-9)); }

}  // namespace periplus
