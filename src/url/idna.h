// Host names in ASCII and back (UTS 46 as the URL Standard uses it).
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "url/url.h"

namespace periplus {

// https://url.spec.whatwg.org/#concept-domain-to-ascii with beStrict false. `domain` is UTF-8.
std::expected<std::string, UrlFault> domain_to_ascii(std::string_view domain);
// For display: Punycode labels become Unicode where they are valid.
std::string host_to_unicode(std::string_view ascii_host);
// An IPv4 address in its serialised form, or an IPv6 address in brackets.
bool is_ip_literal(std::string_view hostname);

}  // namespace periplus
