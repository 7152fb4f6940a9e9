#include "robots/robots_txt.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "base/text.h"
#include "robots/robots_rep.h"

namespace periplus {
namespace {

// Google's parser reads this much of a line and drops the rest of it.
constexpr std::size_t kMaxLine = 16'663;
constexpr std::size_t kMaxFindings = 200;
constexpr std::size_t kMaxFindingText = 200;

enum class Key : std::uint8_t {
  kUnknown,
  kUserAgent,
  kAllow,
  kDisallow,
  kSitemap,
  kCrawlDelay,
  kContentSignal,
  kContentUsage,
};

struct KeyName {
  std::string_view name;
  Key key;
  bool misspelt;
};
constexpr KeyName kKeys[] = {
    {"user-agent", Key::kUserAgent, false},
    {"allow", Key::kAllow, false},
    {"disallow", Key::kDisallow, false},
    {"sitemap", Key::kSitemap, false},
    {"crawl-delay", Key::kCrawlDelay, false},
    {"content-signal", Key::kContentSignal, false},
    {"content-usage", Key::kContentUsage, false},
    {"useragent", Key::kUserAgent, true},
    {"user agent", Key::kUserAgent, true},
    {"dissallow", Key::kDisallow, true},
    {"dissalow", Key::kDisallow, true},
    {"disalow", Key::kDisallow, true},
    {"diasllow", Key::kDisallow, true},
    {"disallaw", Key::kDisallow, true},
    {"site-map", Key::kSitemap, true},
    {"crawldelay", Key::kCrawlDelay, true},
};

const KeyName* find_key(std::string_view name) {
  for (const KeyName& known : kKeys) {
    if (equal_ignoring_case(known.name, name)) return &known;
  }
  return nullptr;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

std::string_view trim_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Seconds, when the value starts with a number that is not negative; "10 s" and "10s" are read too.
bool parse_delay(std::string_view value, double* seconds) {
  if (value.empty() || !((value[0] >= '0' && value[0] <= '9') || value[0] == '.')) return false;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), *seconds);
  if (error != std::errc() || !std::isfinite(*seconds) || *seconds < 0) return false;
  const std::string_view rest(end, static_cast<std::size_t>(value.data() + value.size() - end));
  return rest.empty() || is_blank(rest[0]) || ascii_lower(rest[0]) == 's';
}

bool looks_like_html(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  const std::string_view start = trim(bytes.substr(0, 4096));
  if (starts_with_ignoring_case(start, "<!doctype") || starts_with_ignoring_case(start, "<html"))
    return true;
  // A comment or a script may stand before it; a robots.txt has next to no tags of its own.
  std::size_t tags = 0;
  if (start.empty()) return false;
  for (std::size_t at = start.find('<'); at < start.size() - 1; at = start.find('<', at + 1)) {
    const char next = ascii_lower(start[at + 1]);
    if ((next >= 'a' && next <= 'z') || next == '/' || next == '!') ++tags;
  }
  return tags >= 8;
}

class Parser {
 public:
  explicit Parser(RobotsTxt::Rep* rep) : rep_(*rep) {}

  void run(bool cut) {
    const std::string_view bytes = rep_.bytes;
    html_ = looks_like_html(bytes);
    if (cut) find(RobotsFault::kTooLarge, 0, {});
    if (html_) find(RobotsFault::kLooksLikeHtml, 1, bytes.substr(0, 80));
    std::size_t at = 0;
    for (const char mark : {'\xEF', '\xBB', '\xBF'}) {  // a byte order mark, even a cut one
      if (at < bytes.size() && bytes[at] == mark) {
        ++at;
      } else {
        break;
      }
    }
    while (at < bytes.size()) {
      const std::size_t end = bytes.find_first_of("\r\n", at);
      if (end == std::string_view::npos) {
        if (!cut) add_line(at, bytes.size());
        break;
      }
      add_line(at, end);
      at = end + (bytes.substr(end).starts_with("\r\n") ? 2 : 1);
    }
  }

 private:
  void find(RobotsFault fault, std::uint32_t line, std::string_view text) {
    if (rep_.findings.size() >= kMaxFindings) return;
    rep_.findings.push_back({fault, line, std::string(text.substr(0, kMaxFindingText))});
  }

