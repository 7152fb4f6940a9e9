#include "search/language.h"

#include <unicode/uchar.h>

#include <array>
#include <cstdio>  // cld2's header uses FILE without asking for it

#include "base/text.h"
// After <cstdio>.
#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>

namespace periplus {

LanguageReading read_language(std::string_view text) {
  LanguageReading out;
  // A character cut in two by the limit is mended along with any other malformed octets.
  const std::string valid = to_valid_utf8(text.substr(0, kLanguageBytes));
  for (std::size_t at = 0; at < valid.size();) {
    if (u_isalpha(static_cast<UChar32>(next_code_point(valid, &at))) != 0) ++out.letters;
  }
  if (out.letters == 0) return out;

  std::array<CLD2::Language, 3> languages{};
  std::array<int, 3> percents{};
  std::array<double, 3> scores{};
  const CLD2::CLDHints no_hints{nullptr, nullptr, CLD2::UNKNOWN_ENCODING, CLD2::UNKNOWN_LANGUAGE};
  int bytes = 0;
  int valid_bytes = 0;
  CLD2::ExtDetectLanguageSummaryCheckUTF8(
      valid.data(), static_cast<int>(valid.size()), true, &no_hints, 0, languages.data(),
      percents.data(), scores.data(), nullptr, &bytes, &out.reliable, &valid_bytes);
  for (std::size_t i = 0; i < languages.size(); ++i) {
    if (languages[i] == CLD2::UNKNOWN_LANGUAGE || percents[i] <= 0) continue;
    out.shares.push_back({CLD2::LanguageCode(languages[i]), percents[i]});
  }
  return out;
}

bool is_known_language(const std::string& code) {
  const CLD2::Language language = CLD2::GetLanguageFromName(code.c_str());
  return language != CLD2::UNKNOWN_LANGUAGE && CLD2::LanguageCode(language) == code;
}

}  // namespace periplus
