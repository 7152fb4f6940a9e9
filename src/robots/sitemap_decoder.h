// The octets of a sitemap to UTF-8, by byte order mark or XML declaration.
#pragma once

#include <string>
#include <string_view>

namespace periplus {

class SitemapDecoder {
 public:
  SitemapDecoder() = default;
  SitemapDecoder(const SitemapDecoder&) = delete;
  SitemapDecoder& operator=(const SitemapDecoder&) = delete;
  ~SitemapDecoder();
  // `start` is the beginning of the document, up to a kilobyte. Returns how many octets of it are a
  // UTF-8 byte order mark (0 or 3).
  std::size_t open(std::string_view start);
  // Malformed octets become U+FFFD, but UTF-8 is passed on as it is.
  void feed(std::string_view bytes, std::string* out);
  void finish(std::string* out);

 private:
  void* converter_ = nullptr;  // iconv_t, null for UTF-8
  std::string held_;
};

}  // namespace periplus
