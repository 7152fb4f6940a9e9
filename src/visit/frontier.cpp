#include "visit/frontier.h"

#include "base/text.h"

namespace periplus {

UrlId Frontier::intern(std::string_view href, bool* fresh) {
  const auto found = ids_.find(href);
  *fresh = found == ids_.end();
  if (!*fresh) return found->second;
  const UrlId id = static_cast<UrlId>(urls_.size());
  urls_.emplace_back().href = href;
  ids_.emplace(urls_.back().href, id);
  return id;
}

UrlId Frontier::find(std::string_view href) const {
  const auto found = ids_.find(href);
  return found == ids_.end() ? kNoUrl : found->second;
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

void Frontier::refuse(UrlId id, NotFetchedReason reason) {
  KnownUrl& url = urls_[id];
  if (!url.refused) url.refused = reason;
}

void Frontier::mark_taken(UrlId id) { urls_[id].taken = true; }

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
