// The score. Each failing rule takes a slice of what is left of its stage; the slice grows with the
// share of pages that fail. The site's score is the weighted mean of the four stages and cannot
// exceed "reachable".
//
//   share   0 when no page fails, else 0.1 + 0.9 × failed ÷ (passed + failed); site rules 0 or 1
//   slice   critical 0.70, major 0.15, minor 0.04, info 0
//   stage   100 × Π (1 − slice·share)
//   overall min(reachable, 0.35 reachable + 0.25 readable + 0.20 understandable + 0.20 trusted)
//   coverage decided ÷ (decided + unknown), weighted by slice
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "audit/rule.h"

namespace periplus {

inline constexpr std::string_view kScoreVersion = "1";
inline constexpr std::array<double, kStages> kStageWeights = {0.35, 0.25, 0.20, 0.20};
inline constexpr double kPartialUnder = 0.80;  // coverage under this: "partial"
inline constexpr double kNoScoreUnder = 0.50;  // coverage under this: no score

double slice(Severity severity);  // of its stage, when every page fails

// How often a rule said what.
struct RuleTally {
  Stage stage = Stage::kReachable;
  Severity severity = Severity::kMinor;
  bool site = false;
  std::uint32_t passed = 0, failed = 0, unknown = 0, not_applicable = 0;
};

struct StageScore {
  std::optional<double> score;  // none when no rule of the stage was decided
  double coverage = 0;          // 0..1
  bool partial = false;
};

struct RuleGain {
  double share = 0;       // 0..1
  double stage_gain = 0;  // what the stage gains when this rule no longer fails
  double gain = 0;        // what the overall score gains; 0 while "reachable" holds it down
};

struct ScoreSheet {
  std::optional<double> overall;  // none: under kNoScoreUnder, or a stage without evidence
  std::array<StageScore, kStages> stages;
  double coverage = 0;  // of all stages, by their weights
  bool partial = false;
  std::vector<RuleGain> rules;         // in the order given
  std::vector<std::size_t> fix_order;  // indices of failing, scored rules, largest gain first
};

ScoreSheet score(std::span<const RuleTally> tallies);

// As shown to people: whole points, rounded down, so that 100 means no scored failure.
int shown(double score);

}  // namespace periplus