  void add_line(std::size_t begin, std::size_t end) {
    rep_.lines.emplace_back(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end));
    number_ = static_cast<std::uint32_t>(rep_.lines.size());
    std::string_view line = std::string_view(rep_.bytes).substr(begin, end - begin);
    if (line.size() > kMaxLine) {
      find(RobotsFault::kLineTooLong, number_, line);
      line = line.substr(0, kMaxLine);
    }
    if (!binary_ && line.find('\0') != std::string_view::npos) {
      binary_ = true;
      find(RobotsFault::kBinary, number_, {});
    }
    written_ = line;
    line = trim_blanks(line.substr(0, line.find('#')));
    if (line.empty()) return;
    std::string_view key, value;
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos) {
      key = trim_blanks(line.substr(0, colon));
      value = trim_blanks(line.substr(colon + 1));
    } else {
      if (!html_) find(RobotsFault::kNoColon, number_, written_);
      const std::size_t blank = line.find_first_of(" \t");
      if (blank == std::string_view::npos) return;
      key = line.substr(0, blank);
      value = trim_blanks(line.substr(blank));
      // Two words may be a key and its value; prose is not.
      if (value.find_first_of(" \t") != std::string_view::npos) return;
    }
    const KeyName* known = find_key(key);
    if (known == nullptr) return;
    if (known->misspelt) find(RobotsFault::kMisspelt, number_, written_);
    take(known->key, value);
  }

  void take(Key key, std::string_view value) {
    switch (key) {
      case Key::kUserAgent:
        if (rep_.groups.empty() || rules_seen_) rep_.groups.emplace_back();
        if (rules_seen_ || delay_seen_) named_.clear();
        rules_seen_ = delay_seen_ = false;
        rep_.groups.back().agents.emplace_back(value);
        named_.emplace_back(value);
        return;
      case Key::kAllow:
      case Key::kDisallow:
        if (!value.empty() && value[0] != '/' && value[0] != '*' && !html_)
          find(RobotsFault::kBadPath, number_, written_);
        if (outside_groups()) return;
        rules_seen_ = true;
        if (!value.empty())
          rep_.groups.back().rules.push_back({number_, key == Key::kAllow, std::string(value)});
        return;
      case Key::kCrawlDelay: {
        if (outside_groups()) return;
        delay_seen_ = true;
        double seconds = 0;
        if (parse_delay(value, &seconds)) rep_.delays.push_back({named_, seconds});
        return;
      }
      case Key::kSitemap:
        if (!value.empty()) rep_.sitemaps.emplace_back(value);
        return;
      case Key::kContentSignal:
      case Key::kContentUsage: {
        UseSignal signal{number_,
                         key == Key::kContentSignal ? "content-signal" : "content-usage",
                         {},
                         std::string(value),
                         named_};
        if (!value.empty() && (value[0] == '/' || value[0] == '*'))
          signal.path = value.substr(0, value.find_first_of(" \t"));
        rep_.signals.push_back(std::move(signal));
        delay_seen_ = true;
        return;
      }
      case Key::kUnknown:
        return;
    }
  }

  bool outside_groups() {
    if (!rep_.groups.empty()) return false;
    find(RobotsFault::kRuleBeforeGroup, number_, written_);
    return true;
  }

  RobotsTxt::Rep& rep_;
  std::vector<std::string> named_;  // agents since the last line that speaks to them
  std::string_view written_;
  std::uint32_t number_ = 0;
  bool rules_seen_ = false;  // an Allow or Disallow since the last User-agent
  bool delay_seen_ = false;
  bool binary_ = false;
  bool html_ = false;
};

bool is_token_character(char c) {
  return (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z') || c == '-' || c == '_';
}

}  // namespace

bool names_everyone(std::string_view value) {
  return !value.empty() && value[0] == '*' && (value.size() == 1 || is_blank(value[1]));
}

bool names_agent(std::string_view value, std::string_view token) {
  token = token.substr(0, token.find('/'));
  if (token.empty()) return false;
  std::size_t length = 0;
  if (std::all_of(token.begin(), token.end(), is_token_character)) {
    while (length < value.size() && is_token_character(value[length])) ++length;
  } else {
    // No product token by the RFC ("MJ12bot"): the value counts up to a version or a blank.
    length = std::min(value.find_first_of("/ \t;,"), value.size());
  }
  return equal_ignoring_case(value.substr(0, length), token);
}

RobotsTxt::RobotsTxt() = default;
RobotsTxt::RobotsTxt(RobotsTxt&&) noexcept = default;
RobotsTxt& RobotsTxt::operator=(RobotsTxt&&) noexcept = default;
RobotsTxt::~RobotsTxt() = default;

RobotsTxt RobotsTxt::parse(std::string_view bytes) {
  const bool cut = bytes.size() > kRobotsBytes;
  const auto rep = std::make_shared<Rep>();
  rep->bytes = bytes.substr(0, kRobotsBytes);
  Parser(rep.get()).run(cut);
  RobotsTxt text;
  text.rep_ = rep;
  return text;
}

const std::vector<std::string>& RobotsTxt::sitemaps() const { return rep_->sitemaps; }
const std::vector<UseSignal>& RobotsTxt::use_signals() const { return rep_->signals; }
const std::vector<RobotsFinding>& RobotsTxt::findings() const { return rep_->findings; }
std::string_view RobotsTxt::line(std::uint32_t number) const { return rep_->line(number); }

std::vector<std::string> RobotsTxt::agents() const {
  std::vector<std::string> out;
  for (const RobotsGroup& group : rep_->groups) {
    out.insert(out.end(), group.agents.begin(), group.agents.end());
  }
  return out;
}

RobotsAccess robots_access(int status) {
  if (status >= 200 && status < 300) return RobotsAccess::kRules;
  if (status >= 300 && status < 500 && status != 429) return RobotsAccess::kNoRules;
  return RobotsAccess::kUnreachable;
}

}  // namespace periplus
