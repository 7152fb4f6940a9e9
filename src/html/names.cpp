#include "html/names.h"

#include <array>
#include <cstddef>
#include <cstring>

#include "base/text.h"

namespace periplus {
namespace {

constexpr std::string_view kRawTagNames[] = {"",
#define X(name, flags) #name,
                                             PERIPLUS_TAGS(X)
#undef X
};
constexpr std::string_view kRawAttributeNames[] = {"",
#define X(name) #name,
                                                   PERIPLUS_ATTRIBUTES(X)
#undef X
};

// A written name of C++ is one of HTML with '_' for '-' and a '_' at the end where C++ needs one.
struct Name {
  std::array<char, 24> letters{};
  std::uint8_t size = 0;
  constexpr std::string_view view() const { return {letters.data(), size}; }
};

template <std::size_t N>
constexpr std::array<Name, N> html_names(const std::string_view (&raw)[N]) {
  std::array<Name, N> names{};
  for (std::size_t i = 0; i < N; ++i) {
    std::string_view text = raw[i];
    if (!text.empty() && text.back() == '_') text.remove_suffix(1);
    for (const char c : text) names[i].letters[names[i].size++] = c == '_' ? '-' : c;
  }
  return names;
}

constexpr auto kTagNames = html_names(kRawTagNames);
constexpr auto kAttributeNames = html_names(kRawAttributeNames);

// Mixes the length, the first three octets and the last two; letter case does not matter.
constexpr std::uint32_t slot_of(std::string_view name, std::uint32_t slots) {
  const auto at = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(name[i])) | 0x20U;
  };
  const std::size_t size = name.size();
  std::uint32_t key = at(0) | at(size / 2) << 8 | at(size - 1) << 16;
  if (size > 1) key ^= at(1) << 20 ^ at(size - 2) << 5;
  key ^= static_cast<std::uint32_t>(size) << 27;
  return (key * 0x9E3779B1U) >> 16 & (slots - 1);
}

template <std::uint32_t Slots, std::size_t N>
struct NameTable {
  std::array<std::uint8_t, Slots> rows{};

  constexpr explicit NameTable(const std::array<Name, N>& names) {
    for (std::size_t row = 1; row < N; ++row) {
      std::uint32_t slot = slot_of(names[row].view(), Slots);
      while (rows[slot] != 0) slot = (slot + 1) & (Slots - 1);
      rows[slot] = static_cast<std::uint8_t>(row);
    }
  }

  std::size_t find(std::string_view name, const std::array<Name, N>& names) const {
    if (name.empty()) return 0;
    std::uint32_t slot = slot_of(name, Slots);
    while (rows[slot] != 0) {
      const Name& known = names[rows[slot]];
      if (known.size == name.size() && same(known, name)) return rows[slot];
      slot = (slot + 1) & (Slots - 1);
    }
    return 0;
  }

 private:
  static bool same(const Name& known, std::string_view name) {
    for (std::size_t i = 0; i < name.size(); ++i) {
      if (known.letters[i] != ascii_lower(name[i])) return false;
    }
    return true;
  }
};

constexpr NameTable<1024, kTagNames.size()> kTags(kTagNames);
constexpr NameTable<256, kAttributeNames.size()> kAttributes(kAttributeNames);

static_assert(static_cast<std::size_t>(Tag::kCount) == kTagNames.size());
static_assert(static_cast<std::size_t>(Attribute::kCount) == kAttributeNames.size());

}  // namespace

std::string_view tag_name(Tag tag) { return kTagNames[static_cast<std::size_t>(tag)].view(); }

Tag find_tag(std::string_view name) { return static_cast<Tag>(kTags.find(name, kTagNames)); }

Attribute find_attribute(std::string_view name) {
  return static_cast<Attribute>(kAttributes.find(name, kAttributeNames));
}

}  // namespace periplus
