#include "html/word_count.h"

#include <unicode/uchar.h>

#include <array>
#include <cstddef>

#include "base/text.h"

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
    table[static_cast<std::size_t>(c)] = Letter::kJoiner;
  }
  return table;
}();

class WordCounter {
 public:
  std::uint32_t count(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
      const auto octet = static_cast<unsigned char>(text[at]);
      if (octet < 0x80) {
        step(kAscii[octet], static_cast<char32_t>(octet));
        ++at;
      } else {
        const char32_t c = next_code_point(text, &at);
        step(classify(c), c);
      }
    }
    step(Letter::kNone, 0);
    return words_;
  }

 private:
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
      ++at;
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
