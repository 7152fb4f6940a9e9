// rooms: robots
// The first line of the input is a request path, the rest a robots.txt.
#include <cstdlib>
#include <string>
#include <string_view>

#include "robots/robots_path.h"
#include "robots/robots_txt.h"

namespace {

void require(bool law) {
  if (!law) std::abort();
}

// Says the same as RobotsPattern in the plainest way; exponential in stars apart, so for short
// input only.
bool glob(std::string_view pattern, std::string_view path) {
  if (pattern.empty()) return true;
  if (pattern == "$") return path.empty();
  if (pattern.starts_with("**")) return glob(pattern.substr(1), path);
  if (pattern[0] == '*')
    return glob(pattern.substr(1), path) || (!path.empty() && glob(pattern, path.substr(1)));
  return !path.empty() && pattern[0] == path[0] && glob(pattern.substr(1), path.substr(1));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace periplus;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(input.find('\n'), input.size());
  const std::string_view path = input.substr(0, end);
  const std::string_view body = input.substr(std::min(end + 1, input.size()));

  RobotsTxt text = RobotsTxt::parse(body);
  std::uint32_t lines = 1;
  for (const char c : body) lines += c == '\n' || c == '\r' ? 1 : 0;
  for (const char* token : {"Periplus", "a", "*", "", "MJ12bot"}) {
    const RobotsRules rules = text.rules_for(token);
    const RobotsVerdict verdict = rules.verdict(path);
    require(verdict.allowed == rules.allows(path));
    require(verdict.line <= lines);
    require((verdict.line == 0) == verdict.rule.empty());
    require(verdict.line != 0 || verdict.allowed);
    require(!rules.closes_everything() || !rules.allows("/"));
    require(rules.allows("/robots.txt"));
    require(!rules.crawl_delay() || *rules.crawl_delay() >= 0);
  }
  for (const RobotsFinding& finding : text.findings()) require(finding.line <= lines);
  for (const UseSignal& signal : text.use_signals()) require(signal.line <= lines);

  const std::string normal = normal_request_path(path);
  require(is_normal_request_path(normal) || normal.find('%') != std::string::npos);
  require(normal_request_path(normal) == normal);
  if (body.size() <= 12 && path.size() <= 24) {
    const std::string pattern = normal_rule_path(body);
    require(RobotsPattern(pattern).matches(normal) == glob(pattern, normal));
  }
  return 0;
}
