// Whether a title, heading or text says that its page is not there, in the languages we know.
#pragma once

#include <string>
#include <string_view>

namespace periplus {

// Unicode case folding, full and independent of language; white space collapsed.
std::string fold_case(std::string_view text);

// The phrase met, as a whole word or the start of the text; empty when there is none. A title of
// which the phrase is only a small part ("How to mend 404 not found in nginx, step by step") does
// not say it.
std::string_view not_found_phrase(std::string_view title_or_heading);
// The same in the first 300 octets of a text.
std::string_view not_found_phrase_in_text(std::string_view text);

}  // namespace periplus
