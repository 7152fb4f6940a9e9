// rooms: base
// Text of unknown origin: repaired, made safe for a terminal and for HTML; dates.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/text.h"
#include "base/time.h"

using namespace periplus;

namespace {

void require(bool law) {
  if (!law) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string valid = to_valid_utf8(text);
  require(is_valid_utf8(valid));
  require(is_valid_utf8(text) == (valid == text));
  require(to_valid_utf8(valid) == valid);
  std::string stepped;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t before = at;
    append_utf8(&stepped, next_code_point(text, &at));
    require(at > before && at <= text.size());
  }
  require(stepped == valid);

  const std::string plain = without_controls(text);
  require(is_valid_utf8(plain));
  require(without_controls(plain) == plain);
  for (const char c : plain) require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);

  const std::string escaped = escape_html(text);
  require(escaped.find_first_of("<>\"'") == std::string::npos);

  const std::string collapsed = collapse_space(text);
  require(collapse_space(collapsed) == collapsed && trim(collapsed) == collapsed);
  require(collapsed.find("  ") == std::string::npos);

  const auto date = parse_w3c_date(text);
  if (date) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(*date);
    const std::string printed = to_rfc3339(*date);
    // A zone can carry a date out of the years that four digits write.
    if (printed.size() == 20 && printed[0] != '-')
      require(parse_w3c_date(printed) == Instant(seconds));
  }
  return 0;
}
