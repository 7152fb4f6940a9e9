// What an answer, or its absence, means for the course of a visit.
#pragma once

#include "http/exchange.h"

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

}  // namespace periplus
