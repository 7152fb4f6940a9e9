// The frontier of one visit: which addresses are known, which is next, and why the others are not
// read.
//
// Breadth first from the start page; addresses that only the sitemap names come after all linked
// ones of the moment. An address is its serialised URL without fragment, nothing else is normalised
// away.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "visit/outcome.h"

namespace periplus {

using UrlId = std::uint32_t;
inline constexpr UrlId kNoUrl = 0xffffffff;

struct KnownUrl {
  std::string href;         // without fragment
  std::uint32_t depth = 0;  // clicks from the start page; kUnlinked while only a sitemap names it
  UrlId found_from = kNoUrl;
  FoundVia via = FoundVia::kLink;
  bool taken = false;  // handed out to be fetched
  std::optional<NotFetchedReason> refused;
};
inline constexpr std::uint32_t kUnlinked = 0xffffffff;

class Frontier {
 public:
  // The id of an address; `*fresh` tells whether it was unknown. Memory: about 70 bytes and the
  // address itself.
  UrlId intern(std::string_view href, bool* fresh);
  UrlId find(std::string_view href) const;  // kNoUrl when unknown
  const KnownUrl& operator[](UrlId id) const { return urls_[id]; }
  std::size_t known() const { return urls_.size(); }

  // Puts a known address in line (once).
  void push(UrlId id, std::uint32_t depth, UrlId found_from, FoundVia via);
  // Notes why an address will not be fetched; a later push does not override it. `found_from` is
  // noted too, unless it is known where the address was found.
  void refuse(UrlId id, NotFetchedReason reason, UrlId found_from = kNoUrl);
  // Marks an address as already handled (the target of a redirect that is read).
  void mark_taken(UrlId id);
  // Undoes that: the chain which went through it starts anew.
  void release(UrlId id);
  // The next address to fetch: linked ones first, then those of the sitemap, then second tries.
  // With `linked_only` just the first: while pages are in flight their links may still come before
  // the others, so that the order of a visit does not hang on which answer came first.
  std::optional<UrlId> pop(bool linked_only);
  // For a second try at the end of the visit.
  void push_again(UrlId id);
  bool empty() const { return linked_.empty() && listed_.empty() && again_.empty(); }
  std::size_t waiting() const { return linked_.size() + listed_.size() + again_.size(); }

 private:
  // One place of the hash table: the upper half of an address's hash, so that only addresses that
  // agree in it are compared, and its id.
  struct Slot {
    std::uint32_t tag = 0;
    UrlId id = kNoUrl;
  };
  // The slot that holds `href`, or the free one where it belongs.
  std::size_t slot_of(std::string_view href, std::uint64_t hash) const;
  void grow();

  std::deque<KnownUrl> urls_;  // a deque: addresses stay where they are
  std::vector<Slot> slots_;    // open addressing; a power of two, at most three quarters full
  std::deque<UrlId> linked_, listed_, again_;
};

}  // namespace periplus
