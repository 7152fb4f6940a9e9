// Dates and waits that servers send.
#pragma once

#include <optional>
#include <string_view>

#include "base/time.h"

namespace periplus {

// Retry-After (RFC 9110 section 10.2.3): seconds or an HTTP-date, as a wait from `now` (never
// negative). Nothing when the value is neither.
std::optional<Millis> parse_retry_after(std::string_view value, Instant now);

// The three formats of an HTTP-date (RFC 9110 section 5.6.7).
std::optional<Instant> parse_http_date(std::string_view value);

}  // namespace periplus
