// pages.csv, findings.csv, links.csv. A cell that a spreadsheet would take for a formula begins
// with an apostrophe.
#include <fmt/format.h>

#include "audit/report/report.h"
#include "base/text.h"

namespace periplus {
namespace {

class CsvWriter {
 public:
  CsvWriter& cell(std::string_view text) {
    if (!first_) out_ += ',';
    first_ = false;
    // Spreadsheets look past leading blanks; a carriage return or tab may start a formula too.
    const std::size_t start = std::min(text.find_first_not_of(" \n"), text.size());
    const bool formula = start < text.size() &&
                         std::string_view("=+-@\t\r").find(text[start]) != std::string_view::npos;
    const bool quoted =
        formula || text.find_first_of(",\"\r\n") != std::string_view::npos || text.starts_with(' ');
    if (!quoted) {
      out_ += text;
      return *this;
    }
    out_ += '"';
    if (formula) out_ += '\'';
    for (const char c : text) {
      if (c == '"') out_ += '"';
      if (c != '\0') out_ += c;
    }
    out_ += '"';
    return *this;
  }
  CsvWriter& number(std::uint64_t value) { return cell(std::to_string(value)); }
  CsvWriter& yes(bool value) { return cell(value ? "yes" : "no"); }
  void end_row() {
    out_ += "\r\n";
    first_ = true;
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
  bool first_ = true;
};

void header(CsvWriter& csv, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) csv.cell(name);
  csv.end_row();
}

std::string rule_ids(const Judgement& judgement, const PageResult& page) {
  std::string out;
  for (const std::uint16_t index : page.failed)
    out.append(out.empty() ? "" : " ").append(judgement.rules.at(index).rule->id);
  return out;
}

}  // namespace

std::string pages_csv(const Judgement& judgement) {
  CsvWriter csv;
  header(csv, {"url", "final_url", "status", "failure", "depth", "found_via", "found_from", "title",
               "language", "words", "links_out", "links_in", "bytes", "cut", "noindex", "canonical",
               "server_wait_ms", "failed_rules"});
  for (const PageResult& page : judgement.pages) {
    csv.cell(page.url).cell(page.final_url);
    csv.cell(page.status == 0 ? "" : std::to_string(page.status))
        .cell(page.failure ? name(page.failure->kind) : "");
    csv.cell(page.depth ? std::to_string(*page.depth) : "")
        .cell(name(page.via))
        .cell(page.found_from);
    csv.cell(page.title)
        .cell(page.lang)
        .number(page.words)
        .number(page.links)
        .number(page.links_in)
        .number(page.bytes);
    csv.yes(page.cut)
        .yes(page.noindex)
        .cell(page.canonical)
        .number(page.wait_ms)
        .cell(rule_ids(judgement, page));
    csv.end_row();
  }
  return csv.take();
}

std::string findings_csv(const Judgement& judgement) {
  CsvWriter csv;
  header(csv,
         {"rule", "stage", "severity", "page", "line", "column", "message", "quote", "related"});
  for (const RuleResult& result : judgement.rules) {
    for (const Finding& finding : result.findings) {
      csv.cell(result.rule->id).cell(name(result.rule->stage)).cell(name(result.rule->severity));
      csv.cell(finding.page == kNoPage ? ""
                                       : std::string_view(judgement.pages.at(finding.page).url));
      csv.cell(finding.place.line == 0 ? "" : std::to_string(finding.place.line));
      csv.cell(finding.place.line == 0 ? "" : std::to_string(finding.place.column));
      csv.cell(finding.message)
          .cell(finding.quote)
          .cell(fmt::format("{}", fmt::join(finding.related, " ")));
      csv.end_row();
    }
  }
  return csv.take();
}

std::string links_csv(const Judgement& judgement) {
  CsvWriter csv;
  header(csv, {"from", "to", "words", "internal", "nofollow", "status", "line", "column"});
  for (const LinkRecord& link : judgement.links()) {
    csv.cell(link.from == kNoPage ? "" : std::string_view(judgement.pages.at(link.from).url))
        .cell(link.to)
        .cell(link.words);
    csv.yes(link.internal).yes(link.nofollow).cell(link.status ? std::to_string(*link.status) : "");
    csv.number(link.place.line).number(link.place.column);
    csv.end_row();
  }
  return csv.take();
}

}  // namespace periplus
