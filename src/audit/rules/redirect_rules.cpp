// Redirects: chains, loops, links to them, refreshes, and the ways from http and www.
#include <fmt/format.h>

#include <algorithm>

#include "audit/audit_use.h"
#include "audit/check.h"
#include "base/text.h"
#include "html/meta_refresh.h"
#include "html/page_reader.h"

namespace periplus {
namespace {

bool permanent(int status) { return status == 301 || status == 308; }

Judged redirect_chain(const SiteFacts& site, const PageSummary& page, FindingList& findings) {
  if (page.failure && page.failure->kind == FailureKind::kBadRedirect) {
    findings.add(fmt::format("A redirect with status {} names no usable address.", page.status),
                 page.failure->detail);
    return findings.verdict();
  }
  switch (page.state) {
    case PageState::kNoAnswer:
      return unknown("the page did not answer in full");
    case PageState::kBlocked:
      return unknown("bot protection answered");
    case PageState::kRedirectFault:
    case PageState::kAway:
      return not_applicable("the chain has no end here");
    default:
      break;
  }
  if (page.via == FoundVia::kStart) return not_applicable("typed, not linked");
  const Destination end = site.destination(page.url);
  if (end.loop) return not_applicable("the chain has no end here");
  if (end.redirects <= 1) return pass();
  std::vector<std::string> related;
  for (const HopEntry& hop : page.hops) related.push_back(site.address(hop.url));
  const std::string& last = site.address(end.final_url);
  if (related.empty() || related.back() != last) related.push_back(last);
  findings.add(
      fmt::format("{} redirects stand between this address and its page {}.", end.redirects, last),
      {}, {}, std::move(related));
  return findings.verdict();
}

Judged redirect_loop(const SiteFacts& site, const PageSummary& page, FindingList& findings) {
  if (page.state == PageState::kNoAnswer) return unknown("the page did not answer in full");
  if (page.state == PageState::kBlocked) return unknown("bot protection answered");
  const auto sources = [&] { return site.some_sources(page.url, 20); };
  if (page.state == PageState::kRedirectFault) {
    if (page.failure->kind == FailureKind::kBadRedirect) return pass();
    if (page.cookie_retry)
      return unknown("it redirects to itself and sets a cookie, even when that is sent back");
    findings.add(page.failure->kind == FailureKind::kRedirectLoop
                     ? "Its redirects come back to an address they passed already."
                     : "Its redirects did not end within the ten that are followed.",
                 page.failure->detail, {}, sources());
    return findings.verdict();
  }
  if (page.state == PageState::kRedirect && site.destination(page.url).loop)
    findings.add("Its redirects come back to an address they passed already.", {}, {}, sources());
  return findings.verdict();
}

Judged redirect_linked(const SiteFacts& site, const PageSummary& page, FindingList& findings) {
  bool any = false;
  for (const LinkEntry& link : site.links_of(page)) {
    if (!link.internal) continue;
    const Destination end = site.destination(link.target);
    if (!end.read()) continue;
    any = true;
    if (end.redirects == 0 || end.loop || site.pages[end.page].state == PageState::kAway) continue;
    if (!findings.wants_more()) {
      findings.count();
      continue;
    }
    findings.add(
        fmt::format("The link to {} is redirected (status {}) to {}.", site.address(link.target),
                    end.first_status, site.address(end.final_url)),
        site.texts[link.words], link.place,
        {site.address(link.target), site.address(end.final_url)});
  }
  if (!any) return not_applicable("no link to a page that was read");
  return findings.verdict();
}

Judged redirect_refresh(const PageInHand& in, FindingList& findings) {
  for (const Meta& meta : in.facts->metas) {
    if (!meta.http_equiv || meta.name != "refresh") continue;
    const std::string_view target = refresh_target(meta.content);
    if (target.empty()) continue;
    const auto url = Url::parse(target, &in.base);
    if (url && url->without_fragment() == in.url.without_fragment()) continue;
    findings.add(fmt::format("The page sends its readers on to {} by a meta refresh.",
                             url ? url->href() : std::string(target)),
                 in.source(meta.place, meta.content), meta.place,
                 {url ? url->href() : std::string(target)});
  }
  return findings.verdict();
}

Judged judge_upgrade(std::span<const Hop> hops, std::string_view last, FindingList& findings) {
  std::vector<std::string> related;
  for (const Hop& hop : hops) related.push_back(hop.url);
  if (!last.starts_with("https:")) {
    findings.add(fmt::format("The http start page ends on {}, not on https.", last), {}, {},
                 related);
    return findings.verdict();
  }
  std::size_t before = 0;  // redirects up to the first https address
  while (before < hops.size() && !hops[before].url.starts_with("https:")) ++before;
  for (std::size_t i = 0; i < before; ++i) {
    if (!permanent(hops[i].status))
      findings.add(fmt::format("The redirect from {} to https is temporary (status {}).",
                               hops[i].url, hops[i].status),
                   hops[i].location, {}, related);
  }
  if (before > 2)
    findings.add(fmt::format("https is reached only after {} redirects.", before), {}, {}, related);
  return findings.verdict();
}

Judged https_upgrade(const SiteFacts& site, FindingList& findings) {
  const auto start = Url::parse(site.read.start_url);
  if (start && start->scheme() == "http" && site.home_read()) {
    const PageSummary& home = site.pages[site.home];
    if (home.status == 0) return unknown("the start page did not answer");
    std::vector<Hop> hops;
    for (const HopEntry& hop : home.hops) {
      hops.emplace_back();
      hops.back().url = site.address(hop.url);
      hops.back().status = hop.status;
    }
    return judge_upgrade(hops, site.address(home.final_url), findings);
  }
  if (!site.home_url.port().empty()) return not_applicable("the site is on a port of its own");
  const auto found = site.extras.find(std::string(kHttpsUpgrade));
  if (found == site.extras.end()) return unknown("the http start page was not asked for");
  const DocumentRecord& probe = found->second;
  if (probe.wall) return unknown("bot protection answered");
  if (probe.failure && probe.hops.empty()) {
    switch (probe.failure->kind) {
      case FailureKind::kConnectRefused:
        return not_applicable("nothing is served over http");
      case FailureKind::kRobotsDisallowed:
        return unknown("robots.txt keeps us out of the http start page");
      default:
        return unknown("the http start page did not answer");
    }
  }
  std::string last = probe.hops.empty() ? probe.url : probe.hops.back().url;
  if (!probe.hops.empty() && !probe.hops.back().location.empty()) {
    // The chain was not followed to its end, but it says where it goes.
    const auto base = Url::parse(probe.hops.back().url);
    const auto next = base ? Url::parse(probe.hops.back().location, &*base) : base;
    if (next) last = next->href();
  }
  return judge_upgrade(probe.hops, last, findings);
}

Judged one_host(const SiteFacts& site, FindingList& findings) {
  const auto found = site.extras.find(std::string(kOneHost));
  if (found == site.extras.end()) {
    if (!site.home_url.port().empty()) return not_applicable("the site is on a port of its own");
    return unknown("the www or bare twin of the host was not asked for");
  }
  const DocumentRecord& twin = found->second;
  if (twin.wall) return unknown("bot protection answered");
  if (twin.failure && twin.hops.empty()) {
    switch (twin.failure->kind) {
      case FailureKind::kNameNotFound:
      case FailureKind::kConnectRefused:
      case FailureKind::kTlsWrongName:
      case FailureKind::kTlsUntrusted:
      case FailureKind::kTlsExpired:
      case FailureKind::kTlsHandshake:
      case FailureKind::kTlsRevokedOrBad:
      case FailureKind::kAddressRefused:
        return pass();  // the twin serves nothing
      default:
        return unknown("the twin of the host did not answer");
    }
  }
  const std::string_view first = twin.hops.empty() ? twin.url : std::string_view(twin.hops[0].url);
  const std::string_view last =
      twin.hops.empty() ? twin.url : std::string_view(twin.hops.back().url);
  const auto first_url = Url::parse(first);
  const auto last_url = Url::parse(last);
  if (!first_url || !last_url || twin.status < 200 || twin.status >= 300) return pass();
  if (last_url->hostname() == site.home_url.hostname()) return pass();
  PageFacts facts;
  read_page({twin.body, twin.headers.get("content-type")}, &facts);
  for (const LinkRel& link : facts.link_rels) {
    if (!contains_ignoring_case(link.rel, "canonical")) continue;
    const auto canonical = Url::parse(link.href, &*last_url);
    if (canonical && canonical->hostname() == site.home_url.hostname()) return pass();
  }
  findings.add(
      fmt::format("{} answers with status {} beside {}, with neither redirect nor canonical "
                  "to it.",
                  last_url->href(), twin.status, site.home_url.href()),
      {}, {}, {last_url->href(), site.home_url.href()});
  return findings.verdict();
}

constexpr RuleEntry kRules[] = {
    {.rule = {.id = "redirect-chain",
              .title = "At most one redirect stands between an address and its page",
              .stage = Stage::kReachable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kAddress,
              .needs = kNeedsChain | kNeedsGraph,
              .why = "Each hop costs every reader time, and crawlers stop after a few.",
              .fix = "Let the first address redirect to the last one at once.",
              .source = "RFC 9110 section 15.4",
              .false_positives = ""},
     .graph = redirect_chain},
    {.rule = {.id = "redirect-loop",
              .title = "No redirect leads back to itself",
              .stage = Stage::kReachable,
              .severity = Severity::kCritical,
              .scope = RuleScope::kAddress,
              .needs = kNeedsChain | kNeedsGraph,
              .why = "The page cannot be reached at all.",
              .fix = "Look for two rules that undo each other: slash, host or scheme.",
              .source = "RFC 9110 section 15.4",
              .false_positives = "A page that wants more than one cookie before it answers."},
     .graph = redirect_loop},
    {.rule = {.id = "redirect-linked",
              .title = "Links of the site lead straight to their pages",
              .stage = Stage::kReachable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kPage,
              .needs = kNeedsChain | kNeedsGraph,
              .why = "A redirect that one could have avoided costs every reader and crawler a "
                     "request.",
              .fix = "Write the final address into the link.",
              .source = "RFC 9110 section 15.4",
              .false_positives =
                  "Temporary redirects that depend on the reader: language, sign-in."},
     .graph = redirect_linked},
    {.rule = {.id = "redirect-refresh",
              .title = "No page sends its readers on by a meta refresh",
              .stage = Stage::kReachable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHtml,
              .why = "It is slower than a redirect, confuses the back button, and is not followed "
                     "by every crawler.",
              .fix = "Answer with status 301 or 308 instead.",
              .source = "WCAG 2.2 technique F41; HTML Standard section 4.2.5.3",
              .false_positives = ""},
     .page = redirect_refresh},
    {.rule = {.id = "https-upgrade",
              .title = "The http address leads to https by permanent redirects",
              .stage = Stage::kReachable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kSite,
              .needs = kNeedsChain | kNeedsDocument,
              .why = "Old links and typed addresses start on http; people stay unprotected there.",
              .fix = "Redirect every http address to its https twin with status 301 or 308.",
              .source = "RFC 9110 section 15.4.2; RFC 6797 section 7.2",
              .false_positives = ""},
     .site = https_upgrade},
    {.rule = {.id = "one-host",
              .title = "Only one of www and the bare name serves the site",
              .stage = Stage::kReachable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kSite,
              .needs = kNeedsChain | kNeedsDocument,
              .why = "Two hosts with the same pages split links and signals between them.",
              .fix = "Redirect one to the other, or name the other by canonical links.",
              .source = "RFC 6596",
              .false_positives = "Two hosts that carry different sites on purpose."},
     .site = one_host},
};

}  // namespace

std::span<const RuleEntry> redirect_rules() { return kRules; }

}  // namespace periplus
