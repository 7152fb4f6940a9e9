#pragma once

#include <string_view>

namespace periplus {
inline constexpr std::string_view kVersion = PERIPLUS_VERSION;
}  // namespace periplus
