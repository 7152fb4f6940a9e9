#include "html/entities.h"

#include <array>
#include <cstdint>
#include <cstring>

#include "html/scan.h"

namespace periplus {
namespace {

struct Entity {
  std::string_view name;
  std::string_view value;
};

constexpr Entity kEntities[] = {
#define E(name, value) Entity{name, value},
#include "html/entities.inc"
#undef E
};
constexpr std::size_t kEntityCount = sizeof(kEntities) / sizeof(kEntities[0]);

// Where the names that begin with a letter start: [letter] .. [letter + 1).
constexpr auto kFirst = [] {
  std::array<std::uint16_t, 129> first{};
  std::size_t row = 0;
  for (std::size_t c = 0; c < first.size(); ++c) {
    while (row < kEntityCount && static_cast<unsigned char>(kEntities[row].name[0]) < c) ++row;
    first[c] = static_cast<std::uint16_t>(row);
  }
  return first;
}();

// The names that make up nearly all references of real pages, with their ';', read without a
// search.
std::string_view usual_reference(const char* at, const char* end, std::size_t* size) {
  if (end - at < 5) return {};
  const auto is = [at, size](std::string_view name) {
    *size = name.size();
    return std::memcmp(at, name.data(), name.size()) == 0;
  };
  if (is("lt;")) return "<";
  if (is("gt;")) return ">";
  if (is("amp;")) return "&";
  if (is("quot;")) return "\"";
  if (is("#39;")) return "'";
  if (is("nbsp;")) return "\xC2\xA0";
  return {};
}

// What numeric references to the C1 controls stand for (the table of section 13.2.5.80).
constexpr std::uint16_t kC1[32] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                   0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                   0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

void set_code_point(std::uint32_t code, Reference* out) {
  if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) code = 0xFFFD;
  if (code >= 0x80 && code <= 0x9F) code = kC1[code - 0x80];
  std::size_t size = 0;
  const auto put = [&](std::uint32_t octet) { out->own[size++] = static_cast<char>(octet); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
  out->text = {out->own, size};
}

int digit_value(char c, bool hex) {
  if (c >= '0' && c <= '9') return c - '0';
  const char low = static_cast<char>(c | 0x20);
  if (hex && low >= 'a' && low <= 'f') return low - 'a' + 10;
  return -1;
}

void read_numeric(const char* at, const char* end, Reference* out) {
  const char* p = at + 1;  // behind '#'
  if (p == end) {
    out->cut = true;
    return;
  }
  const bool hex = *p == 'x' || *p == 'X';
  if (hex) ++p;
  if (p == end) {
    out->cut = true;
    return;
  }
  std::uint32_t code = 0;
  const char* digits = p;
  while (p != end) {
    const int digit = digit_value(*p, hex);
    if (digit < 0) break;
    if (code <= 0x10FFFF) code = code * (hex ? 16 : 10) + static_cast<std::uint32_t>(digit);
    ++p;
  }
  out->cut = p == end;
  if (p == digits) return;
  if (p != end && *p == ';') ++p;
  out->consumed = static_cast<std::size_t>(p - at);
  set_code_point(code, out);
}

// The longest name in the table that [at, end) starts with.
const Entity* longest_entity(const char* at, const char* end, bool* cut) {
  std::size_t low = kFirst[static_cast<unsigned char>(*at)];
  std::size_t high = kFirst[static_cast<unsigned char>(*at) + 1];
  const Entity* best = nullptr;
  for (std::size_t depth = 1; low < high; ++depth) {
    // Every row of [low, high) starts with the `depth` octets read so far.
    if (kEntities[low].name.size() == depth) {
      best = &kEntities[low];
      if (++low == high) return best;
    }
    if (at + depth == end) {
      *cut = true;
      return best;
    }
    const char c = at[depth];
    std::size_t from = low;
    std::size_t to = high;
    while (from < to) {
      const std::size_t middle = (from + to) / 2;
      if (kEntities[middle].name[depth] < c) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    low = from;
    to = high;
    while (from < to) {
      const std::size_t middle = (from + to) / 2;
      if (kEntities[middle].name[depth] <= c) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    high = from;
  }
  return best;
}

}  // namespace

void read_reference(const char* at, const char* end, bool in_attribute, Reference* out) {
  out->consumed = 0;
  out->text = {};
  out->cut = false;
  if (at == end) {
    out->cut = true;
    return;
  }
  out->text = usual_reference(at, end, &out->consumed);
  if (!out->text.empty()) return;
  out->consumed = 0;
  if (*at == '#') {
    read_numeric(at, end, out);
    return;
  }
  if (!is_ascii_alpha(*at)) return;
  const Entity* entity = longest_entity(at, end, &out->cut);
  if (entity == nullptr) return;
  const std::size_t size = entity->name.size();
  if (in_attribute && entity->name.back() != ';') {
    if (at + size == end) {
      out->cut = true;
    } else if (at[size] == '=' || is_ascii_alnum(at[size])) {
      return;
    }
  }
  out->consumed = size;
  out->text = entity->value;
}

static_assert(kEntityCount == 2231);

}  // namespace periplus
