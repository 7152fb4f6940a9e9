#include "audit/not_found.h"

#include <unicode/ucasemap.h>

#include <array>
#include <memory>

#include "base/text.h"

namespace periplus {
namespace {

struct Phrase {
  std::string_view language, text;
};
constexpr auto kPhrases = std::to_array<Phrase>({
#include "audit/not_found_words.inc"
});

bool is_letter(std::string_view text, std::size_t at) {
  const auto c = static_cast<unsigned char>(text[at]);
  return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// As a whole word; scripts without spaces have no word boundaries to look at.
bool stands_in(std::string_view text, std::string_view phrase) {
  for (std::size_t at = text.find(phrase); at != std::string_view::npos;
       at = text.find(phrase, at + 1)) {
    if (static_cast<unsigned char>(phrase.front()) >= 0xe0) return true;
    const std::size_t end = at + phrase.size();
    if ((at == 0 || !is_letter(text, at - 1)) && (end == text.size() || !is_letter(text, end)))
      return true;
  }
  return false;
}

}  // namespace

std::string fold_case(std::string_view text) {
  struct Close {
    void operator()(UCaseMap* map) const { ucasemap_close(map); }
  };
  static const std::unique_ptr<UCaseMap, Close> map = [] {
    UErrorCode fault = U_ZERO_ERROR;
    return std::unique_ptr<UCaseMap, Close>(ucasemap_open("", U_FOLD_CASE_DEFAULT, &fault));
  }();
  const std::string collapsed = collapse_space(text);
  std::string out(collapsed.size() * 3 + 8, '\0');
  UErrorCode fault = U_ZERO_ERROR;
  const std::int32_t length =
      ucasemap_utf8FoldCase(map.get(), out.data(), static_cast<std::int32_t>(out.size()),
                            collapsed.data(), static_cast<std::int32_t>(collapsed.size()), &fault);
  if (U_FAILURE(fault) || length < 0) return to_ascii_lower(collapsed);
  out.resize(static_cast<std::size_t>(length));
  return out;
}

std::string_view not_found_phrase(std::string_view title_or_heading) {
  std::string folded = fold_case(title_or_heading.substr(0, 400));
  // The typographic apostrophe.
  for (std::size_t at = 0; (at = folded.find("\xe2\x80\x99", at)) != std::string::npos;)
    folded.replace(at, 3, "'");
  // "404" alone says it as well.
  if (folded == "404" || folded == "404." || folded == "404!") return "404";
  for (const Phrase& phrase : kPhrases) {
    if (folded.size() > phrase.text.size() + 60) continue;
    if (stands_in(folded, phrase.text)) return phrase.text;
  }
  return {};
}

std::string_view not_found_phrase_in_text(std::string_view text) {
  const std::string folded = fold_case(text.substr(0, 300));
  for (const Phrase& phrase : kPhrases) {
    if (stands_in(folded, phrase.text)) return phrase.text;
  }
  return {};
}

}  // namespace periplus
