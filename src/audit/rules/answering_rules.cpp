// Whether addresses answer, with what status, and how fast.
#include <fmt/format.h>

#include <algorithm>

#include "audit/check.h"
#include "base/text.h"

namespace periplus {
namespace {

constexpr std::uint32_t kSlowestWait = 800;  // ms; median of the server's own time
constexpr std::uint32_t kLongest = 20'000;   // ms; for a whole answer
constexpr std::size_t kSourcesNamed = 20;
constexpr std::uint64_t kLargestHtml = 2'000'000;
constexpr std::uint64_t kSmallHtml = 1024;

bool keeps_from_us(int status) {
  return status == 401 || status == 403 || status == 407 || status == 429 || status == 451;
}

std::string linked_from_text(const std::vector<std::string>& sources, const PageSummary& page) {
  if (!sources.empty()) return fmt::format("linked from {}", sources.front());
  return page.via == FoundVia::kSitemap ? "listed in the sitemap" : "the start page";
}

std::string failure_text(const PageSummary& page) {
  std::string text(sentence(page.failure->kind));
  if (!page.failure->detail.empty()) text += " (" + page.failure->detail + ")";
  return text;
}

Judged home_ok(const SiteFacts& site, FindingList& findings) {
  const Outcome& outcome = site.read.outcome;
  if (!site.home_read()) {
    if (outcome.kind == OutcomeKind::kUnreachable && outcome.failure) {
      findings.add(
          fmt::format("The start page could not be reached: {}.", sentence(outcome.failure->kind)),
          outcome.failure->detail, {}, {site.read.start_url});
      return findings.verdict();
    }
    return unknown("the start page was not asked for");
  }
  const PageSummary& home = site.pages[site.home];
  const std::string& url = site.address(home.url);
  switch (home.state) {
    case PageState::kBlocked:
      return unknown("bot protection answered instead of the page");
    case PageState::kNoAnswer:
      if (home.attempts < 2) return unknown("the start page did not answer, and was asked once");
      findings.add(fmt::format("The start page gave no full answer: {}.", failure_text(home)), {},
                   {}, {url});
      return findings.verdict();
    case PageState::kRedirectFault:
      if (home.cookie_retry) return unknown("the start page redirects to itself and sets a cookie");
      findings.add(fmt::format("The start page's redirects lead nowhere: {}.", failure_text(home)),
                   {}, {}, {url});
      return findings.verdict();
    case PageState::kAway:
      if (home.failure && home.failure->kind == FailureKind::kRobotsDisallowed)
        return unknown("the start page leads to where robots.txt keeps us out");
      findings.add("The start page leads to another site.", {}, {},
                   {url, home.leads_to == kNoText ? "" : site.address(home.leads_to)});
      return findings.verdict();
    case PageState::kError:
      if (keeps_from_us(home.status)) return unknown("the server did not show us the page");
      findings.add(fmt::format("The start page answers with status {}.", home.status), {}, {},
                   {url});
      return findings.verdict();
    default:
      break;
  }
  if (home.hops.size() > 6) {
    findings.add(
        fmt::format("The start page is reached only after {} redirects.", home.hops.size() - 1), {},
        {}, {url, site.address(home.final_url)});
  }
  if (home.total_ms > kLongest)
    findings.add(fmt::format("The start page took {:.1f} s to answer.", home.total_ms / 1000.0), {},
                 {}, {url});
  return findings.verdict();
}

Judged bot_wall(const SiteFacts& site, FindingList& findings) {
  std::size_t answered = 0;
  for (const PageSummary& page : site.pages) {
    if (page.status != 0) ++answered;
    if (page.state != PageState::kBlocked) continue;
    findings.add_on(page.id,
                    fmt::format("Bot protection answered with status {} instead of the page; our "
                                "crawler names itself and never tries to pass.",
                                page.status),
                    site.read.outcome.kind == OutcomeKind::kBotWall ? site.read.outcome.detail : "",
                    {}, {site.address(page.url)});
  }
  if (findings.empty() && site.read.outcome.kind == OutcomeKind::kBotWall)
    findings.add("Bot protection answered instead of robots.txt or the start page.",
                 site.read.outcome.detail);
  if (findings.empty() && answered == 0) return unknown("no page answered");
  return findings.verdict();
}

// The verdict on an address that did not answer with an error status; nothing where it did.
std::optional<Judged> without_error_status(const PageSummary& page) {
  switch (page.state) {
    case PageState::kBlocked:
      return unknown("bot protection answered instead of the page");
    case PageState::kNoAnswer:
      return unknown("the page did not answer in full");
    case PageState::kRedirect:
    case PageState::kRedirectFault:
    case PageState::kAway:
      return not_applicable("a redirect");
    case PageState::kError:
      return std::nullopt;
    default:
      return pass();
  }
}

Judged page_client_error(const SiteFacts& site, const PageSummary& page, FindingList& findings) {
  if (std::optional<Judged> settled = without_error_status(page)) return *std::move(settled);
  if (page.status >= 500) return not_applicable("an error of the server");
  if (keeps_from_us(page.status)) return unknown("the server did not show us the page");
  std::vector<std::string> sources = site.some_sources(page.url, kSourcesNamed);
  findings.add(
      fmt::format("Answers with status {}; {}.", page.status, linked_from_text(sources, page)), {},
      {}, sources);
  return findings.verdict();
}

Judged page_server_error(const SiteFacts& site, const PageSummary& page, FindingList& findings) {
  if (std::optional<Judged> settled = without_error_status(page)) return *std::move(settled);
  if (page.status < 500) return pass();
  if (page.attempts < 2) return unknown("an error of the server, asked only once");
  std::vector<std::string> sources = site.some_sources(page.url, kSourcesNamed);
  findings.add(fmt::format("Answered {} times with an error of the server, the last time with "
                           "status {}; {}.",
                           page.attempts, page.status, linked_from_text(sources, page)),
               {}, {}, sources);
  return findings.verdict();
}

Judged page_timeout(const SiteFacts& site, const PageSummary& page, FindingList& findings) {
  if (page.state == PageState::kBlocked) return unknown("bot protection answered");
  if (page.state == PageState::kAway || page.state == PageState::kRedirectFault)
    return not_applicable("leads away");
  if (page.state != PageState::kNoAnswer) {
    if (page.total_ms > kLongest && page.attempts < 2)
      return unknown("took longer than 20 s, asked only once");
    if (page.total_ms > kLongest)
      findings.add(fmt::format("Took {:.1f} s to answer.", page.total_ms / 1000.0));
    return findings.verdict();
  }
  if (!page.failure) return unknown("no answer is on record");
  switch (page.failure->kind) {
    // These do not pass with time.
    case FailureKind::kHeadersTooLarge:
    case FailureKind::kExpansionBomb:
    case FailureKind::kBadEncoding:
    case FailureKind::kBadResponse:
      break;
    case FailureKind::kAborted:
    case FailureKind::kInternal:
    case FailureKind::kBadUrl:
    case FailureKind::kPortRefused:
      return unknown("the address was not asked");
    default:
      if (page.attempts < 2) return unknown("no full answer, asked only once");
  }
  std::vector<std::string> sources = site.some_sources(page.url, kSourcesNamed);
  findings.add(
      fmt::format("No full answer: {}; {}.", failure_text(page), linked_from_text(sources, page)),
      {}, {}, sources);
  return findings.verdict();
}

Judged ttfb(const SiteFacts& site, FindingList& findings) {
  std::vector<std::pair<std::uint32_t, PageId>> waits;
  for (const PageSummary& page : site.pages) {
    if (page.state == PageState::kHtml) waits.emplace_back(page.wait_ms, page.id);
  }
  if (waits.empty()) return unknown("no page answered");
  std::ranges::sort(waits);
  const std::uint32_t median = waits[waits.size() / 2].first;
  if (median <= kSlowestWait) return pass();
  findings.add(
      fmt::format("The server takes {} ms to begin its answer (median of {} pages); {} ms "
                  "is slow.",
                  median, waits.size(), kSlowestWait));
  for (auto slow = waits.rbegin(); slow != waits.rend() && slow - waits.rbegin() < 5; ++slow)
    findings.add_on(slow->second, fmt::format("Took {} ms to begin its answer.", slow->first));
  return findings.verdict();
}

Judged html_size(const PageInHand& in, FindingList& findings) {
  std::uint64_t bytes = in.record.body.size();
  if (in.page.cut) {
    // What the server announced is the least that it meant to send.
    const std::string_view announced = in.record.headers.get("content-length");
    std::uint64_t length = 0;
    for (const char c : announced) {
      if (c < '0' || c > '9' || length > UINT64_MAX / 16) break;
      length = length * 10 + static_cast<std::uint64_t>(c - '0');
    }
    if (length <= kLargestHtml) return unknown("the page did not come whole");
    bytes = length;
  }
  if (bytes <= kLargestHtml) return pass();
  findings.add(
      fmt::format("The HTML is {:.1f} MB; what stands behind the first 2 MB may never be "
                  "read.",
                  static_cast<double>(bytes) / 1e6));
  return findings.verdict();
}

Judged compression(const PageInHand& in, FindingList& findings) {
  if (in.record.body.size() <= kSmallHtml) return not_applicable("small enough as it is");
  const std::string_view coding = in.record.headers.get("content-encoding");
  for (const std::string_view known : {"gzip", "br", "zstd", "deflate", "x-gzip"}) {
    if (contains_ignoring_case(coding, known)) return pass();
  }
  if (coding.empty() && in.record.wire_bytes != 0 && !in.page.cut &&
      in.record.wire_bytes < in.record.body.size())
    return pass();
  findings.add(
      fmt::format("{} octets of HTML came uncompressed though gzip, br and zstd were "
                  "offered.",
                  in.record.body.size()));
  return findings.verdict();
}

constexpr RuleEntry kRules[] = {
    {.rule = {.id = "home-ok",
              .title = "The start page answers",
              .stage = Stage::kReachable,
              .severity = Severity::kCritical,
              .scope = RuleScope::kSite,
              .needs = kNeedsChain,
              .why = "Everything else of a site is found from its start page.",
              .fix = "Let the start page answer with 200 within 20 seconds and five redirects.",
              .source = "RFC 9110 section 15.3",
              .false_positives = ""},
     .site = home_ok},
    {.rule = {.id = "bot-wall",
              .title = "No page is answered by bot protection",
              .stage = Stage::kReachable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kSite,
              .needs = kNeedsHeaders | kNeedsHtml,
              .why =
                  "A challenge shuts out crawlers that say honestly who they are, search engines "
                  "and assistants among them.",
              .fix = "Let named, verified crawlers pass in the settings of the protection.",
              .source = "Observed answers of bot protection products",
              .false_positives = "Protection that knows the big search engines and shuts out only "
                                 "unknown crawlers."},
     .site = bot_wall},
    {.rule = {.id = "page-client-error",
              .title = "No linked or listed address is missing",
              .stage = Stage::kReachable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kAddress,
              .needs = kNeedsChain | kNeedsGraph,
              .why = "Readers and crawlers who follow the link find nothing.",
              .fix = "Mend or remove the links, or redirect the address to its successor.",
              .source = "RFC 9110 section 15.5",
              .false_positives = "Addresses that only people who are signed in may open."},
     .graph = page_client_error},
    {.rule = {.id = "page-server-error",
              .title = "No page answers with an error of the server",
              .stage = Stage::kReachable,
              .severity = Severity::kCritical,
              .scope = RuleScope::kAddress,
              .needs = kNeedsChain | kNeedsGraph,
              .why = "The page cannot be had, and crawlers slow down for the whole site.",
              .fix = "Look in the server's log for the fault at this address.",
              .source = "RFC 9110 section 15.6",
              .false_positives = "Maintenance at the time of the read."},
     .graph = page_server_error},
    {.rule = {.id = "page-timeout",
              .title = "Every page answers in full within 20 seconds",
              .stage = Stage::kReachable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kAddress,
              .needs = kNeedsChain | kNeedsGraph,
              .why = "Crawlers give up, and the page is not read.",
              .fix = "Find what makes this address slow or break off.",
              .source = "Practice of crawlers",
              .false_positives = "A network fault between us and the server."},
     .graph = page_timeout},
    {.rule = {.id = "ttfb",
              .title = "The server begins its answers within 800 ms",
              .stage = Stage::kReachable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kSite,
              .needs = kNeedsChain,
              .why = "Crawlers read fewer pages of a slow site, and people leave.",
              .fix = "Cache pages, or find what the server waits for.",
              .source = "web.dev: Time to First Byte (800 ms)",
              .false_positives = "Distance: we measure from where we run."},
     .site = ttfb},
    {.rule = {.id = "html-size",
              .title = "Pages have at most 2 MB of HTML",
              .stage = Stage::kReachable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHtml,
              .why = "Large crawlers stop reading there; what follows does not exist for them.",
              .fix = "Move inline data, styles and images into files of their own, or split the "
                     "page.",
              .source = "Reported limit of Googlebot for HTML",
              .false_positives = ""},
     .page = html_size},
    {.rule = {.id = "compression",
              .title = "HTML is sent compressed",
              .stage = Stage::kReachable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHeaders | kNeedsHtml,
              .why = "Text shrinks to a quarter; every reader and crawler waits less.",
              .fix = "Switch on gzip, br or zstd for text/html in the server.",
              .source = "RFC 9110 section 8.4",
              .false_positives = ""},
     .page = compression},
};

}  // namespace

std::span<const RuleEntry> answering_rules() { return kRules; }

}  // namespace periplus
