// The index: documents in, ranked results out. Narrow on purpose: an engine stands behind it
// (xapian_index.cpp) and nothing else in the project names that engine.
//
// One writer at a time for an index (IndexWriter), any number of readers (IndexReader), each in a
// thread or process of its own; a reader sees what the last commit left and is never disturbed by
// the next.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/time.h"

namespace periplus {

// Link words that point at a page, once per site that uses them.
struct AnchorWords {
  std::string words;
  std::uint32_t sites = 1;  // unrelated sites that use just these words, at most 10 count
  bool own = false;         // only links within the page's own site
};

// What is indexed of one page. Text is UTF-8; every field may be empty.
struct IndexDocument {
  std::string url;  // serialised, without fragment: the document's key
  std::string site, owner, host;
  std::string title;
  std::vector<std::string> headings;  // h1 to h3
  std::string main_text;              // without navigation, header, footer, aside
  std::string other_text;             // those: findable, at almost no weight
  std::string description;            // the page's own meta description
  std::vector<AnchorWords> anchors;
  std::string lang;           // BCP 47 primary tag: "mt"; empty = not known
  Instant changed{};          // when the content was last seen to change; zero = not known
  double rank = 0;            // static rank, 0..1, saturated
  bool crawled = true;        // false: only its address and link words are known
  std::uint64_t cluster = 0;  // near duplicates share it; 0 = none
};

struct SearchRequest {
  std::string query;         // as a person types it; see query.h for its language
  std::size_t first = 0;     // results skipped
  std::size_t count = 10;    // results wanted
  std::size_t per_site = 2;  // results of one site at most; 0: no limit (a site: query has none)
  Millis deadline{250};      // then what was found so far is given, and `partial` says so
  std::vector<std::string> hidden_sites;  // masked at once: bans and removals not yet in the index
  std::vector<std::string> hidden_urls;
};

struct SearchHit {
  std::string url, site, title;
  std::string lang;
  Instant changed{};
  bool crawled = true;
  double score = 0;
  std::uint32_t more_from_site = 0;  // results of the same site that the limit hid; a lower bound
};

struct SearchAnswer {
  std::vector<SearchHit> hits;
  std::uint64_t at_least = 0, estimated = 0;  // matches, before collapsing
  bool partial = false;                       // the deadline came first
  bool widened = false;    // not all words were found together: pages with some of them
  std::string suggestion;  // the query with its spelling mended, only when that finds more
  std::string complaint;   // what of the query could not be understood, in words; it ran without
  Millis took{0};
};

class IndexWriter {
 public:
  virtual ~IndexWriter() = default;
  // Adds or replaces the document of document.url. Becomes visible with commit().
  virtual Result<void> put(const IndexDocument& document) = 0;
  virtual Result<void> remove(std::string_view url) = 0;
  // `sequence` is kept with the documents: the last change of the store that is in the index.
  virtual Result<void> commit(std::uint64_t sequence) = 0;
  virtual std::uint64_t sequence() const = 0;  // of the last commit; 0 for a new index
};

class IndexReader {
 public:
  virtual ~IndexReader() = default;
  // Never fails for what a person typed. kDatabase when the index is damaged.
  virtual Result<SearchAnswer> search(const SearchRequest& request) = 0;
  // A part of `text` that shows the query's words, as escaped HTML with <b> around them; the begin
  // of the text when none occurs. At most about `length` characters.
  virtual std::string snippet(std::string_view query, std::string_view text,
                              std::size_t length) = 0;
  // Words or titles that begin like this, most frequent first.
  virtual std::vector<std::string> suggest(std::string_view prefix, std::size_t most) = 0;
  virtual std::uint64_t documents() = 0;
  virtual std::uint64_t sequence() = 0;
};

// `folder` is made when missing. kBusy when another writer has the index.
Result<std::unique_ptr<IndexWriter>> open_index_writer(const std::string& folder);
// kDatabase when there is no index yet.
Result<std::unique_ptr<IndexReader>> open_index_reader(const std::string& folder);

}  // namespace periplus
