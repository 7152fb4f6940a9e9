// The verdict of every rule on every page while a read is judged, and the findings behind them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "audit/check.h"

namespace periplus {

class VerdictTable {
 public:
  // `findings_per_rule`: kept of one rule; counts stay exact.
  VerdictTable(std::size_t rules, std::size_t findings_per_rule);

  void put(std::size_t rule, PageId page, Judged judged, FindingList* findings);
  // Replaces the verdict and drops what was found.
  void overrule(std::size_t rule, PageId page, Judged judged);
  Verdict verdict(std::size_t rule, PageId page) const;
  // How often a verdict was given, and the reasons for it with their counts, most frequent first.
  std::uint32_t count(std::size_t rule, Verdict verdict) const;
  std::vector<std::pair<std::string, std::uint32_t>> reasons(std::size_t rule,
                                                             Verdict verdict) const;
  std::vector<PageId> failing(std::size_t rule) const;
  std::vector<Finding> take_findings(std::size_t rule);  // in page order
  std::uint64_t findings_total(std::size_t rule) const;

 private:
  struct Cell {
    Verdict verdict = Verdict::kNotApplicable;
    std::uint8_t reason = 0;  // index into Row::reasons
    std::uint16_t findings = 0;
  };
  struct Row {
    std::vector<Cell> cells;
    std::vector<std::string_view> reasons;
    std::vector<Finding> findings;
  };
  static std::uint8_t reason_index(Row* row, std::string_view reason);
  Cell& cell(std::size_t rule, PageId page);

  std::size_t findings_per_rule_;
  std::vector<Row> rows_;
};

}  // namespace periplus
