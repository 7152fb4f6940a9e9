// The part of a page's text that shows why it was found. As parts, not markup: who shows them
// escapes them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "search/query.h"

namespace periplus {

// No more of a text is looked at.
inline constexpr std::size_t kSnippetBytes = 64 * 1024;

struct SnippetPart {
  std::string text;     // UTF-8, line breaks are spaces
  bool marked = false;  // a word of the query
};

// Whether two folded words are forms of one; asked only for words that begin alike.
using SameWord = std::function<bool(std::string_view, std::string_view)>;

// A run of about `length` code points out of `text` with as many of the query's words as possible,
// beginning with a sentence where one is near; the begin of the text when there is none. An
// ellipsis stands where text was left out. Empty for an empty text.
std::vector<SnippetPart> make_snippet(const ParsedQuery& query, std::string_view text,
                                      std::size_t length, const SameWord& same_word);

// Escaped, with <b> around what is marked.
std::string snippet_html(const std::vector<SnippetPart>& parts);

}  // namespace periplus
