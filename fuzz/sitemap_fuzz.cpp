// rooms: robots
// However the input is cut, the same is read; and limits hold.
#include <cstdlib>
#include <string_view>

#include "robots/sitemap.h"

namespace {

void require(bool law) {
  if (!law) std::abort();
}

bool same(const periplus::Sitemap& a, const periplus::Sitemap& b) {
  if (a.kind != b.kind || a.well_formed != b.well_formed || a.bytes != b.bytes ||
      a.entries.size() != b.entries.size() || a.findings.size() != b.findings.size())
    return false;
  for (std::size_t i = 0; i < a.entries.size(); ++i) {
    if (a.entries[i].loc != b.entries[i].loc ||
        a.entries[i].lastmod_text != b.entries[i].lastmod_text)
      return false;
  }
  for (std::size_t i = 0; i < a.findings.size(); ++i) {
    if (a.findings[i].fault != b.findings[i].fault || a.findings[i].line != b.findings[i].line ||
        a.findings[i].detail != b.findings[i].detail)
      return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace periplus;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const Sitemap whole = read_sitemap(input);
  require(whole.bytes <= kSitemapBytes && whole.entries.size() <= kSitemapUrls);
  require(whole.kind != SitemapKind::kNone || whole.entries.empty());
  for (const SitemapEntry& entry : whole.entries) {
    require(!entry.loc.empty());
    require(!entry.lastmod || !entry.lastmod_text.empty());
  }
  SitemapReader slow;
  for (const char& c : input) slow.feed({&c, 1});
  require(same(slow.finish(), whole));
  return 0;
}
