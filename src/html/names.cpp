#include "html/names.h"

#include <array>
#include <bit>
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

// The first eight letters of a name (fewer: zeros behind), lower-cased by setting the bit that
// makes ASCII letters small. Digits and '-' have that bit set already.
constexpr std::uint64_t kSmall = 0x2020202020202020;

constexpr std::uint64_t head_of(const Name& name) {
  std::uint64_t head = 0;
  for (std::size_t i = 0; i < 8 && i < name.size; ++i) {
    head |= static_cast<std::uint64_t>(static_cast<unsigned char>(name.letters[i])) << (8 * i);
  }
  return head;
}

inline std::uint64_t head_of(std::string_view name) {
  const char* at = name.data();
  const std::size_t size = name.size();
  if (size >= 8) {
    std::uint64_t head = 0;
    std::memcpy(&head, at, 8);
    return head | kSmall;
  }
  const auto octet = [&](std::size_t i) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(at[i])) << (8 * i);
  };
  const std::uint64_t small = kSmall >> (8 * (8 - size));
  if (size >= 4) {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    std::memcpy(&low, at, 4);
    std::memcpy(&high, at + size - 4, 4);
    return (low | static_cast<std::uint64_t>(high) << (8 * (size - 4))) | small;
  }
  return octet(0) | octet(size / 2) | octet(size - 1) | small;
}

inline std::uint64_t padded_head_of(std::string_view name) {
  std::uint64_t head = 0;
  std::memcpy(&head, name.data(), 8);
  const std::size_t unused = name.size() < 8 ? 8 * (8 - name.size()) : 0;
  return (head | kSmall) << unused >> unused;
}

constexpr std::uint32_t slot_of(std::uint64_t head, std::size_t size, std::uint32_t slots) {
  return static_cast<std::uint32_t>((head ^ size << 3) * 0x9E3779B97F4A7C15U >> 40) & (slots - 1);
}

template <std::uint32_t Slots, std::size_t N>
struct NameTable {
  std::array<std::uint8_t, Slots> rows{};
  std::array<std::uint64_t, N> heads{};

  constexpr explicit NameTable(const std::array<Name, N>& names) {
    for (std::size_t row = 1; row < N; ++row) {
      heads[row] = head_of(names[row]);
      std::uint32_t slot = slot_of(heads[row], names[row].size, Slots);
      while (rows[slot] != 0) slot = (slot + 1) & (Slots - 1);
      rows[slot] = static_cast<std::uint8_t>(row);
    }
  }

  std::size_t find(std::string_view name, const std::array<Name, N>& names) const {
    return name.empty() ? 0 : find(name, head_of(name), names);
  }
  std::size_t find(std::string_view name, std::uint64_t head,
                   const std::array<Name, N>& names) const {
    std::uint32_t slot = slot_of(head, name.size(), Slots);
    for (; rows[slot] != 0; slot = (slot + 1) & (Slots - 1)) {
      const std::size_t row = rows[slot];
      if (heads[row] == head && names[row].size == name.size() && same_rest(names[row], name)) {
        return row;
      }
    }
    return 0;
  }

 private:
  static bool same_rest(const Name& known, std::string_view name) {
    for (std::size_t i = 8; i < name.size(); ++i) {
      if (known.letters[i] != ascii_lower(name[i])) return false;
    }
    // "h" and a control character must not pass for a heading.
    return name.size() != 2 || static_cast<unsigned char>(name[1]) > ' ';
  }
};

static_assert(std::endian::native == std::endian::little, "heads are read as they lie");

constexpr NameTable<1024, kTagNames.size()> kTags(kTagNames);
constexpr NameTable<256, kAttributeNames.size()> kAttributes(kAttributeNames);

static_assert(static_cast<std::size_t>(Tag::kCount) == kTagNames.size());
static_assert(static_cast<std::size_t>(Attribute::kCount) == kAttributeNames.size());

}  // namespace

std::string_view tag_name(Tag tag) { return kTagNames[static_cast<std::size_t>(tag)].view(); }

Tag find_tag(std::string_view name) { return static_cast<Tag>(kTags.find(name, kTagNames)); }

Tag find_tag_padded(std::string_view name) {
  return static_cast<Tag>(kTags.find(name, padded_head_of(name), kTagNames));
}

Attribute find_attribute_padded(std::string_view name) {
  return static_cast<Attribute>(kAttributes.find(name, padded_head_of(name), kAttributeNames));
}

Attribute find_attribute(std::string_view name) {
  return static_cast<Attribute>(kAttributes.find(name, kAttributeNames));
}

}  // namespace periplus
