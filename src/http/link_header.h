// Link header lines (RFC 8288 section 3), as far as pages use them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "http/exchange.h"

namespace periplus {

struct HeaderLink {
  std::string_view target;    // as written between '<' and '>', trimmed; a view into the headers
  std::string rel, hreflang;  // lower case; empty when the parameter is missing
};

// Every link of all lines named Link, in order; what stands outside "<…>" and its parameters is
// passed over.
std::vector<HeaderLink> header_links(const Headers& headers);

}  // namespace periplus
