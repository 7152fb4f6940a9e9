// Links that lead nowhere.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "audit/check.h"
#include "base/text.h"

namespace periplus {
namespace {

// An IPv4 address as the URL Standard prints it, or nothing.
std::optional<std::uint32_t> ipv4(std::string_view host) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    std::uint32_t part = 0;
    const auto [end, fault] = std::from_chars(host.data(), host.data() + host.size(), part);
    if (fault != std::errc() || part > 255) return std::nullopt;
    host.remove_prefix(static_cast<std::size_t>(end - host.data()));
    value = value << 8U | part;
    if (i == 3) break;
    if (!host.starts_with('.')) return std::nullopt;
    host.remove_prefix(1);
  }
  return host.empty() ? std::optional(value) : std::nullopt;
}

bool is_local_host(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  if (host == "localhost" || host.ends_with(".localhost") || host.ends_with(".local") ||
      host.ends_with(".test"))
    return true;
  if (host.starts_with('['))
    return host == "[::1]" || host.starts_with("[fc") || host.starts_with("[fd") ||
           host.starts_with("[fe8") || host.starts_with("[fe9") || host.starts_with("[fea") ||
           host.starts_with("[feb");
  const std::optional<std::uint32_t> address = ipv4(host);
  if (!address) return false;
  return *address >> 24U == 10 || *address >> 24U == 127 || *address >> 20U == 0xac1 ||
         *address >> 16U == 0xc0a8 || *address >> 16U == 0xa9fe || *address == 0;
}

Judged link_localhost(const PageInHand& in, FindingList& findings) {
  for (const ResolvedLink& link : in.links) {
    if (!link.parsed || link.internal || !link.url.is_http()) continue;
    if (!is_local_host(link.url.hostname())) continue;
    findings.add(fmt::format("A link leads to {}, which exists only on somebody's own machine or "
                             "network.",
                             quote_of(link.url.href())),
                 in.source(link.link->place, link.link->href), link.link->place, {link.url.href()});
  }
  return findings.verdict();
}

std::string_view words_for(UrlFault fault) {
  switch (fault) {
    case UrlFault::kNoScheme:
    case UrlFault::kOpaqueBase:
      return "is no address";
    case UrlFault::kHostMissing:
      return "has no host";
    case UrlFault::kHostForbidden:
      return "has a character in its host that no host may hold";
    case UrlFault::kHostBadIpv4:
    case UrlFault::kHostBadIpv6:
      return "has a malformed IP address";
    case UrlFault::kHostBadIdna:
      return "has a malformed host";
    case UrlFault::kPortInvalid:
      return "has a malformed port";
    case UrlFault::kTooLong:
      return "is longer than any address may be";
  }
  return "is no address";
}

// A scheme that is a slip of the keys: "htp://", "http//".
std::string_view misspelt_scheme(std::string_view href) {
  static constexpr auto kSlips = std::to_array<std::string_view>(
      {"htp:",   "htt:",    "htpp:",     "htps:",  "httpp:",  "httpss:",  "hhttp:",  "hhttps:",
       "http//", "https//", "http:/www", "ttp:",   "ttps:",   "hppt:",    "hppts:",  "mailto//",
       "htttp:", "htttps:", "maito:",    "mailt:", "http.//", "https.//", "http;//", "https;//"});
  for (const std::string_view slip : kSlips) {
    if (starts_with_ignoring_case(href, slip)) return slip;
  }
  return {};
}

Judged link_malformed(const PageInHand& in, FindingList& findings) {
  for (const ResolvedLink& link : in.links) {
    const std::string_view href = link.link->href;
    if (!link.parsed) {
      findings.add(fmt::format("The link \"{}\" {}.", quote_of(href), words_for(link.fault)),
                   in.source(link.link->place, href), link.link->place);
    } else if (!misspelt_scheme(href).empty()) {
      findings.add(fmt::format("The link \"{}\" begins with a misspelt scheme.", quote_of(href)),
                   in.source(link.link->place, href), link.link->place);
    }
  }
  if (in.links.empty()) return not_applicable("the page has no links");
  return findings.verdict();
}

