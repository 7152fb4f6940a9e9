// The table of what protection products answer with. http/bot_wall.cpp reads it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "http/bot_wall.h"
#include "http/bot_wall_page.h"

namespace periplus {

enum class WallPlace : std::uint8_t {
  kNone,
  kHeader,        // "name: part of its value"; "name:" = the field is there
  kHeaderPrefix,  // a field whose name begins so
  kCookie,        // a Set-Cookie whose name begins so
  kTitle,         // part of WallPage::title
  kText,          // part of WallPage::text
  kMarkup,        // part of WallPage::markup
};

struct WallMark {
  WallPlace place = WallPlace::kNone;
  std::string_view value;  // lower case; at least four octets for title, text and markup
};

enum class WallStatus : std::uint8_t {
  kAny,
  kRefused,   // 4xx but 402, 404, 409, 410, 422; 503
  kSuccess,   // 2xx
  kRedirect,  // 3xx
};

// A rule holds when the status fits, every mark is there, and the page shows at most `most_text`
// octets. The first rule that holds gives the verdict; `wall` false says: known, and harmless.
struct WallRule {
  std::string_view vendor;
  BotWallKind kind;
  WallStatus status;
  int exactly;  // a status code; 0 = as `status` says
  std::size_t most_text;
  std::array<WallMark, 4> marks;
  bool wall = true;
};

std::span<const WallRule> wall_rules();

}  // namespace periplus
