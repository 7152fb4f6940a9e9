// Percent-encode sets and percent-decoding (https://url.spec.whatwg.org/#percent-encoded-bytes).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace periplus {

enum EncodeSet : std::uint8_t {
  kC0Set = 1,
  kFragmentSet = 2,
  kQuerySet = 4,
  kSpecialQuerySet = 8,
  kPathSet = 16,
  kUserinfoSet = 32,
};

// For each octet the sets that contain it.
consteval std::array<std::uint8_t, 256> make_encode_sets() {
  std::array<std::uint8_t, 256> sets{};
  const auto add = [&](std::string_view octets, std::uint8_t to) {
    for (const char c : octets) sets[static_cast<unsigned char>(c)] |= to;
  };
  for (std::size_t i = 0; i < 256; ++i) {
    if (i < 0x20 || i > 0x7e) sets[i] = 63;
  }
  add(" \"<>", kFragmentSet | kQuerySet | kSpecialQuerySet | kPathSet | kUserinfoSet);
  add("`", kFragmentSet | kPathSet | kUserinfoSet);
  add("#", kQuerySet | kSpecialQuerySet | kPathSet | kUserinfoSet);
  add("'", kSpecialQuerySet);
  add("?^{}", kPathSet | kUserinfoSet);
  add("/:;=@[\\]|", kUserinfoSet);
  return sets;
}
inline constexpr std::array<std::uint8_t, 256> kEncodeSets = make_encode_sets();

void append_encoded(std::string* out, std::string_view text, EncodeSet set);
// Whether any octet of `text` is in `set`.
bool needs_encoding(std::string_view text, EncodeSet set);
std::string percent_decode(std::string_view text);

}  // namespace periplus
