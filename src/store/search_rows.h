// What the two files of SearchPages share: rows of search_pages, and the sequence of changes.
#pragma once

#include <string>

#include "store/search_pages.h"
#include "store/sql.h"

namespace periplus {

#define PERIPLUS_SEARCH_COLUMNS                                                               \
  "site, url, state, reason, depth, found_from, first_seen, last_try, last_ok, last_change,"  \
  " next_try, reads, changes, failure, failures, failing_since, status, etag, last_modified," \
  " title, description, lang, canonical, text_hash, fingerprint, orders, unavailable_after,"  \
  " verdict, points, scope, seq "

SearchPage search_page_of(const Query& row);

// The numbers of changes, given out inside one transaction.
class Sequence {
 public:
  explicit Sequence(Connection& sql);
  std::int64_t next() { return ++last_; }
  void write();  // before the transaction's commit

 private:
  Connection& sql_;
  std::int64_t first_, last_;
};

// True when the address was unknown.
bool add_found_page(Connection& sql, const FoundPage& page, Instant now, Sequence* sequence);
// A known page gets a new sequence.
void touch_page(Connection& sql, const std::string& site, const std::string& url,
                Sequence* sequence);

// A band of a fingerprint (16 of its 64 bits) with the band's number above it.
inline std::int64_t band_key(std::uint64_t fingerprint, int band) {
  return static_cast<std::int64_t>((fingerprint >> (16 * band)) & 0xffffU) |
         (static_cast<std::int64_t>(band) << 16);
}

}  // namespace periplus
