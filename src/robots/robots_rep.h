// What a parsed robots.txt holds; shared by the text and all rules compiled from it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "robots/robots_txt.h"

namespace periplus {

struct RobotsLine {  // an Allow or Disallow line
  std::uint32_t line = 0;
  bool allow = false;
  std::string path;  // as written, never empty
};

// Consecutive User-agent lines and what follows them.
struct RobotsGroup {
  std::vector<std::string> agents;  // as written
  std::vector<RobotsLine> rules;
};

// Crawl-delay is no rule of the RFC and does not end the run of User-agent lines for Allow and
// Disallow. It still belongs only to the agents named before it.
struct RobotsDelay {
  std::vector<std::string> agents;
  double seconds = 0;
};

struct RobotsTxt::Rep {
  std::string bytes;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> lines;  // [begin, end) in bytes
  std::vector<RobotsGroup> groups;
  std::vector<RobotsDelay> delays;
  std::vector<std::string> sitemaps;
  std::vector<UseSignal> signals;
  std::vector<RobotsFinding> findings;

  std::string_view line(std::uint32_t number) const {
    if (number == 0 || number > lines.size()) return {};
    const auto [begin, end] = lines[number - 1];
    return std::string_view(bytes).substr(begin, end - begin);
  }
};

// Whether a User-agent value ("Periplus/1.0") names the product token `token`.
bool names_agent(std::string_view value, std::string_view token);
bool names_everyone(std::string_view value);  // "*", also with text behind it

}  // namespace periplus
