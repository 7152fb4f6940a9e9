#include "base/text.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>

namespace periplus {
namespace {

constexpr bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

// How many bytes from `at` on are ASCII; eight are looked at together.
std::size_t ascii_run(std::string_view text, std::size_t at) {
  const std::size_t start = at;
  while (text.size() - at >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    if ((word & 0x8080808080808080U) != 0) break;
    at += 8;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at - start;
}

constexpr char32_t kMalformed = 0xFFFFFFFF;

// One step of the WHATWG UTF-8 decoder. Gives kMalformed for a bad sequence and moves *at behind
// the bytes that the standard replaces by one U+FFFD.
char32_t decode(std::string_view text, std::size_t* at) {
  const auto lead = static_cast<unsigned char>(text[*at]);
  ++*at;
  if (lead < 0x80) return lead;
  unsigned needed = 0;
  unsigned char lower = 0x80, upper = 0xBF;
  char32_t point = 0;
  if (lead >= 0xC2 && lead <= 0xDF) {
    needed = 1;
    point = lead & 0x1FU;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    if (lead == 0xE0) lower = 0xA0;
    if (lead == 0xED) upper = 0x9F;
    needed = 2;
    point = lead & 0xFU;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    if (lead == 0xF0) lower = 0x90;
    if (lead == 0xF4) upper = 0x8F;
    needed = 3;
    point = lead & 0x7U;
  } else {
    return kMalformed;
  }
  for (; needed > 0; --needed) {
    if (*at == text.size()) return kMalformed;
    const auto next = static_cast<unsigned char>(text[*at]);
    if (next < lower || next > upper) return kMalformed;
    lower = 0x80;
    upper = 0xBF;
    point = (point << 6) | (next & 0x3FU);
    ++*at;
  }
  return point;
}

bool is_terminal_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x061C || c == 0x200E || c == 0x200F ||
         (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x2028 || c == 0x2029;
}

}  // namespace

std::string to_ascii_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = ascii_lower(c);
  return lower;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && starts_with_ignoring_case(a, b);
}

bool starts_with_ignoring_case(std::string_view text, std::string_view prefix) {
  if (text.size() < prefix.size()) return false;
  for (std::size_t i = 0; i < prefix.size(); ++i) {
    if (ascii_lower(text[i]) != ascii_lower(prefix[i])) return false;
  }
  return true;
}

bool contains_ignoring_case(std::string_view text, std::string_view needle) {
  for (std::size_t i = 0; i + needle.size() <= text.size(); ++i) {
    if (starts_with_ignoring_case(text.substr(i), needle)) return true;
  }
  return false;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string collapse_space(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool owed = false;
  for (const char c : text) {
    if (is_space(c)) {
      owed = !out.empty();
      continue;
    }
    if (owed) out += ' ';
    owed = false;
    out += c;
  }
  return out;
}

bool is_valid_utf8(std::string_view bytes) {
  std::size_t at = 0;
  while (true) {
    at += ascii_run(bytes, at);
    if (at == bytes.size()) return true;
    if (decode(bytes, &at) == kMalformed) return false;
  }
}

std::string to_valid_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  std::size_t at = 0;
  while (true) {
    const std::size_t good = ascii_run(bytes, at);
    out.append(bytes, at, good);
    at += good;
    if (at == bytes.size()) return out;
    const std::size_t start = at;
    if (decode(bytes, &at) == kMalformed) {
      out += "\xEF\xBF\xBD";
    } else {
      out.append(bytes, start, at - start);
    }
  }
}

char32_t next_code_point(std::string_view text, std::size_t* at) {
  const char32_t point = decode(text, at);
  return point == kMalformed ? U'\uFFFD' : point;
}

void append_utf8(std::string* out, char32_t code_point) {
  if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF)) code_point = 0xFFFD;
  const auto tail = [&](unsigned shift) {
    out->push_back(static_cast<char>(0x80 | ((code_point >> shift) & 0x3F)));
  };
  if (code_point < 0x80) {
    out->push_back(static_cast<char>(code_point));
  } else if (code_point < 0x800) {
    out->push_back(static_cast<char>(0xC0 | (code_point >> 6)));
    tail(0);
  } else if (code_point < 0x10000) {
    out->push_back(static_cast<char>(0xE0 | (code_point >> 12)));
    tail(6);
    tail(0);
  } else {
    out->push_back(static_cast<char>(0xF0 | (code_point >> 18)));
    tail(12);
    tail(6);
    tail(0);
  }
}

std::string without_controls(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const char32_t point = next_code_point(text, &at);
    append_utf8(&out, is_terminal_control(point) ? U'\uFFFD' : point);
  }
  return out;
}

std::string escape_html(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// XXH3 (64 bit), whose results its authors froze with version 0.8.0.
std::uint64_t hash64(std::string_view bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace periplus
