// Where the conformance suites made by others lie; tests skip with one line when they are not
// there.
#pragma once

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace periplus {

inline std::string testdata_root() {
  const char* set = std::getenv("PERIPLUS_TESTDATA");
  return set != nullptr && *set != '\0' ? set : "../shared/testdata";
}

inline bool file_exists(const std::string& path) { return std::ifstream(path).good(); }

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace periplus

// Skips the running test when `relative` is not in the testdata folder; else gives its path.
#define PERIPLUS_NEEDS_TESTDATA(relative)                                         \
  ::periplus::testdata_root() + "/" + (relative);                                 \
  if (!::periplus::file_exists(::periplus::testdata_root() + "/" + (relative)))   \
  GTEST_SKIP() << "no " << (relative) << " under " << ::periplus::testdata_root() \
               << " (set PERIPLUS_TESTDATA)"
