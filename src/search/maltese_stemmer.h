// A light stemmer for Maltese: article and preposition clitics that were written together with
// their word, and the regular plural and gender endings. Broken plurals and verbs keep their form:
// undoing them needs the root, and a wrong root joins words that have nothing in common.
#pragma once

#include <string>
#include <string_view>

namespace periplus {

// `word` is folded (fold.h): "ktejjiet" -> "ktejj". A word too short to lose an ending is returned
// as it is.
std::string stem_maltese(std::string_view word);

// Whether the folded word is an article or a preposition joined to one: "il", "tal", "fil",
// "ghall". They part at the hyphen, and say little.
bool is_maltese_article(std::string_view word);

}  // namespace periplus
