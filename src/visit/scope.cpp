#include "visit/scope.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace periplus {

Scope::Scope(const PublicSuffixes& suffixes, const Url& start) : suffixes_(suffixes) {
  const std::string host(start.hostname());
  site_ = suffixes.site(host);
  whole_site_ = host == site_ || host == "www." + site_;
  add(start);
}

void Scope::add(const Url& home) {
  hosts_.insert(std::string(home.hostname()));
  ports_.insert(home.effective_port());
  judged_.clear();
}

bool Scope::contains(const Url& url) {
  return ports_.contains(url.effective_port()) && contains_host(url);
}

bool Scope::contains_host(const Url& url) {
  if (!url.is_http()) return false;
  if (hosts_.contains(url.hostname())) return true;
  if (!whole_site_) return false;
  const auto [entry, fresh] = judged_.try_emplace(std::string(url.hostname()), false);
  if (fresh) entry->second = suffixes_.site(url.hostname()) == site_;
  return entry->second;
}

bool is_page_path(std::string_view pathname) {
  static constexpr auto kOthers = std::to_array<std::string_view>(
      {"7z",   "aac",  "apk",   "avi", "avif", "bin",  "bmp",  "bz2",  "css",  "csv",  "deb",
       "dmg",  "doc",  "docx",  "eot", "epub", "exe",  "flac", "gif",  "gz",   "heic", "ico",
       "ics",  "img",  "iso",   "jar", "jpeg", "jpg",  "js",   "json", "m4a",  "m4v",  "map",
       "mid",  "mjs",  "mkv",   "mov", "mp3",  "mp4",  "mpeg", "mpg",  "msi",  "odp",  "ods",
       "odt",  "ogg",  "ogv",   "otf", "pdf",  "pkg",  "png",  "ppt",  "pptx", "ps",   "rar",
       "rpm",  "rtf",  "svg",   "tar", "tgz",  "tif",  "tiff", "ttf",  "wasm", "wav",  "webm",
       "webp", "woff", "woff2", "wmv", "xls",  "xlsx", "xz",   "zip",  "zst"});
  const std::size_t slash = pathname.rfind('/');
  const std::string_view file =
      slash == std::string_view::npos ? pathname : pathname.substr(slash + 1);
  const std::size_t dot = file.rfind('.');
  if (dot == std::string_view::npos || file.size() - dot > 6) return true;
  const std::string ending = to_ascii_lower(file.substr(dot + 1));
  return std::ranges::find(kOthers, ending) == kOthers.end();
}

}  // namespace periplus
