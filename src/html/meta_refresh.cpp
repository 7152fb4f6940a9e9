#include "html/meta_refresh.h"

#include "base/text.h"

namespace periplus {

std::string_view refresh_target(std::string_view content) {
  content = trim(content);
  std::size_t at = content.find_first_not_of("0123456789.");
  if (at == std::string_view::npos || (at == 0 && !content.starts_with('.'))) return {};
  content = trim(content.substr(at));
  if (content.starts_with(';') || content.starts_with(',')) content = trim(content.substr(1));
  if (starts_with_ignoring_case(content, "url")) {
    const std::string_view rest = trim(content.substr(3));
    if (rest.starts_with('=')) content = trim(rest.substr(1));
  }
  if (content.starts_with('"') || content.starts_with('\'')) {
    const char quote = content.front();
    content.remove_prefix(1);
    content = content.substr(0, content.find(quote));
  }
  return content;
}

}  // namespace periplus
