// What a search engine remembers of pages: their state, copies, link words, near duplicates. A
// visit's changes are written in one transaction together with the visit itself.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/schedule.h"
#include "store/store.h"

namespace periplus {

// One known address. Times of zero: never.
struct SearchPage {
  std::string site, url;  // url: serialised, without fragment
  std::string state;      // name(PageState)
  std::string reason;     // in words: the order, the robots line, the failure
  std::uint32_t depth = 0;
  std::string found_from;  // the page that led here first, or empty
  Instant first_seen{}, last_try{}, last_ok{}, last_change{};
  Instant next_try{};  // not before
  std::uint32_t reads = 0, changes = 0;
  std::string failure;
  std::uint32_t failures = 0;  // tries in a row that failed, of any kind
  Instant failing_since{};
  int status = 0;
  std::string etag, last_modified;  // validators, as the server wrote them
  std::string title, description, lang;
  std::string canonical;          // another address that the page calls its own; empty: none
  std::uint64_t text_hash = 0;    // hash64 of the main text; 0: none
  std::uint64_t fingerprint = 0;  // simhash of the main text; 0: too short for one
  std::string orders;             // "noindex noarchive nosnippet max-snippet:N", those that bind
  Instant unavailable_after{};
  std::string verdict;  // of the scope, empty while not judged
  double points = 0;
  std::uint64_t scope = 0;     // fingerprint of the scope that judged
  std::uint64_t sequence = 0;  // of the last change; given by record()
};

struct PageCopy {
  std::string url;
  Instant at{};
  std::string content_type;
  std::string packed_body;  // as received; empty where no copy may be shown
  std::string packed_text;  // what the index reads
};

struct FoundPage {  // an address met on the way
  std::string site, url;
  std::string found_from;
  std::uint32_t depth = 0;
};
struct FoundAnchor {
  std::string site, url;  // the target
  std::string words;
};
struct FoundSite {     // another site that is linked to
  ScheduledSite site;  // how to put it in line if it is unknown
  bool from_in_scope = false;
};

// All that one visit of the search use changes.
struct SearchVisit {
  StoredVisit visit;
  std::string owner;              // of the visited site: whose vote its links are
  std::vector<SearchPage> pages;  // put in place of the rows of those addresses
  std::vector<PageCopy> copies;   // put; one without body and text is removed
  std::vector<FoundPage> found;   // added when unknown
  std::vector<FoundAnchor> anchors;
  std::vector<FoundSite> sites;
  ScheduledSite next;  // of the visited site: line, next_visit, reason, failure(s), verdict, held …
};

struct NearTexts {  // how near two texts must be
  static constexpr int kBands = 4, kMostDistance = 3;
};

struct StateCount {
  std::string state;
  std::uint64_t pages = 0;
};

class SearchPages {
 public:
  explicit SearchPages(Store& store) : store_(store) {}

  // Writes everything and gives the site's lease back, in one transaction. kBusy, and nothing is
  // written, when the lease has meanwhile gone to another process.
  Result<VisitId> record(const SearchVisit& visit);
  // Adds an address that somebody named; false when it was known.
  Result<bool> add(const FoundPage& page, Instant now);

  Result<std::optional<SearchPage>> find(const std::string& site, const std::string& url);
  // Addresses of a site that may be tried at `now`, those never tried first, then by next_try.
  Result<std::vector<SearchPage>> due(const std::string& site, Instant now, std::size_t most);
  // The earliest next_try of a site's addresses.
  Result<std::optional<Instant>> next_try(const std::string& site);
  // A site's pages by address from `after` on; with a state only those in it.
  Result<std::vector<SearchPage>> list(const std::string& site, const std::string& state,
                                       const std::string& after, std::size_t most);
  Result<std::vector<StateCount>> states(const std::string& site);  // empty: of all sites

  // Rows changed after `sequence`, in the order of change.
  Result<std::vector<SearchPage>> changed(std::uint64_t sequence, std::size_t most);
  Result<std::uint64_t> newest_sequence();
  // Gives the rows of a site, or of one address, a new sequence, so that an index looks again.
  Result<void> touch(const std::string& site, const std::string& url);

  Result<std::optional<PageCopy>> copy(const std::string& site, const std::string& url);
  Result<void> drop_copies(const std::string& site, const std::string& url);  // url empty: all
  // Link words towards a page, with how many sites use them; own-site ones apart.
  struct Anchor {
    std::string words;
    std::uint32_t sites = 0;
    bool own = false;
  };
  Result<std::vector<Anchor>> anchors(const std::string& site, const std::string& url,
                                      std::size_t most);

  // The cluster of a text by its fingerprint: that of the first text known within
  // NearTexts::kMostDistance bits, else its own, which is then known. Never 0.
  Result<std::uint64_t> cluster_of(std::uint64_t fingerprint);

 private:
  Store& store_;
};

}  // namespace periplus
