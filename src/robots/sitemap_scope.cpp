#include "robots/sitemap_scope.h"

namespace periplus {

bool in_sitemap_location(const Url& entry, const Url& sitemap) {
  if (entry.origin() != sitemap.origin()) return false;
  const std::string_view place = sitemap.pathname();
  return entry.pathname().starts_with(place.substr(0, place.rfind('/') + 1));
}

bool sitemap_entry_belongs(const Url& entry, const Url& sitemap,
                           std::span<const std::string> announced_by,
                           const PublicSuffixes* suffixes) {
  if (!entry.is_http()) return false;
  if (announced_by.empty()) return in_sitemap_location(entry, sitemap);
  for (const std::string& host : announced_by) {
    if (entry.hostname() == host) return true;
    if (suffixes != nullptr && suffixes->site(entry.hostname()) == suffixes->site(host))
      return true;
  }
  return false;
}

}  // namespace periplus
