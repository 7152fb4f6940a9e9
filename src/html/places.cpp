#include "html/places.h"

#include <bit>

#include "html/scan.h"

namespace periplus {

PlaceFinder::PlaceFinder(std::string_view page)
    : page_(page),
      has_cr_(page.find('\r') != std::string_view::npos),
      ascii_(!has_non_ascii(page.data(), page.data() + page.size())) {}

SourcePlace PlaceFinder::at(std::size_t offset) {
  if (offset < offset_) {
    offset_ = 0;
    place_ = {1, 1};
  }
  if (offset > page_.size()) offset = page_.size();
  if (ascii_ && !has_cr_) {
    walk_ascii(page_.data() + offset);
  } else {
    walk(page_.data() + offset);
  }
  offset_ = offset;
  return place_;
}

// Every octet is a column: only line feeds need to be found.
void PlaceFinder::walk_ascii(const char* to) {
  const char* at = page_.data() + offset_;
  const char* line = nullptr;  // the last line feed found
  const char* from = at;
#if defined(__SSE2__)
  const __m128i line_feed = _mm_set1_epi8('\n');
  for (; to - at >= 16; at += 16) {
    const __m128i octets = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const auto lines =
        static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(octets, line_feed)));
    if (lines == 0) continue;
    place_.line += static_cast<std::uint32_t>(std::popcount(lines));
    line = at + (31 - std::countl_zero(lines));
  }
#endif
  for (; at != to; ++at) {
    if (*at != '\n') continue;
    ++place_.line;
    line = at;
  }
  if (line != nullptr) {
    place_.column = static_cast<std::uint32_t>(to - line);
  } else {
    place_.column += static_cast<std::uint32_t>(to - from);
  }
}

void PlaceFinder::walk(const char* to) {
  const char* at = page_.data() + offset_;
#if defined(__SSE2__)
  const __m128i line_feed = _mm_set1_epi8('\n');
  const __m128i lead = _mm_set1_epi8(-65);  // continuation octets are -128 … -65
  while (!has_cr_ && to - at >= 16) {
    const __m128i octets = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const auto lines =
        static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(octets, line_feed)));
    auto leads = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpgt_epi8(octets, lead)));
    if (lines != 0) {
      place_.line += static_cast<std::uint32_t>(std::popcount(lines));
      place_.column = 1;
      leads &= ~((std::uint32_t{2} << (31 - std::countl_zero(lines))) - 1);
    }
    place_.column += leads == 0xFFFF ? 16U : static_cast<std::uint32_t>(std::popcount(leads));
    at += 16;
  }
#endif
  for (; at != to; ++at) {
    if (*at == '\n' || *at == '\r') {
      if (*at == '\n' && at != page_.data() && at[-1] == '\r') continue;  // its CR counted
      ++place_.line;
      place_.column = 1;
    } else if (static_cast<signed char>(*at) > -65) {
      ++place_.column;
    }
  }
}

}  // namespace periplus
