// Small text facts that several rooms need. ASCII unless a name says otherwise; bytes are UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace periplus {

constexpr char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
std::string to_ascii_lower(std::string_view text);
bool equal_ignoring_case(std::string_view a, std::string_view b);  // ASCII case only
bool starts_with_ignoring_case(std::string_view text, std::string_view prefix);
bool contains_ignoring_case(std::string_view text, std::string_view needle);

// Without leading and trailing space, tab, LF, FF, CR.
std::string_view trim(std::string_view text);
// Runs of white space to one space, none at the ends (HTML's "strip and collapse ASCII
// whitespace").
std::string collapse_space(std::string_view text);

bool is_valid_utf8(std::string_view bytes);
// Every malformed sequence becomes U+FFFD (the WHATWG Encoding Standard's UTF-8 decoder).
std::string to_valid_utf8(std::string_view bytes);
// Decodes the code point at text[*at] and moves *at behind it; malformed bytes give U+FFFD.
char32_t next_code_point(std::string_view text, std::size_t* at);
void append_utf8(std::string* out, char32_t code_point);

// For a terminal: C0, DEL, C1 and bidirectional control characters are replaced by U+FFFD, so that
// text from a site can neither move the cursor nor reorder our lines.
std::string without_controls(std::string_view text);
// For HTML text and attribute values: & < > " ' are escaped.
std::string escape_html(std::string_view text);

// 64-bit hash of bytes (XXH64-grade mixing, stable across machines and versions: it is stored).
std::uint64_t hash64(std::string_view bytes, std::uint64_t seed = 0);

}  // namespace periplus
