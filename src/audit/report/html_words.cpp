// Words and small pieces that several parts of the HTML report use.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "audit/report/html_parts.h"
#include "base/text.h"
#include "url/url.h"

namespace periplus {

std::string_view title_of(Stage stage) {
  switch (stage) {
    case Stage::kReachable:
      return "Reachable";
    case Stage::kReadable:
      return "Readable";
    case Stage::kUnderstandable:
      return "Understandable";
    case Stage::kTrusted:
      return "Trusted";
  }
  return {};
}

std::string_view meaning_of(Stage stage) {
  switch (stage) {
    case Stage::kReachable:
      return "A crawler can get the pages.";
    case Stage::kReadable:
      return "The words are in the bytes that arrive.";
    case Stage::kUnderstandable:
      return "Meaning is explicit and consistent.";
    case Stage::kTrusted:
      return "The site is safe to rely on and to cite.";
  }
  return {};
}

std::string number(std::uint64_t value) {
  std::string out = std::to_string(value);
  for (std::size_t at = out.size(); at > 3;) out.insert(at -= 3, 1, ',');
  return out;
}

std::string counted(std::uint64_t value, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", number(value), value == 1 ? one : many);
}

std::string percent(double part) { return fmt::format("{} %", shown(part * 100)); }

std::string points(double gain) {
  if (gain <= 0) return "+0";
  return gain < 0.1 ? "under +0.1" : fmt::format("+{:.1f}", gain);
}

std::string moment(Instant at) {
  if (at == Instant{}) return "unknown";
  std::string out = to_rfc3339(at);  // "2026-12-01T03:46:53Z"
  return fmt::format("{} {} UTC", out.substr(0, 10), out.substr(11, 5));
}

std::string duration(double seconds) {
  if (seconds < 0.05) return "0 s";
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string sentence_of(std::string_view words) {
  std::string out(words);
  if (out.empty()) return out;
  if (out.front() >= 'a' && out.front() <= 'z' && !out.starts_with("robots.txt"))
    out.front() = static_cast<char>(out.front() - 32);
  if (out.back() != '.' && out.back() != '?' && out.back() != '!') out.push_back('.');
  return out;
}

std::string words_of(const Failure& failure) {
  return failure.detail.empty() ? std::string(sentence(failure.kind))
                                : fmt::format("{} ({})", sentence(failure.kind), failure.detail);
}

std::string short_address(const Judgement& judgement, std::string_view url) {
  const std::string& home =
      judgement.read.home_url.empty() ? judgement.read.start_url : judgement.read.home_url;
  const auto parsed = Url::parse(home);
  if (!parsed) return std::string(url);
  const std::string origin = parsed->origin();
  if (!url.starts_with(origin) || url.size() == origin.size() || url[origin.size()] != '/')
    return std::string(url);
  return std::string(url.substr(origin.size()));
}

bool read_nothing(const Judgement& judgement) {
  return std::ranges::none_of(judgement.pages, [](const PageResult& page) { return page.html; });
}

std::string page_anchor(PageId page) { return fmt::format("page-{}", page + 1); }
std::string rule_anchor(const Rule& rule) { return fmt::format("rule-{}", rule.id); }

void write_severity(HtmlWriter& out, Severity severity) {
  out.element("span", {{"class", fmt::format("severity {}", name(severity))}}, name(severity));
}

void write_page_link(HtmlWriter& out, const Judgement& judgement, PageId page) {
  if (page >= judgement.pages.size()) return;
  const auto link = out.in("a", {{"href", "#" + page_anchor(page)}});
  out.foreign(short_address(judgement, judgement.pages[page].url));
}

}  // namespace periplus
