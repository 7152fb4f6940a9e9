// Sitemaps: there, readable, and listing what can be read.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "audit/check.h"
#include "base/text.h"

namespace periplus {
namespace {

constexpr std::size_t kSmallSite = 20;  // pages that need no sitemap when all are near

bool is_read(const SitemapFile& file) {
  return !file.failure && file.status >= 200 && file.status < 300;
}

bool any_read(const SiteFacts& site) { return std::ranges::any_of(site.sitemaps, is_read); }

// What the rules about a sitemap's content say when there is none to look at.
std::optional<Judged> without_content(const SiteFacts& site) {
  if (site.sitemaps.empty()) return unknown("no sitemap was asked for");
  if (!any_read(site)) {
    const bool absent = std::ranges::all_of(site.sitemaps, [](const SitemapFile& file) {
      return !file.failure && file.status >= 400 && file.status < 500 && file.status != 429;
    });
    if (absent) return not_applicable("there is no sitemap");
    return unknown("the sitemap could not be read");
  }
  return std::nullopt;
}

Judged sitemap_exists(const SiteFacts& site, FindingList& findings) {
  if (any_read(site)) return pass();
  if (site.sitemaps.empty()) return unknown("no sitemap was asked for");
  const bool near = std::ranges::all_of(site.pages, [](const PageSummary& page) {
    return page.depth != kUnlinked && page.depth <= 2;
  });
  const bool declared =
      std::ranges::any_of(site.sitemaps, [](const SitemapFile& file) { return file.declared; });
  if (!declared && site.complete() && site.pages.size() <= kSmallSite && near)
    return not_applicable("few pages, all near the start page");
  bool certain = true;
  for (const SitemapFile& file : site.sitemaps) {
    if (file.failure || file.status == 0 || file.status == 429 || file.status >= 500) {
      certain = false;
      continue;
    }
    findings.add(fmt::format("{} answers with status {}{}.", site.address(file.url), file.status,
                             file.declared ? ", though robots.txt names it" : ""),
                 {}, {}, {site.address(file.url)});
  }
  if (!certain) return unknown("the sitemap could not be read");
  return findings.verdict();
}

// Read all the same, and only told.
bool is_tolerated(SitemapFault fault) {
  switch (fault) {
    case SitemapFault::kLeadingBytes:
    case SitemapFault::kByteOrderMark:
    case SitemapFault::kDoctype:
    case SitemapFault::kBadLastmod:  // sitemap-lastmod
    case SitemapFault::kUrlTooLong:
      return true;
    default:
      return false;
  }
}

Judged sitemap_parses(const SiteFacts& site, FindingList& findings) {
  if (const auto without = without_content(site)) return *without;
  for (const SitemapFile& file : site.sitemaps) {
    const std::string& url = site.address(file.url);
    if (!is_read(file)) {
      if (!file.failure && file.status >= 400 && file.status < 500 && file.status != 429)
        findings.add(
            fmt::format("{} is named as a sitemap but answers with status {}.", url, file.status),
            {}, {}, {url});
      continue;
    }
    for (const SitemapFinding& found : file.findings) {
      if (is_tolerated(found.fault)) continue;
      findings.add(found.line > 0
                       ? fmt::format("{} line {}: {}.", url, found.line, sentence(found.fault))
                       : fmt::format("{}: {}.", url, sentence(found.fault)),
                   found.detail, {static_cast<std::uint32_t>(found.line), 0}, {url});
    }
    if (file.kind == SitemapKind::kNone && file.findings.empty())
      findings.add(fmt::format("{} is no sitemap in any form that is known.", url), {}, {}, {url});
  }
  return findings.verdict();
}

Judged sitemap_urls_ok(const SiteFacts& site, FindingList& findings) {
  if (const auto without = without_content(site)) return *without;
  std::size_t judged = 0;
  std::map<AddressId, bool> seen;
  for (const ListedAddress& entry : site.listed) {
    if (!seen.emplace(entry.url, true).second) continue;
    const Destination end = site.destination(entry.url);
    if (!end.read()) continue;
    const PageSummary& page = site.pages[end.page];
    const std::string& url = site.address(entry.url);
    const std::string& sitemap = site.address(site.sitemaps[entry.sitemap].url);
    if (page.state == PageState::kBlocked || page.state == PageState::kNoAnswer ||
        page.state == PageState::kNotAPage)
      continue;
    if (page.status == 401 || page.status == 403 || page.status == 429) continue;
    if (page.status >= 500 && page.attempts < 2) continue;
    ++judged;
    if (end.loop) {
      findings.add_on(end.page, fmt::format("{} is listed but its redirects never end.", url), {},
                      {}, {sitemap});
    } else if (end.redirects > 0 || page.state == PageState::kAway) {
      findings.add_on(
          end.page,
          fmt::format("{} is listed but redirects to {}.", url,
                      site.address(page.state == PageState::kAway && page.leads_to != kNoText
                                       ? page.leads_to
                                       : end.final_url)),
          {}, {}, {sitemap, site.address(end.final_url)});
    } else if (page.state == PageState::kError) {
      findings.add_on(end.page,
                      fmt::format("{} is listed but answers with status {}.", url, page.status), {},
                      {}, {sitemap});
    }
  }
  if (judged == 0)
    return site.listed.empty() ? not_applicable("the sitemap lists no page")
                               : unknown("no listed page was read");
  return findings.verdict();
}

Judged sitemap_indexable(const SiteFacts& site, FindingList& findings) {
  if (const auto without = without_content(site)) return *without;
  std::size_t judged = 0;
  std::map<AddressId, bool> seen;
  for (const ListedAddress& entry : site.listed) {
    if (!seen.emplace(entry.url, true).second) continue;
    const std::string& url = site.address(entry.url);
    const std::string& sitemap = site.address(site.sitemaps[entry.sitemap].url);
    const auto parsed = Url::parse(url);
    const auto verdict = parsed ? site.robots_verdict("Googlebot", *parsed) : std::nullopt;
    if (verdict) ++judged;
    if (verdict && !verdict->allowed) {
      findings.add(fmt::format("{} is listed, but robots.txt line {} keeps Googlebot out.", url,
                               verdict->line),
                   verdict->rule, {}, {sitemap});
      continue;
    }
    const Destination end = site.destination(entry.url);
    if (!end.read() || end.redirects > 0) continue;
    const PageSummary& page = site.pages[end.page];
    if (page.state != PageState::kHtml) continue;
    ++judged;
    if (page.noindex) {
      findings.add_on(page.id, fmt::format("{} is listed but says noindex.", url),
                      page.noindex_source, {}, {sitemap});
      continue;
    }
    for (const CanonicalEntry& canonical : page.canonicals) {
      if (canonical.target == kNoText || canonical.target == page.final_url ||
          canonical.target == page.url)
        continue;
      findings.add_on(page.id,
                      fmt::format("{} is listed but names {} as its canonical page.", url,
                                  site.address(canonical.target)),
                      canonical.written, canonical.place,
                      {sitemap, site.address(canonical.target)});
      break;
    }
  }
  if (judged == 0)
    return site.listed.empty() ? not_applicable("the sitemap lists no page")
                               : unknown("no listed page was read");
  return findings.verdict();
}

// Whether the robots.txt of the address's own host names that sitemap.
std::optional<bool> named_by_host(const SiteFacts& site, const Url& url, const std::string& file) {
  const RobotsFile* robots = site.robots_of(url);
  if (robots == nullptr || !robots->known()) return std::nullopt;
  const auto base = Url::parse(url.origin() + "/robots.txt");
  return std::ranges::any_of(robots->text->sitemaps(), [&](const std::string& loc) {
    const auto named = Url::parse(loc, base ? &*base : nullptr);
    return named && named->href() == file;
  });
}

Judged sitemap_host(const SiteFacts& site, FindingList& findings) {
  if (const auto without = without_content(site)) return *without;
  if (site.listed.empty()) return not_applicable("the sitemap lists no page");
  const std::string own = site.home_url.origin();
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> foreign;  // by origin and file
  std::map<std::string, std::string> example;
  for (const ListedAddress& entry : site.listed) {
    const auto url = Url::parse(site.address(entry.url));
    if (!url || url->origin() == own) continue;
    ++foreign[{url->origin(), entry.sitemap}];
    example.emplace(url->origin(), url->href());
  }
  bool not_known = false;
  for (const auto& [key, count] : foreign) {
    const auto& [origin, index] = key;
    const std::string& file = site.address(site.sitemaps[index].url);
    const auto url = Url::parse(example[origin]);
    const bool same_host = url->host() == site.home_url.host();
    const std::optional<bool> named = named_by_host(site, *url, file);
    if (named.value_or(false)) continue;
    if (!named && !same_host) {
      not_known = true;
      continue;
    }
    findings.add(fmt::format("{} lists {} address{} of {}, while the site is {}.", file, count,
                             count == 1 ? "" : "es", origin, own),
                 example[origin], {}, {example[origin]});
  }
  if (findings.empty() && not_known)
    return unknown("robots.txt of the other host that is listed was not read");
  return findings.verdict();
}

Judged sitemap_lastmod(const SiteFacts& site, FindingList& findings) {
  if (const auto without = without_content(site)) return *without;
  bool any = false;
  for (const SitemapFile& file : site.sitemaps) {
    for (const SitemapFinding& found : file.findings) {
      if (found.fault != SitemapFault::kBadLastmod) continue;
      any = true;
      findings.add(fmt::format("{}: a lastmod is no valid date.", site.address(file.url)),
                   found.detail, {static_cast<std::uint32_t>(found.line), 0},
                   {site.address(file.url)});
    }
  }
  std::map<std::chrono::sys_days, std::size_t> days;
  std::size_t dated = 0;
  for (const ListedAddress& entry : site.listed) {
    if (!entry.lastmod) continue;
    any = true;
    ++dated;
    ++days[std::chrono::floor<std::chrono::days>(*entry.lastmod)];
    // A day of grace for time zones.
    if (*entry.lastmod > site.now + std::chrono::days(1))
      findings.add(fmt::format("{} is said to have changed on {}, which is still to come.",
                               site.address(entry.url), to_rfc3339(*entry.lastmod)),
                   {}, {}, {site.address(site.sitemaps[entry.sitemap].url)});
  }
  if (dated >= 10) {
    for (const auto& [day, count] : days) {
      if (count * 10 < dated * 9) continue;
      findings.add(
          fmt::format("{} of {} pages are said to have changed on the same day, {}; that "
                      "is the day the file was made.",
                      count, dated, to_rfc3339(Instant(day)).substr(0, 10)));
    }
  }
  if (!any) return not_applicable("the sitemap gives no dates");
  return findings.verdict();
}

constexpr RuleEntry kRules[] = {
    {.rule = {.id = "sitemap-exists",
              .title = "There is a sitemap",
              .stage = Stage::kReachable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kSite,
              .needs = kNeedsSitemap | kNeedsRobots,
              .why = "It tells crawlers of pages that links lead to late or never.",
              .fix = "Publish /sitemap.xml and name it in robots.txt.",
              .source = "sitemaps.org",
              .false_positives = ""},
     .site = sitemap_exists},
    {.rule = {.id = "sitemap-parses",
              .title = "Every sitemap can be read",
              .stage = Stage::kReachable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kSite,
              .needs = kNeedsSitemap,
              .why = "Crawlers stop at the first fault of the file, and the rest is lost.",
              .fix = "Mend the place named here; split files over 50,000 addresses or 50 MiB.",
              .source = "sitemaps.org protocol 0.9",
              .false_positives = ""},
     .site = sitemap_parses},
    {.rule = {.id = "sitemap-urls-ok",
              .title = "Listed pages answer with 200 at once",
              .stage = Stage::kReachable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kSite,
              .needs = kNeedsSitemap | kNeedsChain | kNeedsGraph,
              .why = "A sitemap that lists redirects and missing pages is trusted less.",
              .fix = "List only final addresses of pages that exist.",
              .source = "sitemaps.org; Google Search Central: Build a sitemap",
              .false_positives = ""},
     .site = sitemap_urls_ok},
    {.rule = {.id = "sitemap-indexable",
              .title = "Listed pages may be indexed",
              .stage = Stage::kReachable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kSite,
              .needs = kNeedsSitemap | kNeedsHtml | kNeedsHeaders | kNeedsRobots,
              .why = "A list that says \"index this\" and a page that says \"do not\" contradict "
                     "each other.",
              .fix = "Take such pages off the list, or remove what keeps them out.",
              .source = "Google Search Central: Build a sitemap",
              .false_positives = ""},
     .site = sitemap_indexable},
    {.rule = {.id = "sitemap-host",
              .title = "Sitemaps list pages of their own host",
              .stage = Stage::kReachable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kSite,
              .needs = kNeedsSitemap | kNeedsRobots,
              .why = "Addresses of another host or scheme are passed over.",
              .fix = "List the addresses that the site uses, or name the file in the other host's "
                     "robots.txt.",
              .source = "sitemaps.org: Sitemap file location, cross-submits",
              .false_positives = ""},
     .site = sitemap_host},
    {.rule = {.id = "sitemap-lastmod",
              .title = "lastmod tells when each page changed",
              .stage = Stage::kReachable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kSite,
              .needs = kNeedsSitemap,
              .why = "Crawlers ignore dates that are plainly not true, on the whole site.",
              .fix = "Write the day of the page's last real change, or leave lastmod out.",
              .source = "sitemaps.org; W3C NOTE-datetime",
              .false_positives = "A site that was moved or written in one day."},
     .site = sitemap_lastmod},
};

}  // namespace

std::span<const RuleEntry> sitemap_rules() { return kRules; }

}  // namespace periplus
