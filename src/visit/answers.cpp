#include "visit/answers.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace periplus {

bool may_pass_with_time(const Exchange& answer) {
  if (answer.status >= 500 || answer.status == 429) return true;
  if (!answer.failure) return false;
  switch (answer.failure->kind) {
    case FailureKind::kConnectTimeout:
    case FailureKind::kConnectionLost:
    case FailureKind::kTimeout:
    case FailureKind::kTooSlow:
    case FailureKind::kNameServerFailed:
      return true;
    default:
      return false;
  }
}

bool nothing_answers(FailureKind kind) {
  switch (kind) {
    case FailureKind::kNameNotFound:
    case FailureKind::kNameServerFailed:
    case FailureKind::kConnectRefused:
    case FailureKind::kConnectTimeout:
    case FailureKind::kUnreachable:
    case FailureKind::kTlsUntrusted:
    case FailureKind::kTlsExpired:
    case FailureKind::kTlsWrongName:
    case FailureKind::kTlsHandshake:
    case FailureKind::kTlsRevokedOrBad:
      return true;
    default:
      return false;
  }
}

bool asks_for_a_pause(int status) { return status == 429 || status == 503; }

bool is_html(const Exchange& answer) {
  const std::string_view type = answer.headers.get("content-type");
  if (type.empty()) {
    const std::string_view start = trim(std::string_view(answer.body).substr(0, 512));
    return start.starts_with('<');
  }
  return starts_with_ignoring_case(type, "text/html") ||
         starts_with_ignoring_case(type, "application/xhtml+xml");
}

std::optional<NotFetchedReason> stopped_because(FailureKind kind) {
  if (kind == FailureKind::kOffSite) return NotFetchedReason::kOtherSite;
  if (kind == FailureKind::kRobotsDisallowed) return NotFetchedReason::kRobots;
  return std::nullopt;
}

std::optional<Outcome> fault_of_start(const Exchange& answer) {
  if (!answer.failure) {
    if (answer.status < 400) return std::nullopt;
    return Outcome{OutcomeKind::kHomeError, std::nullopt, fmt::format("status {}", answer.status)};
  }
  switch (answer.failure->kind) {
    case FailureKind::kOffSite:
      return Outcome{OutcomeKind::kHomeError, answer.failure,
                     "the start page leads to another site: " + answer.failure->detail};
    case FailureKind::kRobotsDisallowed:
      return Outcome{OutcomeKind::kKeptOut, std::nullopt, answer.failure->detail};
    case FailureKind::kTooManyRedirects:
    case FailureKind::kRedirectLoop:
    case FailureKind::kBadRedirect:
      return Outcome{OutcomeKind::kHomeError, answer.failure,
                     std::string(sentence(answer.failure->kind))};
    case FailureKind::kAborted:
      return Outcome{OutcomeKind::kAborted, answer.failure, {}};
    default:
      return Outcome{OutcomeKind::kUnreachable, answer.failure, {}};
  }
}

}  // namespace periplus
