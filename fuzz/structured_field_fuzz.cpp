// rooms: http
// Structured fields, Retry-After and bot walls: bytes of a server, read as each of them.
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "http/bot_wall.h"
#include "http/retry_after.h"
#include "http/structured_field.h"

namespace {

void must(bool holds) {
  if (!holds) std::abort();
}

// What was parsed can be written, and what was written is parsed as the same.
template <class Value, class Parse>
void goes_round(std::string_view text, Parse parse) {
  const periplus::Result<Value> first = parse(text);
  if (!first) return;
  const periplus::Result<std::string> written = periplus::serialise_sf(*first);
  must(written.has_value());
  const periplus::Result<Value> second = parse(*written);
  must(second.has_value());
  must(*second == *first);
  must(periplus::serialise_sf(*second).value() == *written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  goes_round<periplus::SfItem>(text, periplus::parse_sf_item);
  goes_round<periplus::SfList>(text, periplus::parse_sf_list);
  goes_round<periplus::SfDictionary>(text, periplus::parse_sf_dictionary);

  std::string octets;
  if (periplus::from_base64(text, &octets)) {
    std::string again;
    must(periplus::from_base64(periplus::to_base64(octets), &again));
    must(again == octets);
  }

  const periplus::Instant now{periplus::Millis{1'796'000'000'000}};
  const std::optional<periplus::Millis> wait = periplus::parse_retry_after(text, now);
  must(!wait || (wait->count() >= 0 && *wait <= periplus::kMaxRetryAfter));

  // The first line is a header's value, the rest a body.
  const std::size_t line = std::min(text.find('\n'), text.size());
  periplus::Headers headers;
  headers.lines = {{"server", std::string(text.substr(0, line))},
                   {"Set-Cookie", std::string(text.substr(0, line))}};
  const std::string_view body = text.substr(line);
  for (const int status : {200, 302, 403, 429}) {
    const std::optional<periplus::BotWall> wall =
        periplus::recognise_bot_wall(status, headers, body);
    must(!wall || (!wall->vendor.empty() && !wall->signal.empty()));
  }
  return 0;
}
