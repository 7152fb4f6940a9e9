// Recognising bot protection by strong signals, so that a challenge is never taken for a page. We
// record it, leave, and never try to pass it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/exchange.h"

namespace periplus {

enum class BotWallKind : std::uint8_t { kChallenge, kBlock, kRateLimit };
std::string_view name(BotWallKind kind);  // "challenge", "block", "rate-limit"

struct BotWall {
  std::string vendor;  // "cloudflare"
  BotWallKind kind = BotWallKind::kChallenge;
  std::string signal;  // what gave it away: "header cf-mitigated: challenge"
};

// One header-grade signal, or two marks in the body of a small page without an article.
std::optional<BotWall> recognise_bot_wall(int status, const Headers& headers,
                                          std::string_view body);

}  // namespace periplus
