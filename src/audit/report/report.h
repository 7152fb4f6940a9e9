// The reports of an audit: each is a function from a Judgement to text. Nothing here writes files
// or judges.
//
// Text that came from a site is data: escaped in HTML, stripped of control characters on a
// terminal, kept from being a formula in CSV.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "audit/judge.h"

namespace periplus {

enum class ReportFile : std::uint8_t { kHtml, kJson, kPagesCsv, kFindingsCsv, kLinksCsv };

// "report.html", "report.json", "pages.csv", …
std::string_view file_name(ReportFile file);
// The files of a format's name ("html", "json", "csv"); empty for an unknown one.
std::vector<ReportFile> report_files(std::string_view format);
std::string render(const Judgement& judgement, ReportFile file);

// report/json.cpp: one object on one line; docs/formats/audit-report.schema.json describes it.
std::string json_report(const Judgement& judgement);
// report/csv.cpp: RFC 4180, UTF-8 without a byte order mark.
std::string pages_csv(const Judgement& judgement);
std::string findings_csv(const Judgement& judgement);
std::string links_csv(const Judgement& judgement);
// report/terminal.cpp: fits 80 columns and 24 lines.
std::string terminal_report(const Judgement& judgement, bool color);

// "A" from 90, "B" from 80, "C" from 65, "D" from 50, else "F".
char grade(double score);

}  // namespace periplus
