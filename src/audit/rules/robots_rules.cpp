// robots.txt: whether it can be read, and whom it keeps out.
#include <fmt/format.h>

#include "audit/check.h"
#include "base/text.h"

namespace periplus {
namespace {

constexpr std::string_view kNotRead = "robots.txt could not be read";
constexpr std::string_view kNotAsked = "robots.txt was not asked for";

std::string robots_url(const SiteFacts& site) { return site.home_url.origin() + "/robots.txt"; }

Judged robots_status(const SiteFacts& site, FindingList& findings) {
  const RobotsFile* robots = site.home_robots();
  if (robots == nullptr) return unknown(kNotAsked);
  const DocumentRecord& record = robots->record;
  if (record.wall) return unknown("bot protection answered instead of robots.txt");
  if (!record.failure && record.status >= 200 && record.status < 300) return pass();
  if (!record.failure && robots_access(record.status) == RobotsAccess::kNoRules) return pass();
  if (record.status == 429) return unknown("robots.txt was answered with 429: asked too often");
  if (record.failure) {
    switch (record.failure->kind) {
      case FailureKind::kAborted:
      case FailureKind::kInternal:
      case FailureKind::kBadUrl:
      case FailureKind::kPortRefused:
      case FailureKind::kAddressRefused:
        return unknown("robots.txt could not be asked for");
      default:
        break;
    }
  }
  if (record.attempts < 2) return unknown("robots.txt failed, and was asked for only once");
  const std::string what = record.failure ? std::string(sentence(record.failure->kind))
                                          : fmt::format("status {}", record.status);
  findings.add(fmt::format("robots.txt gave no usable answer ({}); crawlers must then keep out of "
                           "the whole site.",
                           what),
               record.failure ? record.failure->detail : "", {}, {robots_url(site)});
  return findings.verdict();
}

// The file as rules; the reason why not otherwise.
const RobotsTxt* text_of(const SiteFacts& site, Judged* otherwise) {
  const RobotsFile* robots = site.home_robots();
  if (robots == nullptr) {
    *otherwise = unknown(kNotAsked);
  } else if (!robots->known()) {
    *otherwise = unknown(kNotRead);
  } else if (robots->record.status >= 400 && !robots->record.from_last_good) {
    *otherwise = not_applicable("there is no robots.txt");
  } else {
    return &*robots->text;
  }
  return nullptr;
}

Judged robots_is_text(const SiteFacts& site, FindingList& findings) {
  Judged otherwise;
  const RobotsTxt* text = text_of(site, &otherwise);
  if (text == nullptr) return otherwise;
  for (const RobotsFinding& found : text->findings()) {
    if (found.fault != RobotsFault::kLooksLikeHtml) continue;
    findings.add("robots.txt is answered with an HTML page, so it holds no rules.",
                 found.text.empty() ? text->line(1) : std::string_view(found.text), {1, 1},
                 {robots_url(site)});
    break;
  }
  return findings.verdict();
}

Judged robots_syntax(const SiteFacts& site, FindingList& findings) {
  Judged otherwise;
  const RobotsTxt* text = text_of(site, &otherwise);
  if (text == nullptr) return otherwise;
  for (const RobotsFinding& found : text->findings()) {
    std::string_view what;
    switch (found.fault) {
      case RobotsFault::kRuleBeforeGroup:
        what = "the rule stands before any User-agent line, so it binds nobody";
        break;
      case RobotsFault::kNoColon:
        what = "the line has no colon";
        break;
      case RobotsFault::kBadPath:
        what = "the path begins with neither / nor *";
        break;
      case RobotsFault::kTooLarge:
        what = "the file is larger than the 500 KiB that crawlers read";
        break;
      case RobotsFault::kBinary:
        what = "the file holds octets that are no text";
        break;
      case RobotsFault::kLineTooLong:
        what = "the line is longer than crawlers read";
        break;
      case RobotsFault::kMisspelt:
        what = "the field's name is misspelt, so most crawlers pass over it";
        break;
      case RobotsFault::kLooksLikeHtml:
        continue;  // robots-is-text
    }
    findings.add(found.line > 0 ? fmt::format("robots.txt line {}: {}.", found.line, what)
                                : fmt::format("robots.txt: {}.", what),
                 found.line > 0 ? text->line(found.line) : std::string_view(found.text),
                 {found.line, found.line > 0 ? 1U : 0U}, {robots_url(site)});
  }
  return findings.verdict();
}

Judged robots_blocks_all(const SiteFacts& site, FindingList& findings) {
  const RobotsFile* robots = site.home_robots();
  if (robots == nullptr) return unknown(kNotAsked);
  if (!robots->known()) return unknown(kNotRead);
  const auto root = Url::parse("/", &site.home_url);
  for (const std::string_view token : {"Googlebot", "Bingbot"}) {
    const auto verdict = site.robots_verdict(token, *root);
    if (!verdict || verdict->allowed) continue;
    findings.add(
        fmt::format("robots.txt line {} keeps {} out of the start page.", verdict->line, token),
        verdict->rule, {verdict->line, 1}, {robots_url(site)});
  }
  return findings.verdict();
}

Judged robots_blocks_assets(const SiteFacts& site, FindingList& findings) {
  if (!site.home_read() || site.pages[site.home].state != PageState::kHtml)
    return unknown("the start page was not read");
  if (site.home_assets.empty())
    return not_applicable("the start page has no scripts or style sheets of the site");
  bool any = false;
  for (const HomeAsset& asset : site.home_assets) {
    const auto url = Url::parse(asset.url);
    const auto verdict = url ? site.robots_verdict("Googlebot", *url) : std::nullopt;
    if (!verdict) continue;
    any = true;
    if (verdict->allowed) continue;
    findings.add_on(site.home,
                    fmt::format("Googlebot may not fetch {}, which the start page needs "
                                "(robots.txt line {}).",
                                asset.url, verdict->line),
                    verdict->rule, asset.place, {asset.url});
  }
  if (!any) return unknown(kNotRead);
  return findings.verdict();
}

constexpr RuleEntry kRules[] = {
    {.rule = {.id = "robots-status",
              .title = "robots.txt answers, or is plainly not there",
              .stage = Stage::kReachable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kSite,
              .needs = kNeedsRobots | kNeedsChain,
              .why = "While robots.txt fails, crawlers must assume that everything is closed.",
              .fix = "Answer /robots.txt with 200, or with 404 when there are no rules.",
              .source = "RFC 9309 section 2.3.1",
              .false_positives = ""},
     .site = robots_status},
    {.rule = {.id = "robots-is-text",
              .title = "robots.txt is text and not an HTML page",
              .stage = Stage::kReachable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kSite,
              .needs = kNeedsRobots,
              .why = "An application's page in its place holds no rules, whatever was meant.",
              .fix = "Serve a text file at /robots.txt, or answer 404.",
              .source = "RFC 9309 section 2.3",
              .false_positives = ""},
     .site = robots_is_text},
    {.rule = {.id = "robots-syntax",
              .title = "robots.txt has no faults of form",
              .stage = Stage::kReachable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kSite,
              .needs = kNeedsRobots,
              .why = "A line that crawlers cannot read does not do what was meant.",
              .fix = "Mend the lines named here; fields that crawlers do not know are no faults.",
              .source = "RFC 9309 sections 2.2 and 2.5",
              .false_positives = "",
              .prerequisite = "robots-is-text"},
     .site = robots_syntax},
    {.rule = {.id = "robots-blocks-all",
              .title = "Googlebot and Bingbot may fetch the start page",
              .stage = Stage::kReachable,
              .severity = Severity::kCritical,
              .scope = RuleScope::kSite,
              .needs = kNeedsRobots,
              .why = "A site closed to search engines is not found.",
              .fix = "Remove the Disallow line, or add a group that allows them.",
              .source = "RFC 9309 section 2.2.2",
              .false_positives = "A site that is not meant to be found."},
     .site = robots_blocks_all},
    {.rule = {.id = "robots-blocks-assets",
              .title = "Search engines may fetch the start page's scripts and style sheets",
              .stage = Stage::kReachable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kSite,
              .needs = kNeedsRobots | kNeedsHtml,
              .why = "A search engine that cannot draw the page may judge it broken.",
              .fix = "Allow the folders of scripts and styles in robots.txt.",
              .source = "Google Search Central: robots.txt and page resources",
              .false_positives = "Scripts that change nothing one can see, like counters."},
     .site = robots_blocks_assets},
};

}  // namespace

std::span<const RuleEntry> robots_rules() { return kRules; }

}  // namespace periplus
