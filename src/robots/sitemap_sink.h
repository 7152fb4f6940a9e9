// Where the readers of the forms of sitemaps put what they find.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "robots/sitemap.h"
#include "url/url.h"

namespace periplus {

class SitemapSink {
 public:
  Sitemap result;

  void find(SitemapFault fault, std::uint64_t line, std::string_view detail = {});
  // Against which a relative `loc` is resolved; empty: it is left out.
  Url base;

  // Keeps `loc` when it is an http(s) URL and there is room. True when it was kept.
  bool add(std::string_view loc, std::string_view lastmod, std::uint64_t line);
  void set_lastmod(std::string_view text, std::uint64_t line);  // of the entry added last

 private:
  std::uint32_t counts_[32] = {};
  Url url_;
};

// Without blanks at the ends, those of Unicode too.
std::string_view trim_unicode(std::string_view text);

}  // namespace periplus
