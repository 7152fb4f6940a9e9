// What stays of a site once its pages have gone by: summaries, links, site files. The rules that
// look further than one page are judged on this.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "audit/rule.h"
#include "audit/site_read.h"
#include "robots/robots_txt.h"
#include "robots/sitemap.h"
#include "url/site.h"

namespace periplus {

using TextId = std::uint32_t;
inline constexpr TextId kNoText = 0xffffffff;
using AddressId = TextId;  // a URL without fragment

// Every different string once.
class StringPool {
 public:
  TextId intern(std::string_view text);
  TextId find(std::string_view text) const;  // kNoText when unknown
  const std::string& operator[](TextId id) const { return strings_[id]; }
  std::size_t size() const { return strings_.size(); }

 private:
  std::deque<std::string> strings_;  // a deque: they stay where they are
  std::unordered_map<std::string_view, TextId> ids_;
};

struct LinkEntry {  // the first link of a page to each address and fragment
  AddressId target = kNoText;
  TextId fragment = kNoText;  // without '#', as in the URL
  TextId words = kNoText;
  SourcePlace place;
  std::uint16_t rel = 0;
  LinkKind kind = LinkKind::kAnchor;
  bool internal = false;
};

// What an address turned out to be.
enum class PageState : std::uint8_t {
  kHtml,           // HTML with a 2xx status
  kOther,          // something else with a 2xx status
  kRedirect,       // leads to an address with a record of its own
  kRedirectFault,  // a loop, too many hops, no usable Location
  kAway,           // leads to another site, or into what robots.txt closes
  kError,          // a status over 399
  kNoAnswer,       // no full answer
  kBlocked,        // bot protection answered
  kNotAPage,       // never meant as a page: an obfuscated mail address
};

struct CanonicalEntry {
  AddressId target = kNoText;  // kNoText: not a URL
  std::string written;
  bool fragment = false;
  bool from_header = false;
  SourcePlace place;
};

enum class AlternateSource : std::uint8_t { kPage, kHeader, kSitemap };
struct AlternateEntry {  // hreflang, wherever it is said
  std::string lang;
  AddressId target = kNoText;  // kNoText: not a URL
  std::string written;
  SourcePlace place;  // of kPage
  AlternateSource source = AlternateSource::kPage;
};

struct HopEntry {
  AddressId url = kNoText;
  int status = 0;
};

enum NotFoundSignal : std::uint8_t {
  kSaysNotFound = 1,  // strong: title or h1 says so, in one of the languages we know
  kErrorShell = 2,    // strong: an application's error page
  kFewWords = 4,      // weak
  kAlsoNoindex = 8,   // weak
  kTextSaysSo = 16,   // weak: the text's beginning says so
};

struct PageSummary {
  PageId id = kNoPage;
  AddressId url = kNoText;
  AddressId final_url = kNoText;  // where it was found
  AddressId found_from = kNoText;
  AddressId leads_to = kNoText;  // kRedirect: the Location; kAway: where it leaves to
  std::uint32_t depth = 0;       // kUnlinked: only a sitemap names it
  FoundVia via = FoundVia::kLink;
  PageState state = PageState::kHtml;
  int status = 0;
  std::optional<Failure> failure;
  int attempts = 1;
  bool cookie_retry = false;
  bool cut = false;            // not all of the body came, or its coding broke off
  std::vector<HopEntry> hops;  // empty when there was only one
  std::uint32_t wait_ms = 0, total_ms = 0;
  std::uint64_t body_bytes = 0;
  std::string content_type;

  // Of HTML
  std::string title;
  SourcePlace title_place;
  std::string lang;
  std::vector<CanonicalEntry> canonicals;
  std::vector<AlternateEntry> alternates;
  std::uint32_t first_link = 0, link_count = 0;  // in SiteFacts::links
  std::uint32_t all_links = 0;                   // with repeated ones
  std::vector<std::uint64_t> anchors;            // hash64 of ids and names, sorted
  bool noindex = false;                          // for search engines: generic, or for Googlebot
  bool noai = false;
  std::string noindex_source;  // "meta robots: noindex"
  std::uint32_t words = 0, main_words = 0;
  std::uint64_t main_hash = 0;  // of the main text; 0 = none
  std::uint8_t not_found = 0;   // NotFoundSignal bits
  std::string not_found_quote;
  bool shell = false;  // an application root without text, or one that asks for script

