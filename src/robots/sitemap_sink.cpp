#include "robots/sitemap_sink.h"

#include "base/text.h"
#include "robots/feed_date.h"

namespace periplus {
namespace {

constexpr std::uint32_t kFindingsOfAKind = 10;
constexpr std::size_t kLocBytes = 2048;  // "must be less than 2,048 characters"

}  // namespace

std::string_view trim_unicode(std::string_view text) {
  constexpr std::string_view kBlanks[] = {
      "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\x80", "\xE2\x80\x81", "\xE2\x80\x82",
      "\xE2\x80\x83", "\xE2\x80\x84", "\xE2\x80\x85", "\xE2\x80\x86", "\xE2\x80\x87",
      "\xE2\x80\x88", "\xE2\x80\x89", "\xE2\x80\x8A", "\xE2\x80\x8B", "\xE2\x80\xA8",
      "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80", "\xEF\xBB\xBF"};
  for (bool more = true; more;) {
    more = false;
    text = trim(text);
    for (const std::string_view blank : kBlanks) {
      if (text.starts_with(blank)) {
        text.remove_prefix(blank.size());
        more = true;
      }
      if (text.ends_with(blank)) {
        text.remove_suffix(blank.size());
        more = true;
      }
    }
  }
  return text;
}

void SitemapSink::find(SitemapFault fault, std::uint64_t line, std::string_view detail) {
  if (counts_[static_cast<std::size_t>(fault)]++ >= kFindingsOfAKind) return;
  result.findings.push_back({fault, line, to_valid_utf8(detail.substr(0, 200))});
}

bool SitemapSink::add(std::string_view loc, std::string_view lastmod, std::uint64_t line) {
  loc = trim_unicode(loc);
  if (loc.empty()) return false;
  const bool absolute = Url::parse_into(loc, nullptr, &url_).has_value();
  const bool relative =
      !absolute && !base.empty() && Url::parse_into(loc, &base, &url_).has_value();
  if ((!absolute && !relative) || !url_.is_http()) {
    find(SitemapFault::kBadLoc, line, loc);
    return false;
  }
  if (relative) find(SitemapFault::kRelativeLoc, line, loc);
  if (loc.size() >= kLocBytes) find(SitemapFault::kUrlTooLong, line, loc);
  if (result.entries.size() >= kSitemapUrls) {
    if (counts_[static_cast<std::size_t>(SitemapFault::kTooManyUrls)] == 0)
      find(SitemapFault::kTooManyUrls, line);
    return false;
  }
  result.entries.push_back({relative ? url_.href() : to_valid_utf8(loc), {}, {}, {}});
  if (!lastmod.empty()) set_lastmod(lastmod, line);
  return true;
}

void SitemapSink::set_lastmod(std::string_view text, std::uint64_t line) {
  text = trim_unicode(text);
  if (text.empty()) return;
  SitemapEntry& entry = result.entries.back();
  entry.lastmod_text = to_valid_utf8(text);
  entry.lastmod = parse_w3c_date(text);
  if (!entry.lastmod && result.kind == SitemapKind::kRss) entry.lastmod = parse_feed_date(text);
  if (!entry.lastmod) find(SitemapFault::kBadLastmod, line, text);
}

}  // namespace periplus