Judged link_broken(const SiteFacts& site, const PageSummary& page, FindingList& findings) {
  AddressId told = kNoText;
  bool any = false;
  for (const LinkEntry& link : site.links_of(page)) {
    if (!link.internal) continue;
    any = true;
    const Destination end = site.destination(link.target);
    if (!end.read() || end.loop || link.target == told) continue;
    const PageSummary& target = site.pages[end.page];
    if (target.state != PageState::kError) continue;
    const bool gone = target.status == 404 || target.status == 410;
    const bool faulty = target.status >= 500 && target.attempts >= 2;
    if (!gone && !faulty) continue;
    told = link.target;
    if (!findings.wants_more()) {
      findings.count();
      continue;
    }
    std::vector<std::string> related = {site.address(link.target)};
    std::string over;
    if (end.redirects > 0) {
      related.push_back(site.address(end.final_url));
      over = fmt::format(" over {}", site.address(end.final_url));
    }
    findings.add(fmt::format("The link to {} leads{} to status {}.", site.address(link.target),
                             over, target.status),
                 site.texts[link.words], link.place, std::move(related));
  }
  if (!any) return not_applicable("the page has no links within the site");
  return findings.verdict();
}

std::string percent_decoded(std::string_view text) {
  const auto hex = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c = ascii_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0) {
      out.push_back(static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2])));
      i += 2;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

bool has_anchor(const PageSummary& page, std::string_view fragment) {
  return std::ranges::binary_search(page.anchors, hash64(fragment)) ||
         std::ranges::binary_search(page.anchors, hash64(percent_decoded(fragment)));
}

Judged fragment_broken(const SiteFacts& site, const PageSummary& page, FindingList& findings) {
  bool any = false;
  bool not_known = false;
  for (const LinkEntry& link : site.links_of(page)) {
    if (!link.internal || link.fragment == kNoText) continue;
    std::string_view fragment = site.texts[link.fragment];
    // Text directives are the browser's, hash-bangs and hash paths the application's.
    fragment = fragment.substr(0, fragment.find(":~:"));
    if (fragment.empty() || equal_ignoring_case(fragment, "top") || fragment.starts_with('!') ||
        fragment.starts_with('/'))
      continue;
    const Destination end = site.destination(link.target);
    if (!end.read() || end.loop) continue;
    const PageSummary& target = site.pages[end.page];
    if (target.state != PageState::kHtml) continue;
    any = true;
    if (has_anchor(target, fragment)) continue;
    if (target.shell || target.cut) {
      not_known = true;
      continue;
    }
    findings.add(fmt::format("The link to {}#{} finds nothing of that name there.",
                             site.address(end.final_url), fragment),
                 site.texts[link.words], link.place, {site.address(end.final_url)});
  }
  if (!findings.empty()) return findings.verdict();
  if (not_known) return unknown("scripts may make the places that links name");
  if (!any) return not_applicable("no link to a place within a page that was read");
  return pass();
}

constexpr RuleEntry kRules[] = {
    {.rule = {.id = "link-localhost",
              .title = "No link leads to a private machine",
              .stage = Stage::kReadable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHtml,
              .why = "It works for the author and for nobody else.",
              .fix = "Write the public address.",
              .source = "RFC 6761; RFC 6762; RFC 1918",
              .false_positives = "Instructions that tell readers to open something on their own "
                                 "machine."},
     .page = link_localhost},
    {.rule = {.id = "link-broken",
              .title = "No link within the site is broken",
              .stage = Stage::kReadable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kPage,
              .needs = kNeedsGraph | kNeedsChain,
              .why = "Readers and crawlers end at an error page.",
              .fix = "Change the link, or redirect the address it names to its successor.",
              .source = "RFC 9110 sections 15.5.5, 15.5.11 and 15.6",
              .false_positives = ""},
     .graph = link_broken},
    {.rule = {.id = "link-malformed",
              .title = "Every link is an address",
              .stage = Stage::kReadable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHtml,
              .why = "Nobody can follow it.",
              .fix = "Mend the address named here.",
              .source = "WHATWG URL Standard section 4.4",
              .false_positives = ""},
     .page = link_malformed},
    {.rule = {.id = "fragment-broken",
              .title = "Places within pages that links name exist",
              .stage = Stage::kReadable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kPage,
              .needs = kNeedsGraph | kNeedsHtml,
              .why = "The reader lands at the top of the page instead of the place promised.",
              .fix = "Give the target its id again, or change the link.",
              .source = "HTML Standard section 7.4.6.4",
              .false_positives = "Places that a script makes once the page is open."},
     .graph = fragment_broken},
    {.rule = {.id = "link-external-broken",
              .title = "No link to another site is broken",
              .stage = Stage::kTrusted,
              .severity = Severity::kMinor,
              .scope = RuleScope::kPage,
              .needs = kNeedsGraph,
              .why = "Sources that are gone prove nothing.",
              .fix = "Change or remove the link.",
              .source = "RFC 9110 section 15.5",
              .false_positives = "Sites that answer crawlers otherwise than people.",
              .prerequisite = {},
              .optional = true}},
};

}  // namespace

std::span<const RuleEntry> link_rules() { return kRules; }

}  // namespace periplus
