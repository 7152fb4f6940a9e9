#include "audit/verdict_table.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace periplus {

VerdictTable::VerdictTable(std::size_t rules, std::size_t findings_per_rule)
    : findings_per_rule_(findings_per_rule), rows_(rules) {}

std::uint8_t VerdictTable::reason_index(Row* row, std::string_view reason) {
  for (std::size_t i = 0; i < row->reasons.size(); ++i) {
    if (row->reasons[i] == reason) return static_cast<std::uint8_t>(i);
  }
  if (row->reasons.size() == std::numeric_limits<std::uint8_t>::max()) return 0;
  row->reasons.push_back(reason);
  return static_cast<std::uint8_t>(row->reasons.size() - 1);
}

VerdictTable::Cell& VerdictTable::cell(std::size_t rule, PageId page) {
  std::vector<Cell>& cells = rows_[rule].cells;
  if (cells.size() <= page) cells.resize(page + 1);
  return cells[page];
}

void VerdictTable::put(std::size_t rule, PageId page, Judged judged, FindingList* findings) {
  Row& row = rows_[rule];
  Cell& at = cell(rule, page);
  at.verdict = judged.verdict;
  at.reason = reason_index(&row, judged.reason);
  at.findings = 0;
  if (judged.verdict != Verdict::kFail || findings == nullptr) return;
  at.findings = static_cast<std::uint16_t>(
      std::min<std::uint64_t>(findings->total(), std::numeric_limits<std::uint16_t>::max()));
  for (Finding& finding : findings->kept()) {
    if (row.findings.size() >= findings_per_rule_) break;
    if (finding.page == kNoPage) finding.page = page;
    row.findings.push_back(std::move(finding));
  }
}

void VerdictTable::overrule(std::size_t rule, PageId page, Judged judged) {
  Row& row = rows_[rule];
  Cell& at = cell(rule, page);
  if (at.findings > 0)
    std::erase_if(row.findings, [&](const Finding& finding) { return finding.page == page; });
  at = {judged.verdict, reason_index(&row, judged.reason), 0};
}

Verdict VerdictTable::verdict(std::size_t rule, PageId page) const {
  const std::vector<Cell>& cells = rows_[rule].cells;
  return page < cells.size() ? cells[page].verdict : Verdict::kNotApplicable;
}

std::uint32_t VerdictTable::count(std::size_t rule, Verdict verdict) const {
  return static_cast<std::uint32_t>(std::ranges::count(rows_[rule].cells, verdict, &Cell::verdict));
}

std::vector<std::pair<std::string, std::uint32_t>> VerdictTable::reasons(std::size_t rule,
                                                                         Verdict verdict) const {
  const Row& row = rows_[rule];
  std::vector<std::pair<std::string, std::uint32_t>> out;
  std::vector<std::uint32_t> counts(row.reasons.size());
  for (const Cell& at : row.cells) {
    if (at.verdict == verdict) ++counts[at.reason];
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0 && !row.reasons[i].empty()) out.emplace_back(row.reasons[i], counts[i]);
  }
  std::ranges::sort(out, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return out;
}

std::vector<PageId> VerdictTable::failing(std::size_t rule) const {
  std::vector<PageId> out;
  const std::vector<Cell>& cells = rows_[rule].cells;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].verdict == Verdict::kFail) out.push_back(static_cast<PageId>(i));
  }
  return out;
}

std::vector<Finding> VerdictTable::take_findings(std::size_t rule) {
  std::vector<Finding>& found = rows_[rule].findings;
  std::vector<std::size_t> order(found.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return found[a].page != found[b].page ? found[a].page < found[b].page : a < b;
  });
  std::vector<Finding> out;
  out.reserve(found.size());
  for (const std::size_t at : order) out.push_back(std::move(found[at]));
  found.clear();
  return out;
}

std::uint64_t VerdictTable::findings_total(std::size_t rule) const {
  std::uint64_t total = 0;
  for (const Cell& at : rows_[rule].cells) total += at.findings;
  return total;
}

}  // namespace periplus
