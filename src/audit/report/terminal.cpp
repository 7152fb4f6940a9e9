// The summary on a terminal: one screen of 80 columns and 24 lines.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "audit/report/report.h"
#include "base/text.h"

namespace periplus {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kFixes = 6;
constexpr std::size_t kBar = 30;

// Columns that a terminal needs: two for wide East Asian characters, none for combining marks.
std::size_t columns_of(char32_t c) {
  if ((c >= 0x0300 && c <= 0x036f) || c == 0x200b || c == 0x200d || (c >= 0xfe00 && c <= 0xfe0f))
    return 0;
  const bool wide = (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) ||
                    (c >= 0xac00 && c <= 0xd7a3) || (c >= 0xf900 && c <= 0xfaff) ||
                    (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
                    (c >= 0x1f300 && c <= 0x1faff) || (c >= 0x20000 && c <= 0x3fffd);
  return wide ? 2 : 1;
}

// Clean text, cut to `width` columns with an ellipsis.
std::string fitted(std::string_view from_site, std::size_t width) {
  const std::string text = without_controls(collapse_space(from_site));
  std::string out;
  std::size_t used = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t before = at;
    const std::size_t wants = columns_of(next_code_point(text, &at));
    const bool last = at >= text.size();
    if (used + wants > width || (used + wants == width && !last)) return out + "…";
    out.append(text, before, at - before);
    used += wants;
  }
  return out;
}

class Screen {
 public:
  explicit Screen(bool color) : color_(color) {}
  void line(const std::string& text = {}) {
    out_ += text;
    out_ += '\n';
  }
  std::string bold(std::string_view text) const { return paint("1", text); }
  std::string dim(std::string_view text) const { return paint("2", text); }
  std::string by_score(double score, std::string_view text) const {
    return paint(score >= 90 ? "32" : score >= 50 ? "33" : "31", text);
  }
  std::string take() { return std::move(out_); }

 private:
  std::string paint(std::string_view code, std::string_view text) const {
    return color_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }
  bool color_;
  std::string out_;
};

std::string bar(double score) {
  const auto full = static_cast<std::size_t>(std::lround(score / 100 * static_cast<double>(kBar)));
  std::string out;
  for (std::size_t i = 0; i < kBar; ++i) out += i < full ? "█" : "░";
  return out;
}

std::string percent(double share) { return fmt::format("{}%", shown(share * 100)); }

void put_stages(const Judgement& j, Screen& screen) {
  for (std::size_t i = 0; i < kStages; ++i) {
    const StageScore& stage = j.sheet.stages.at(i);
    const std::string_view label = name(static_cast<Stage>(i));
    if (!stage.score) {
      screen.line(fmt::format("  {:15} {}", label, "not judged"));
      continue;
    }
    const std::string note =
        stage.partial ? fmt::format("  partial: {} judged", percent(stage.coverage)) : "";
    screen.line(fmt::format("  {:15} {} {:>3}{}", label,
                            screen.by_score(*stage.score, bar(*stage.score)), shown(*stage.score),
                            note));
  }
}

void put_fixes(const Judgement& j, Screen& screen) {
  if (j.fix_list.empty()) return;
  screen.line();
  screen.line(screen.bold("Fix first") + screen.dim("  (points that its stage gains)"));
  for (std::size_t i = 0; i < j.fix_list.size() && i < kFixes; ++i) {
    const RuleResult& rule = j.rules.at(j.fix_list[i]);
    const std::string where =
        rule.rule->scope == RuleScope::kSite
            ? "site"
            : fmt::format("{} page{}", rule.failing, rule.failing == 1 ? "" : "s");
    screen.line(fmt::format("  {:>5}  {:24} {:>9}  {}", fmt::format("+{:.1f}", rule.stage_gain),
                            rule.rule->id, where, fitted(rule.rule->title, kWidth - 46)));
  }
  if (j.fix_list.size() > kFixes)
    screen.line(
        screen.dim(fmt::format("         and {} more in the report", j.fix_list.size() - kFixes)));
}

// What was left out, and why.
void put_limits(const Judgement& j, Screen& screen) {
  std::string left;
  for (const auto& [reason, count] : j.read.not_fetched_counts) {
    // What robots.txt closes is left out of every count.
    if (count == 0 || reason == NotFetchedReason::kRobots || reason == NotFetchedReason::kNotPage ||
        reason == NotFetchedReason::kOtherSite)
      continue;
    left += fmt::format("{}{} left: {}", left.empty() ? "" : "; ", count, sentence(reason));
  }
  if (!left.empty()) screen.line(screen.dim("  " + fitted(left, kWidth - 2)));
  if (!j.read.traps.empty()) {
    const Trap& trap = j.read.traps.front();
    screen.line(
        screen.dim("  " + fitted(fmt::format("trap: {} ({})", trap.pattern, sentence(trap.kind)),
                                 kWidth - 2)));
  }
}

}  // namespace

std::string terminal_report(const Judgement& j, bool color) {
  Screen screen(color);
  const Outcome& outcome = j.read.outcome;
  screen.line();
  const std::string head =
      fitted(j.read.home_url.empty() ? j.read.start_url : j.read.home_url, kWidth - 20);
  if (j.overall) {
    screen.line(fmt::format(
        "{}  {}", screen.bold(head),
        screen.by_score(*j.overall,
                        fmt::format("{} of 100, grade {}", shown(*j.overall), grade(*j.overall)))));
  } else {
    screen.line(fmt::format("{}  no score", screen.bold(head)));
    screen.line("  " + fitted(j.no_score, kWidth - 2));
  }
  const std::string pages =
      fmt::format("{} page{} read", j.pages.size(), j.pages.size() == 1 ? "" : "s");
  screen.line("  " + fitted(fmt::format("{}: {}", pages, sentence(outcome.kind)), kWidth - 2));
  if (!outcome.detail.empty() && !outcome.complete())
    screen.line("  " + fitted(outcome.detail, kWidth - 2));
  if (!j.overall) {
    put_limits(j, screen);
    screen.line();
    return screen.take();
  }
  if (j.sheet.partial)
    screen.line(fmt::format("  partial: {} of the rulebook's weight could be judged",
                            percent(j.sheet.coverage)));
  screen.line();
  put_stages(j, screen);
  put_fixes(j, screen);
  screen.line();
  put_limits(j, screen);
  return screen.take();
}

}  // namespace periplus
