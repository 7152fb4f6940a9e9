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
#include "url/url.h"

namespace periplus {

inline constexpr std::size_t kSitemapUrls = 50'000;
inline constexpr std::size_t kSitemapAlternates = 200;    // kept of one entry
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
  kBadLoc,       // no http(s) URL; left out
  kRelativeLoc,  // no absolute URL, as the protocol asks; resolved against the sitemap's
};
struct SitemapFinding {
  SitemapFault fault;
  std::uint64_t line = 0;
  std::string detail;
};

struct SitemapAlternate {  // <xhtml:link rel="alternate" hreflang="…" href="…">
  std::string lang;        // as written
  std::string href;        // entities decoded once, trimmed, not resolved
  std::uint64_t line = 0;
};

struct SitemapEntry {
  std::string loc;                 // absolute; entities decoded once, trimmed
  std::string lastmod_text;        // as written, empty when absent
  std::optional<Instant> lastmod;  // when it is a valid W3C date-time (or the feed's own format)
  std::vector<SitemapAlternate> alternates;  // at most kSitemapAlternates
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
  // `base`: where the sitemap was found, against which a relative address is resolved; without it
  // such an address is left out.
  explicit SitemapReader(std::string_view content_type = {}, const Url* base = nullptr);
  ~SitemapReader();
  void feed(std::string_view bytes);
  Sitemap finish();

 private:
  struct Rep;
  std::unique_ptr<Rep> rep_;
};

Sitemap read_sitemap(std::string_view bytes, std::string_view content_type = {},
                     const Url* base = nullptr);
std::string_view sentence(SitemapFault fault);

}  // namespace periplus
