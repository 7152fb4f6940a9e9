// Short ways through the URL parser for the links most pages are made of. Each takes only what it
// can prove to be simple and gives exactly what the whole parser gives (url_parser.cpp).
#pragma once

#include <string_view>

#include "url/url.h"

namespace periplus {

class PlainUrl {
 public:
  // "http://host/path?query#fragment" (or https) in ASCII that its own serialisation is: nothing to
  // encode, decode, lower-case or take away, no user, no port, no IP address. False, with *out as
  // it was: not such an address.
  static bool absolute(std::string_view input, Url* out);
  // A plain relative link against an ordinary base; `out` is not &base. False, with *out as it was:
  // not such a link.
  static bool relative(std::string_view input, const Url& base, Url* out);

 private:
  static void append_path(std::string_view path, const Url& base, std::string* href);
};

}  // namespace periplus
