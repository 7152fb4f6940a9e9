#include "visit/frontier.h"

#include "base/text.h"

namespace periplus {

std::size_t Frontier::slot_of(std::string_view href, std::uint64_t hash) const {
  const auto tag = static_cast<std::uint32_t>(hash >> 32U);
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].id != kNoUrl && (slots_[at].tag != tag || urls_[slots_[at].id].href != href))
    at = (at + 1) & mask;
  return at;
}

void Frontier::grow() {
  slots_.assign(slots_.empty() ? 1024 : slots_.size() * 2, Slot{});
  for (UrlId id = 0; id < urls_.size(); ++id) {
    const std::uint64_t hash = hash64(urls_[id].href);
    slots_[slot_of(urls_[id].href, hash)] = {static_cast<std::uint32_t>(hash >> 32U), id};
  }
}

UrlId Frontier::intern(std::string_view href, bool* fresh) {
  if (urls_.size() * 4 >= slots_.size() * 3) grow();
  const std::uint64_t hash = hash64(href);
  Slot& slot = slots_[slot_of(href, hash)];
  *fresh = slot.id == kNoUrl;
  if (!*fresh) return slot.id;
  slot = {static_cast<std::uint32_t>(hash >> 32U), static_cast<UrlId>(urls_.size())};
  urls_.emplace_back().href = href;
  return slot.id;
}

UrlId Frontier::find(std::string_view href) const {
  return slots_.empty() ? kNoUrl : slots_[slot_of(href, hash64(href))].id;
}

void Frontier::push(UrlId id, std::uint32_t depth, UrlId found_from, FoundVia via) {
  KnownUrl& url = urls_[id];
  const bool listed_only = depth == kUnlinked;
  if (url.via == FoundVia::kSitemap && url.depth == kUnlinked && !listed_only) {
    // In line because the sitemap names it, and now linked too: it keeps its place and gains a
    // depth.
    url.depth = depth;
    url.found_from = found_from;
    return;
  }
  // A link that says nofollow does not speak for the next one that leads there.
  if (url.refused == NotFetchedReason::kNofollow) url.refused.reset();
  if (url.taken || url.refused) return;
  url.taken = true;
  url.depth = depth;
  url.found_from = found_from;
  url.via = via;
  (listed_only ? listed_ : linked_).push_back(id);
}

void Frontier::refuse(UrlId id, NotFetchedReason reason, UrlId found_from) {
  KnownUrl& url = urls_[id];
  if (!url.refused) url.refused = reason;
  if (url.found_from == kNoUrl) url.found_from = found_from;
}

void Frontier::mark_taken(UrlId id) { urls_[id].taken = true; }
void Frontier::release(UrlId id) { urls_[id].taken = false; }

std::optional<UrlId> Frontier::pop(bool linked_only) {
  for (std::deque<UrlId>* line : {&linked_, &listed_, &again_}) {
    if (line->empty()) {
      if (linked_only) break;
      continue;
    }
    const UrlId id = line->front();
    line->pop_front();
    return id;
  }
  return std::nullopt;
}

void Frontier::push_again(UrlId id) { again_.push_back(id); }

}  // namespace periplus
