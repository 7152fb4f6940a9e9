// Line and column of an offset, found by walking on from the last one asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "html/page_facts.h"

namespace periplus {

class PlaceFinder {
 public:
  PlaceFinder() = default;
  explicit PlaceFinder(std::string_view page);
  // Lines end at LF, CR or CRLF. An offset before the last one starts again from the front.
  SourcePlace at(std::size_t offset);

 private:
  void walk(const char* to);
  void walk_with_returns(const char* to);
  std::string_view page_;
  bool has_cr_ = false;
  bool ascii_ = false;
  std::size_t offset_ = 0;
  SourcePlace place_{1, 1};
};

}  // namespace periplus
