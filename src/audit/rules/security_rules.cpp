// What protects readers, and what keeps a page from being cited.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "audit/check.h"
#include "base/text.h"
#include "robots/page_directives.h"

namespace periplus {
namespace {

constexpr std::uint64_t kShortestHsts = 15'768'000;  // seconds: half a year
constexpr std::string_view kNotHttps = "the page is not on https";

Judged https_page(const PageInHand& in, FindingList& findings) {
  if (in.url.scheme() == "https") return pass();
  findings.add("The page is served over http, so anybody on the way can read and change it.", {},
               {}, {in.url.href()});
  return findings.verdict();
}

Judged hsts(const SiteFacts& site, FindingList& findings) {
  if (!site.home_read() || site.pages[site.home].status == 0 ||
      site.pages[site.home].state == PageState::kBlocked)
    return unknown("the start page was not read");
  if (site.home_url.scheme() != "https") return not_applicable("ignored over http");
  const std::string_view header = site.home_headers.get("strict-transport-security");
  if (header.empty()) {
    findings.add("The start page sends no Strict-Transport-Security.");
    return findings.verdict();
  }
  std::optional<std::uint64_t> age;
  std::string_view rest = header;
  for (;;) {
    const std::size_t end = rest.find(';');
    const std::string_view directive = trim(rest.substr(0, end));
    const std::size_t equals = directive.find('=');
    if (!age && equals != std::string_view::npos &&
        equal_ignoring_case(trim(directive.substr(0, equals)), "max-age")) {
      std::string_view value = trim(directive.substr(equals + 1));
      if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"'))
        value = value.substr(1, value.size() - 2);
      std::uint64_t seconds = 0;
      const auto [last, fault] =
          std::from_chars(value.data(), value.data() + value.size(), seconds);
      if (fault == std::errc() && last == value.data() + value.size()) age = seconds;
    }
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  if (!age) {
    findings.add("Strict-Transport-Security has no valid max-age, so browsers ignore it.", header);
  } else if (*age < kShortestHsts) {
    findings.add(fmt::format("Strict-Transport-Security lasts {} seconds; half a year is {}.", *age,
                             kShortestHsts),
                 header);
  }
  return findings.verdict();
}

bool is_active(ResourceKind kind) {
  switch (kind) {
    case ResourceKind::kScript:
    case ResourceKind::kStylesheet:
    case ResourceKind::kIframe:
    case ResourceKind::kObject:
    case ResourceKind::kEmbed:
      return true;
    default:
      return false;
  }
}

bool is_passive(ResourceKind kind) {
  switch (kind) {
    case ResourceKind::kImage:
    case ResourceKind::kAudio:
    case ResourceKind::kVideo:
    case ResourceKind::kSource:
    case ResourceKind::kTrack:
      return true;
    default:
      return false;
  }
}

std::string_view word_for(ResourceKind kind) {
  switch (kind) {
    case ResourceKind::kScript:
      return "script";
    case ResourceKind::kStylesheet:
      return "style sheet";
    case ResourceKind::kIframe:
      return "frame";
    case ResourceKind::kObject:
    case ResourceKind::kEmbed:
      return "object";
    case ResourceKind::kImage:
      return "image";
    case ResourceKind::kAudio:
      return "audio";
    case ResourceKind::kVideo:
      return "video";
    case ResourceKind::kSource:
      return "source";
    case ResourceKind::kTrack:
      return "track";
    case ResourceKind::kFormAction:
      return "form";
  }
  return "resource";
}

Judged mixed(const PageInHand& in, bool (*wanted)(ResourceKind), FindingList& findings) {
  if (in.url.scheme() != "https") return not_applicable(kNotHttps);
  Url url;
  for (const Resource& resource : in.facts->resources) {
    if (!wanted(resource.kind)) continue;
    if (!Url::parse_into(resource.url, &in.base, &url) || url.scheme() != "http") continue;
    findings.add(fmt::format("A{} {} is fetched over http: {}",
                             resource.kind == ResourceKind::kImage ||
                                     resource.kind == ResourceKind::kObject ||
                                     resource.kind == ResourceKind::kEmbed ||
                                     resource.kind == ResourceKind::kAudio
                                 ? "n"
                                 : "",
                             word_for(resource.kind), quote_of(url.href())),
                 in.source(resource.place, resource.url), resource.place, {url.href()});
  }
  return findings.verdict();
}

Judged mixed_active(const PageInHand& in, FindingList& findings) {
  return mixed(in, is_active, findings);
}
Judged mixed_passive(const PageInHand& in, FindingList& findings) {
  return mixed(in, is_passive, findings);
}

Judged form_insecure(const PageInHand& in, FindingList& findings) {
  bool any = false;
  Url url;
  for (const Resource& resource : in.facts->resources) {
    if (resource.kind != ResourceKind::kFormAction) continue;
    any = true;
    if (!Url::parse_into(resource.url, &in.base, &url) || url.scheme() != "http") continue;
    findings.add(fmt::format("A form sends what people write to {} without protection.",
                             quote_of(url.href())),
                 in.source(resource.place, resource.url), resource.place, {url.href()});
  }
  if (!any) return not_applicable("the page has no form");
  return findings.verdict();
}

bool is_session_name(std::string_view cookie) {
  const std::string lower = to_ascii_lower(cookie);
  // Scripts must read these to send them back.
  for (const std::string_view open : {"csrf", "xsrf"}) {
    if (lower.find(open) != std::string::npos) return false;
  }
  if (lower == "sid" || lower.ends_with(".sid") || lower.ends_with("_sid") ||
      lower.ends_with("-sid"))
    return true;
  for (const std::string_view known :
       {"sess", "auth", "token", "login", "jwt", "phpsessid", "jsessionid", "remember_me"}) {
    if (lower.find(known) != std::string::npos) return true;
  }
  return false;
}

Judged cookie_flags(const SiteFacts& site, FindingList& findings) {
  if (!site.home_read()) return unknown("the start page was not read");
  if (site.cookie_lines == 0)
    return site.home_url.scheme() == "https" ? not_applicable("no page sets a cookie")
                                             : not_applicable("the site is not on https");
  for (const CookieLine& cookie : site.cookies) {
    const std::string_view line = cookie.line;
    const std::string_view cookie_name = trim(line.substr(0, line.find('=')));
    bool secure = false;
    bool same_site = false;
    bool http_only = false;
    std::size_t at = line.find(';');
    while (at != std::string_view::npos) {
      const std::size_t end = line.find(';', at + 1);
      const std::string_view attribute =
          trim(line.substr(at + 1, end == std::string_view::npos ? end : end - at - 1));
      const std::string_view key = trim(attribute.substr(0, attribute.find('=')));
      secure = secure || equal_ignoring_case(key, "secure");
      same_site = same_site || equal_ignoring_case(key, "samesite");
      http_only = http_only || equal_ignoring_case(key, "httponly");
      at = end;
    }
    std::string missing;
    const auto miss = [&](std::string_view flag) {
      missing.append(missing.empty() ? "" : ", ").append(flag);
    };
    if (!secure) miss("Secure");
    if (!same_site) miss("SameSite");
    if (!http_only && is_session_name(cookie_name)) miss("HttpOnly");
    if (missing.empty()) continue;
    // The value is the reader's own; only name and attributes are shown.
    const std::size_t attributes = line.find(';');
    findings.add_on(
        cookie.page,
        fmt::format("The cookie \"{}\" is set without {}.", quote_of(cookie_name), missing),
        fmt::format(
            "Set-Cookie: {}=…{}", cookie_name,
            attributes == std::string_view::npos ? std::string_view() : line.substr(attributes)),
        {}, {});
  }
  return findings.verdict();
}

Judged snippet_allowed(const PageInHand& in, FindingList& findings) {
  PageDirectives directives;
  for (const std::string_view value : in.record.headers.all("x-robots-tag"))
    add_x_robots_tag(value, "Googlebot", &directives);
  SourcePlace place;
  for (const Meta& meta : in.facts->metas) {
    if (meta.http_equiv || meta.property) continue;
    const bool before = directives.nosnippet || directives.max_snippet == 0;
    add_meta_robots(meta.name, meta.content, "Googlebot", &directives);
    if (!before && (directives.nosnippet || directives.max_snippet == 0)) place = meta.place;
  }
  std::string source;
  for (const std::string& one : directives.sources) {
    if (contains_ignoring_case(one, "nosnippet") || contains_ignoring_case(one, "max-snippet"))
      source = one;
  }
  if (directives.nosnippet) {
    findings.add("The page says nosnippet, so nothing of it may be quoted.", source, place);
  } else if (directives.max_snippet == 0) {
    findings.add("The page says max-snippet:0, so nothing of it may be quoted.", source, place);
  }
  const PageFacts& facts = *in.facts;
  if (facts.main_words > 0 && facts.nosnippet_words * 2 > facts.main_words)
    findings.add(fmt::format("data-nosnippet covers {} of {} words of the main text.",
                             facts.nosnippet_words, facts.main_words));
  return findings.verdict();
}

constexpr RuleEntry kRules[] = {
    {.rule = {.id = "https-page",
              .title = "Every page is on https",
              .stage = Stage::kTrusted,
              .severity = Severity::kCritical,
              .scope = RuleScope::kPage,
              .needs = kNeedsChain,
              .why = "Over http anybody on the way can read and change the page; browsers warn of "
                     "it.",
              .fix = "Serve the site over https and redirect http to it.",
              .source = "RFC 9110 section 4.2.2",
              .false_positives = ""},
     .page = https_page},
    {.rule = {.id = "hsts",
              .title = "Browsers are told to stay on https for half a year",
              .stage = Stage::kTrusted,
              .severity = Severity::kMinor,
              .scope = RuleScope::kSite,
              .needs = kNeedsHeaders,
              .why = "Without it the first request of every visit may go out unprotected.",
              .fix = "Send Strict-Transport-Security: max-age=31536000.",
              .source = "RFC 6797 section 6.1",
              .false_positives = "",
              .prerequisite = "https-page"},
     .site = hsts},
    {.rule = {.id = "mixed-active",
              .title = "No script, style or frame comes over http",
              .stage = Stage::kTrusted,
              .severity = Severity::kMajor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHtml,
              .why = "Browsers block it, and the page breaks.",
              .fix = "Write https into the address.",
              .source = "W3C Mixed Content section 2",
              .false_positives = "",
              .prerequisite = "https-page"},
     .page = mixed_active},
    {.rule = {.id = "mixed-passive",
              .title = "No image, sound or film comes over http",
              .stage = Stage::kTrusted,
              .severity = Severity::kMinor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHtml,
              .why = "Browsers ask for it over https instead, and show nothing when that fails.",
              .fix = "Write https into the address.",
              .source = "W3C Mixed Content section 2",
              .false_positives = "",
              .prerequisite = "https-page"},
     .page = mixed_passive},
    {.rule = {.id = "form-insecure",
              .title = "No form sends over http",
              .stage = Stage::kTrusted,
              .severity = Severity::kMajor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHtml,
              .why = "What people type can be read on the way.",
              .fix = "Write https into the form's action.",
              .source = "W3C Mixed Content section 8",
              .false_positives = ""},
     .page = form_insecure},
    {.rule = {.id = "cookie-flags",
              .title = "Cookies have Secure and SameSite, sessions HttpOnly",
              .stage = Stage::kTrusted,
              .severity = Severity::kMinor,
              .scope = RuleScope::kSite,
              .needs = kNeedsHeaders,
              .why = "A session that leaves by http, another site or a script can be stolen.",
              .fix = "Add the flags named here where the cookie is set.",
              .source = "RFC 6265bis section 4.1.2",
              .false_positives = "Cookies that scripts must read.",
              .prerequisite = "https-page"},
     .site = cookie_flags},
    {.rule = {.id = "snippet-allowed",
              .title = "Search results may quote the page",
              .stage = Stage::kTrusted,
              .severity = Severity::kMajor,
              .scope = RuleScope::kIndexablePage,
              .needs = kNeedsHtml | kNeedsHeaders,
              .why = "A page that may not be quoted is neither shown with its words nor cited in "
                     "answers.",
              .fix = "Remove nosnippet, max-snippet:0 and data-nosnippet from the main text.",
              .source = "Google Search Central: robots meta tag, data-nosnippet",
              .false_positives = "Texts that are sold and must not be shown."},
     .page = snippet_allowed},
};

}  // namespace

std::span<const RuleEntry> security_rules() { return kRules; }

}  // namespace periplus
