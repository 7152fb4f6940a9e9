// rel=canonical: which address a page goes by.
#include <fmt/format.h>

#include <algorithm>

#include "audit/check.h"

namespace periplus {
namespace {

bool is_self(const PageSummary& page, AddressId target) {
  return target == page.final_url || target == page.url;
}

Judged canonical_one(const SiteFacts& site, const PageSummary& page, FindingList& findings) {
  if (page.canonicals.empty()) return not_applicable("the page has no canonical");
  const CanonicalEntry& first = page.canonicals.front();
  for (const CanonicalEntry& other : page.canonicals) {
    if (other.target == first.target) continue;
    const auto words = [&](const CanonicalEntry& entry) {
      return fmt::format("{} ({})",
                         entry.target == kNoText ? entry.written : site.address(entry.target),
                         entry.from_header       ? std::string("Link header")
                         : entry.place.line == 0 ? std::string("head")
                                                 : fmt::format("line {}", entry.place.line));
    };
    findings.add(fmt::format("The page names two canonical addresses: {} and {}.", words(first),
                             words(other)),
                 other.written, other.place);
  }
  return findings.verdict();
}

Judged canonical_target(const SiteFacts& site, const PageSummary& page, FindingList& findings) {
  if (page.canonicals.empty()) return not_applicable("the page has no canonical");
  const CanonicalEntry& canonical = page.canonicals.front();
  if (canonical.target == kNoText) {
    findings.add(fmt::format("The canonical \"{}\" is no address.", canonical.written),
                 canonical.written, canonical.place);
    return findings.verdict();
  }
  if (is_self(page, canonical.target)) return pass();
  const std::string& target = site.address(canonical.target);
  const Destination end = site.destination(canonical.target);
  if (!end.read()) return unknown("the canonical page was not read");
  const PageSummary& other = site.pages[end.page];
  const auto add = [&](std::string message) {
    findings.add(std::move(message), canonical.written, canonical.place, {target});
  };
  if (end.loop) {
    add(fmt::format("The canonical {} redirects without end.", target));
  } else if (end.redirects > 0) {
    findings.add(
        fmt::format("The canonical {} redirects to {}.", target, site.address(end.final_url)),
        canonical.written, canonical.place, {target, site.address(end.final_url)});
  } else if (other.state == PageState::kBlocked || other.state == PageState::kNoAnswer) {
    return unknown("the canonical page was not seen");
  } else if (other.state == PageState::kError) {
    if (other.status >= 500 || other.status == 401 || other.status == 403 || other.status == 429)
      return unknown("the canonical page was not seen");
    add(fmt::format("The canonical {} answers with status {}.", target, other.status));
  } else if (other.state == PageState::kAway) {
    add(fmt::format("The canonical {} redirects to another site.", target));
  } else if (other.noindex) {
    add(fmt::format("The canonical {} asks not to be indexed.", target));
  } else if (other.soft_404) {
    add(fmt::format("The canonical {} says that the page was not found.", target));
  } else {
    for (const CanonicalEntry& next : other.canonicals) {
      if (next.target == kNoText || is_self(other, next.target)) continue;
      findings.add(fmt::format("The canonical {} names yet another page, {}.", target,
                               site.address(next.target)),
                   canonical.written, canonical.place, {target, site.address(next.target)});
      break;
    }
  }
  return findings.verdict();
}

Judged canonical_home(const SiteFacts& site, FindingList& findings) {
  if (!site.home_read() || site.pages[site.home].state != PageState::kHtml)
    return unknown("the start page was not read");
  const PageSummary& home = site.pages[site.home];
  std::size_t others = 0;
  std::vector<const PageSummary*> to_home;
  for (const PageSummary& page : site.pages) {
    if (page.state != PageState::kHtml || page.id == home.id || page.final_url == home.final_url)
      continue;
    // The start page under another address names it rightly.
    if (page.main_hash != 0 && page.main_hash == home.main_hash) continue;
    ++others;
    const bool names_home = std::ranges::any_of(
        page.canonicals, [&](const CanonicalEntry& entry) { return is_self(home, entry.target); });
    if (names_home) to_home.push_back(&page);
  }
  constexpr std::size_t kFewest = 5;
  if (others < kFewest) return not_applicable("too few pages to tell");
  if (to_home.size() * 5 < others) return pass();
  findings.add(
      fmt::format("{} of {} other pages name the start page as their canonical, so search "
                  "engines drop them.",
                  to_home.size(), others));
  for (const PageSummary* page : to_home)
    findings.add_on(page->id, "Names the start page as its canonical.",
                    page->canonicals.front().written, page->canonicals.front().place);
  return findings.verdict();
}

constexpr RuleEntry kRules[] = {
    {.rule = {.id = "canonical-one",
              .title = "A page names one canonical address",
              .stage = Stage::kUnderstandable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHtml | kNeedsHeaders,
              .why = "Search engines ignore canonicals that contradict each other.",
              .fix = "Keep one, in head or in the Link header.",
              .source = "RFC 6596; Google Search Central: Consolidate duplicate URLs",
              .false_positives = ""},
     .graph = canonical_one},
    {.rule = {.id = "canonical-target",
              .title = "The canonical address is a page that can be indexed",
              .stage = Stage::kUnderstandable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kPage,
              .needs = kNeedsGraph | kNeedsChain | kNeedsHtml | kNeedsHeaders,
              .why = "The page gives its place to one that cannot take it.",
              .fix = "Name the final address of a page that answers with 200.",
              .source = "RFC 6596 section 3; Google Search Central",
              .false_positives = "",
              .prerequisite = "canonical-one"},
     .graph = canonical_target},
    {.rule = {.id = "canonical-home",
              .title = "Pages do not all name the start page as canonical",
              .stage = Stage::kUnderstandable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kSite,
              .needs = kNeedsGraph | kNeedsHtml,
              .why =
                  "A template that writes the same canonical everywhere takes the site out of the "
                  "index.",
              .fix = "Let every page name itself.",
              .source = "Google Search Central: common mistakes with rel=canonical",
              .false_positives = "A few copies of the start page, as /index.html or /amp."},
     .site = canonical_home},
};

}  // namespace

std::span<const RuleEntry> canonical_rules() { return kRules; }

}  // namespace periplus
