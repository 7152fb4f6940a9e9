// Which languages a text is written in, by the words and letters of the text alone (CLD2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace periplus {

struct LanguageShare {
  std::string code;  // "mt", "en", "zh-Hant"
  int percent = 0;   // of the text's letters, 1..100
};

struct LanguageReading {
  std::vector<LanguageShare> shares;  // at most three, the largest first; empty: not recognised
  std::size_t letters = 0;            // code points that are letters, of all scripts
  bool reliable = false;              // the first is clearly ahead of its rivals
};

// At most this many octets from the start of a text are looked at.
inline constexpr std::size_t kLanguageBytes = 64 * 1024;

// Reads UTF-8; malformed octets count as U+FFFD. No hint is taken from anywhere, so that the answer
// hangs on the text alone. Two or three words are too little: see `letters`.
LanguageReading read_language(std::string_view text);

// Whether read_language() can ever give that code.
bool is_known_language(const std::string& code);

}  // namespace periplus
