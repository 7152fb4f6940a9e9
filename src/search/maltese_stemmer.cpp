#include "search/maltese_stemmer.h"

#include <algorithm>
#include <array>

namespace periplus {

namespace {

using namespace std::string_view_literals;

// The article with its assimilated forms, and what it melts into. Folded.
constexpr std::array kArticles = {
    "il"sv,   "l"sv,    "ic"sv,   "id"sv,   "in"sv,   "ir"sv,    "is"sv,   "it"sv,   "ix"sv,
    "iz"sv,   "tal"sv,  "tac"sv,  "tad"sv,  "tan"sv,  "tar"sv,   "tas"sv,  "tat"sv,  "tax"sv,
    "taz"sv,  "fil"sv,  "fic"sv,  "fid"sv,  "fin"sv,  "fir"sv,   "fis"sv,  "fit"sv,  "fix"sv,
    "fiz"sv,  "bil"sv,  "bic"sv,  "bid"sv,  "bin"sv,  "bir"sv,   "bis"sv,  "bit"sv,  "bix"sv,
    "biz"sv,  "mal"sv,  "mac"sv,  "mad"sv,  "man"sv,  "mar"sv,   "mas"sv,  "mat"sv,  "max"sv,
    "maz"sv,  "sal"sv,  "sas"sv,  "sat"sv,  "sax"sv,  "mill"sv,  "mic"sv,  "mid"sv,  "min"sv,
    "mir"sv,  "mis"sv,  "mit"sv,  "mix"sv,  "miz"sv,  "ghall"sv, "ghac"sv, "ghad"sv, "ghan"sv,
    "ghar"sv, "ghas"sv, "ghat"sv, "ghax"sv, "ghaz"sv, "lill"sv,  "lic"sv,  "lid"sv,  "lin"sv,
    "lir"sv,  "lis"sv,  "lit"sv,  "lix"sv,  "liz"sv,  "bhall"sv, "bhac"sv, "bhad"sv, "bhan"sv,
    "bhar"sv, "bhas"sv, "bhat"sv, "bhax"sv, "bhaz"sv};

struct Ending {
  std::string_view text;
  std::string_view becomes;
  std::size_t leaves;  // octets of the stem, at least
};
// The longest first. "ijiet" and "jiet" are plurals of words that end in a vowel or -i.
constexpr std::array kEndings = {
    Ending{"ijiet", "", 3}, Ending{"ejiet", "", 3}, Ending{"jiet", "", 3}, Ending{"iet", "", 3},
    Ending{"ijin", "", 3},  Ending{"in", "", 4},    Ending{"at", "", 4},   Ending{"ijiet", "", 3},
    Ending{"iji", "", 3},   Ending{"ja", "", 3},    Ending{"a", "", 3},    Ending{"i", "", 3}};

}  // namespace

bool is_maltese_article(std::string_view word) {
  return std::ranges::find(kArticles, word) != kArticles.end();
}

std::string stem_maltese(std::string_view word) {
  for (const Ending& ending : kEndings) {
    if (word.size() >= ending.text.size() + ending.leaves && word.ends_with(ending.text)) {
      return std::string(word.substr(0, word.size() - ending.text.size())).append(ending.becomes);
    }
  }
  return std::string(word);
}

}  // namespace periplus
