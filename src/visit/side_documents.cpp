#include "visit/side_documents.h"

#include <fmt/format.h>

#include <deque>
#include <set>

namespace periplus {
namespace {

// Sitemap files still to be read. An index may not nest (sitemaps.org), so what an index names is
// not searched for more.
struct SitemapLine {
  struct File {
    Url url;
    bool from_index = false;
  };
  std::deque<File> files;
  std::set<std::string> seen;

  void put(const std::string& loc, const Url& from, bool from_index) {
    const auto url = Url::parse(loc, &from);
    if (url && url->is_http() && seen.emplace(url->without_fragment()).second)
      files.push_back({*url, from_index});
  }
};

}  // namespace

Task<Chain> SideDocuments::fetch(Url url, std::size_t max_bytes) {
  Chain chain;
  const OriginRobots* reading = co_await robots_.of(url);
  if (!reading->allows(url)) {
    chain.last.url = url;
    chain.last.failure = Failure{FailureKind::kRobotsDisallowed, reading->verdict(url).rule};
    co_return chain;
  }
  Scope with_host = scope_;
  with_host.add(url);
  PageGate gate(rooms_, robots_, with_host);
  Request request;
  request.url = url;
  request.max_bytes = max_bytes;
  request.timeout = limits_.request_time;
  chain = co_await fetch_following(rooms_.fetcher, request, gate, limits_.redirects);
  waited_seconds_ += gate.waited_seconds();
  co_return chain;
}

Task<std::vector<std::string>> SideDocuments::read_sitemaps(const OriginRobots* robots, Url base) {
  std::vector<std::string> listed;
  SitemapLine line;
  for (const std::string& loc : robots->text->sitemaps()) line.put(loc, robots->url, false);
  if (line.files.empty()) line.put("/sitemap.xml", base, false);

  for (std::uint32_t read = 0; !line.files.empty() && read < limits_.sitemaps; ++read) {
    const SitemapLine::File file = line.files.front();
    line.files.pop_front();
    VisitedSitemap visited;
    visited.url = file.url.href();
    visited.chain = co_await fetch(file.url, kSitemapBytes);
    const Exchange& answer = visited.chain.last;
    if (answer.failure && answer.failure->kind == FailureKind::kAborted) break;
    if (answer.ok()) {
      const Sitemap sitemap =
          read_sitemap(answer.body, answer.headers.get("content-type"), &answer.url);
      visited.entries = sitemap.entries.size();
      for (const SitemapEntry& entry : sitemap.entries) {
        if (sitemap.kind != SitemapKind::kIndex)
          listed.push_back(entry.loc);
        else if (!file.from_index)
          line.put(entry.loc, answer.url, true);
      }
      rooms_.observer.step(
          fmt::format("{}: {} addresses", file.url.path_and_query(), visited.entries));
    }
    recorder_.sitemap(visited);
  }
  co_return listed;
}

Task<void> SideDocuments::read_extras(std::vector<ExtraDocument> wanted) {
  for (const ExtraDocument& extra : wanted) {
    VisitedDocument document;
    document.kind = extra.kind;
    document.chain = co_await fetch(extra.url, limits_.page_bytes);
    recorder_.document(document);
  }
}

}  // namespace periplus
