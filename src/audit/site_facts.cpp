#include "audit/site_facts.h"

#include <algorithm>
#include <bit>

#include "audit/check.h"
#include "audit/not_found.h"
#include "base/text.h"

namespace periplus {

TextId StringPool::intern(std::string_view text) {
  if (const auto found = ids_.find(text); found != ids_.end()) return found->second;
  const auto id = static_cast<TextId>(strings_.size());
  strings_.emplace_back(text);
  ids_.emplace(strings_.back(), id);
  return id;
}

TextId StringPool::find(std::string_view text) const {
  const auto found = ids_.find(text);
  return found == ids_.end() ? kNoText : found->second;
}

std::string_view name(SitemapKind kind) {
  switch (kind) {
    case SitemapKind::kNone:
      return "none";
    case SitemapKind::kUrlSet:
      return "url set";
    case SitemapKind::kIndex:
      return "index";
    case SitemapKind::kText:
      return "text";
    case SitemapKind::kRss:
      return "RSS";
    case SitemapKind::kAtom:
      return "Atom";
  }
  return "none";
}

AlternateEntry SiteFacts::alternate(std::string_view lang, std::string_view href, const Url& base,
                                    AlternateSource source, SourcePlace place) {
  AlternateEntry entry;
  entry.lang = to_ascii_lower(lang);
  entry.written = quote_of(href);
  entry.place = place;
  entry.source = source;
  const auto url = Url::parse(href, &base);
  if (url && !trim(href).empty()) entry.target = addresses.intern(url->without_fragment());
  return entry;
}

void SiteFacts::index() {
  // Records that came to an end first: an address that others pass through belongs to them.
  for (const bool redirects : {false, true}) {
    for (const PageSummary& page : pages) {
      if ((page.state == PageState::kRedirect) != redirects) continue;
      for (std::uint32_t i = 0; i < page.hops.size(); ++i)
        by_hop_.emplace(page.hops[i].url, HopPlace{page.id, i});
      if (!redirects)
        by_hop_.emplace(page.final_url,
                        HopPlace{page.id, static_cast<std::uint32_t>(
                                              page.hops.empty() ? 0 : page.hops.size() - 1)});
    }
  }
  for (const PageSummary& page : pages) by_url_.emplace(page.url, page.id);
  for (const PageSummary& page : pages) {
    if (page.state == PageState::kHtml && !page.title.empty())
      by_title_[hash64(fold_case(page.title))].push_back(page.id);
    if (page.main_hash != 0) by_text_[page.main_hash].push_back(page.id);
  }
  for (const ListedAddress& entry : listed) listed_set_.insert(entry.url);
  linked_from_.assign(pages.size(), {});
  for (const PageSummary& page : pages) {
    for (const LinkEntry& link : links_of(page)) {
      if (!link.internal) continue;
      std::vector<PageId>& sources = sources_[link.target];
      if (!sources.empty() && sources.back() == page.id) continue;
      sources.push_back(page.id);
    }
  }
  for (const auto& [target, sources] : sources_) {
    const Destination end = destination(target);
    if (!end.read()) continue;
    for (const PageId source : sources) {
      if (source != end.page) linked_from_[end.page].push_back(source);
    }
  }
  for (std::vector<PageId>& sources : linked_from_) {
    std::ranges::sort(sources);
    const auto [first, last] = std::ranges::unique(sources);
    sources.erase(first, last);
  }
  mark_soft_404();
  mark_indexable();
}

std::span<const LinkEntry> SiteFacts::links_of(const PageSummary& page) const {
  return std::span(links).subspan(page.first_link, page.link_count);
}

std::span<const PageId> SiteFacts::with_title(const PageSummary& page) const {
  const auto found = by_title_.find(hash64(fold_case(page.title)));
  if (found == by_title_.end()) return {};
  return found->second;
}

std::span<const PageId> SiteFacts::with_text(const PageSummary& page) const {
  const auto found = by_text_.find(page.main_hash);
  if (found == by_text_.end()) return {};
  return found->second;
}

const PageSummary* SiteFacts::page_at(AddressId id) const {
  const auto found = by_url_.find(id);
  return found == by_url_.end() ? nullptr : &pages[found->second];
}

Destination SiteFacts::destination(AddressId id) const {
  Destination end;
  end.final_url = id;
  constexpr std::uint32_t kMost = 30;
  for (;;) {
    const PageSummary* page = page_at(end.final_url);
    std::uint32_t hop = 0;
    if (page == nullptr) {
      const auto found = by_hop_.find(end.final_url);
      if (found == by_hop_.end()) {
        end.page = kNoPage;
        return end;
      }
      page = &pages[found->second.page];
      hop = found->second.hop;
    }
    if (end.page == kNoPage && end.redirects == 0)
      end.first_status = page->hops.size() > hop ? page->hops[hop].status : page->status;
    end.page = page->id;
    if (page->hops.size() > hop + 1)
      end.redirects += static_cast<std::uint32_t>(page->hops.size() - hop - 1);
    end.final_url = page->final_url;
    if (page->state == PageState::kRedirectFault) {
      end.loop = true;
      return end;
    }
    if (page->state != PageState::kRedirect || page->leads_to == kNoText) return end;
    // A second chain to a page that another record brought counts its own hops only.
    if (page->leads_to != page->final_url) ++end.redirects;
    end.final_url = page->leads_to;
    if (page->leads_to == page->final_url) {
      const auto found = by_hop_.find(page->final_url);
      if (found == by_hop_.end() || found->second.page == page->id) return end;
      end.page = found->second.page;
      return end;
    }
    if (end.redirects > kMost) {
      end.loop = true;
      return end;
    }
  }
}

std::vector<std::string> SiteFacts::some_sources(AddressId target, std::size_t most) const {
  std::vector<std::string> out;
  const auto found = sources_.find(target);
  if (found == sources_.end()) return out;
  for (const PageId page : found->second) {
    if (out.size() == most) break;
    out.push_back(addresses[pages[page].final_url]);
  }
  return out;
}

void SiteFacts::add_robots(DocumentRecord record) {
  RobotsFile file;
  const auto url = Url::parse(record.url);
  const std::string origin = url ? url->origin() : record.url;
  const bool answered = record.status >= 200 && record.status < 300;
  const bool absent = robots_access(record.status) == RobotsAccess::kNoRules;
  if (record.wall && !record.from_last_good) {
    // A challenge is no robots.txt, whatever its status says.
  } else if (record.from_last_good || (answered && !record.failure)) {
    file.text = RobotsTxt::parse(record.body);
  } else if (absent && !record.failure) {
    file.text = RobotsTxt::parse({});
  }
  record.body.clear();
  record.body.shrink_to_fit();
  file.record = std::move(record);
  robots_.insert_or_assign(origin, std::move(file));
}

const RobotsFile* SiteFacts::robots_of(const Url& url) const {
  const auto found = robots_.find(url.origin());
  return found == robots_.end() ? nullptr : &found->second;
}

const RobotsRules* SiteFacts::rules(std::string_view token, const Url& url) const {
  const RobotsFile* file = robots_of(url);
  if (file == nullptr || !file->known()) return nullptr;
  const auto key = std::pair(std::string(token), url.origin());
  const auto found = rules_.find(key);
  if (found != rules_.end()) return &found->second;
  return &rules_.emplace(key, file->text->rules_for(token)).first->second;
}

std::optional<RobotsVerdict> SiteFacts::robots_verdict(std::string_view token,
                                                       const Url& url) const {
  const RobotsRules* found = rules(token, url);
  if (found == nullptr) return std::nullopt;
  return found->verdict(url.path_and_query());
}

std::optional<bool> SiteFacts::robots_allows(std::string_view token, const Url& url) const {
  const RobotsRules* found = rules(token, url);
  if (found == nullptr) return std::nullopt;
  return found->allows(url.path_and_query());
}

// A page is a soft 404 when the site itself proves it: its text is that of a page that was answered
// with 404, or it says "not found" and the same words stand at another address. Signals without
// such a proof are only a suspicion: nobody asked a second time.
void SiteFacts::mark_soft_404() {
  std::unordered_set<std::uint64_t> real;
  std::unordered_map<std::uint64_t, std::uint32_t> saying;
  constexpr std::uint8_t kStrong = kSaysNotFound | kErrorShell;
  for (const PageSummary& page : pages) {
    if (page.main_hash == 0) continue;
    if (page.state == PageState::kError && (page.status == 404 || page.status == 410))
      real.insert(page.main_hash);
    if (page.state == PageState::kHtml && (page.not_found & kStrong) != 0) ++saying[page.main_hash];
  }
  for (PageSummary& page : pages) {
    if (page.state != PageState::kHtml || page.id == home) continue;
    const std::uint8_t signals = page.not_found;
    const bool suspect =
        (signals & kStrong) != 0 && std::popcount(static_cast<unsigned>(signals)) >= 2;
    if (page.main_hash != 0 && real.contains(page.main_hash)) {
      page.soft_404 = true;
    } else if (suspect) {
      const auto found = saying.find(page.main_hash);
      page.soft_404 = found != saying.end() && found->second > 1;
      page.maybe_soft_404 = !page.soft_404;
    }
  }
}

void SiteFacts::mark_indexable() {
  for (PageSummary& page : pages) {
    const auto no = [&](std::string_view why) {
      page.indexable = false;
      page.not_indexable_because = why;
    };
    if (page.state == PageState::kBlocked || page.state == PageState::kNoAnswer) {
      page.indexable.reset();
      page.not_indexable_because = "the page was not seen";
    } else if (page.state != PageState::kHtml) {
      no("no HTML page");
    } else if (page.noindex) {
      no("noindex");
    } else if (page.soft_404) {
      no("a soft 404");
    } else if (std::ranges::any_of(page.canonicals, [&](const CanonicalEntry& canonical) {
                 return canonical.target != kNoText && canonical.target != page.final_url &&
                        canonical.target != page.url;
               })) {
      no("its canonical is another page");
    } else if (page.maybe_soft_404) {
      page.indexable.reset();
      page.not_indexable_because = "it may be a soft 404";
    } else {
      page.indexable = true;
    }
  }
}

}  // namespace periplus
