// Page-level orders: meta robots and X-Robots-Tag. Generic ones and those for our own token are
// united; the most restrictive wins. Letter case never matters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace periplus {

struct PageDirectives {
  bool noindex = false;
  bool nofollow = false;
  bool noarchive = false;
  bool nosnippet = false;
  bool nocache = false;
  bool noai = false;  // noai, noimageai: data for the reports
  bool notranslate = false;
  bool noimageindex = false;
  bool indexifembedded = false;
  std::optional<std::int32_t> max_snippet;  // -1 = no limit
  std::optional<Instant> unavailable_after;
  std::vector<std::string> sources;  // "meta robots: noindex", one for each order read
};

// `content` of a <meta name="robots"> or <meta name="TOKEN"> in head.
void add_meta_robots(std::string_view name, std::string_view content, std::string_view our_token,
                     PageDirectives* directives);
// One X-Robots-Tag header line: "noindex", "otherbot: noindex, nofollow", "unavailable_after: 25
// Jun 2010 …".
void add_x_robots_tag(std::string_view value, std::string_view our_token,
                      PageDirectives* directives);

}  // namespace periplus
