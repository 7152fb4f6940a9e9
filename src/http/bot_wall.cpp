#include "http/bot_wall.h"

#include <array>
#include <bitset>
#include <vector>

#include "base/text.h"
#include "http/bot_wall_page.h"
#include "http/bot_wall_rules.h"

namespace periplus {
namespace {

bool is_body_place(WallPlace place) {
  return place == WallPlace::kTitle || place == WallPlace::kText || place == WallPlace::kMarkup;
}

// Finds all marks of the table in one pass: the first four octets of each are hashed, so the cost
// is that of the page and not of the table.
class MarkFinder {
 public:
  static constexpr std::size_t kMost = 512;
  using Found = std::bitset<kMost>;

  explicit MarkFinder(std::span<const WallRule> rules) {
    heads_.fill(kEnd);
    for (const WallRule& rule : rules) {
      std::array<std::size_t, 4> ids{};
      for (std::size_t i = 0; i < rule.marks.size(); ++i) {
        if (is_body_place(rule.marks[i].place)) ids[i] = id_of(rule.marks[i]);
      }
      rule_ids_.push_back(ids);
    }
  }

  Found find(const WallPage& page) const {
    Found found;
    scan(page.title, WallPlace::kTitle, &found);
    scan(page.text, WallPlace::kText, &found);
    scan(page.markup, WallPlace::kMarkup, &found);
    return found;
  }
  std::size_t id(std::size_t rule, std::size_t mark) const { return rule_ids_[rule][mark]; }

 private:
  static constexpr std::uint16_t kEnd = 0xFFFF;
  // Of the first four octets: there must be four.
  static std::size_t hash(std::string_view octets) {
    std::uint32_t four = 0;
    for (std::size_t i = 0; i < 4; ++i) four = four << 8 | static_cast<unsigned char>(octets[i]);
    return four * 2654435761U >> 20;
  }
  std::size_t id_of(const WallMark& mark) {
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      if (marks_[i].place == mark.place && marks_[i].value == mark.value) return i;
    }
    const std::size_t bucket = hash(mark.value);
    next_.push_back(heads_[bucket]);
    heads_[bucket] = static_cast<std::uint16_t>(marks_.size());
    marks_.push_back(mark);
    return marks_.size() - 1;
  }
  void scan(std::string_view text, WallPlace place, Found* found) const {
    for (std::size_t at = 0; at + 4 <= text.size(); ++at) {
      for (std::uint16_t i = heads_[hash(text.substr(at))]; i != kEnd; i = next_[i]) {
        if (marks_[i].place == place && text.substr(at).starts_with(marks_[i].value)) found->set(i);
      }
    }
  }

