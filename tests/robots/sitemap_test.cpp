#include "robots/sitemap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "robots/sitemap_scope.h"
#include "testdata.h"

namespace periplus {
namespace {

using Json = nlohmann::json;

std::string_view kind_name(SitemapKind kind) {
  constexpr std::string_view kNames[] = {"none", "urlset", "index", "text", "rss", "atom"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<std::string> locs_of(const Sitemap& sitemap) {
  std::vector<std::string> out;
  for (const SitemapEntry& entry : sitemap.entries) out.push_back(entry.loc);
  return out;
}

bool has(const Sitemap& sitemap, SitemapFault fault) {
  return std::any_of(sitemap.findings.begin(), sitemap.findings.end(),
                     [&](const SitemapFinding& f) { return f.fault == fault; });
}

std::string print(const Sitemap& sitemap) {
  std::string out = std::string(kind_name(sitemap.kind)) +
                    (sitemap.well_formed ? " wf " : " bad ") + std::to_string(sitemap.bytes) + "\n";
  for (const SitemapEntry& entry : sitemap.entries) {
    out += entry.loc + " | " + entry.lastmod_text + " | " +
           (entry.lastmod ? to_rfc3339(*entry.lastmod) : "-") + "\n";
  }
  for (const SitemapFinding& finding : sitemap.findings) {
    out += std::string(sentence(finding.fault)) + " " + std::to_string(finding.line) + " " +
           finding.detail + "\n";
  }
  return out;
}

TEST(Sitemap, ARelativeAddressIsResolvedAndNamed) {
  const Url base = Url::parse("https://x.test/maps/one.xml").value();
  const std::string text =
      "<urlset>\n<url><loc>/a?b=1&amp;c</loc></url>\n<url><loc>d</loc></url>\n"
      "<url><loc>https://x.test/e</loc></url>\n<url><loc>mailto:x@x.test</loc></url>\n</urlset>";
  const Sitemap sitemap = read_sitemap(text, {}, &base);
  EXPECT_EQ(locs_of(sitemap),
            (std::vector<std::string>{"https://x.test/a?b=1&c", "https://x.test/maps/d",
                                      "https://x.test/e"}))
      << print(sitemap);
  EXPECT_TRUE(has(sitemap, SitemapFault::kRelativeLoc)) << print(sitemap);
  EXPECT_TRUE(has(sitemap, SitemapFault::kBadLoc)) << print(sitemap);  // the mail address
  ASSERT_FALSE(sitemap.findings.empty());
  EXPECT_EQ(sitemap.findings.front().line, 2U);
  EXPECT_EQ(sitemap.findings.front().detail, "/a?b=1&c");

  const Sitemap nowhere = read_sitemap(text);
  EXPECT_EQ(locs_of(nowhere), std::vector<std::string>{"https://x.test/e"});
  EXPECT_FALSE(has(nowhere, SitemapFault::kRelativeLoc));
}

TEST(Sitemap, LanguagesOfAnEntryAreItsOwn) {
  const Sitemap sitemap = read_sitemap(
      "<urlset xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n"
      "<url><xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://x.test/de?a&amp;b\"/>"
      "<loc>https://x.test/en</loc>\n<xhtml:link rel='alternate' hreflang='x-default' href=' /x '/>"
      "<xhtml:link rel='stylesheet' href='/s'/></url>\n"
      "<url><loc>https://x.test/plain</loc></url>\n"
      "<url><loc>ftp://x.test/</loc><xhtml:link rel='alternate' hreflang='fr' href='/f'/></url>"
      "</urlset>");
  ASSERT_EQ(sitemap.entries.size(), 2U) << print(sitemap);
  const std::vector<SitemapAlternate>& given = sitemap.entries[0].alternates;
  ASSERT_EQ(given.size(), 2U);
  EXPECT_EQ(given[0].lang, "de");
  EXPECT_EQ(given[0].href, "https://x.test/de?a&b");
  EXPECT_EQ(given[0].line, 2U);
  EXPECT_EQ(given[1].lang, "x-default");
  EXPECT_EQ(given[1].href, "/x");
  EXPECT_TRUE(sitemap.entries[1].alternates.empty());
}

TEST(Sitemap, FilesOfTheSuiteAreReadAsExpected) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA("sitemaps/expected.json");
  const Json expected = Json::parse(read_file(path));
  for (const Json& fact : expected["cases"]) {
    const std::string file = fact["file"];
    const std::string bytes = read_file(testdata_root() + "/sitemaps/" + file);
    const Sitemap sitemap = read_sitemap(bytes, fact["content_type"].get<std::string>());
    EXPECT_EQ(kind_name(sitemap.kind), fact["kind"].get<std::string>()) << file;
    EXPECT_EQ(sitemap.well_formed, fact["well_formed"].get<bool>()) << file << print(sitemap);
    const std::vector<std::string> locs = locs_of(sitemap);
    if (!fact["locs"].is_null()) {
      bool right = Json(locs) == fact["locs"];
      for (const Json& other : fact.value("alternatives", Json::array())) {
        right = right || Json(locs) == other;
      }
      EXPECT_TRUE(right) << file << "\n" << print(sitemap).substr(0, 3000);
    }
    if (fact.contains("count")) EXPECT_EQ(locs.size(), fact["count"].get<std::size_t>()) << file;
    for (const Json& wanted : fact.value("contains", Json::array())) {
      EXPECT_NE(std::find(locs.begin(), locs.end(), wanted.get<std::string>()), locs.end()) << file;
    }
    if (fact.contains("count_between")) {
      EXPECT_GE(locs.size(), fact["count_between"][0].get<std::size_t>()) << file;
      EXPECT_LE(locs.size(), fact["count_between"][1].get<std::size_t>()) << file;
    }
    if (fact.contains("prefix_of")) {
      const auto whole = fact["prefix_of"].get<std::vector<std::string>>();
      ASSERT_LE(locs.size(), whole.size()) << file;
      EXPECT_TRUE(std::equal(locs.begin(), locs.end(), whole.begin())) << file;
      EXPECT_GT(locs.size(), 20U) << file;
    }
    for (const Json& banned : fact.value("must_not_appear", Json::array())) {
      EXPECT_EQ(std::find(locs.begin(), locs.end(), banned.get<std::string>()), locs.end()) << file;
    }
    for (const SitemapEntry& entry : sitemap.entries) {
      if (fact.contains("lastmod") && fact["lastmod"].contains(entry.loc)) {
        EXPECT_EQ(entry.lastmod_text, fact["lastmod"][entry.loc].get<std::string>()) << file;
      }
      if (fact.contains("lastmod_epoch") && fact["lastmod_epoch"].contains(entry.loc)) {
        const Json& epoch = fact["lastmod_epoch"][entry.loc];
        EXPECT_EQ(entry.lastmod.has_value(), !epoch.is_null()) << file << entry.loc;
        if (entry.lastmod && !epoch.is_null()) {
          EXPECT_EQ(
              std::chrono::floor<std::chrono::seconds>(*entry.lastmod).time_since_epoch().count(),
              epoch.get<std::int64_t>())
              << file << entry.loc;
        }
      }
    }
  }
}

TEST(Sitemap, AnyCutOfTheInputGivesTheSame) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA("sitemaps/expected.json");
  const Json expected = Json::parse(read_file(path));
  for (const Json& fact : expected["cases"]) {
    const std::string file = fact["file"];
    const std::string bytes = read_file(testdata_root() + "/sitemaps/" + file);
    if (bytes.size() > 20'000) continue;
    const std::string whole = print(read_sitemap(bytes));
    SitemapReader slow;
    for (const char c : bytes) slow.feed({&c, 1});
    EXPECT_EQ(print(slow.finish()), whole) << file;
    const std::size_t every = bytes.size() > 3000 ? 97 : 1;
    for (std::size_t cut = 0; cut < bytes.size(); cut += every) {
      SitemapReader reader;
      reader.feed(std::string_view(bytes).substr(0, cut));
      reader.feed(std::string_view(bytes).substr(cut));
      ASSERT_EQ(print(reader.finish()), whole) << file << " cut at " << cut;
    }
  }
}

TEST(Sitemap, RelativeAddressesAreResolvedWhereTheSitemapLies) {
  const auto base = Url::parse("https://e.example/maps/sitemap.xml");
  const Sitemap sitemap = read_sitemap(
      "<urlset><url><loc>/a</loc></url><url><loc>b</loc></url><url><loc>https://e.example/c</loc></"
      "url>"
      "</urlset>",
      "", &*base);
  ASSERT_EQ(sitemap.entries.size(), 3U);
  EXPECT_EQ(sitemap.entries[0].loc, "https://e.example/a");
  EXPECT_EQ(sitemap.entries[1].loc, "https://e.example/maps/b");
  EXPECT_EQ(sitemap.entries[2].loc, "https://e.example/c");
  EXPECT_TRUE(has(sitemap, SitemapFault::kRelativeLoc));
  EXPECT_FALSE(has(sitemap, SitemapFault::kBadLoc));
}

TEST(Sitemap, OtherLanguagesOfAPageAreKeptWithItsEntry) {
  const Sitemap sitemap = read_sitemap(
      "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' "
      "xmlns:xhtml='http://www.w3.org/1999/xhtml'>"
      "<url><xhtml:link rel='alternate' hreflang='mt' href='https://e.example/mt?a=1&amp;b=2'/>"
      "<loc>https://e.example/</loc>"
      "<xhtml:link rel='alternate' hreflang='x-default' href='https://e.example/'/>"
      "<xhtml:link rel='canonical' href='https://e.example/no'/></url>"
      "<url><loc>https://e.example/two</loc></url></urlset>");
  ASSERT_EQ(sitemap.entries.size(), 2U);
  ASSERT_EQ(sitemap.entries[0].alternates.size(), 2U);
  EXPECT_EQ(sitemap.entries[0].alternates[0].lang, "mt");
  EXPECT_EQ(sitemap.entries[0].alternates[0].href, "https://e.example/mt?a=1&b=2");
  EXPECT_EQ(sitemap.entries[0].alternates[1].lang, "x-default");
  EXPECT_TRUE(sitemap.entries[1].alternates.empty());
}

TEST(Sitemap, EntriesOfOtherHostsCountWhereTheyVouchForTheSitemap) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA("sitemaps/expected.json");
  const Json expected = Json::parse(read_file(path));
  const auto suffixes = PublicSuffixes::load();
  ASSERT_TRUE(suffixes.has_value());
  for (const Json& fact : expected["cross_host_facts"]) {
    const Url sitemap = *Url::parse(fact["sitemap"].get<std::string>());
    const std::vector<std::string> hosts{fact["announced_in_robots_of"]};
    const PublicSuffixes* by = fact["level"] == "host" ? nullptr : suffixes->get();
    std::vector<std::string> accepted;
    for (const Json& listed : fact["listed"]) {
      const Url entry = *Url::parse(listed.get<std::string>());
      if (sitemap_entry_belongs(entry, sitemap, hosts, by)) accepted.push_back(entry.href());
    }
    EXPECT_EQ(Json(accepted), fact["accepted"]) << fact;
  }
  for (const Json& fact : expected["cases"]) {
    if (!fact.contains("in_location")) continue;
    const Url sitemap = *Url::parse(fact["url"].get<std::string>());
    std::vector<std::string> inside;
    for (const Json& loc : fact["locs"]) {
      const Url entry = *Url::parse(loc.get<std::string>());
      if (sitemap_entry_belongs(entry, sitemap, {})) inside.push_back(entry.href());
    }
    EXPECT_EQ(Json(inside), fact["in_location"]);
  }
}

TEST(Sitemap, AmpersandsAreDecodedOnce) {  // audit input 7
  const Sitemap sitemap = read_sitemap(
      "<urlset><url><loc>http://e.example/?a=1&amp;b=2&amp;amp;c</loc></url></urlset>");
  EXPECT_EQ(locs_of(sitemap), std::vector<std::string>{"http://e.example/?a=1&b=2&amp;c"});
  EXPECT_TRUE(sitemap.well_formed);
}

TEST(Sitemap, MarkOrBlanksBeforeTheDeclarationAreNoted) {  // audit input 8
  const Sitemap sitemap = read_sitemap(
      "\xEF\xBB\xBF \n<?xml "
      "version=\"1.0\"?><urlset><url><loc>http://e.example/</loc></url></urlset>");
  EXPECT_EQ(sitemap.entries.size(), 1U);
  EXPECT_TRUE(has(sitemap, SitemapFault::kByteOrderMark));
  EXPECT_TRUE(has(sitemap, SitemapFault::kLeadingBytes));
}

TEST(Sitemap, FaultsAreNamed) {
  EXPECT_TRUE(has(read_sitemap(""), SitemapFault::kEmpty));
  EXPECT_TRUE(
      has(read_sitemap("<!DOCTYPE html><p>http://e.example/"), SitemapFault::kLooksLikeHtml));
  EXPECT_TRUE(
      has(read_sitemap("<?xml version='1.0'?><html><a/></html>"), SitemapFault::kLooksLikeHtml));
  EXPECT_TRUE(
      has(read_sitemap("<urlset><url><loc>/a</loc></url></urlset>"), SitemapFault::kBadLoc));
  EXPECT_TRUE(has(read_sitemap("<urlset><url><loc>http://e.example/" + std::string(2100, 'a') +
                               "</loc></url></urlset>"),
                  SitemapFault::kUrlTooLong));
  EXPECT_TRUE(has(read_sitemap("<sitemapindex><sitemapindex/></sitemapindex>"),
                  SitemapFault::kNestedIndex));
  EXPECT_TRUE(has(read_sitemap("<urlset><url><loc>http://e.example/?a&b</loc></url></urlset>"),
                  SitemapFault::kUnescapedAmpersand));
}

}  // namespace
}  // namespace periplus
