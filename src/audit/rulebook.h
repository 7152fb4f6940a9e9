// The one list of all rules. Its version changes whenever a rule is added, removed, or judges
// otherwise; verdicts are compared only at one version.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "audit/rule.h"

namespace periplus {

struct RuleEntry;  // check.h: the rule and how it is judged

inline constexpr std::string_view kRulebookVersion = "1";

class Rulebook {
 public:
  static const Rulebook& standard();
  explicit Rulebook(std::vector<const RuleEntry*> entries);

  std::string_view version() const { return kRulebookVersion; }
  std::size_t size() const { return entries_.size(); }
  const Rule& operator[](std::size_t index) const;
  const RuleEntry& entry(std::size_t index) const { return *entries_[index]; }
  // Nothing for an unknown id.
  const Rule* find(std::string_view id) const;
  std::size_t index_of(std::string_view id) const;  // size() when unknown

 private:
  std::vector<const RuleEntry*> entries_;  // by stage, then in the order of the families
};

}  // namespace periplus
