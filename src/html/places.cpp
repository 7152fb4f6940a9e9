#include "html/places.h"

#include <bit>

#include "html/scan.h"

namespace periplus {
namespace {

constexpr signed char kLastContinuation = -65;  // 0x80 … 0xBF are -128 … -65

// Those of [at, to), a part of what ends at `page_end`.
std::uint32_t code_points(const char* at, const char* to, const char* page_end) {
  std::uint32_t count = 0;
#if defined(__SSE2__)
  const __m128i last = _mm_set1_epi8(kLastContinuation);
  for (; to - at >= 16; at += 16) {
    const __m128i octets = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const auto leads = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpgt_epi8(octets, last)));
    count += leads == 0xFFFF ? 16U : static_cast<std::uint32_t>(std::popcount(leads));
  }
  if (page_end - at >= 16) {
    const __m128i octets = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const std::uint32_t wanted = (1U << (to - at)) - 1;
    const auto leads =
        static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpgt_epi8(octets, last))) & wanted;
    const auto size = static_cast<std::uint32_t>(to - at);
    return count + (leads == wanted ? size : static_cast<std::uint32_t>(std::popcount(leads)));
  }
#endif
  for (; at != to; ++at) count += static_cast<signed char>(*at) > kLastContinuation ? 1 : 0;
  return count;
}

}  // namespace

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
  if (has_cr_) {
    walk_with_returns(page_.data() + offset);
  } else {
    walk(page_.data() + offset);
  }
  offset_ = offset;
  return place_;
}

// Columns are counted on the last line only.
void PlaceFinder::walk(const char* to) {
  const char* at = page_.data() + offset_;
  const char* line = nullptr;  // behind the last line feed found
  const char* from = at;
  const char* page_end = page_.data() + page_.size();
#if defined(__SSE2__)
  const __m128i line_feed = _mm_set1_epi8('\n');
  for (; to - at >= 16; at += 16) {
    const __m128i octets = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const auto lines =
        static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(octets, line_feed)));
    if (lines == 0) continue;
    place_.line += static_cast<std::uint32_t>(std::popcount(lines));
    line = at + (32 - std::countl_zero(lines));
  }
  if (page_end - at >= 16) {  // the rest is less than a block, and the page goes on behind it
    const __m128i octets = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const auto lines =
        static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(octets, line_feed))) &
        ((1U << (to - at)) - 1);
    if (lines != 0) {
      place_.line += static_cast<std::uint32_t>(std::popcount(lines));
      line = at + (32 - std::countl_zero(lines));
    }
    at = to;
  }
#endif
  for (; at != to; ++at) {
    if (*at != '\n') continue;
    ++place_.line;
    line = at + 1;
  }
  if (line != nullptr) {
    place_.column = 1;
    from = line;
  }
  place_.column += ascii_ ? static_cast<std::uint32_t>(to - from) : code_points(from, to, page_end);
}

void PlaceFinder::walk_with_returns(const char* to) {
  for (const char* at = page_.data() + offset_; at != to; ++at) {
    if (*at == '\n' || *at == '\r') {
      if (*at == '\n' && at != page_.data() && at[-1] == '\r') continue;  // its CR counted
      ++place_.line;
      place_.column = 1;
    } else if (static_cast<signed char>(*at) > kLastContinuation) {
      ++place_.column;
    }
  }
}

}  // namespace periplus
