// Spelling: which word may have been meant. The index says which words there are and how often.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace periplus {

// Words one slip away from an ASCII word: a letter left out, added, changed, or two exchanged.
// Empty for words shorter than four octets or not in ASCII.
std::vector<std::string> one_slip_away(std::string_view word);

// The slips between two words, in code points, an exchange of neighbours counting as one; `most`+1
// when there are more.
std::size_t slips(std::string_view a, std::string_view b, std::size_t most);

// How many pages have a word; 0 where it is not a word that may be suggested.
using WordFrequency = std::function<std::uint32_t(std::string_view)>;

// The likeliest of the words one slip away and of `further` ones (at most two slips away), or an
// empty string: it must be ten times as frequent as the word itself.
std::string mend_word(std::string_view word, std::uint32_t frequency,
                      const std::vector<std::string>& further, const WordFrequency& frequency_of);

}  // namespace periplus
