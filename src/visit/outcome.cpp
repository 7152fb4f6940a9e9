#include "visit/outcome.h"

#include <array>

namespace periplus {
namespace {

struct OutcomeWords {
  OutcomeKind kind;
  std::string_view name, sentence;
};
constexpr std::array<OutcomeWords, 11> kOutcomes{{
    {OutcomeKind::kComplete, "complete", "every page we may read was read"},
    {OutcomeKind::kPageLimit, "page-limit",
     "the page limit was reached before the end of the site"},
    {OutcomeKind::kTimeLimit, "time-limit",
     "the time limit was reached before the end of the site"},
    {OutcomeKind::kKeptOut, "kept-out", "robots.txt keeps us out of the site"},
    {OutcomeKind::kRobotsClosed, "robots-unavailable",
     "robots.txt could not be read, so the site counts as closed for now"},
    {OutcomeKind::kUnreachable, "unreachable", "the site did not answer"},
    {OutcomeKind::kHomeError, "home-error", "the start page answered with an error"},
    {OutcomeKind::kBotWall, "bot-wall", "bot protection stopped the read"},
    {OutcomeKind::kBackedOff, "backed-off", "the site asked us to come back later"},
    {OutcomeKind::kTrap, "trap", "the site makes up pages without end, so the read was ended"},
    {OutcomeKind::kAborted, "aborted", "the read was interrupted"},
}};

struct ReasonWords {
  NotFetchedReason reason;
  std::string_view name, sentence;
};
constexpr std::array<ReasonWords, 10> kReasons{{
    {NotFetchedReason::kRobots, "robots", "robots.txt disallows it"},
    {NotFetchedReason::kPageLimit, "page-limit", "the page limit was reached"},
    {NotFetchedReason::kTimeLimit, "time-limit", "the time limit was reached"},
    {NotFetchedReason::kOtherSite, "other-site", "it belongs to another site"},
    {NotFetchedReason::kNotHttp, "not-http", "it is not an http or https address"},
    {NotFetchedReason::kTrap, "trap", "its pattern makes up pages without end"},
    {NotFetchedReason::kNofollow, "nofollow", "the page or link asks not to follow it"},
    {NotFetchedReason::kNotPage, "not-a-page", "its ending says that it is no page"},
    {NotFetchedReason::kVisitEnded, "visit-ended", "the visit ended before its turn"},
    {NotFetchedReason::kTooDeep, "too-deep", "it lies too many clicks from the start"},
}};

constexpr std::array<std::string_view, 5> kVias{"start", "link", "sitemap", "redirect",
                                                "canonical"};

}  // namespace

std::string_view name(OutcomeKind kind) {
  return kOutcomes.at(static_cast<std::size_t>(kind)).name;
}
std::string_view sentence(OutcomeKind kind) {
  return kOutcomes.at(static_cast<std::size_t>(kind)).sentence;
}
std::optional<OutcomeKind> outcome_kind(std::string_view name) {
  for (const OutcomeWords& words : kOutcomes) {
    if (words.name == name) return words.kind;
  }
  return std::nullopt;
}

std::string_view name(NotFetchedReason reason) {
  return kReasons.at(static_cast<std::size_t>(reason)).name;
}
std::string_view sentence(NotFetchedReason reason) {
  return kReasons.at(static_cast<std::size_t>(reason)).sentence;
}

std::string_view name(FoundVia via) { return kVias.at(static_cast<std::size_t>(via)); }
std::optional<FoundVia> found_via(std::string_view name) {
  for (std::size_t i = 0; i < kVias.size(); ++i) {
    if (kVias[i] == name) return static_cast<FoundVia>(i);
  }
  return std::nullopt;
}

NotFetchedReason left_because(OutcomeKind ended) {
  if (ended == OutcomeKind::kPageLimit) return NotFetchedReason::kPageLimit;
  if (ended == OutcomeKind::kTimeLimit) return NotFetchedReason::kTimeLimit;
  return NotFetchedReason::kVisitEnded;
}

}  // namespace periplus
