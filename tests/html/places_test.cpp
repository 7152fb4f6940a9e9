#include "html/places.h"

#include <gtest/gtest.h>

#include <string>

namespace periplus {
namespace {

// The rule, one octet at a time.
SourcePlace place_of(std::string_view page, std::size_t offset) {
  SourcePlace place{1, 1};
  for (std::size_t i = 0; i < offset; ++i) {
    const bool pair = page[i] == '\r' && i + 1 < page.size() && page[i + 1] == '\n';
    if (page[i] == '\n' || (page[i] == '\r' && !pair)) {
      ++place.line;
      place.column = 1;
    } else if (!pair && (static_cast<unsigned char>(page[i]) & 0xC0) != 0x80) {
      ++place.column;
    }
  }
  return place;
}

TEST(PlaceFinder, LinesEndAtLfCrAndCrLfAndColumnsCountCodePoints) {
  std::string long_line(100, 'x');
  const std::string pages[] = {
      "one\ntwo\n\nthree " + long_line + "\n" + long_line + "y",
      "caf\u00E9 \u65E5\u672C\n" + long_line + "\u00E9" + long_line + "\n\u00E9z",
      "a\r\nb\rc\n\rd" + long_line + "\r\n" + long_line, ""};
  for (const std::string& page : pages) {
    for (std::size_t step : {1U, 3U, 17U, 40U, 150U}) {
      PlaceFinder finder(page);
      for (std::size_t at = 0; at <= page.size(); at += step) {
        if (at > 0 && at < page.size() && page[at - 1] == '\r' && page[at] == '\n') continue;
        const SourcePlace expected = place_of(page, at);
        const SourcePlace found = finder.at(at);
        EXPECT_EQ(found.line, expected.line) << at;
        EXPECT_EQ(found.column, expected.column) << at;
      }
      EXPECT_EQ(finder.at(0).line, 1U);
      EXPECT_EQ(finder.at(0).column, 1U);
    }
  }
}

}  // namespace
}  // namespace periplus
