#include "audit/summarise.h"

#include <algorithm>

#include "audit/not_found.h"
#include "base/text.h"
#include "html/page_reader.h"
#include "robots/page_directives.h"

namespace periplus {
namespace {

constexpr std::size_t kWordsKept = 80;  // octets of a link's words

std::string_view essence(std::string_view content_type) {
  return trim(content_type.substr(0, content_type.find(';')));
}

bool begins_like_html(std::string_view body) {
  if (body.starts_with("\xef\xbb\xbf")) body.remove_prefix(3);
  body = trim(body);
  while (body.starts_with("<!--")) {
    const std::size_t end = body.find("-->");
    if (end == std::string_view::npos) return false;
    body = trim(body.substr(end + 3));
  }
  return starts_with_ignoring_case(body, "<!doctype html") ||
         starts_with_ignoring_case(body, "<html") || starts_with_ignoring_case(body, "<head");
}

bool has_token(std::string_view list, std::string_view token) {
  while (!list.empty()) {
    list = trim(list);
    const std::size_t end = list.find_first_of(" \t\n\r\f");
    if (equal_ignoring_case(list.substr(0, end), token)) return true;
    if (end == std::string_view::npos) break;
    list.remove_prefix(end);
  }
  return false;
}

std::string_view without_fragment_text(std::string_view href) {
  return href.substr(0, href.find('#'));
}

// The address of the last hop that was fetched.
std::string_view last_asked(const PageRecord& record) {
  return record.hops.empty() ? std::string_view(record.url)
                             : std::string_view(record.hops.back().url);
}

// A mail address that a proxy has hidden from us; it is no page.
bool is_hidden_mail(std::string_view pathname) {
  return pathname.starts_with("/cdn-cgi/l/email-protection");
}

}  // namespace

bool has_html_type(const Headers& headers) {
  const std::string_view type = essence(headers.get("content-type"));
  return equal_ignoring_case(type, "text/html") ||
         equal_ignoring_case(type, "application/xhtml+xml");
}

bool is_html_page(const PageRecord& record) {
  if (has_html_type(record.headers)) return true;
  const std::string_view type = essence(record.headers.get("content-type"));
  if (!type.empty() && !equal_ignoring_case(type, "text/plain") &&
      !equal_ignoring_case(type, "application/octet-stream"))
    return false;
  return begins_like_html(std::string_view(record.body).substr(0, 4096));
}

PageState state_of(const PageRecord& record) {
  if (const auto url = Url::parse(record.url); url && is_hidden_mail(url->pathname()))
    return PageState::kNotAPage;
  if (record.wall) return PageState::kBlocked;
  if (record.failure) {
    switch (record.failure->kind) {
      case FailureKind::kOffSite:
      case FailureKind::kRobotsDisallowed:
        return PageState::kAway;
      case FailureKind::kTooManyRedirects:
      case FailureKind::kRedirectLoop:
      case FailureKind::kBadRedirect:
        return PageState::kRedirectFault;
      default:
        return PageState::kNoAnswer;
    }
  }
  if (record.status == 0) return PageState::kNoAnswer;
  if (record.status >= 300 && record.status < 400) {
    const bool leads_on =
        record.headers.has("location") ||
        (!record.hops.empty() && !record.hops.back().location.empty()) ||
        (!record.final_url.empty() &&
         without_fragment_text(record.final_url) != without_fragment_text(last_asked(record)));
    return leads_on ? PageState::kRedirect : PageState::kError;
  }
  if (record.status < 200 || record.status >= 400) return PageState::kError;
  return is_html_page(record) ? PageState::kHtml : PageState::kOther;
}

AddressId Summariser::intern(const Url& url) {
  return site_.addresses.intern(url.without_fragment());
}

PageInHand Summariser::add(const PageRecord& record) {
  PageSummary page;
  page.id = static_cast<PageId>(site_.pages.size());
  page.url = site_.addresses.intern(without_fragment_text(record.url));
  page.final_url = site_.addresses.intern(
      without_fragment_text(record.final_url.empty() ? record.url : record.final_url));
  if (!record.found_from.empty())
    page.found_from = site_.addresses.intern(without_fragment_text(record.found_from));
  page.depth = record.depth;
  page.via = record.via;
  page.state = state_of(record);
  // Two addresses that lead to one page: the page is judged once, the second is a redirect to it.
  if (page.state == PageState::kHtml || page.state == PageState::kOther) {
    const bool fresh = finals_.insert(page.final_url).second;
    if (!fresh && record.hops.size() > 1) {
      page.state = PageState::kRedirect;
      page.leads_to = page.final_url;
    }
  }
  page.status = record.status;
  page.failure = record.failure;
  page.attempts = record.attempts;
  page.cookie_retry = record.cookie_retry;
  page.cut = record.cut || record.body_damaged;
  page.body_bytes = record.body.size();
  page.content_type = to_ascii_lower(essence(record.headers.get("content-type")));
  page.first_link = static_cast<std::uint32_t>(site_.links.size());
  add_answer(record, &page);

  has_facts_ = false;
  links_.clear();
  const auto url = Url::parse(site_.addresses[page.final_url]);
  url_ = url ? *url : Url();
  base_ = url_;
  // The text of error pages is looked at too: it tells soft 404s.
  const bool error_page = page.state == PageState::kError && page.status >= 400 &&
                          is_html_page(record) && !record.body.empty();
  if (page.state == PageState::kHtml || error_page) {
    read_page({record.body, record.headers.get("content-type")}, &facts_);
    has_facts_ = true;
    add_html(record, &page);
  }
  if (page.state == PageState::kHtml) {
    add_links(record, &page);
    header_links_ = header_links(record.headers);
    add_canonicals(&page);
    add_alternates(&page);
  }
  if (page.status != 0 && page.state != PageState::kBlocked) add_cookies(record, page);
  if (record.via == FoundVia::kStart && !site_.home_read()) {
    site_.home = page.id;
    add_home(record, page);
  }
  site_.pages.push_back(std::move(page));
  const bool content = site_.pages.back().state == PageState::kHtml;
  return {site_, record, site_.pages.back(), content ? &facts_ : nullptr, url_, base_, links_};
}

void Summariser::add_answer(const PageRecord& record, PageSummary* page) {
  if (record.hops.size() > 1) {
    for (const Hop& hop : record.hops)
      page->hops.push_back({site_.addresses.intern(without_fragment_text(hop.url)), hop.status});
  }
  page->wait_ms = static_cast<std::uint32_t>(std::max<Millis::rep>(0, record.timings.wait.count()));
  page->total_ms =
      static_cast<std::uint32_t>(std::max<Millis::rep>(0, record.timings.total.count()));
  if (page->leads_to != kNoText) return;
  if (page->state != PageState::kRedirect && page->state != PageState::kAway) return;
  // The visit did not fetch what stands behind, and names it as the end; older records may only
  // have the Location.
  const AddressId end = page->final_url;
  const std::string_view asked = without_fragment_text(last_asked(record));
  page->final_url = site_.addresses.intern(asked);
  if (end != page->final_url) {
    page->leads_to = end;
    return;
  }
  std::string_view location = record.headers.get("location");
  if (location.empty() && !record.hops.empty()) location = record.hops.back().location;
  if (location.empty()) {
    if (record.hops.size() > 1) page->leads_to = end;  // another record's page, its hops joined
    return;
  }
  const auto base = Url::parse(asked);
  const auto target = base ? Url::parse(location, &*base) : base;
  if (target) page->leads_to = intern(*target);
}

void Summariser::add_html(const PageRecord& record, PageSummary* page) {
  page->title = quote_of(facts_.title);
  for (const Title& title : facts_.titles) {
    if (title.in_head && !title.text.empty()) {
      page->title_place = title.place;
      break;
    }
  }
  page->lang = quote_of(facts_.html_lang);
  page->words = facts_.words;
  page->main_words = facts_.main_words;
  if (!facts_.main_text.empty()) page->main_hash = hash64(facts_.main_text);
  page->shell = !facts_.app_root.empty() || facts_.asks_for_script;

  PageDirectives directives;
  for (const std::string_view value : record.headers.all("x-robots-tag"))
    add_x_robots_tag(value, "Googlebot", &directives);
  for (const Meta& meta : facts_.metas) {
    if (meta.http_equiv || meta.property) continue;
    add_meta_robots(meta.name, meta.content, "Googlebot", &directives);
  }
  page->noindex = directives.noindex;
  page->noai = directives.noai;
  if (page->noindex) {
    for (const std::string& source : directives.sources) {
      if (contains_ignoring_case(source, "noindex") || contains_ignoring_case(source, "none"))
        page->noindex_source = source;
    }
  }

  std::string_view saying = not_found_phrase(facts_.title);
  if (!saying.empty()) {
    page->not_found |= kSaysNotFound;
    page->not_found_quote = quote_of(facts_.title);
  }
  for (const Heading& heading : facts_.headings) {
    if (heading.level != 1 || heading.hidden) continue;
    if (not_found_phrase(heading.text).empty()) continue;
    page->not_found |= kSaysNotFound;
    if (page->not_found_quote.empty()) page->not_found_quote = quote_of(heading.text);
  }
  for (const Id& id : facts_.ids) {
    page->anchors.push_back(hash64(id.value));
    if (id.value == "__next_error__") page->not_found |= kErrorShell;
  }
  std::ranges::sort(page->anchors);
  if (facts_.text.starts_with("Application error: a client-side exception") ||
      facts_.text.starts_with("This page could not be found"))
    page->not_found |= kErrorShell;
  if (page->main_words < 100) page->not_found |= kFewWords;
  if (page->noindex) page->not_found |= kAlsoNoindex;
  // A long text that begins so is about such pages; its heading is a part of it.
  constexpr std::uint32_t kLongText = 300;
  if (page->main_words < kLongText && !not_found_phrase_in_text(facts_.main_text).empty())
    page->not_found |= kTextSaysSo;
}

void Summariser::add_links(const PageRecord& record, PageSummary* page) {
  (void)record;
  if (!facts_.base_href.empty()) {
    if (const auto given = Url::parse(facts_.base_href, &url_)) base_ = *given;
  }
  std::unordered_set<std::uint64_t> seen;
  page->all_links = 0;
  for (const Link& link : facts_.links) {
    if (!link.has_href) continue;
    ++page->all_links;
    links_.emplace_back();
    ResolvedLink& resolved = links_.back();
    resolved.link = &link;
    const auto parsed = Url::parse_into(link.href, &base_, &resolved.url);
    if (!parsed) {
      resolved.fault = parsed.error();
      continue;
    }
    resolved.parsed = true;
    if (!resolved.url.is_http()) continue;
    resolved.ignored = is_hidden_mail(resolved.url.pathname());
    resolved.internal = !resolved.ignored && scope_.contains(resolved.url);
    if (resolved.ignored) continue;
    LinkEntry entry;
    entry.target = intern(resolved.url);
    const std::string_view hash = resolved.url.hash();
    if (hash.size() > 1) entry.fragment = site_.texts.intern(hash.substr(1));
    if (resolved.internal && std::ranges::any_of(without_fragment_text(link.href), [](char c) {
          return static_cast<unsigned char>(c) >= 0x80;
        }))
      site_.written_raw.insert(entry.target);
    if (!seen.insert(std::uint64_t{entry.target} << 32 | entry.fragment).second) continue;
    std::string words = quote_of(link.words.substr(0, kWordsKept));
    entry.words = site_.texts.intern(words);
    entry.place = link.place;
    entry.rel = link.rel;
    entry.kind = link.kind;
    entry.internal = resolved.internal;
    site_.links.push_back(entry);
  }
  page->link_count = static_cast<std::uint32_t>(site_.links.size()) - page->first_link;
}

void Summariser::add_canonicals(PageSummary* page) {
  const auto add = [&](std::string_view written, bool from_header, SourcePlace place) {
    CanonicalEntry entry;
    entry.written = quote_of(written);
    entry.from_header = from_header;
    entry.place = place;
    if (const auto url = Url::parse(written, from_header ? &url_ : &base_);
        url && !trim(written).empty()) {
      entry.target = intern(*url);
      entry.fragment = !url->hash().empty();
    }
    page->canonicals.push_back(std::move(entry));
  };
  for (const LinkRel& link : facts_.link_rels) {
    if (link.in_head && has_token(link.rel, "canonical")) add(link.href, false, link.place);
  }
  for (const HeaderLink& link : header_links_) {
    if (has_token(link.rel, "canonical")) add(link.target, true, {});
  }
}

// The page's own, those of its header lines, and those that a sitemap gives for its address.
void Summariser::add_alternates(PageSummary* page) {
  // What is said twice is judged once.
  const auto keep = [&](AlternateEntry entry) {
    const bool said = std::ranges::any_of(page->alternates, [&](const AlternateEntry& other) {
      return other.lang == entry.lang && other.target == entry.target &&
             other.source != entry.source;
    });
    if (!said) page->alternates.push_back(std::move(entry));
  };
  for (const Alternate& alternate : facts_.alternates) {
    if (!alternate.in_head || alternate.lang.empty()) continue;
    keep(site_.alternate(alternate.lang, alternate.href, base_, AlternateSource::kPage,
                         alternate.place));
  }
  for (const HeaderLink& link : header_links_) {
    if (has_token(link.rel, "alternate") && !link.hreflang.empty())
      keep(site_.alternate(link.hreflang, link.target, url_, AlternateSource::kHeader));
  }
  for (const AddressId address : {page->url, page->final_url}) {
    const auto listed = site_.listed_alternates.find(address);
    if (listed == site_.listed_alternates.end()) continue;
    for (const AlternateEntry& entry : listed->second) keep(entry);
    if (page->url == page->final_url) break;
  }
}

void Summariser::add_cookies(const PageRecord& record, const PageSummary& page) {
  if (url_.scheme() != "https") return;
  for (const std::string_view line : record.headers.all("set-cookie")) {
    ++site_.cookie_lines;
    const std::string_view cookie_name = trim(line.substr(0, line.find('=')));
    const std::size_t attributes = line.find(';');
    const std::string_view rest =
        attributes == std::string_view::npos ? std::string_view() : line.substr(attributes);
    const bool known = std::ranges::any_of(site_.cookies, [&](const CookieLine& cookie) {
      const std::string_view other = cookie.line;
      const std::size_t at = other.find(';');
      return trim(other.substr(0, other.find('='))) == cookie_name &&
             (at == std::string_view::npos ? std::string_view() : other.substr(at)) == rest;
    });
    constexpr std::size_t kCookiesKept = 500;
    if (!known && site_.cookies.size() < kCookiesKept)
      site_.cookies.push_back({page.id, std::string(line)});
  }
}

void Summariser::add_home(const PageRecord& record, const PageSummary& page) {
  site_.home_headers = record.headers;
  site_.home_tls = record.tls;
  if (!url_.empty() && page.status != 0) site_.home_url = url_;
  if (page.state != PageState::kHtml) return;
  for (const Resource& resource : facts_.resources) {
    if (resource.kind != ResourceKind::kScript && resource.kind != ResourceKind::kStylesheet)
      continue;
    const auto url = Url::parse(resource.url, &base_);
    if (url && scope_.contains(*url)) site_.home_assets.push_back({url->href(), resource.place});
  }
}

}  // namespace periplus
