#include "audit/rule_cases.h"

namespace periplus {
namespace {

const std::string kHome = "https://example.com/";

std::function<MadeRead()> robots(std::string text, int status = 200) {
  return good_but([text = std::move(text), status](MadeRead& read) {
    read.source.documents[0].body = text;
    read.source.documents[0].status = status;
  });
}
std::function<MadeRead()> sitemap(std::string text, int status = 200) {
  return good_but([text = std::move(text), status](MadeRead& read) {
    read.source.documents[1].body = text;
    read.source.documents[1].status = status;
  });
}
std::function<MadeRead()> without_sitemap() {
  return good_but([](MadeRead& read) {
    read.source.documents[0].body = "";
    read.source.documents[1].status = 404;
    read.source.documents[1].body = "";
  });
}

std::string many_dated(std::string_view day) {
  std::string out = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
  for (int i = 0; i < 12; ++i)
    out += "<url><loc>https://example.com/" + std::to_string(i) + "</loc><lastmod>" +
           std::string(day) + "</lastmod></url>";
  return out + "</urlset>";
}

MadeRead deep(std::uint32_t depth, bool complete) {
  MadeRead read;
  read.page(kHome, good_page("The start of the site")).depth = depth;
  if (!complete) read.source.site.outcome.kind = OutcomeKind::kPageLimit;
  return read;
}

}  // namespace

std::vector<RuleCase> reachable_cases() {
  using enum FailureKind;
  std::vector<RuleCase> cases = {
      {"host-resolves", good_site, [] { return only_unreachable(kNameNotFound); },
       [] { return only_unreachable(kNameServerFailed); }, "no address"},
      {"tls-valid", good_site, [] { return only_unreachable(kTlsExpired); },
       [] {
         MadeRead read("http://example.com/");
         read.page("http://example.com/", good_page("The start of the site"));
         return read;
       },
       "certificate"},
      {"tls-expiring", good_site, good_but([](MadeRead& read) {
         read.source.pages[0].tls.not_after = read.source.site.ended + std::chrono::days(5);
       }),
       good_but([](MadeRead& read) { read.source.pages[0].tls = {}; }), "in 5 days"},
      {"home-ok", good_site,
       [] {
         MadeRead read;
         read.page(kHome, "gone", 404);
         read.source.site.outcome.kind = OutcomeKind::kHomeError;
         return read;
       },
       only_wall, "status 404"},
      {"bot-wall", good_site, only_wall, [] { return only_unreachable(); }, "Bot protection"},
      {"page-client-error", good_site,
       good_but([](MadeRead& read) { read.page("https://example.com/gone", "gone", 410); }),
       [] {
         MadeRead read;
         read.page(kHome, "sign in", 401);
         return read;
       },
       "status 410"},
      {"page-server-error", good_site, good_but([](MadeRead& read) {
         read.page("https://example.com/broken", "", 503).attempts = 2;
       }),
       [] {
         MadeRead read;
         read.page(kHome, "", 503);  // asked once
         return read;
       },
       "status 503"},
      {"page-timeout", good_site,
       good_but([](MadeRead& read) { read.failing("https://example.com/slow", kTimeout); }),
       [] {
         MadeRead read;
         read.failing(kHome, kTimeout, 1);
         return read;
       },
       "No full answer"},
      {"ttfb", good_site, good_but([](MadeRead& read) {
         for (PageRecord& page : read.source.pages) page.timings.wait = Millis(1500);
       }),
       only_wall, "1500 ms"},
      {"html-size", good_site, home(good_page("The start") + std::string(2'100'000, ' ')),
       [] {
         MadeRead read;
         read.page(kHome, good_page("The start of the site")).cut = true;
         return read;
       },
       "2.1 MB"},
      {"compression",
       only(good_page("The start of the site", {}, "<p>" + std::string(2000, 'x') + "</p>")),
       [] {
         MadeRead read;
         PageRecord& page =
             read.page(kHome, good_page("The start of the site", {}, std::string(2000, 'x')));
         page.headers = {};
         page.headers.add("Content-Type", "text/html; charset=utf-8");
         page.wire_bytes = page.body.size();
         return read;
       },
       only("<!doctype html><title>Small page</title><p>Little."), "uncompressed"},
      {"redirect-chain", good_site, good_but([](MadeRead& read) {
         read.redirect("https://example.com/a", "https://example.com/b");
         read.redirect("https://example.com/b", "https://example.com/one");
       }),
       only_wall, "2 redirects"},
      {"redirect-loop", good_site, good_but([](MadeRead& read) {
         PageRecord& page = read.failing("https://example.com/loop", kRedirectLoop, 1);
         page.status = 302;
         page.hops = {{page.url, 302, "/loop2", "", {}},
                      {"https://example.com/loop2", 302, "/loop", "", {}}};
       }),
       [] {
         MadeRead read;
         read.failing(kHome, kTimeout, 2);
         return read;
       },
       "come back"},
      {"redirect-linked", good_site, good_but([](MadeRead& read) {
         read.source.pages[1].body =
             good_page("The first page", {}, "<a href=\"/old\">The old address</a>");
         read.redirect("https://example.com/old", "https://example.com/two");
       }),
       only(good_page("The start of the site")), "https://example.com/two"},
      {"redirect-refresh", good_site,
       home(good_page("The start of the site",
                      "<meta http-equiv=\"refresh\" content=\"0; url=/one\">")),
       only_wall, "meta refresh"},
      {"https-upgrade", good_site, good_but([](MadeRead& read) {
         for (DocumentRecord& document : read.source.documents) {
           if (document.kind != kHttpsUpgrade) continue;
           document.hops = {{"http://example.com/", 200, "", "", {}}};
         }
       }),
       only(good_page("The start of the site")), "not on https"},
      {"one-host", good_site, good_but([](MadeRead& read) {
         for (DocumentRecord& document : read.source.documents) {
           if (document.kind != kOneHost) continue;
           document.hops = {{"https://www.example.com/", 200, "", "", {}}};
           document.body = good_page("The twin of the site");
         }
       }),
       only(good_page("The start of the site")), "www.example.com"},
      {"robots-status", good_site, robots("", 503), robots("", 429), "status 503"},
      {"robots-is-text", good_site, robots("<!doctype html><html><title>App</title></html>"),
       robots("", 404), "HTML page"},
      {"robots-syntax", good_site, robots("Disallow: /x\nUser-agent: *\nDisallow: /y\n"),
       robots("", 404), "line 1"},
      {"robots-blocks-all", good_site, robots("User-agent: Bingbot\nDisallow: /\n"),
       robots("", 503), "line 2 keeps Bingbot out"},
      {"robots-blocks-assets", good_but([](MadeRead& read) {
         read.source.pages[0].body =
             good_page("The start of the site", "<link rel=stylesheet href=/site.css>");
       }),
       good_but([](MadeRead& read) {
         read.source.pages[0].body =
             good_page("The start of the site", "<script src=/private/a.js></script>");
       }),
       good_site, "/private/a.js"},
      {"ai-search-allowed", good_site,
       robots("User-agent: PerplexityBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private\n"),
       robots("", 503), "PerplexityBot (Perplexity) may not fetch 3 of 3 pages"},
      {"ai-user-allowed", good_site, robots("User-agent: Claude-User\nDisallow: /\n"),
       robots("", 503), "Claude-User"},
      {"ai-training-policy", good_site, nullptr, robots("", 503), ""},
      {"ai-policy-consistent", good_site,
       robots("User-agent: *\nContent-Signal: search=yes, ai-train=maybe\nAllow: /\n"), robots(""),
       "ai-train=maybe"},
      {"noindex-hidden", good_but([](MadeRead& read) {
         read.source.pages[1].headers.add("X-Robots-Tag", "noindex");
       }),
       good_but([](MadeRead& read) {
         read.source.pages[1].headers.add("X-Robots-Tag", "noindex");
         read.source.documents[0].body = "User-agent: Googlebot\nDisallow: /one\n";
       }),
       good_site, "keeps Googlebot from seeing that"},
      {"noindex-site", good_site,
       home(good_page("The start of the site", "<meta name=robots content=noindex>")), only_wall,
       "start page"},
      {"click-depth", good_site, [] { return deep(5, true); }, [] { return deep(5, false); },
       "5 clicks"},
      {"orphan", good_site, good_but([](MadeRead& read) {
         PageRecord& page = read.page("https://example.com/alone", good_page("A page alone"));
         page.depth = kUnlinked;
         page.via = FoundVia::kSitemap;
         read.source.documents[1].body =
             sitemap_of({kHome, "https://example.com/one", "https://example.com/alone"});
       }),
       [] {
         MadeRead read;
         read.page(kHome, good_page("The start of the site"));
         read.page("https://example.com/alone", good_page("A page alone")).depth = kUnlinked;
         read.sitemap(sitemap_of({"https://example.com/alone"}));
         read.source.site.outcome.kind = OutcomeKind::kPageLimit;  // not complete
         return read;
       },
       "no page links to it"},
      {"sitemap-exists", good_site, good_but([](MadeRead& read) {
         read.source.documents[1].status = 404;  // robots.txt names it
       }),
       without_sitemap(), "status 404"},
      {"sitemap-parses", good_site,
       sitemap("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n<url><loc>"
               "https://example.com/</loc>\n</urlset>"),
       without_sitemap(), "sitemap.xml"},
      {"sitemap-urls-ok", good_site, good_but([](MadeRead& read) {
         read.page("https://example.com/gone", "gone", 404);
         read.source.documents[1].body = sitemap_of({kHome, "https://example.com/gone"});
       }),
       sitemap(sitemap_of({"https://example.com/never-read"})),
       "listed but answers with status 404"},
      {"sitemap-indexable", good_site, good_but([](MadeRead& read) {
         read.source.pages[1].headers.add("X-Robots-Tag", "noindex");
       }),
       without_sitemap(), "says noindex"},
      {"sitemap-host", good_site, sitemap(sitemap_of({"http://example.com/one"})),
       sitemap(sitemap_of({"https://other.example.org/one"})), "http://example.com"},
      {"sitemap-lastmod",
       sitemap("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>"
               "https://example.com/</loc><lastmod>2026-10-02</lastmod></url></urlset>"),
       sitemap(many_dated("2026-10-02")), good_site, "12 of 12"},
      {"url-shape", good_site, good_but([](MadeRead& read) {
         read.page("https://example.com/a%20b//c", good_page("A page with an odd address"));
       }),
       [] {
         MadeRead read;
         read.page("https://example.com/cdn-cgi/l/email-protection", "", 404);
         return read;
       },
       "space"},
      {"url-trap", good_site, good_but([](MadeRead& read) {
         read.source.site.traps.push_back({TrapKind::kRepeatedSegment, "/a/a/a",
                                           "https://example.com/a/a/a", "https://example.com/one",
                                           0, 3});
       }),
       [] { return only_unreachable(); }, "/a/a/a"},
  };
  return cases;
}

}  // namespace periplus
