#include "html/places.h"

#include <bit>

#include "html/scan.h"

namespace periplus {
namespace {

constexpr signed char kLastContinuation = -65;  // 0x80 … 0xBF are -128 … -65

bool starts_code_point(char c) { return static_cast<signed char>(c) > kLastContinuation; }

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

// Sixteen octets at a time: where lines end, and where code points begin.
void PlaceFinder::walk(const char* to) {
  const char* at = page_.data() + offset_;
#if defined(__SSE2__)
  const auto block = [this](const char* from, std::uint32_t size) {
    const __m128i octets = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const std::uint32_t wanted = (1U << size) - 1;
    const auto mask = [wanted](__m128i found) {
      return static_cast<std::uint32_t>(_mm_movemask_epi8(found)) & wanted;
    };
    const std::uint32_t lines = mask(_mm_cmpeq_epi8(octets, _mm_set1_epi8('\n')));
    const std::uint32_t leads =
        ascii_ ? wanted : mask(_mm_cmpgt_epi8(octets, _mm_set1_epi8(kLastContinuation)));
    if (lines == 0) {
      place_.column += leads == wanted ? size : static_cast<std::uint32_t>(std::popcount(leads));
      return;
    }
    place_.line += static_cast<std::uint32_t>(std::popcount(lines));
    const int behind = 32 - std::countl_zero(lines);  // the last line end
    place_.column = 1 + static_cast<std::uint32_t>(std::popcount(leads >> behind));
  };
  for (; to - at >= 16; at += 16) block(at, 16);
  if (page_.data() + page_.size() - at >= 16) {  // the page goes on behind what is left
    block(at, static_cast<std::uint32_t>(to - at));
    return;
  }
#endif
  for (; at != to; ++at) {
    if (*at == '\n') {
      ++place_.line;
      place_.column = 1;
    } else if (starts_code_point(*at)) {
      ++place_.column;
    }
  }
}

void PlaceFinder::walk_with_returns(const char* to) {
  for (const char* at = page_.data() + offset_; at != to; ++at) {
    if (*at == '\n' || *at == '\r') {
      if (*at == '\n' && at != page_.data() && at[-1] == '\r') continue;  // its CR counted
      ++place_.line;
      place_.column = 1;
    } else if (starts_code_point(*at)) {
      ++place_.column;
    }
  }
}

}  // namespace periplus
