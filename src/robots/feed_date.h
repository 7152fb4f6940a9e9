// Dates as feeds and X-Robots-Tag write them.
#pragma once

#include <optional>
#include <string_view>

#include "base/time.h"

namespace periplus {

enum class MissingZone : bool { kRefused, kMeansUtc };

// RFC 822 and RFC 1123 ("Sun, 06 Nov 1994 08:49:37 GMT", week day and seconds may be missing, the
// year may have two digits), RFC 850 ("Sunday, 06-Nov-94 08:49:37 GMT"), with a zone as "GMT",
// "EST", "Z" or "+0100". Nothing when it is none of these or no such moment exists.
std::optional<Instant> parse_feed_date(std::string_view text,
                                       MissingZone missing = MissingZone::kRefused);

}  // namespace periplus
