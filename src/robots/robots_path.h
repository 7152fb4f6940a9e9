// The form in which rule paths and request paths are compared (RFC 9309 section 2.2.2), and the
// matching of one rule.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace periplus {

// The path and query of a request in normal form: %XX of unreserved octets decoded, other %XX in
// upper case, everything that is neither unreserved nor reserved as %XX, and so are '*' and '$',
// which mean something in rules. A fragment is cut, an empty path is "/".
std::string normal_request_path(std::string_view path_and_query);
// True when the path is in that form already, so that it can be matched as it stands.
bool is_normal_request_path(std::string_view path_and_query);
// The same for the path of a rule, where '*' and a final '$' keep their meaning.
std::string normal_rule_path(std::string_view path);

// One rule, cut at its stars. Matching takes time linear in path and pattern.
class RobotsPattern {
 public:
  // `pattern` in the form that normal_rule_path gives.
  explicit RobotsPattern(std::string_view pattern);
  bool matches(std::string_view normal_path) const;
  const std::string& prefix() const { return prefix_; }  // what every match starts with
  bool plain() const { return pieces_.empty() && !anchored_ && !open_; }
  bool matches_everything() const;

 private:
  std::string prefix_;               // up to the first star
  std::vector<std::string> pieces_;  // between and behind the stars, none empty
  bool anchored_ = false;            // ends in '$'
  bool open_ = false;                // a star stands at the very end (before the '$', if any)
};

}  // namespace periplus
