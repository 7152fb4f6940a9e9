// What recognise_bot_wall says, as one word or two, and tables of answers to try it on.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/bot_wall.h"

namespace periplus {

using Lines = std::vector<std::pair<std::string, std::string>>;

// "vendor kind", or "none".
inline std::string verdict(int status, Lines lines, std::string_view body) {
  Headers headers;
  headers.lines = std::move(lines);
  const std::optional<BotWall> wall = recognise_bot_wall(status, headers, body);
  if (!wall) return "none";
  EXPECT_FALSE(wall->signal.empty());
  return wall->vendor + " " + std::string(name(wall->kind));
}

struct WallCase {
  const char* name;
  int status;
  Lines headers;
  std::string body;
  const char* expected = "none";
};

inline void check(const std::vector<WallCase>& cases) {
  for (const WallCase& test : cases) {
    EXPECT_EQ(verdict(test.status, test.headers, test.body), test.expected) << test.name;
  }
}

}  // namespace periplus
