// rooms: http
// Header lines from stored text: what was read is written and read back the same.
#include <cstdint>
#include <cstdlib>

#include "http/exchange.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using periplus::Headers;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Headers read = Headers::from_text(text);
  if (Headers::from_text(read.to_text()).lines != read.lines) std::abort();
  for (const auto& [name, value] : read.lines) {
    if (!read.has(name) || read.all(name).empty()) std::abort();
    if (read.get(name) != read.all(name).front()) std::abort();
  }
  return 0;
}
