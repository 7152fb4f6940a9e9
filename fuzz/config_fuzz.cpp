// rooms: visit
// periplus.toml: whatever it holds, there is a configuration within its bounds, or an error that
// names a place.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "visit/config.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto config = periplus::Config::parse(text, "periplus.toml");
  if (!config) {
    if (config.error().sentence.empty() || !config.error().place.starts_with("periplus.toml"))
      std::abort();
  } else {
    if (config->limits.pages < 1 || config->pace.lanes < 1 || config->pace.lanes > 3) std::abort();
    if (config->pace.floor.count() < 0 || config->limits.page_bytes < 16 * 1024) std::abort();
    for (const char c : config->identity.user_agent()) {
      if (c < 0x20 || c > 0x7e) std::abort();
    }
  }
  (void)periplus::parse_duration(text);
  return 0;
}
