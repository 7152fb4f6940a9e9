// Which encoding a page is in, and its text in UTF-8 (HTML Standard section 13.2.3, Encoding
// Standard).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace periplus {

// The WHATWG name (lower-cased) that a label stands for; empty for an unknown label. Letter case
// and white space around it do not matter. Encoding Standard section 4.2.
std::string_view encoding_of_label(std::string_view label);

// The label in a Content-Type value's charset parameter; empty when there is none.
std::string_view charset_parameter(std::string_view content_type);

struct Prescan {
  std::string_view encoding;  // empty: nothing found
  std::string_view label;     // as declared; a view into the octets
};
// "Prescan a byte stream to determine its encoding" (section 13.2.3.2) of the first `octets`.
Prescan prescan_meta(std::string_view bytes, std::size_t octets = 1024);

struct EncodingChoice {
  std::string_view name;    // WHATWG name
  std::string_view source;  // "bom", "header", "meta", "detector", "default"
  std::string_view header_label;
  std::string_view meta_label;
  std::size_t bom = 0;  // octets of a byte order mark to pass over
};
// Byte order mark, then header, then meta in the first 1,024 octets, then a later meta before the
// body (which makes a browser change its mind, section 13.2.3.5); else UTF-8 when the octets are
// valid UTF-8, else what a detector thinks, else windows-1252. Views point into the arguments or
// live for ever.
EncodingChoice choose_encoding(std::string_view bytes, std::string_view content_type);

// Appends `bytes`, which are in the encoding of that WHATWG name, to `*out` as valid UTF-8. Each
// sequence that is none becomes U+FFFD; returns how many there were.
std::uint32_t decode_to_utf8(std::string_view bytes, std::string_view encoding, std::string* out);

}  // namespace periplus
