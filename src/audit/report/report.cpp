#include "audit/report/report.h"

#include "audit/report/html.h"

namespace periplus {

std::string_view file_name(ReportFile file) {
  switch (file) {
    case ReportFile::kHtml:
      return "report.html";
    case ReportFile::kJson:
      return "report.json";
    case ReportFile::kPagesCsv:
      return "pages.csv";
    case ReportFile::kFindingsCsv:
      return "findings.csv";
    case ReportFile::kLinksCsv:
      return "links.csv";
  }
  return {};
}

std::vector<ReportFile> report_files(std::string_view format) {
  if (format == "html") return {ReportFile::kHtml};
  if (format == "json") return {ReportFile::kJson};
  if (format == "csv")
    return {ReportFile::kPagesCsv, ReportFile::kFindingsCsv, ReportFile::kLinksCsv};
  return {};
}

std::string render(const Judgement& judgement, ReportFile file) {
  switch (file) {
    case ReportFile::kHtml:
      return html_report(judgement);
    case ReportFile::kJson:
      return json_report(judgement) + "\n";
    case ReportFile::kPagesCsv:
      return pages_csv(judgement);
    case ReportFile::kFindingsCsv:
      return findings_csv(judgement);
    case ReportFile::kLinksCsv:
      return links_csv(judgement);
  }
  return {};
}

char grade(double score) {
  if (score >= 90) return 'A';
  if (score >= 80) return 'B';
  if (score >= 65) return 'C';
  return score >= 50 ? 'D' : 'F';
}

}  // namespace periplus
