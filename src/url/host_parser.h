// The host parser (https://url.spec.whatwg.org/#host-parsing).
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "url/url.h"

namespace periplus {

// Appends the serialised host to *out. `special` is the scheme's. `host` is not empty and holds no
// tab or newline.
std::expected<void, UrlFault> parse_host(std::string_view host, bool special, std::string* out);

}  // namespace periplus
