#include "audit/no_score.h"

#include <fmt/format.h>

#include <algorithm>

namespace periplus {
namespace {

std::string shown_failure(const Failure& failure) {
  return failure.detail.empty() ? std::string(sentence(failure.kind))
                                : fmt::format("{} ({})", sentence(failure.kind), failure.detail);
}

}  // namespace

std::string why_no_score(const SiteFacts& site, const ScoreSheet& sheet) {
  const Outcome& outcome = site.read.outcome;
  if (site.home_read()) {
    const PageSummary& home = site.pages[site.home];
    if (home.status / 100 == 2 && !home.failure && !home.cut && home.body_bytes == 0)
      return "The start page is empty: its answer holds no octet, so there is nothing to judge.";
  }
  const bool any_page = std::ranges::any_of(
      site.pages, [](const PageSummary& page) { return page.state == PageState::kHtml; });
  if (!any_page) {
    switch (outcome.kind) {
      case OutcomeKind::kKeptOut:
        return fmt::format("robots.txt keeps us out ({}), so nothing else was read.",
                           outcome.detail);
      case OutcomeKind::kRobotsClosed:
        return fmt::format(
            "robots.txt could not be read ({}), which means closed for now, so nothing else was "
            "read.",
            outcome.detail.empty() && outcome.failure ? shown_failure(*outcome.failure)
                                                      : outcome.detail);
      case OutcomeKind::kUnreachable:
        return outcome.failure ? fmt::format("The site could not be reached: {}.",
                                             shown_failure(*outcome.failure))
                               : std::string("The site could not be reached.");
      case OutcomeKind::kBotWall:
        return fmt::format("Bot protection answered instead of the site ({}).", outcome.detail);
      case OutcomeKind::kHomeError:
        return fmt::format("The start page gave no page to read: {}.", outcome.detail);
      case OutcomeKind::kBackedOff:
        return "The site asked for a longer pause than a read may last.";
      default:
        return "No HTML page was read.";
    }
  }
  if (sheet.overall) return {};
  return fmt::format(
      "Only {} % of what the rules ask could be decided; under {} % there is no "
      "score.",
      shown(sheet.coverage * 100), shown(kNoScoreUnder * 100));
}

}  // namespace periplus
