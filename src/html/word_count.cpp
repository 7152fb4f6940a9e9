#include "html/word_count.h"

#include <unicode/uchar.h>

#include <array>
#include <bit>
#include <cstddef>

#include "base/text.h"
#include "html/scan.h"

namespace periplus {
namespace {

enum class Letter : std::uint8_t { kNone, kLetter, kDigit, kJoiner, kIdeograph, kUnspaced };

// Ideographs and Kana; Hangul writes spaces.
bool is_ideograph(char32_t c) {
  return (c >= 0x3040 && c <= 0x30FF) || (c >= 0x31F0 && c <= 0x31FF) ||
         (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x4E00 && c <= 0x9FFF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFF66 && c <= 0xFF9D) || c == 0x3005 ||
         c == 0x3007 || (c >= 0x20000 && c <= 0x3FFFD);
}

// Thai, Lao, Burmese, Khmer.
bool is_unspaced(char32_t c) {
  return (c >= 0x0E00 && c <= 0x0EFF) || (c >= 0x1000 && c <= 0x109F) ||
         (c >= 0x1780 && c <= 0x17FF);
}

Letter classify(char32_t c) {
  if (is_ideograph(c) && c != 0x30FB) return Letter::kIdeograph;
  const std::uint32_t mask = U_GET_GC_MASK(static_cast<UChar32>(c));
  if ((mask & (U_GC_L_MASK | U_GC_M_MASK | U_GC_ND_MASK | U_GC_NL_MASK)) != 0) {
    if (is_unspaced(c)) return Letter::kUnspaced;
    return (mask & U_GC_ND_MASK) != 0 ? Letter::kDigit : Letter::kLetter;
  }
  if (c == 0x2019 || c == 0x00B7 || c == 0x2010 || c == 0x2011 || c == 0x00AD || c == 0x200D) {
    return Letter::kJoiner;
  }
  return Letter::kNone;
}

constexpr auto kAscii = [] {
  std::array<Letter, 128> table{};
  for (std::size_t c = 0; c < 128; ++c) {
    const char low = static_cast<char>(c | 0x20);
    if (low >= 'a' && low <= 'z') table[c] = Letter::kLetter;
    if (c >= '0' && c <= '9') table[c] = Letter::kDigit;
  }
  table['_'] = Letter::kLetter;
  for (const char c : {'\'', '-', '.', ','}) {
    table[static_cast<unsigned char>(c)] = Letter::kJoiner;
  }
  return table;
}();

class WordCounter {
 public:
  std::uint32_t count(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
      at = count_blocks(text, at);
      // Octet by octet to the next space, where the blocks can go on.
      while (at < text.size()) {
        const auto octet = static_cast<unsigned char>(text[at]);
        if (octet < 0x80) {
          step(kAscii[octet], static_cast<char32_t>(octet));
          ++at;
          if (octet <= ' ' && text.size() - at >= kBlock) break;
        } else {
          const char32_t c = next_code_point(text, &at);
          step(classify(c), c);
        }
      }
    }
    step(Letter::kNone, 0);
    return words_;
  }

 private:
  static constexpr std::size_t kBlock = 16;

#if defined(__SSE2__)
  static std::uint32_t in_range(__m128i octets, char first, int size) {
    const __m128i shifted = _mm_add_epi8(octets, _mm_set1_epi8(static_cast<char>(-128 - first)));
    return static_cast<std::uint32_t>(
        _mm_movemask_epi8(_mm_cmplt_epi8(shifted, _mm_set1_epi8(static_cast<char>(-128 + size)))));
  }
  static std::uint32_t equal(__m128i octets, char c) {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(octets, _mm_set1_epi8(c))));
  }

  // The same rules as step(), for sixteen ASCII octets at a time. Starts behind a space or at the
  // front; stops before the first block that is not all ASCII, with the state step() would have.
  std::size_t count_blocks(std::string_view text, std::size_t at) {
    const std::size_t from = at;
    // Bits 0 and 1 are the last two octets of the block before.
    std::uint32_t letters = 0;  // and digits
    std::uint32_t digits = 0;
    std::uint32_t joiners = 0;
    std::uint32_t number_joiners = 0;
    for (; text.size() - at >= kBlock; at += kBlock) {
      const __m128i octets = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
      if (_mm_movemask_epi8(octets) != 0) break;
      const std::uint32_t digit = in_range(octets, '0', 10);
      const std::uint32_t letter =
          in_range(_mm_or_si128(octets, _mm_set1_epi8(0x20)), 'a', 26) | equal(octets, '_');
      digits = digits >> 16 | digit << 2;
      letters = letters >> 16 | (letter | digit) << 2;
      joiners = joiners >> 16 | (equal(octets, '\'') | equal(octets, '-')) << 2;
      number_joiners = number_joiners >> 16 | (equal(octets, '.') | equal(octets, ',')) << 2;
      const std::uint32_t joined =
          (joiners << 1 & letters << 2) | (number_joiners << 1 & digits << 2 & digits);
      const std::uint32_t starts = letters & ~(letters << 1) & ~joined & 0x3FFFC;
      words_ += static_cast<std::uint32_t>(std::popcount(starts));
    }
    if (at == from) return at;
    in_word_ = false;
    joiner_ = 0;
    const Letter before = kAscii[static_cast<unsigned char>(text[at - 1])];
    const Letter earlier = kAscii[static_cast<unsigned char>(text[at - 2])];
    if (before == Letter::kLetter || before == Letter::kDigit) {
      in_word_ = true;
      last_ = before;
    } else if (before == Letter::kJoiner &&
               (earlier == Letter::kLetter || earlier == Letter::kDigit)) {
      in_word_ = true;
      last_ = earlier;
      joiner_ = static_cast<unsigned char>(text[at - 1]);
    }
    return at;
  }
