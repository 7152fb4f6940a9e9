// The form of addresses: long, odd, and endless ones.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "audit/check.h"
#include "base/text.h"

namespace periplus {
namespace {

constexpr std::size_t kLongest = 115;  // characters
constexpr std::size_t kSourcesNamed = 5;

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = ascii_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// As a person reads it: %D0%BF is one letter.
std::size_t characters(std::string_view url) {
  std::string decoded;
  for (std::size_t i = 0; i < url.size(); ++i) {
    if (url[i] == '%' && i + 2 < url.size() && hex(url[i + 1]) >= 0 && hex(url[i + 2]) >= 0) {
      decoded.push_back(static_cast<char>(hex(url[i + 1]) * 16 + hex(url[i + 2])));
      i += 2;
    } else {
      decoded.push_back(url[i]);
    }
  }
  std::size_t count = 0;
  for (std::size_t at = 0; at < decoded.size(); ++count) next_code_point(decoded, &at);
  return count;
}

std::string_view session_parameter(const Url& url) {
  if (contains_ignoring_case(url.pathname(), ";jsessionid=")) return ";jsessionid";
  std::string_view query = url.search();
  while (!query.empty()) {
    query.remove_prefix(1);
    const std::size_t end = query.find('&');
    const std::string_view key = query.substr(0, std::min(query.find('='), end));
    for (const std::string_view known :
         {"phpsessid", "jsessionid", "sessionid", "session_id", "sid", "aspsessionid", "cfid"}) {
      if (equal_ignoring_case(key, known)) return known;
    }
    if (end == std::string_view::npos) break;
    query.remove_prefix(end);
  }
  return {};
}

Judged url_shape(const SiteFacts& site, const PageSummary& page, FindingList& findings) {
  const std::string& address = site.address(page.url);
  const auto url = Url::parse(address);
  if (!url) return unknown("no URL");
  const auto add = [&](std::string message) {
    findings.add(std::move(message), address, {}, site.some_sources(page.url, kSourcesNamed));
  };
  if (const std::size_t length = characters(address); length > kLongest)
    add(fmt::format("The address is {} characters long; over {} they are cut when shared.", length,
                    kLongest));
  if (url->path_and_query().find("%20") != std::string_view::npos)
    add("The address holds a space.");
  if (url->pathname().find("//") != std::string_view::npos)
    add("The path holds two slashes in a row.");
  if (const std::string_view parameter = session_parameter(*url); !parameter.empty())
    add(fmt::format("The address carries a session ({}), so one page has endless addresses.",
                    parameter));
  if (site.written_raw.contains(page.url))
    add("Links write this address with letters that are not escaped.");
  return findings.verdict();
}

bool is_number(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// The segment that stands three times or more in the path; empty when none does.
std::string repeated_segment(std::string_view path) {
  std::map<std::string_view, int> seen;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::string_view segment = path.substr(0, path.find('/'));
    path.remove_prefix(segment.size());
    if (segment.empty() || is_number(segment)) continue;
    if (++seen[segment] >= 3) return std::string(segment);
  }
  return {};
}

bool has_amp_parameter(std::string_view query) {
  return query.starts_with("?amp;") || query.find("&amp;") != std::string_view::npos ||
         query.find("&amp%3B") != std::string_view::npos;
}

Judged url_trap(const SiteFacts& site, FindingList& findings) {
  for (const Trap& trap : site.read.traps) {
    findings.add(fmt::format("{}: {} ({} pages read, {} addresses left unread).",
                             sentence(trap.kind), trap.pattern, trap.pages, trap.refused),
                 trap.example, {}, {trap.example, trap.found_on});
  }
  // Links that begin one, read or not; the first page that holds each.
  std::map<AddressId, bool> seen;
  for (const PageSummary& page : site.pages) {
    for (const LinkEntry& link : site.links_of(page)) {
      if (!link.internal || !seen.emplace(link.target, true).second) continue;
      const std::string& address = site.address(link.target);
      const auto url = Url::parse(address);
      if (!url) continue;
      const bool told = std::ranges::any_of(
          site.read.traps, [&](const Trap& trap) { return trap.example == address; });
      if (told) continue;
      if (const std::string segment = repeated_segment(url->pathname()); !segment.empty())
        findings.add_on(page.id,
                        fmt::format("A link repeats the path segment \"{}\": {}", segment, address),
                        site.texts[link.words], link.place, {address});
      if (has_amp_parameter(url->search()))
        findings.add_on(page.id,
                        fmt::format("A link's query holds \"amp;\", an ampersand escaped once too "
                                    "often: {}",
                                    address),
                        site.texts[link.words], link.place, {address});
    }
  }
  if (findings.empty() && site.pages.empty()) return unknown("no page was read");
  return findings.verdict();
}

constexpr RuleEntry kRules[] = {
    {.rule = {.id = "url-shape",
              .title = "Addresses are short and plain",
              .stage = Stage::kReachable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kAddress,
              .needs = kNeedsGraph,
              .why = "Odd addresses break when people pass them on, and sessions in them give one "
                     "page endless names.",
              .fix = "Use short paths of lower-case words; keep sessions in cookies.",
              .source = "WHATWG URL Standard; practice of auditors (115 characters)",
              .false_positives = "Addresses that others link to and that must not change."},
     .graph = url_shape},
    {.rule = {.id = "url-trap",
              .title = "No links make up addresses without end",
              .stage = Stage::kReachable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kSite,
              .needs = kNeedsGraph,
              .why = "Crawlers spend their time on copies and never come to the real pages.",
              .fix = "Mend the link that begins it: often a relative address without a leading "
                     "slash, or a host without a scheme.",
              .source = "Practice of crawlers",
              .false_positives = "Paths that repeat a word by design."},
     .site = url_trap},
};

}  // namespace

std::span<const RuleEntry> address_rules() { return kRules; }

}  // namespace periplus
