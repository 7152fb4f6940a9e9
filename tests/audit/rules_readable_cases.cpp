#include "audit/rule_cases.h"

namespace periplus {

std::vector<RuleCase> readable_cases() {
  const std::string kTitle = "The start of the site";
  return {
      {"content-type", good_site, good_but([](MadeRead& read) {
         read.source.pages[1].headers = {};
         read.source.pages[1].headers.add("Content-Type", "text/plain");
       }),
       only_wall, "served as text/plain"},
      {"charset-valid", good_site, good_but([](MadeRead& read) {
         read.source.pages[1].headers = {};
         read.source.pages[1].headers.add("Content-Type", "text/html; charset=iso-8859-2");
       }),
       only_wall, "iso-8859-2"},
      {"head-intact", good_site,
       home(good_page(kTitle, "<div>x</div><link rel=canonical href=/>\n")), only_wall,
       "canonical link"},
      {"html-structure", good_site, home(good_page(kTitle, {}, "<!-- never closed ")), only_wall,
       "comment"},
      {"text-in-html", good_site,
       home("<!doctype html><html lang=en><meta charset=utf-8><title>An application</title>"
            "<body><div id=root></div></body>"),
       only(good_page(kTitle, "<meta name=robots content=noindex>")), "id=\"root\""},
      {"title-missing", good_site, home("<!doctype html><html lang=en><p>Words and words."),
       only_wall, "no title"},
      {"title-length", good_site, home(good_page("Short")), only_wall, "5 columns"},
      {"description-missing", good_site,
       home("<!doctype html><title>The start of the site</title><p>" + std::string(kWords)),
       only(good_page(kTitle, "<meta name=robots content=noindex>")), "no meta description"},
      {"h1-missing", good_site, home("<!doctype html><title>The start</title><h2>Second</h2>"),
       only_wall, "no h1"},
      {"heading-order", good_site, home(good_page(kTitle, {}, "<h4>Deep</h4>")),
       only("<!doctype html><title>No headings here</title><p>Words."), "follows an h1"},
      {"img-alt", good_site, home(good_page(kTitle, {}, "<img src=\"/b.png\">")),
       only(good_page(kTitle)), "/b.png"},
      {"link-name", good_site, home(good_page(kTitle, {}, "<a href=\"/x\"><i></i></a>")),
       only(good_page(kTitle)), "https://example.com/x"},
      {"link-malformed", good_site, home(good_page(kTitle, {}, "<a href=\"http://\">Nowhere</a>")),
       only(good_page(kTitle)), "no host"},
      {"link-localhost", good_site,
       home(good_page(kTitle, {}, "<a href=\"http://192.168.1.4/admin\">Admin</a>")), only_wall,
       "192.168.1.4"},
      {"link-broken", good_site, good_but([](MadeRead& read) {
         read.source.pages[1].body =
             good_page("The first page", {}, "<a href=\"/gone\">What is gone</a>");
         read.page("https://example.com/gone", "gone", 404);
       }),
       only(good_page(kTitle)), "status 404"},
      {"fragment-broken", good_site, good_but([](MadeRead& read) {
         read.source.pages[1].body =
             good_page("The first page", {}, "<a href=\"/two#none\">A place</a>");
       }),
       only(good_page(kTitle)), "/two#none"},
      {"viewport", good_site,
       home("<!doctype html><title>The start</title><meta name=viewport "
            "content=\"width=device-width, user-scalable=no\">"),
       only_wall, "user-scalable=no"},
  };
}

std::vector<RuleCase> later_cases() {
  const std::string kTitle = "The start of the site";
  return {
      {"lang-valid", good_site, home("<!doctype html><html lang=en_US><title>The start</title>"),
       only("<!doctype html><html lang=zzz><title>The start</title>"), "en_US"},
      {"canonical-one", good_site,
       home(good_page(kTitle, "<link rel=canonical href=/one><link rel=canonical href=/two>")),
       only(good_page(kTitle)), "two canonical addresses"},
      {"canonical-target", good_site, good_but([](MadeRead& read) {
         read.source.pages[1].body = good_page("The first page", "<link rel=canonical href=/gone>");
         read.page("https://example.com/gone", "gone", 404);
       }),
       only(good_page(kTitle, "<link rel=canonical href=/never-read>")), "status 404"},
      {"canonical-home", good_but([](MadeRead& read) {
         for (int i = 0; i < 5; ++i)
           read.page("https://example.com/p" + std::to_string(i),
                     good_page("Page number " + std::to_string(i)));
       }),
       good_but([](MadeRead& read) {
         for (int i = 0; i < 5; ++i)
           read.page("https://example.com/p" + std::to_string(i),
                     good_page("Page number " + std::to_string(i), "<link rel=canonical href=/>"));
       }),
       good_site, "5 of 7"},
      {"hreflang-return", good_but([](MadeRead& read) {
         const std::string set =
             "<link rel=alternate hreflang=en href=/one><link rel=alternate hreflang=de href=/two>";
         read.source.pages[1].body = good_page("The first page", set);
         read.source.pages[2].body = good_page("The second page", set);
       }),
       good_but([](MadeRead& read) {
         read.source.pages[1].body =
             good_page("The first page", "<link rel=alternate hreflang=de href=/two>");
       }),
       good_site, "does not link back"},
      {"hreflang-target", good_but([](MadeRead& read) {
         read.source.pages[1].body =
             good_page("The first page", "<link rel=alternate hreflang=de href=/two>");
       }),
       good_but([](MadeRead& read) {
         read.source.pages[1].body =
             good_page("The first page", "<link rel=alternate hreflang=de href=/gone>");
         read.page("https://example.com/gone", "gone", 404);
       }),
       good_site, "status 404"},
      {"title-duplicate", good_site, good_but([](MadeRead& read) {
         read.source.pages[2].body = good_page("THE  FIRST PAGE", {}, "<p>Other words.</p>");
       }),
       only(good_page(kTitle, "<meta name=robots content=noindex>")), "same title"},
      {"content-duplicate", good_site,
       good_but([](MadeRead& read) { read.source.pages[2].body = read.source.pages[1].body; }),
       only(good_page(kTitle, "<meta name=robots content=noindex>")), "same text"},
      {"soft-404", good_site, good_but([](MadeRead& read) {
         const std::string gone = "<!doctype html><title>Page not found</title><p>Sorry, nothing.";
         read.page("https://example.com/real-404", gone, 404);
         read.page("https://example.com/soft-404", gone);
       }),
       only_wall, "status 404"},
      {"jsonld-parses", good_but([](MadeRead& read) {
         read.source.pages[0].body =
             good_page("The start of the site",
                       "<script type=\"application/ld+json\">{\"@type\":\"WebSite\"}</script>");
       }),
       home(good_page(kTitle, "<script type=\"application/ld+json\">{\"a\":1,}</script>")),
       good_site, "comma stands before the closing bracket"},
      {"llms-txt-valid", good_but([](MadeRead& read) {
         read.source.documents.back().status = 200;
         read.source.documents.back().body = "# Example\n\n- [One](/one): the first page\n";
       }),
       good_but([](MadeRead& read) {
         read.source.documents.back().status = 200;
         read.source.documents.back().body = "Welcome\n";
       }),
       good_site, "does not begin with a heading"},
      {"https-page", good_site,
       [] {
         MadeRead read("http://example.com/");
         read.page("http://example.com/", good_page("The start of the site"));
         return read;
       },
       only_wall, "served over http"},
      {"hsts", good_site, good_but([](MadeRead& read) {
         read.source.pages[0].headers.lines.back().second = "max-age=600";
       }),
       only_wall, "600 seconds"},
      {"mixed-active", good_site,
       home(good_page(kTitle, "<script src=\"http://example.com/a.js\"></script>")), only_wall,
       "http://example.com/a.js"},
      {"mixed-passive", good_site,
       home(good_page(kTitle, {}, "<img alt=\"A boat\" src=\"http://example.com/b.png\">")),
       only_wall, "http://example.com/b.png"},
      {"form-insecure",
       home(good_page(kTitle, {}, "<form action=\"/send\"><input title=q></form>")),
       home(good_page(kTitle, {},
                      "<form action=\"http://example.com/send\"><input title=q></form>")),
       good_site, "http://example.com/send"},
      {"cookie-flags", good_but([](MadeRead& read) {
         read.source.pages[0].headers.add("Set-Cookie", "a=1; Secure; SameSite=Lax");
       }),
       good_but([](MadeRead& read) {
         read.source.pages[0].headers.add("Set-Cookie", "sid=1; Secure; SameSite=Lax");
       }),
       good_site, "HttpOnly"},
      {"snippet-allowed", good_site,
       home(good_page(kTitle, "<meta name=robots content=\"max-snippet:0\">")),
       only(good_page(kTitle, "<meta name=robots content=noindex>")), "max-snippet:0"},
      {"link-external-broken", nullptr, nullptr, good_site, ""},
  };
}

}  // namespace periplus
