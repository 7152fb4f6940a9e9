// Wall-clock instants, as they are recorded and printed.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace periplus {

// Milliseconds since 1970-01-01T00:00Z: the resolution the store keeps.
using Instant = std::chrono::sys_time<std::chrono::milliseconds>;
using Millis = std::chrono::milliseconds;

// "2026-12-01T03:46:53Z" (RFC 3339, UTC, whole seconds).
std::string to_rfc3339(Instant at);
// W3C date-time as sitemaps and ISO 8601 profiles use it: "2026", "2026-12", "2026-12-01",
// "2026-12-01T03:46Z", "2026-12-01T03:46:53.5+01:00". Nothing when it is none of these or no such
// day exists.
std::optional<Instant> parse_w3c_date(std::string_view text);

}  // namespace periplus
