// What the writer and the reader of the Xapian index agree on. Inside this room only; the rest of
// the project sees index.h.
//
// Terms. A word is kept under its stem, by the stemmer of the page's language, with its positions;
// where the word as written differs, that form is kept too, behind an 'E' and without positions.
// The first octet tells kinds apart: stems are lower case, all others begin with a capital.
//
//   word              stem of a word, or a whole such as "push_back" (no positions)
//   E + word          the folded word itself, when the stem differs
//   D + word          lower case with its diacritics, when folding changed it
//   S + stem          a word of the title, with positions
//   U + word          a word of the URL
//   T + words         the title, folded
//   H + host          the host and each domain above it
//   P + host/folder/  each folder that leads to the page
//   L + code          language
//   Q + url           the document's key
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "search/index.h"

namespace periplus {

namespace slot {
inline constexpr unsigned kSite = 0;
inline constexpr unsigned kRank = 1;     // one octet: 0..255 for 0..1
inline constexpr unsigned kChanged = 2;  // seconds since 1970, eight octets, big endian; or nothing
}  // namespace slot

// Parts of a document's data, parted by '\n'.
enum class DataPart : std::uint8_t { kUrl, kSite, kTitle, kLang, kChanged, kState, kCluster };
inline constexpr std::size_t kDataParts = 7;
using DataParts = std::array<std::string_view, kDataParts>;
// Missing parts are empty. Views into `data`.
DataParts data_parts(std::string_view data);
inline std::string_view part(const DataParts& parts, DataPart which) {
  return parts[static_cast<std::size_t>(which)];
}

inline constexpr const char* kSequenceKey = "sequence";

// A term of any length, made to fit: Xapian takes 245 octets. Long ones end in a hash of all.
std::string fitting_term(char prefix, std::string_view text);

// Stems, each distinct word of a language once: the memory is dropped when it has grown large.
// Unknown languages keep words as they are; an empty code is read as English.
class StemBook {
 public:
  StemBook();
  ~StemBook();
  // The view holds until forget_if_large().
  std::string_view stem(std::string_view lang, std::string_view folded);
  void forget_if_large();

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  struct Language;
  Language& language(std::string_view lang);

  std::unordered_map<std::string, std::unique_ptr<Language>, Hash, std::equal_to<>> languages_;
  std::string last_lang_;
  Language* last_ = nullptr;
};

// How much each signal of a query weighs, so that a benchmark can leave one out. The fields'
// weights are the writer's (xapian_index_writer.cpp).
struct Ranking {
  double k1 = 1.2, b = 0.5;
  double accents = 0.3;      // a word with its diacritics as typed
  double exact = 0.2;        // a word in the very form that was typed
  double whole = 0.5;        // "push_back" in one
  double title_equal = 1.0;  // the title is the query
  double rank = 1.0;         // weight of a static rank of 1, in weights of an average word
  double title_cover = 0.5;  // share of the title that the query covers
  double title_phrase = 0.3;
  double near = 0.3;  // words side by side
  double host = 0.8;  // the query names the host
  double all_words = 0.5;
  bool stem = true;
};

Result<std::unique_ptr<IndexReader>> open_xapian_reader(const std::string& folder,
                                                        const Ranking& ranking);

}  // namespace periplus
