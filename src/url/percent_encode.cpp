#include "url/percent_encode.h"

namespace periplus {
namespace {

constexpr char kHex[] = "0123456789ABCDEF";

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

void append_encoded(std::string* out, std::string_view text, EncodeSet set) {
  std::size_t plain = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto octet = static_cast<unsigned char>(text[i]);
    if ((kEncodeSets[octet] & set) == 0) continue;
    out->append(text, plain, i - plain);
    plain = i + 1;
    *out += '%';
    *out += kHex[octet >> 4U];
    *out += kHex[octet & 15U];
  }
  out->append(text, plain);
}

bool needs_encoding(std::string_view text, EncodeSet set) {
  for (const char c : text) {
    if ((kEncodeSets[static_cast<unsigned char>(c)] & set) != 0) return true;
  }
  return false;
}

std::string percent_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 &&
        hex_value(text[i + 2]) >= 0) {
      out += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace periplus
