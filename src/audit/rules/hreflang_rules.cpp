// hreflang: the same page in other languages.
#include <fmt/format.h>

#include <algorithm>

#include "audit/check.h"

namespace periplus {
namespace {

constexpr std::string_view kNone = "the page names no other languages";

bool is_self(const PageSummary& page, AddressId target) {
  return target == page.final_url || target == page.url;
}

// The page behind an alternate, after its redirects; null when it was not read.
const PageSummary* read_target(const SiteFacts& site, AddressId target, Destination* end) {
  if (target == kNoText) return nullptr;
  *end = site.destination(target);
  if (!end->read()) return nullptr;
  const PageSummary& page = site.pages[end->page];
  if (page.state == PageState::kBlocked || page.state == PageState::kNoAnswer) return nullptr;
  return &page;
}

Judged hreflang_return(const SiteFacts& site, const PageSummary& page, FindingList& findings) {
  if (page.alternates.empty()) return not_applicable(kNone);
  bool any = false;
  bool not_known = false;
  for (const AlternateEntry& alternate : page.alternates) {
    if (alternate.target == kNoText || is_self(page, alternate.target)) continue;
    Destination end;
    const PageSummary* target = read_target(site, alternate.target, &end);
    if (target == nullptr) {
      not_known = true;
      continue;
    }
    // A target that is no page is hreflang-target's to tell.
    if (target->state != PageState::kHtml || end.page == page.id) continue;
    any = true;
    const bool returns = std::ranges::any_of(target->alternates, [&](const AlternateEntry& back) {
      if (back.target == kNoText) return false;
      return is_self(page, back.target) || site.destination(back.target).page == page.id;
    });
    if (!returns)
      findings.add(fmt::format("{} (hreflang \"{}\") does not link back to this page.",
                               site.address(end.final_url), alternate.lang),
                   alternate.written, alternate.place, {site.address(end.final_url)});
  }
  if (!findings.empty()) return findings.verdict();
  if (not_known) return unknown("a page in another language was not read");
  if (!any) return not_applicable(kNone);
  return pass();
}

Judged hreflang_target(const SiteFacts& site, const PageSummary& page, FindingList& findings) {
  if (page.alternates.empty()) return not_applicable(kNone);
  bool any = false;
  bool not_known = false;
  for (const AlternateEntry& alternate : page.alternates) {
    const auto add = [&](const std::string& what, std::vector<std::string> related) {
      findings.add(fmt::format("hreflang \"{}\": {}.", alternate.lang, what), alternate.written,
                   alternate.place, std::move(related));
    };
    if (alternate.target == kNoText) {
      add(fmt::format("\"{}\" is no address", alternate.written), {});
      continue;
    }
    Destination end;
    const PageSummary* target = read_target(site, alternate.target, &end);
    if (target == nullptr) {
      not_known = true;
      continue;
    }
    any = true;
    const std::string& url = site.address(alternate.target);
    const std::string& last = site.address(end.final_url);
    if (end.loop) {
      add(fmt::format("{} redirects without end", url), {url});
    } else if (end.redirects > 0) {
      add(fmt::format("{} redirects to {}", url, last), {url, last});
    } else if (target->state == PageState::kAway) {
      add(fmt::format("{} redirects to another site", url), {url});
    } else if (target->state == PageState::kError) {
      if (target->status == 404 || target->status == 410 ||
          (target->status >= 500 && target->attempts >= 2))
        add(fmt::format("{} answers with status {}", url, target->status), {url});
      else
        not_known = true;
    } else if (target->noindex) {
      add(fmt::format("{} asks not to be indexed", url), {url});
    } else if (target->soft_404) {
      add(fmt::format("{} says that the page was not found", url), {url});
    } else {
      for (const CanonicalEntry& canonical : target->canonicals) {
        if (canonical.target == kNoText || is_self(*target, canonical.target)) continue;
        add(fmt::format("{} names {} as its canonical page", url, site.address(canonical.target)),
            {url, site.address(canonical.target)});
        break;
      }
    }
  }
  if (!findings.empty()) return findings.verdict();
  if (not_known) return unknown("a page in another language was not read");
  if (!any) return not_applicable(kNone);
  return pass();
}

constexpr RuleEntry kRules[] = {
    {.rule = {.id = "hreflang-return",
              .title = "Pages in other languages link back",
              .stage = Stage::kUnderstandable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kPage,
              .needs = kNeedsGraph | kNeedsHtml,
              .why = "Search engines ignore hreflang that only one side claims.",
              .fix = "Put the same set of hreflang links on every page of the set.",
              .source = "Google Search Central: Localized versions of your pages",
              .false_positives = ""},
     .graph = hreflang_return},
    {.rule = {.id = "hreflang-target",
              .title = "hreflang names pages that answer and can be indexed",
              .stage = Stage::kUnderstandable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kPage,
              .needs = kNeedsGraph | kNeedsChain | kNeedsHtml | kNeedsHeaders,
              .why = "A redirect or an error in the set takes that language out of it.",
              .fix = "Write the final, canonical address of each page.",
              .source = "Google Search Central: Localized versions of your pages",
              .false_positives = ""},
     .graph = hreflang_target},
};

}  // namespace

std::span<const RuleEntry> hreflang_rules() { return kRules; }

}  // namespace periplus
