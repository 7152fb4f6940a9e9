#include "audit/rule.h"

#include <array>

namespace periplus {
namespace {

constexpr std::array<std::string_view, kStages> kStageNames = {"reachable", "readable",
                                                               "understandable", "trusted"};
constexpr std::array<std::string_view, 4> kSeverityNames = {"critical", "major", "minor", "info"};
constexpr std::array<std::string_view, 4> kVerdictNames = {"pass", "fail", "unknown", "na"};
constexpr std::array<std::string_view, 4> kScopeNames = {"site", "address", "page",
                                                         "indexable page"};
constexpr std::array<std::string_view, 8> kNeedNames = {"html",    "headers", "chain", "robots",
                                                        "sitemap", "graph",   "tls",   "document"};

template <class Enum, std::size_t N>
std::optional<Enum> by_name(const std::array<std::string_view, N>& names, std::string_view wanted) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == wanted) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view name(Stage value) { return kStageNames[static_cast<std::size_t>(value)]; }
std::string_view name(Severity value) { return kSeverityNames[static_cast<std::size_t>(value)]; }
std::string_view name(Verdict value) { return kVerdictNames[static_cast<std::size_t>(value)]; }
std::string_view name(RuleScope value) { return kScopeNames[static_cast<std::size_t>(value)]; }
std::optional<Stage> stage(std::string_view wanted) { return by_name<Stage>(kStageNames, wanted); }
std::optional<Severity> severity(std::string_view wanted) {
  return by_name<Severity>(kSeverityNames, wanted);
}

std::vector<std::string_view> names_of_needs(std::uint16_t needs) {
  std::vector<std::string_view> out;
  for (std::size_t i = 0; i < kNeedNames.size(); ++i) {
    if ((needs >> i & 1U) != 0) out.push_back(kNeedNames[i]);
  }
  return out;
}

}  // namespace periplus
