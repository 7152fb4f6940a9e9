// Where a page sends its readers on by <meta http-equiv=refresh>.
#pragma once

#include <string_view>

namespace periplus {

// The address in the content of a declarative refresh (HTML Standard, "shared declarative refresh
// steps"), as written; empty when it only reloads the page, or is none.
std::string_view refresh_target(std::string_view content);

}  // namespace periplus
