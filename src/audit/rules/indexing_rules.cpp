// Orders that keep pages out of indexes, and pages that are hard to come by.
#include <fmt/format.h>

#include "audit/check.h"

namespace periplus {
namespace {

constexpr std::uint32_t kDeepest = 4;  // clicks

Judged noindex_hidden(const SiteFacts& site, const PageSummary& page, FindingList& findings) {
  if (!page.noindex) return not_applicable("the page has no noindex");
  const auto url = Url::parse(site.address(page.final_url));
  const auto verdict = url ? site.robots_verdict("Googlebot", *url) : std::nullopt;
  if (!verdict) return unknown("robots.txt is not known");
  if (!verdict->allowed)
    findings.add(fmt::format("The page says noindex, but robots.txt line {} keeps Googlebot from "
                             "seeing that.",
                             verdict->line),
                 page.noindex_source, {}, {});
  return findings.verdict();
}

Judged noindex_site(const SiteFacts& site, FindingList& findings) {
  if (!site.home_read() || site.pages[site.home].state != PageState::kHtml)
    return unknown("the start page was not read");
  const PageSummary& home = site.pages[site.home];
  if (home.noindex)
    findings.add_on(site.home, "The start page asks search engines not to index it.",
                    home.noindex_source);
  std::size_t read = 0;
  std::size_t closed = 0;
  for (const PageSummary& page : site.pages) {
    if (page.state != PageState::kHtml) continue;
    ++read;
    if (page.noindex) ++closed;
  }
  if (read >= 10 && closed * 10 > read * 8)
    findings.add(fmt::format("{} of {} pages ask search engines not to index them.", closed, read));
  return findings.verdict();
}

Judged click_depth(const SiteFacts& site, const PageSummary& page, FindingList& findings) {
  if (page.depth == kUnlinked) {
    if (!site.complete()) return unknown("no link to it was met before the read ended");
    return not_applicable("no link leads to it");
  }
  if (page.depth <= kDeepest) return pass();
  if (!site.complete()) return unknown("a shorter way may lie in what was not read");
  findings.add(fmt::format("The page is {} clicks from the start page.", page.depth), {}, {},
               {page.found_from == kNoText ? "" : site.address(page.found_from)});
  return findings.verdict();
}

Judged orphan(const SiteFacts& site, const PageSummary& page, FindingList& findings) {
  if (page.id == site.home) return not_applicable("the start page");
  if (!site.is_listed(page.url) && !site.is_listed(page.final_url))
    return not_applicable("not in the sitemap");
  if (!site.linked_from(page.id).empty()) return pass();
  if (!site.complete()) return unknown("links to it may stand on pages that were not read");
  findings.add("Only the sitemap names this page; no page links to it.");
  return findings.verdict();
}

constexpr RuleEntry kRules[] = {
    {.rule = {.id = "noindex-hidden",
              .title = "Crawlers can see every noindex",
              .stage = Stage::kReachable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHtml | kNeedsHeaders | kNeedsRobots,
              .why = "A crawler that may not fetch the page never learns that it should not be "
                     "indexed, and may list its address.",
              .fix = "Allow the page in robots.txt until it has left the indexes.",
              .source = "Google Search Central: Block indexing with noindex",
              .false_positives = ""},
     .graph = noindex_hidden},
    {.rule = {.id = "noindex-site",
              .title = "The start page and most others may be indexed",
              .stage = Stage::kReachable,
              .severity = Severity::kCritical,
              .scope = RuleScope::kSite,
              .needs = kNeedsHtml | kNeedsHeaders,
              .why =
                  "Search engines drop pages that ask for it; often the order was left behind by "
                  "a test site.",
              .fix = "Remove noindex from meta robots and X-Robots-Tag.",
              .source = "Google Search Central: Block indexing with noindex",
              .false_positives = "A site that is not meant to be found."},
     .site = noindex_site},
    {.rule = {.id = "click-depth",
              .title = "Every page is at most four clicks from the start page",
              .stage = Stage::kReachable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kPage,
              .needs = kNeedsGraph,
              .why = "Pages far from the start are found late and seldom read.",
              .fix = "Link to them from an overview nearer to the start page.",
              .source = "Practice of crawlers",
              .false_positives = "Archives and long series of pages."},
     .graph = click_depth},
    {.rule = {.id = "orphan",
              .title = "Every page of the sitemap is linked from another page",
              .stage = Stage::kReachable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kIndexablePage,
              .needs = kNeedsGraph | kNeedsSitemap,
              .why = "Readers cannot come to it, and search engines give little weight to what "
                     "nothing links to.",
              .fix = "Link to it from where it belongs, or take it off the sitemap.",
              .source = "Practice of crawlers",
              .false_positives = "Pages made for advertisements or mail."},
     .graph = orphan},
};

}  // namespace

std::span<const RuleEntry> indexing_rules() { return kRules; }

}  // namespace periplus
