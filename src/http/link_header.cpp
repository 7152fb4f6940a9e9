#include "http/link_header.h"

#include "base/text.h"

namespace periplus {
namespace {

// The value of a parameter behind `name` ("rel="), quoted or not; empty when it is missing.
std::string parameter(std::string_view parameters, std::string_view name) {
  for (std::size_t at = parameters.find(name); at != std::string_view::npos;
       at = parameters.find(name, at + 1)) {
    if (at > 0 && parameters[at - 1] != ';' && parameters[at - 1] != ' ') continue;
    std::string_view value = parameters.substr(at + name.size());
    if (!value.starts_with('"')) return std::string(value.substr(0, value.find_first_of("; ,")));
    value.remove_prefix(1);
    return std::string(value.substr(0, value.find('"')));
  }
  return {};
}

}  // namespace

std::vector<HeaderLink> header_links(const Headers& headers) {
  std::vector<HeaderLink> out;
  for (std::string_view line : headers.all("link")) {
    while (true) {
      const std::size_t open = line.find('<');
      const std::size_t close = open == std::string_view::npos ? open : line.find('>', open);
      if (close == std::string_view::npos) break;
      std::size_t end = close + 1;
      for (bool quoted = false; end < line.size() && (quoted || line[end] != ','); ++end) {
        if (line[end] == '"') quoted = !quoted;
      }
      const std::string parameters = to_ascii_lower(line.substr(close + 1, end - close - 1));
      out.push_back({trim(line.substr(open + 1, close - open - 1)), parameter(parameters, "rel="),
                     parameter(parameters, "hreflang=")});
      if (end >= line.size()) break;
      line.remove_prefix(end + 1);
    }
  }
  return out;
}

}  // namespace periplus
