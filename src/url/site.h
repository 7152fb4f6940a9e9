// Whose page is it: site and owner of a host by the Public Suffix List
// (https://publicsuffix.org/list/).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace periplus {

class PublicSuffixes {
 public:
  // The list of `file`, or Debian's (libpsl's own when that is missing) for an empty name.
  static Result<std::unique_ptr<PublicSuffixes>> load(const std::string& file = {});
  virtual ~PublicSuffixes() = default;

  // The registrable domain of an ASCII host under the whole list, private part included
  // ("alice.github.io"). An IP address, a single label or a public suffix is its own site.
  virtual std::string site(std::string_view host) const = 0;
  // The same under the ICANN part alone ("github.io"): the unit of load and of votes.
  virtual std::string owner(std::string_view host) const = 0;
};

// 64-bit key of a URL without its fragment, and the store's bucket (0..1023) of a site.
std::uint64_t url_key(std::string_view href_without_fragment);
std::uint16_t bucket_of(std::string_view site);

}  // namespace periplus
