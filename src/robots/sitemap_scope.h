// Which addresses of a sitemap count: those of its own place, and of hosts that vouch for it
// (https://www.sitemaps.org/protocol.html#location, "cross submits").
#pragma once

#include <span>
#include <string>

#include "url/site.h"
#include "url/url.h"

namespace periplus {

// At or below the folder of the sitemap, by the protocol's own rule: same scheme, host and port.
bool in_sitemap_location(const Url& entry, const Url& sitemap);

// `announced_by`: the hosts whose robots.txt names the sitemap. With `suffixes` a host vouches for
// its whole registrable domain, without only for itself. An entry on a host that vouches counts;
// one that nobody vouches for counts only in the sitemap's location, and that only when no
// robots.txt names the sitemap at all (it was then found by guessing).
bool sitemap_entry_belongs(const Url& entry, const Url& sitemap,
                           std::span<const std::string> announced_by,
                           const PublicSuffixes* suffixes = nullptr);

}  // namespace periplus
