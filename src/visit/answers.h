// What an answer, or its absence, means for the course of a visit.
#pragma once

#include <optional>

#include "http/exchange.h"
#include "visit/outcome.h"

namespace periplus {

// Worth a second try later in the visit: 429, 5xx, time-outs, broken connections.
bool may_pass_with_time(const Exchange& answer);
// No server of that name can be talked to at all: more than one document that is missing.
bool nothing_answers(FailureKind kind);
// 429 and 503: the whole site wants to be left alone for a while.
bool asks_for_a_pause(int status);
// Served as text/html or application/xhtml+xml; without a Content-Type, a body that begins with
// '<'.
bool is_html(const Exchange& answer);
// Why the target of a redirect was not asked for, when scope or robots.txt stopped the chain there.
std::optional<NotFetchedReason> stopped_because(FailureKind kind);
// What an unusable start page means for the whole visit; none when it can be read.
std::optional<Outcome> fault_of_start(const Exchange& answer);

}  // namespace periplus
