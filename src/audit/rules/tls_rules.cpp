// The site's name and its certificate.
#include <fmt/format.h>

#include "audit/check.h"

namespace periplus {
namespace {

bool is_tls(FailureKind kind) {
  switch (kind) {
    case FailureKind::kTlsUntrusted:
    case FailureKind::kTlsExpired:
    case FailureKind::kTlsWrongName:
    case FailureKind::kTlsHandshake:
    case FailureKind::kTlsRevokedOrBad:
      return true;
    default:
      return false;
  }
}

// What the start address failed with, if it did.
std::optional<Failure> start_failure(const SiteFacts& site) {
  if (site.home_read() && site.pages[site.home].failure) return site.pages[site.home].failure;
  if (site.home_read() && site.pages[site.home].status != 0) return std::nullopt;
  return site.read.outcome.failure;
}

bool answered(const SiteFacts& site) {
  if (site.home_read() && site.pages[site.home].status != 0) return true;
  const RobotsFile* robots = site.home_robots();
  return robots != nullptr && robots->record.status != 0;
}

Judged host_resolves(const SiteFacts& site, FindingList& findings) {
  if (answered(site)) return pass();
  const std::optional<Failure> failure = start_failure(site);
  if (!failure) return unknown("nothing was asked of the host");
  const std::string host(site.home_url.hostname());
  switch (failure->kind) {
    case FailureKind::kNameNotFound:
      findings.add(fmt::format("The name {} has no address.", host), failure->detail);
      return findings.verdict();
    case FailureKind::kAddressRefused:
      findings.add(
          fmt::format("{} resolves to an address that is not public, so it was not read.", host),
          failure->detail);
      return findings.verdict();
    case FailureKind::kNameServerFailed:
      return unknown("no name server gave an answer");
    case FailureKind::kBadUrl:
    case FailureKind::kPortRefused:
    case FailureKind::kAborted:
    case FailureKind::kInternal:
      return unknown("the host was not asked");
    default:
      return pass();
  }
}

Judged tls_valid(const SiteFacts& site, FindingList& findings) {
  const std::optional<Failure> failure = start_failure(site);
  if (failure && is_tls(failure->kind)) {
    findings.add(fmt::format("The certificate of {} is not accepted: {}.", site.home_url.hostname(),
                             sentence(failure->kind)),
                 failure->detail);
    return findings.verdict();
  }
  if (site.home_url.scheme() != "https") return not_applicable("the site is not on https");
  if (site.home_tls.used || answered(site)) return pass();
  return unknown("no TLS connection was made");
}

Judged tls_expiring(const SiteFacts& site, FindingList& findings) {
  if (site.home_url.scheme() != "https") return not_applicable("the site is not on https");
  if (!site.home_tls.used || !site.home_tls.not_after)
    return unknown("the certificate's dates are not known");
  const Instant end = *site.home_tls.not_after;
  const auto left = std::chrono::floor<std::chrono::days>(end - site.now);
  if (left >= std::chrono::days(14)) return pass();
  findings.add(left.count() < 0 ? fmt::format("The certificate ended on {}.", to_rfc3339(end))
                                : fmt::format("The certificate ends on {}, in {} days.",
                                              to_rfc3339(end), left.count()),
               site.home_tls.subject);
  return findings.verdict();
}

constexpr RuleEntry kRules[] = {
    {.rule = {.id = "host-resolves",
              .title = "The host's name has a public address",
              .stage = Stage::kReachable,
              .severity = Severity::kCritical,
              .scope = RuleScope::kSite,
              .needs = kNeedsChain,
              .why = "Without an address nobody reaches the site; a private one is reachable only "
                     "from inside.",
              .fix = "Publish A or AAAA records that lead to a public address.",
              .source = "RFC 1035; IANA special-purpose address registries",
              .false_positives = "A site meant for an internal network only."},
     .site = host_resolves},
    {.rule = {.id = "tls-valid",
              .title = "The certificate is trusted, names the host and is in date",
              .stage = Stage::kReachable,
              .severity = Severity::kCritical,
              .scope = RuleScope::kSite,
              .needs = kNeedsTls,
              .why = "Browsers and crawlers refuse a connection whose certificate they cannot "
                     "verify.",
              .fix = "Install a certificate for this name, with the whole chain up to a trusted "
                     "issuer, and renew it automatically.",
              .source = "RFC 5280; RFC 9525",
              .false_positives = "An issuer that is trusted inside an organisation only."},
     .site = tls_valid},
    {.rule = {.id = "tls-expiring",
              .title = "The certificate is valid for 14 days or more",
              .stage = Stage::kReachable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kSite,
              .needs = kNeedsTls,
              .why = "When it ends, the site is closed to everybody from one minute to the next.",
              .fix = "Renew the certificate, and see why automatic renewal has not done so.",
              .source = "RFC 5280 section 4.1.2.5",
              .false_positives = "Certificates of a few days' life by design.",
              .prerequisite = "tls-valid"},
     .site = tls_expiring},
};

}  // namespace

std::span<const RuleEntry> tls_rules() { return kRules; }

}  // namespace periplus