  std::vector<WallMark> marks_;
  std::vector<std::uint16_t> next_;
  std::array<std::uint16_t, 4096> heads_{};
  std::vector<std::array<std::size_t, 4>> rule_ids_;
};

const MarkFinder& mark_finder() {
  static const MarkFinder finder(wall_rules());
  return finder;
}

bool header_holds(const Headers& headers, std::string_view mark) {
  const std::size_t colon = mark.find(':');
  const std::string_view name = mark.substr(0, colon);
  const std::string_view part = trim(mark.substr(colon + 1));
  for (const auto& [line_name, value] : headers.lines) {
    if (equal_ignoring_case(line_name, name) && contains_ignoring_case(value, part)) return true;
  }
  return false;
}

bool header_mark_holds(const Headers& headers, const WallMark& mark) {
  switch (mark.place) {
    case WallPlace::kHeader:
      return header_holds(headers, mark.value);
    case WallPlace::kHeaderPrefix:
      for (const auto& line : headers.lines) {
        if (starts_with_ignoring_case(line.first, mark.value)) return true;
      }
      return false;
    case WallPlace::kCookie:
      for (const auto& [name, value] : headers.lines) {
        if (equal_ignoring_case(name, "set-cookie") &&
            starts_with_ignoring_case(trim(value), mark.value)) {
          return true;
        }
      }
      return false;
    case WallPlace::kNone:
    case WallPlace::kTitle:
    case WallPlace::kText:
    case WallPlace::kMarkup:
      break;
  }
  return true;
}

bool status_fits(const WallRule& rule, int status) {
  if (rule.exactly != 0) return status == rule.exactly;
  switch (rule.status) {
    case WallStatus::kAny:
      return true;
    case WallStatus::kRefused:
      for (int other : {402, 404, 409, 410, 422}) {
        if (status == other) return false;
      }
      return (status >= 400 && status < 500) || status == 503;
    case WallStatus::kSuccess:
      return status >= 200 && status < 300;
    case WallStatus::kRedirect:
      return status >= 300 && status < 400;
  }
  return false;
}

std::string signal_of(const WallRule& rule) {
  std::string signal;
  if (rule.marks[0].place == WallPlace::kNone) signal = "status " + std::to_string(rule.exactly);
  for (const WallMark& mark : rule.marks) {
    if (mark.place == WallPlace::kNone) break;
    if (!signal.empty()) signal += " + ";
    switch (mark.place) {
      case WallPlace::kHeader:
      case WallPlace::kHeaderPrefix:
        signal += "header ";
        break;
      case WallPlace::kCookie:
        signal += "cookie ";
        break;
      case WallPlace::kTitle:
        signal += "title ";
        break;
      case WallPlace::kText:
        signal += "text ";
        break;
      case WallPlace::kMarkup:
      case WallPlace::kNone:
        signal += "script or tag ";
        break;
    }
    std::string_view value = mark.value;
    if (value.starts_with('^')) value.remove_prefix(1);
    if (value.ends_with('$')) value.remove_suffix(1);
    signal += value;
  }
  return signal;
}

// The number of a Cloudflare error (1xxx), as its pages and its plain text write it; 0 for none.
int cloudflare_error(const Headers& headers, const WallPage& page) {
  const auto number_at = [](std::string_view text) {
    while (!text.empty() && (text[0] == ' ' || text[0] == ':')) text.remove_prefix(1);
    int number = 0;
    std::size_t digits = 0;
    while (digits < text.size() && digits < 6 && text[digits] >= '0' && text[digits] <= '9') {
      number = number * 10 + (text[digits++] - '0');
    }
    return digits == 4 && number / 1000 == 1 ? number : 0;
  };
  for (const auto& [name, value] : headers.lines) {
    if (equal_ignoring_case(name, "cf-error-code")) return number_at(value);
  }
  const bool page_of_theirs = page.markup.find("cf-error-details") != std::string::npos ||
                              page.markup.find("cloudflare_error:true") != std::string::npos;
  for (std::size_t at = 0; (at = page.text.find("error", at)) != std::string::npos; ++at) {
    std::string_view rest = std::string_view(page.text).substr(at + 5);
    if (rest.starts_with(" code") || rest.starts_with("_code")) rest.remove_prefix(5);
    if (rest.starts_with('"')) rest.remove_prefix(1);
    const int number = number_at(rest);
    // Without their page the number must be all there is.
    if (number != 0 && (page_of_theirs || page.text.size() < 30)) return number;
  }
  return 0;
}

std::optional<BotWall> cloudflare_verdict(int status, const Headers& headers,
                                          const WallPage& page) {
  if (status < 400 || page.long_text) return std::nullopt;
  if (!header_holds(headers, "server: cloudflare") && !header_holds(headers, "cf-ray:")) {
    return std::nullopt;
  }
  const int code = cloudflare_error(headers, page);
  switch (code) {
    case 1015:  // rate limited
    case 1200:  // too many requests for that cache
      return BotWall{"cloudflare", BotWallKind::kRateLimit,
                     "Cloudflare error " + std::to_string(code)};
    case 1005:  // network banned
    case 1006:  // address banned
    case 1007:
    case 1008:
    case 1009:  // country banned
    case 1010:  // client's signature banned
    case 1012:  // access denied
    case 1020:  // a rule of the site
    case 1106:  // address banned
      return BotWall{"cloudflare", BotWallKind::kBlock, "Cloudflare error " + std::to_string(code)};
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string_view name(BotWallKind kind) {
  switch (kind) {
    case BotWallKind::kChallenge:
      return "challenge";
    case BotWallKind::kBlock:
      return "block";
    case BotWallKind::kRateLimit:
      return "rate-limit";
  }
  return "challenge";
}

std::optional<BotWall> recognise_bot_wall(int status, const Headers& headers,
                                          std::string_view body) {
  const WallPage page = read_wall_page(body);
  const std::size_t shown = page.long_text ? kWallTextBytes + 1 : page.text.size() - 2;
  if (std::optional<BotWall> wall = cloudflare_verdict(status, headers, page)) return wall;
  const MarkFinder& finder = mark_finder();
  const MarkFinder::Found found = finder.find(page);
  const std::span<const WallRule> rules = wall_rules();
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const WallRule& rule = rules[r];
    if (shown > rule.most_text || !status_fits(rule, status)) continue;
    bool holds = true;
    for (std::size_t m = 0; m < rule.marks.size() && holds; ++m) {
      if (is_body_place(rule.marks[m].place)) holds = found.test(finder.id(r, m));
    }
    for (std::size_t m = 0; m < rule.marks.size() && holds; ++m) {
      holds = header_mark_holds(headers, rule.marks[m]);
    }
    if (!holds) continue;
    if (!rule.wall) return std::nullopt;
    return BotWall{std::string(rule.vendor), rule.kind, signal_of(rule)};
  }
  return std::nullopt;
}

}  // namespace periplus
