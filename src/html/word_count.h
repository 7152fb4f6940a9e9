// Words of a text in any script.
#pragma once

#include <cstdint>
#include <string_view>

namespace periplus {

// Runs of letters, marks and digits, apostrophes inside words and dots or commas inside numbers
// (after Unicode UAX #29); Han and Kana count two characters as one word, Thai, Lao, Khmer and
// Burmese, which write no spaces, five.
std::uint32_t count_words(std::string_view text);

// U+FFFD in a text.
std::uint32_t count_replacements(std::string_view text);

// Runs of characters that are UTF-8 octets decoded once more as windows-1252: "Ã©", "â€™".
std::uint32_t count_double_utf8(std::string_view text);

}  // namespace periplus