  // Once all pages are known
  std::optional<bool> indexable;  // none: not known
  std::string_view not_indexable_because;
  bool soft_404 = false, maybe_soft_404 = false;
};

struct RobotsFile {               // of one origin
  DocumentRecord record;          // without the body
  std::optional<RobotsTxt> text;  // none when it could not be read
  bool known() const { return text.has_value(); }
};

struct SitemapFile {
  AddressId url = kNoText;
  int status = 0;
  std::optional<Failure> failure;
  SitemapKind kind = SitemapKind::kNone;
  std::uint64_t entries = 0;
  bool well_formed = true;
  std::vector<SitemapFinding> findings;
  bool declared = false;  // robots.txt names it
};

struct ListedAddress {
  AddressId url = kNoText;
  std::uint32_t sitemap = 0;  // index into SiteFacts::sitemaps
  std::optional<Instant> lastmod;
};

struct HomeAsset {
  std::string url;
  SourcePlace place;
};

struct CookieLine {
  PageId page = kNoPage;
  std::string line;
};

// Where an address leads in the end.
struct Destination {
  PageId page = kNoPage;  // the record of the last answer; kNoPage: not read
  AddressId final_url = kNoText;
  std::uint32_t redirects = 0;
  int first_status = 0;  // of the first answer
  bool loop = false;
  bool read() const { return page != kNoPage; }
};

class SiteFacts {
 public:
  SiteRead read;
  Instant now{};
  std::string our_token;
  StringPool addresses, texts;
  std::vector<PageSummary> pages;  // the order of reading; PageId is the index
  std::vector<LinkEntry> links;
  PageId home = kNoPage;  // the record of the start page
  Url home_url;           // where it was found; the start address when it never was
  Headers home_headers;
  TlsFacts home_tls;
  std::vector<HomeAsset> home_assets;  // scripts and style sheets
  std::vector<CookieLine> cookies;     // one for each name and form, from https pages
  std::uint64_t cookie_lines = 0;
  std::vector<SitemapFile> sitemaps;
  std::vector<ListedAddress> listed;  // of all sitemaps but indexes
  std::unordered_map<AddressId, std::vector<AlternateEntry>> listed_alternates;  // of them
  std::map<std::string, DocumentRecord> extras;                                  // by kind
  std::unordered_set<AddressId> written_raw;  // linked with letters that belong escaped

  // --- filled by index(), once all pages are here
  void index();

  std::span<const LinkEntry> links_of(const PageSummary& page) const;
  const std::string& address(AddressId id) const { return addresses[id]; }
  // What one hreflang says; `href` as written, resolved against `base`. An empty one is no address.
  AlternateEntry alternate(std::string_view lang, std::string_view href, const Url& base,
                           AlternateSource source, SourcePlace place = {});
  const PageSummary* page_at(AddressId id) const;  // the record asked for by that address
  Destination destination(AddressId id) const;
  const std::vector<PageId>& linked_from(PageId page) const { return linked_from_[page]; }
  // HTML pages with the same title (case folded), or pages with the same main text; the page itself
  // among them.
  std::span<const PageId> with_title(const PageSummary& page) const;
  std::span<const PageId> with_text(const PageSummary& page) const;
  bool is_listed(AddressId id) const { return listed_set_.contains(id); }
  // A few pages that link to the address, for messages.
  std::vector<std::string> some_sources(AddressId target, std::size_t most) const;
  bool complete() const { return read.outcome.complete(); }
  bool home_read() const { return home != kNoPage; }

  // --- robots.txt
  void add_robots(DocumentRecord record);
  const RobotsFile* robots_of(const Url& url) const;
  const RobotsFile* home_robots() const { return robots_of(home_url); }
  // What that origin's file says to the token; nothing when it is not known.
  std::optional<RobotsVerdict> robots_verdict(std::string_view token, const Url& url) const;
  std::optional<bool> robots_allows(std::string_view token, const Url& url) const;

 private:
  const RobotsRules* rules(std::string_view token, const Url& url) const;
  struct HopPlace {
    PageId page = kNoPage;
    std::uint32_t hop = 0;
  };
  void mark_soft_404();
  void mark_indexable();

  std::map<std::string, RobotsFile, std::less<>> robots_;  // by origin
  mutable std::map<std::pair<std::string, std::string>, RobotsRules> rules_;
  std::unordered_map<AddressId, PageId> by_url_;
  std::unordered_map<AddressId, HopPlace> by_hop_;
  std::vector<std::vector<PageId>> linked_from_;
  std::unordered_map<AddressId, std::vector<PageId>> sources_;
  std::unordered_set<AddressId> listed_set_;
  std::unordered_map<std::uint64_t, std::vector<PageId>> by_title_, by_text_;
};

std::string_view name(SitemapKind kind);

}  // namespace periplus
