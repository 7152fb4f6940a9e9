// Pass one: from a page's record to its facts and summary.
#pragma once

#include <vector>

#include "audit/check.h"
#include "audit/site_facts.h"
#include "http/link_header.h"
#include "visit/scope.h"

namespace periplus {

PageState state_of(const PageRecord& record);
// Whether the body is an HTML document: by its type, or where that is missing or only "text/plain"
// or "application/octet-stream", by how it begins.
bool is_html_page(const PageRecord& record);
// text/html or application/xhtml+xml.
bool has_html_type(const Headers& headers);

class Summariser {
 public:
  Summariser(SiteFacts& site, Scope& scope) : site_(site), scope_(scope) {}
  // Appends a summary of `record` to site.pages, its links to site.links. The page in hand lives
  // until the next call.
  PageInHand add(const PageRecord& record);

 private:
  void add_answer(const PageRecord& record, PageSummary* page);
  void add_html(const PageRecord& record, PageSummary* page);
  void add_links(const PageRecord& record, PageSummary* page);
  void add_canonicals(PageSummary* page);
  void add_alternates(PageSummary* page);
  void add_cookies(const PageRecord& record, const PageSummary& page);
  void add_home(const PageRecord& record, const PageSummary& page);
  AddressId intern(const Url& url);

  SiteFacts& site_;
  Scope& scope_;
  PageFacts facts_;
  std::vector<ResolvedLink> links_;
  std::vector<HeaderLink> header_links_;  // of the page in hand
  std::unordered_set<AddressId> finals_;  // where pages were found
  Url url_, base_;
  bool has_facts_ = false;
};

}  // namespace periplus
