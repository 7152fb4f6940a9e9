// Dates and waits that servers send.
#pragma once

#include <optional>
#include <string_view>

#include "base/time.h"

namespace periplus {

// The longest wait told: ten years. A larger number means the same to us, and cannot overflow.
inline constexpr Millis kMaxRetryAfter = std::chrono::days{3652};

// Retry-After (RFC 9110 section 10.2.3): seconds or an HTTP-date, as a wait from `now` (never
// negative, at most kMaxRetryAfter). Nothing when the value is neither.
std::optional<Millis> parse_retry_after(std::string_view value, Instant now);

// The three formats of an HTTP-date (RFC 9110 section 5.6.7). A year of two digits is the one at
// most 50 years ahead of `now`; without `now`, of the system's clock.
std::optional<Instant> parse_http_date(std::string_view value, Instant now);
std::optional<Instant> parse_http_date(std::string_view value);

}  // namespace periplus
