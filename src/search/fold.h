// Folding: text to the words that are compared. One way for documents, queries and snippets, so
// that «Ħobż», "hobz" and "HOBŻ" are one word, whoever typed it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace periplus {

// A folded word is cut here, at a whole code point; the index could not hold much more.
inline constexpr std::size_t kMaxWordBytes = 64;

struct Word {
  std::string_view folded;         // lower case, no diacritics: "hobz", "c++"; never empty
  std::string_view accented;       // lower case with them: "ħobż"; empty when it is the same
  std::size_t begin = 0, end = 0;  // octets of the text it was read from
  // A further form of words that were given already, without a place of its own: "push_back" after
  // "push" and "back", one ideograph after the pair that begins with it.
  bool extra = false;
  bool glued = false;  // no white space stands between the previous word and this one
};

// Reads the words of a text, UTF-8; malformed octets part words. Word breaks are those of UAX #29
// where that helps to find things: an underscore parts words (see Word::extra), an apostrophe
// parts what stands before it when it is short (l'għodwa, dell'arte: two words; don't: one),
// scripts written without spaces give each pair of neighbours.
class WordReader {
 public:
  explicit WordReader(std::string_view text) : text_(text) {}
  // False at the end. Views of *word hold until the next call.
  bool next(Word* word);

 private:
  bool read_word();
  bool read_pair(char32_t first, std::size_t begin, std::size_t end);
  bool take_apostrophe();
  void give(Word* word, bool extra);

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0, end_ = 0;
  std::string folded_, accented_, compound_, extra_;
  bool has_accents_ = false;
  bool extra_waits_ = false;
  bool in_pairs_ = false;  // the code point at at_ was the second of a pair
};

// One word or text as it is compared: folded, white space and punctuation to single spaces.
std::string fold(std::string_view text);

// The compared form of one code point; empty when it is dropped (a combining accent).
std::string_view folded(char32_t code_point);

}  // namespace periplus
