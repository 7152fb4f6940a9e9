// Reads of sites written down in tests, and what the judge says of them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/audit_use.h"
#include "audit/judge.h"
#include "audit/rulebook.h"
#include "base/text.h"
#include "visit/record_format.h"

namespace periplus {

inline void PrintTo(Verdict verdict, std::ostream* out) { *out << name(verdict); }

// Sites by their last two labels: enough for example.com.
class TwoLabels final : public PublicSuffixes {
 public:
  std::string site(std::string_view host) const override {
    const std::size_t last = host.rfind('.');
    if (last == std::string_view::npos || last == 0) return std::string(host);
    const std::size_t before = host.rfind('.', last - 1);
    return std::string(before == std::string_view::npos ? host : host.substr(before + 1));
  }
  std::string owner(std::string_view host) const override { return site(host); }
};

inline constexpr std::string_view kWords =
    "harbour lantern compass anchor voyage captain horizon current island coast sailor tide chart "
    "rudder mast canvas breeze signal beacon reef channel cargo deck cabin galley rope knot buoy "
    "pier dock wharf quay lagoon strait cape gulf bay inlet shore cliff dune marsh delta river "
    "spring summit valley meadow forest orchard garden village market";

// A page without faults. `text` makes its main text its own.
inline std::string good_page(std::string_view title, std::string_view extra_head = {},
                             std::string_view extra_body = {}) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>";
  out.append(title).append("</title>\n<meta name=\"description\" content=\"About ");
  out.append(title).append(" and what belongs to it.\">\n").append(extra_head);
  out.append("</head>\n<body>\n<main>\n<h1>").append(title).append("</h1>\n<p>");
  out.append(kWords).append(" ").append(title).append("</p>\n").append(extra_body);
  out.append("</main>\n</body>\n</html>\n");
  return out;
}

