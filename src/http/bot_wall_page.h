// An answer as the rules of http/bot_wall_rules.h look at it: letter case, white space, quotation
// marks and character references taken away, what people see kept apart from what scripts are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace periplus {

// Only the beginning of a body is looked at: every protection page is short.
inline constexpr std::size_t kWallScanBytes = 64 * 1024;
// With more visible text than this a page is a page, whatever else stands in it.
inline constexpr std::size_t kWallTextBytes = 2500;

struct WallPage {
  bool long_text = false;  // more visible text than kWallTextBytes: the rest was not looked at
  std::string title;       // "^text$": lower case, space collapsed; "^(none)$"
  std::string text;        // "^text$" likewise: what is shown, without scripts, styles, comments
  // Tags and scripts without white space, quotation marks and backslashes, in lower case:
  // `<div id="x">` is "<divid=x>".
  std::string markup;
};

WallPage read_wall_page(std::string_view body);

}  // namespace periplus
