// Text as a reader sees it: white space collapsed while it is gathered, one line for each block.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "html/scan.h"

namespace periplus {

class TextRun {
 public:
  // Empties the run and makes room for `most` bytes: appending never looks for room again.
  void start(std::size_t most) {
    size_ = 0;
    gap_ = '\0';
    if (most + kSlack > room_) {
      room_ = most + kSlack;
      bytes_ = std::make_unique_for_overwrite<char[]>(room_);
    }
  }

  // `padded`: 32 octets behind `text` may be read, though they mean nothing.
  void append(std::string_view text, bool padded = false) {
    const char* at = text.data();
    const char* end = at + text.size();
    char* to = bytes_.get() + size_;
    for (;;) {
      // White space, or a control character, which is nothing to see.
      for (; at != end && static_cast<unsigned char>(*at) <= ' '; ++at) {
        if (gap_ == '\0' && *at != '\0') gap_ = ' ';
      }
      if (at == end) break;
      to = put_gap(to);
#if defined(__SSE2__)
      // A block is copied as it is, each white space as one plain space, up to the first white
      // space that is more than one octet long, or is the last of the block.
      if (padded || end - at >= kBlock) {
        const __m128i space = _mm_set1_epi8(' ');
        const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        const __m128i second = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16));
        const __m128i plain_first = _mm_max_epu8(first, space);
        const __m128i plain_second = _mm_max_epu8(second, space);
        const std::uint64_t white =
            both(_mm_cmpeq_epi8(plain_first, space), _mm_cmpeq_epi8(plain_second, space));
        const __m128i nul = _mm_setzero_si128();
        const std::uint64_t nothing = both(_mm_cmpeq_epi8(first, nul), _mm_cmpeq_epi8(second, nul));
        const std::uint64_t last = std::uint64_t{1} << (end - at >= kBlock ? kBlock : end - at);
        const std::uint64_t stop = (white & white << 1) | nothing | last;
        auto size = static_cast<std::uint32_t>(std::countr_zero(stop));
        size -= static_cast<std::uint32_t>(white >> (size - 1) & 1);  // the first octet is none
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), plain_first);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 16), plain_second);
        to += size;
        at += size;
        continue;
      }
#endif
      do {
        *to++ = *at++;
      } while (at != end && static_cast<unsigned char>(*at) > ' ');
    }
    size_ = static_cast<std::size_t>(to - bytes_.get());
  }
  void space() {
    if (gap_ == '\0') gap_ = ' ';
  }
  void line() { gap_ = '\n'; }

  std::size_t size() const { return size_; }
  std::string_view from(std::size_t start) const { return {bytes_.get() + start, size_ - start}; }
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  static constexpr std::ptrdiff_t kBlock = 32;
  static constexpr std::size_t kSlack = kBlock;  // a block is stored whole where less is meant

#if defined(__SSE2__)
  static std::uint64_t both(__m128i first, __m128i second) {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(first)) |
           static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(second))) << 16;
  }
#endif

  char* put_gap(char* to) {
    if (gap_ != '\0') {
      if (to != bytes_.get()) *to++ = gap_;
      gap_ = '\0';
    }
    return to;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t room_ = 0;
  std::size_t size_ = 0;
  char gap_ = '\0';  // what goes before the next character: nothing, ' ' or '\n'
};

}  // namespace periplus
