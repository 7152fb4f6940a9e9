// Looking for the few bytes that matter, sixteen at a time where the machine can.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace periplus {

// The first byte in [at, end) that is one of `Stops`; `end` when there is none.
template <char... Stops>
inline const char* find_any(const char* at, const char* end) {
#if defined(__SSE2__)
  while (end - at >= 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    __m128i found = _mm_setzero_si128();
    ((found = _mm_or_si128(found, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(Stops)))), ...);
    const auto mask = static_cast<std::uint32_t>(_mm_movemask_epi8(found));
    if (mask != 0) return at + std::countr_zero(mask);
    at += 16;
  }
#endif
  while (at != end && ((*at != Stops) && ...)) ++at;
  return at;
}

template <char... Stops>
inline const char* find_any(std::string_view text) {
  return find_any<Stops...>(text.data(), text.data() + text.size());
}

// The same for short text behind which sixteen bytes may be read, whatever they are.
template <char... Stops>
inline const char* find_any_padded(std::string_view text) {
  const char* at = text.data();
  const char* end = at + text.size();
#if defined(__SSE2__)
  for (; at < end; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    __m128i found = _mm_setzero_si128();
    ((found = _mm_or_si128(found, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(Stops)))), ...);
    const auto mask = static_cast<std::uint32_t>(_mm_movemask_epi8(found));
    if (mask == 0) continue;
    const std::ptrdiff_t where = std::countr_zero(mask);
    return where < end - at ? at + where : end;
  }
  return end;
#else
  return find_any<Stops...>(at, end);
#endif
}

// The first byte in [at, end) outside ASCII; `end` when there is none.
inline const char* find_non_ascii(const char* at, const char* end) {
#if defined(__SSE2__)
  while (end - at >= 16) {
    const auto mask = static_cast<std::uint32_t>(
        _mm_movemask_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at))));
    if (mask != 0) return at + std::countr_zero(mask);
    at += 16;
  }
#endif
  while (at != end && static_cast<unsigned char>(*at) < 0x80) ++at;
  return at;
}

// True when some byte in [at, end) is outside ASCII.
inline bool has_non_ascii(const char* at, const char* end) {
  return find_non_ascii(at, end) != end;
}

constexpr bool is_html_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}
constexpr bool is_ascii_alpha(char c) {
  return static_cast<unsigned char>((static_cast<unsigned char>(c) | 0x20U) - 'a') < 26;
}
constexpr bool is_ascii_alnum(char c) { return is_ascii_alpha(c) || (c >= '0' && c <= '9'); }

}  // namespace periplus
