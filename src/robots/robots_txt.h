// robots: what a site asks of crawlers. robots.txt (RFC 9309), page-level orders (meta robots,
// X-Robots-Tag, rel), content-use signals, and sitemaps. Parsers only: fetching is visit's work.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace periplus {

// RFC 9309 section 2.5 asks for at least 500 KiB; more than this is not read.
inline constexpr std::size_t kRobotsBytes = 512'000;

struct RobotsVerdict {
  bool allowed = true;
  std::uint32_t line = 0;  // of the deciding rule, from 1; 0 when no rule matched
  std::string rule;        // that line as written ("Disallow: /private"), empty when none
};

enum class RobotsFault : std::uint8_t {
  kRuleBeforeGroup,
  kNoColon,
  kBadPath,
  kTooLarge,
  kBinary,
  kLooksLikeHtml,
  kLineTooLong,
  kMisspelt,
};
struct RobotsFinding {
  RobotsFault fault;
  std::uint32_t line = 0;
  std::string text;
};

struct UseSignal {  // Content-Signal: and Content-Usage: lines, kept as data
  std::uint32_t line = 0;
  std::string field;                // "content-signal" or "content-usage"
  std::string path;                 // where the line names one; empty = all
  std::string value;                // as written
  std::vector<std::string> agents;  // of the group it stands in; empty before any group
};

class RobotsTxt;

// The rules that bind one product token: its groups merged, else the groups of '*', else none.
// Compiled once; verdicts are then cheap. Shares the text it came from, so it outlives the
// RobotsTxt and its moves.
class RobotsRules {
 public:
  // `path_and_query` as in a request line ("/a?b"). Longest match wins, Allow wins ties.
  RobotsVerdict verdict(std::string_view path_and_query) const;
  // Only whether it is allowed: no strings are built.
  bool allows(std::string_view path_and_query) const;
  std::optional<double> crawl_delay() const;  // seconds; the largest of the merged groups
  const std::vector<std::string>& group()
      const;                       // tokens of the chosen group(s) as written; "*" or empty
  bool closes_everything() const;  // not even "/" and no Allow rule could match any path
  RobotsRules(RobotsRules&&) noexcept;
  RobotsRules& operator=(RobotsRules&&) noexcept;
  ~RobotsRules();

 private:
  friend class RobotsTxt;
  RobotsRules();
  struct Rep;
  std::unique_ptr<Rep> rep_;
};

// A parsed robots.txt. Never fails: what is not understood is a finding.
//
// Beyond RFC 9309, as Google's parser does: the colon may be missing when exactly two words stand
// on the line; "useragent", "user agent", "dissallow", "dissalow", "disalow", "diasllow",
// "disallaw", "site-map" and "crawldelay" are understood; a User-agent value counts up to the first
// character that no token may hold; a line counts up to 16,663 octets; "Allow: /d/index.html" also
// allows
// "/d/"; a cut byte order mark is skipped. Beyond both: a rule path without a leading '/' or '*' is
// read as if it had the '/' (the site meant something by it); ':' and '/' in the query of a rule
// match their %3A and %2F; a token with digits ("MJ12bot") is compared with all of the value.
class RobotsTxt {
 public:
  static RobotsTxt parse(std::string_view bytes);
  // `token` is a product token ("Periplus"); compared without case, up to the first character that
  // is not a letter, '-' or '_' (section 2.2.1).
  RobotsRules rules_for(std::string_view token) const;
  const std::vector<std::string>& sitemaps() const;  // as written, in order
  const std::vector<UseSignal>& use_signals() const;
  const std::vector<RobotsFinding>& findings() const;
  std::string_view line(
      std::uint32_t number) const;          // as written, without line end; empty out of range
  std::vector<std::string> agents() const;  // every User-agent token named, as written, in order
  RobotsTxt(RobotsTxt&&) noexcept;
  RobotsTxt& operator=(RobotsTxt&&) noexcept;
  ~RobotsTxt();
  struct Rep;  // robots_rep.h

 private:
  RobotsTxt();
  std::shared_ptr<const Rep> rep_;  // shared with the rules made from it
};

// What an answer to the request for robots.txt means for the crawl (RFC 9309 section 2.3.1, and the
// stricter practice of this project for 429).
enum class RobotsAccess : std::uint8_t {
  kRules,        // 2xx: parse the body
  kNoRules,      // 4xx but 429: everything may be crawled
  kUnreachable,  // 429, 5xx, time-out, DNS or TLS failure: closed for now
};
RobotsAccess robots_access(int status);  // after redirects; 0 for "no answer"

}  // namespace periplus
