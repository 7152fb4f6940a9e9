// Sitemaps (https://www.sitemaps.org/protocol.html): url sets and indexes in XML, plain text,
// RSS 2.0 and Atom, gzipped or not. Malformed ones are read as far as they go and the fault is
// named. No DTD is processed, no entity beyond the five of XML and character references is
// expanded, nothing is fetched.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace periplus {

inline constexpr std::size_t kSitemapUrls = 50'000;
inline constexpr std::size_t kSitemapBytes = 52'428'800;  // 50 MiB, uncompressed

enum class SitemapKind : std::uint8_t { kNone, kUrlSet, kIndex, kText, kRss, kAtom };

enum class SitemapFault : std::uint8_t {
  kNotWellFormed,
  kLeadingBytes,
  kByteOrderMark,
  kTooManyUrls,
  kTooLarge,
  kGzipDamaged,
  kBomb,
  kDoctype,
  kUndefinedEntity,
  kBadLastmod,
  kEmpty,
  kLooksLikeHtml,
  kUrlTooLong,
  kNestedIndex,
  kUnescapedAmpersand,
  kBadLoc,  // not an absolute http(s) URL; left out
};
struct SitemapFinding {
  SitemapFault fault;
  std::uint64_t line = 0;
  std::string detail;
};

struct SitemapEntry {
  std::string loc;                 // entities decoded once, trimmed, not yet resolved
  std::string lastmod_text;        // as written, empty when absent
  std::optional<Instant> lastmod;  // when it is a valid W3C date-time (or the feed's own format)
};

struct Sitemap {
  SitemapKind kind = SitemapKind::kNone;
  std::vector<SitemapEntry> entries;
  bool well_formed = true;
  std::uint64_t bytes = 0;  // uncompressed octets read
  std::vector<SitemapFinding> findings;
};

// A streaming reader: feed octets as they come (gzip is told by its magic bytes), then finish.
class SitemapReader {
 public:
  explicit SitemapReader(std::string_view content_type = {});
  ~SitemapReader();
  void feed(std::string_view bytes);
  Sitemap finish();

 private:
  struct Rep;
  std::unique_ptr<Rep> rep_;
};

Sitemap read_sitemap(std::string_view bytes, std::string_view content_type = {});
std::string_view sentence(SitemapFault fault);

}  // namespace periplus
