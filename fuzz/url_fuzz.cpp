// rooms: url
// Input: a URL, a newline, a base. Laws: what is printed parses to itself; an absolute address does
// not depend on the base; the parts add up to the whole.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "url/url.h"

namespace {

void require(bool law) {
  if (!law) std::abort();
}

void check(const periplus::Url& url) {
  const auto again = periplus::Url::parse(url.href());
  require(again.has_value() && again->href() == url.href());
  require(again->hostname() == url.hostname() && again->pathname() == url.pathname());
  require(url.href().starts_with(url.without_fragment()));
  require(url.without_fragment().ends_with(url.path_and_query()));
  if (url.is_http()) {
    require(!url.hostname().empty() && url.pathname().starts_with('/'));
    const auto other = periplus::Url::parse("https://other.example/a/b?c#d");
    const auto moved = periplus::Url::parse(url.href(), &*other);
    require(moved.has_value() && moved->href() == url.href());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = text.find('\n');
  const std::string_view input = text.substr(0, line);
  const auto alone = periplus::Url::parse(input);
  if (alone) check(*alone);
  if (line == std::string_view::npos) return 0;
  const auto base = periplus::Url::parse(text.substr(line + 1));
  if (!base) return 0;
  const auto resolved = periplus::Url::parse(input, &*base);
  if (!resolved) return 0;
  check(*resolved);
  // The short way for plain links must agree with the long one, which a leading blank forces.
  const auto slow = periplus::Url::parse(" " + std::string(input), &*base);
  require(slow.has_value() && slow->href() == resolved->href());
  require(slow->pathname() == resolved->pathname() && slow->search() == resolved->search() &&
          slow->hash() == resolved->hash());
  return 0;
}
