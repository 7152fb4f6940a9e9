#include "visit/answers.h"

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

}  // namespace periplus
