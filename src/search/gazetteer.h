// Names and word sequences found in text: whole words only, whatever their case and accents.
// "Għawdex", "GHAWDEX" and "ghawdex" are one name; "Gozo" is not found in "Gozonians".
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"

namespace periplus {

// The words of a text, each code point folded as fold.h does (ħ as h, ł as l). A word is a run of
// letters and digits; an ideograph or kana is one alone. Unlike WordReader's, its words have no
// further forms: a name is found just as it is written.
class FoldedWords {
 public:
  struct Word {
    std::uint32_t begin = 0, end = 0;                // in the folded text
    std::uint32_t source_begin = 0, source_end = 0;  // in the text as it was
  };

  explicit FoldedWords(std::string_view text);  // UTF-8; malformed octets separate words

  std::size_t size() const { return words_.size(); }
  std::string_view operator[](std::size_t i) const {
    return std::string_view(folded_).substr(words_[i].begin, words_[i].end - words_[i].begin);
  }
  const Word& place(std::size_t i) const { return words_[i]; }

 private:
  std::string folded_;
  std::vector<Word> words_;
};

// Sequences of words, each with a number of the caller's. Finding costs time linear in the text
// (times the longest sequence, which is at most kMostWords).
class PhraseSet {
 public:
  static constexpr std::size_t kMostWords = 12;

  // False when `phrase` has no word in it, or too many. The same phrase may carry several numbers.
  bool add(std::string_view phrase, std::uint32_t number);

  // Each occurrence, in order of its first word, short ones before long ones: the words
  // [begin, end) and its number.
  using Found = std::function<void(std::size_t begin, std::size_t end, std::uint32_t number)>;
  void find(const FoldedWords& text, const Found& found) const;

  bool empty() const { return ends_.empty(); }

 private:
  std::unordered_map<std::string, std::uint32_t> words_;        // from 1
  std::unordered_map<std::uint64_t, std::uint32_t> edges_;      // node and word to node
  std::unordered_multimap<std::uint32_t, std::uint32_t> ends_;  // node to numbers
  std::uint32_t nodes_ = 1;                                     // 0 is the root
};

// What stands in a gazetteer file: one name a line, "points<TAB>name<TAB>variant<TAB>…"; '#' starts
// a comment line. Points are more than 0 and at most 10.
struct GazetteerName {
  double points = 0;
  std::string name;                   // as it is shown
  std::vector<std::string> variants;  // without the name itself
};

// `file` stands in error places. Errors (kConfig) name the line.
Result<std::vector<GazetteerName>> parse_gazetteer(std::string_view text, std::string_view file);

}  // namespace periplus