class MadeRead {
 public:
  explicit MadeRead(std::string start = "https://example.com/") {
    source.site.site = "example.com";
    source.site.start_url = start;
    source.site.home_url = start;
    source.site.started = Instant(std::chrono::seconds(1'796'000'000));
    source.site.ended = source.site.started + std::chrono::minutes(5);
    source.site.outcome.kind = OutcomeKind::kComplete;
    source.site.user_agent = "Periplus/1.0 (+https://operator.example/bot)";
    source.site.page_limit = 100;
  }

  // A page that answers 200 with that HTML; the first is the start page.
  PageRecord& page(const std::string& url, std::string html, int status = 200) {
    PageRecord& record = source.pages.emplace_back();
    record.url = url;
    record.final_url = url;
    record.via = source.pages.size() == 1 ? FoundVia::kStart : FoundVia::kLink;
    record.depth = source.pages.size() == 1 ? 0 : 1;
    record.status = status;
    record.headers.add("Content-Type", "text/html; charset=utf-8");
    record.headers.add("Content-Encoding", "gzip");
    record.body = std::move(html);
    record.wire_bytes = record.body.size() / 4;
    record.timings.wait = Millis(50);
    record.timings.total = Millis(80);
    record.hops.push_back({url, status, "", "203.0.113.7", {}});
    if (url.starts_with("https:")) {
      record.tls.used = true;
      record.tls.version = "TLSv1.3";
      record.tls.subject = "example.com";
      record.tls.not_after = source.site.started + std::chrono::days(60);
      if (source.pages.size() == 1)
        record.headers.add("Strict-Transport-Security", "max-age=31536000");
    }
    return record;
  }
  // An address that leads on; what it leads to has a record of its own.
  PageRecord& redirect(const std::string& url, const std::string& to, int status = 301) {
    PageRecord& record = page(url, "", status);
    record.headers = {};
    record.final_url = to;
    record.hops = {{url, status, to, "203.0.113.7", {}}};
    return record;
  }
  PageRecord& failing(const std::string& url, FailureKind kind, int attempts = 2) {
    PageRecord& record = page(url, "", 0);
    record.headers = {};
    record.hops.clear();
    record.failure = Failure{kind, ""};
    record.attempts = attempts;
    record.tls = {};
    return record;
  }
  PageRecord& walled(const std::string& url, int status = 403) {
    PageRecord& record = page(url, "<p>Checking your browser</p>", status);
    record.wall = BotWall{"cloudflare", BotWallKind::kChallenge, "header cf-mitigated: challenge"};
    return record;
  }

  DocumentRecord& document(std::string_view kind, const std::string& url, std::string body,
                           int status = 200, std::string_view type = "text/plain") {
    DocumentRecord& record = source.documents.emplace_back();
    record.kind = kind;
    record.url = url;
    record.status = status;
    record.body = std::move(body);
    record.attempts = 2;
    record.headers.add("Content-Type", std::string(type));
    record.hops.push_back({url, status, "", "203.0.113.7", {}});
    return record;
  }
  DocumentRecord& robots(std::string body, int status = 200,
                         const std::string& origin = "https://example.com") {
    return document(kRobotsDocument, origin, std::move(body), status);
  }
  DocumentRecord& sitemap(std::string body, int status = 200,
                          const std::string& url = "https://example.com/sitemap.xml") {
    return document(kSitemapDocument, url, std::move(body), status, "application/xml");
  }
  // http://example.com/ leads to https.
  DocumentRecord& upgrade(int status = 301) {
    DocumentRecord& record = document(kHttpsUpgrade, "https://example.com/", "");
    record.hops = {{"http://example.com/", status, "https://example.com/", "203.0.113.7", {}},
                   {"https://example.com/", 200, "", "203.0.113.7", {}}};
    return record;
  }

  Judgement judge() {
    JudgeOptions options;
    options.suffixes = &suffixes_;
    Result<Judgement> judged = periplus::judge(source, Rulebook::standard(), options);
    EXPECT_TRUE(judged.has_value()) << (judged ? "" : judged.error().sentence);
    return judged ? std::move(*judged) : Judgement{};
  }

  SiteReadInMemory source;

 private:
  TwoLabels suffixes_;
};

inline std::string sitemap_of(const std::vector<std::string>& urls) {
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset "
      "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";
  for (const std::string& url : urls) out += "<url><loc>" + url + "</loc></url>\n";
  return out + "</urlset>\n";
}

// A site on which no rule fails.
inline MadeRead good_site() {
  MadeRead read;
  read.page("https://example.com/",
            good_page("The start of the site", "<link rel=\"canonical\" href=\"/\">\n",
                      "<p><a href=\"/one\">The first page</a> <a href=\"/two#part\">The second "
                      "page</a> <img src=\"/a.png\" alt=\"A boat\"></p>\n"));
  read.page("https://example.com/one",
            good_page("The first page", {}, "<p><a href=\"/\">Back to the start</a></p>\n"));
  read.page("https://example.com/two",
            good_page("The second page", {},
                      "<h2 id=\"part\">Part</h2><p><a href=\"/\">Back to the start</a></p>\n"));
  read.robots("User-agent: *\nDisallow: /private\nSitemap: https://example.com/sitemap.xml\n");
  read.sitemap(
      sitemap_of({"https://example.com/", "https://example.com/one", "https://example.com/two"}));
  read.upgrade();
  DocumentRecord& twin = read.document(kOneHost, "https://example.com/", "");
  twin.hops = {{"https://www.example.com/", 301, "https://example.com/", "203.0.113.7", {}},
               {"https://example.com/", 200, "", "203.0.113.7", {}}};
  read.document(kLlmsTxt, "https://example.com/llms.txt", "not found", 404);
  return read;
}

inline const RuleResult& rule(const Judgement& judgement, std::string_view id) {
  for (const RuleResult& result : judgement.rules) {
    if (result.rule->id == id) return result;
  }
  ADD_FAILURE() << "no rule " << id;
  static const RuleResult kNothing;
  return kNothing;
}

inline Verdict verdict(const Judgement& judgement, std::string_view id) {
  return rule(judgement, id).verdict();
}

// The messages of a rule, one a line: for matchers, and to be seen when they fail.
inline std::string messages(const Judgement& judgement, std::string_view id) {
  std::string out;
  for (const Finding& finding : rule(judgement, id).findings) out += finding.message + "\n";
  return out;
}

// Every failing rule with its messages.
inline std::string failures(const Judgement& judgement) {
  std::string out;
  for (const RuleResult& result : judgement.rules) {
    if (result.failing == 0) continue;
    out += std::string(result.rule->id) + ":\n" + messages(judgement, result.rule->id);
  }
  return out;
}

inline bool fails_on(const Judgement& judgement, std::string_view id, std::string_view url) {
  for (const PageId page : rule(judgement, id).failing_pages) {
    if (judgement.pages[page].url == url) return true;
  }
  return false;
}

}  // namespace periplus
