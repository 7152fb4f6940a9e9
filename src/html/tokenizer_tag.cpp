// Tags: tag name, attributes, self-closing start tag; and their parts, normalised.
#include <cstring>

#include "base/text.h"
#include "html/scan.h"
#include "html/tokenizer.h"

namespace periplus {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// What a character ends: a tag name, an attribute name, an unquoted value.
constexpr std::uint8_t kTag = 1;
constexpr std::uint8_t kName = 2;
constexpr std::uint8_t kValue = 4;
struct StopTable {
  std::uint8_t stops[256] = {};
  constexpr StopTable() {
    for (const char c : {' ', '\t', '\n', '\f', '\r', '>'}) {
      stops[static_cast<unsigned char>(c)] = kTag | kName | kValue;
    }
    stops[static_cast<unsigned char>('/')] = kTag | kName;
    stops[static_cast<unsigned char>('=')] = kName;
  }
};
constexpr StopTable kStops;

template <std::uint8_t What>
inline const char* skip_until(const char* at, const char* end) {
  const auto stops = [](char c) {
    return (kStops.stops[static_cast<unsigned char>(c)] & What) != 0;
  };
#if defined(__SSE2__)
  // Names are short, and a branch foretold is sooner known than a mask: the first octets one by
  // one.
  if (What != kValue) {
    for (const char* soon = end - at > 8 ? at + 8 : end; at != soon; ++at) {
      if (stops(*at)) return at;
    }
  }
  while (end - at >= 16) {
    const __m128i octets = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i space = _mm_set1_epi8(' ');
    __m128i found = _mm_or_si128(_mm_cmpeq_epi8(_mm_max_epu8(octets, space), space),
                                 _mm_cmpeq_epi8(octets, _mm_set1_epi8('>')));
    if (What != kValue) found = _mm_or_si128(found, _mm_cmpeq_epi8(octets, _mm_set1_epi8('/')));
    if (What == kName) found = _mm_or_si128(found, _mm_cmpeq_epi8(octets, _mm_set1_epi8('=')));
    const auto mask = static_cast<std::uint32_t>(_mm_movemask_epi8(found));
    if (mask == 0) {
      at += 16;
      continue;
    }
    at += std::countr_zero(mask);
    if (stops(*at)) return at;
    ++at;  // a control character that is no white space
  }
#endif
  while (at != end && !stops(*at)) ++at;
  return at;
}

inline const char* skip_space(const char* at, const char* end) {
  while (at != end && is_html_space(*at)) ++at;
  return at;
}

}  // namespace

// The input ended inside a tag, comment or the like: nothing comes of it, or we must wait.
bool Tokenizer::cut_at_end(Unfinished what) {
  if (!final_) return false;
  unfinished_ = what;
  return true;
}

bool Tokenizer::tag(const char* less_than, bool end_tag) {
  const auto dropped = [&] {
    if (!cut_at_end(Unfinished::kTag)) return false;
    token_.kind = TokenKind::kEnd;
    token_.at = offset(less_than);
    pos_ = end_;
    return true;
  };
  const char* end = end_;
  const char* name = less_than + (end_tag ? 2 : 1);
  const char* at = skip_until<kTag>(name + 1, end);
  if (at == end) return dropped();
  token_.text = {name, at};
  token_.self_closing = false;
  token_.attributes.clear();
  for (;;) {
    at = skip_space(at, end);
    if (at == end) return dropped();
    if (*at == '>') {
      ++at;
      break;
    }
    if (*at == '/') {
      ++at;
      if (at == end) return dropped();
      if (*at == '>') {
        token_.self_closing = true;
        ++at;
        break;
      }
      continue;
    }
    const char* attribute = at;
    at = skip_until<kName>(at + 1, end);
    RawAttribute& raw = token_.attributes.emplace_back();
    raw.name = {attribute, at};
    at = skip_space(at, end);
    if (at == end) return dropped();
    if (*at != '=') continue;
    at = skip_space(at + 1, end);
    if (at == end) return dropped();
    if (*at == '"' || *at == '\'') {
      const char* value = at + 1;
      at = *at == '"' ? find_any<'"'>(value, end) : find_any<'\''>(value, end);
      if (at == end) return dropped();
      raw.value = {value, at};
      ++at;
    } else if (*at != '>') {
      const char* value = at;
      at = skip_until<kValue>(at, end);
      if (at == end) return dropped();
      raw.value = {value, at};
    }
  }
  token_.kind = end_tag ? TokenKind::kEndTag : TokenKind::kStartTag;
  token_.at = offset(less_than);
  token_.tag = end - name >= 8 ? find_tag_padded(token_.text) : find_tag(token_.text);
  pos_ = at;
  if (end_tag) {
    // Leaves raw text; in data it is there already.
    mode_ = TextMode::kData;
    script_level_ = dashes_ = 0;
  }
  return true;
}

std::string_view name_text(std::string_view raw, Arena* arena) {
  bool plain = true;
  std::size_t nul = 0;
  for (const char c : raw) {
    plain = plain && !(c >= 'A' && c <= 'Z') && c != '\0';
    nul += c == '\0';
  }
  if (plain) return raw;
  char* to = arena->take(raw.size() + 2 * nul);
  std::size_t size = 0;
  for (const char c : raw) {
    if (c == '\0') {
      for (const char octet : kReplacement) to[size++] = octet;
    } else {
      to[size++] = ascii_lower(c);
    }
  }
  return {to, size};
}

std::string_view attribute_value(std::string_view raw, Arena* arena) {
  const char* end = raw.data() + raw.size();
  const char* at = find_any<'&', '\r', '\0'>(raw);
  if (at == end) return raw;
  const std::size_t room = raw.size() * 3;  // NUL is the worst: one octet becomes three
  char* to = arena->take(room);
  std::size_t size = 0;
  const auto put = [&](std::string_view text) {
    std::memcpy(to + size, text.data(), text.size());
    size += text.size();
  };
  put(raw.substr(0, static_cast<std::size_t>(at - raw.data())));
  Reference reference;
  while (at != end) {
    if (*at == '&') {
      read_reference(at + 1, end, true, &reference);
      put(reference.consumed == 0 ? std::string_view("&") : reference.text);
      at += 1 + reference.consumed;
    } else if (*at == '\r') {
      put("\n");
      at += at + 1 != end && at[1] == '\n' ? 2 : 1;
    } else {
      put(kReplacement);
      ++at;
    }
    const char* next = find_any<'&', '\r', '\0'>(at, end);
    put({at, next});
    at = next;
  }
  arena->give_back(room - size);
  return {to, size};
}

}  // namespace periplus
