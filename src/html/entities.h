// Character references (HTML Standard sections 13.2.5.72 to 13.2.5.80 and 13.5).
#pragma once

#include <cstddef>
#include <string_view>

namespace periplus {

struct Reference {
  std::size_t consumed = 0;  // octets behind the '&'; 0: the '&' stands for itself
  std::string_view text;     // what it stands for, UTF-8; may point into `own`
  bool cut = false;          // the answer may change when more input follows
  char own[4] = {};
};

// Reads the reference whose '&' stands just before `at`. `in_attribute`: the historical rule that
// "&copy=" and "&copyx" in an attribute are plain text.
void read_reference(const char* at, const char* end, bool in_attribute, Reference* out);

}  // namespace periplus