#else
  std::size_t count_blocks(std::string_view, std::size_t at) { return at; }
#endif

  void step(Letter letter, char32_t c) {
    switch (letter) {
      case Letter::kLetter:
      case Letter::kDigit:
        close_dense();
        // A joiner between two letters or two digits keeps one word; "." and "," join digits only.
        if (!in_word_ || (joiner_ != 0 && !joins(letter))) ++words_;
        in_word_ = true;
        joiner_ = 0;
        last_ = letter;
        return;
      case Letter::kJoiner:
        close_dense();
        if (in_word_ && joiner_ == 0) {
          joiner_ = c;
          return;
        }
        break;
      case Letter::kIdeograph:
        ++ideographs_;
        break;
      case Letter::kUnspaced:
        ++unspaced_;
        break;
      case Letter::kNone:
        close_dense();
        break;
    }
    in_word_ = false;
    joiner_ = 0;
  }

  bool joins(Letter next) const {
    if (joiner_ == U'.' || joiner_ == U',') {
      return last_ == Letter::kDigit && next == Letter::kDigit;
    }
    return true;
  }

  void close_dense() {
    words_ += (ideographs_ + 1) / 2 + (unspaced_ + 4) / 5;
    ideographs_ = unspaced_ = 0;
  }

  std::uint32_t words_ = 0;
  std::uint32_t ideographs_ = 0;
  std::uint32_t unspaced_ = 0;
  bool in_word_ = false;
  char32_t joiner_ = 0;
  Letter last_ = Letter::kNone;
};

// The octet that shows as `c` in windows-1252; 0 when none of 0x80 … 0xFF does.
unsigned windows_1252_octet(char32_t c) {
  if (c >= 0x80 && c <= 0xFF) return c;
  constexpr char32_t kHigh[32] = {0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                  0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                  0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                  0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};
  for (unsigned i = 0; i < 32; ++i) {
    if (kHigh[i] == c && c != 0) return 0x80 + i;
  }
  return 0;
}

}  // namespace

std::uint32_t count_words(std::string_view text) { return WordCounter().count(text); }

std::uint32_t count_replacements(std::string_view text) {
  std::uint32_t count = 0;
  for (std::size_t at = text.find("\xEF\xBF\xBD"); at != std::string_view::npos;
       at = text.find("\xEF\xBF\xBD", at + 3)) {
    ++count;
  }
  return count;
}

std::uint32_t count_double_utf8(std::string_view text) {
  std::uint32_t runs = 0;
  bool in_run = false;
  std::size_t at = 0;
  while (at < text.size()) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      in_run = false;
      at = static_cast<std::size_t>(find_non_ascii(text.data() + at, text.data() + text.size()) -
                                    text.data());
      continue;
    }
    const unsigned lead = windows_1252_octet(next_code_point(text, &at));
    const int more = lead >= 0xC2 && lead <= 0xDF   ? 1
                     : lead >= 0xE0 && lead <= 0xEF ? 2
                     : lead >= 0xF0 && lead <= 0xF4 ? 3
                                                    : 0;
    std::size_t ahead = at;
    bool whole = more != 0;
    for (int i = 0; i < more && whole; ++i) {
      if (ahead >= text.size()) {
        whole = false;
        break;
      }
      const unsigned octet = windows_1252_octet(next_code_point(text, &ahead));
      whole = octet >= 0x80 && octet <= 0xBF;
    }
    if (whole) {
      if (!in_run) ++runs;
      at = ahead;
    }
    in_run = whole;
  }
  return runs;
}

}  // namespace periplus
