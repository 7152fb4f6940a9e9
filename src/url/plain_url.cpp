#include "url/plain_url.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "url/percent_encode.h"

namespace periplus {
namespace {

// What an octet may be a part of as it stands.
enum PlainPart : std::uint8_t {
  kHostPart = 1,          // of a name that is no IP address
  kSegmentPart = 2,       // of an absolute URL's path, between slashes
  kRelativePathPart = 4,  // of a relative link's path: no dot in disguise, no scheme
  kQueryPart = 8,
  kFragmentPart = 16,
};
consteval std::array<std::uint8_t, 256> make_parts() {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t i = 0; i < 256; ++i) {
    if ((kEncodeSets[i] & kPathSet) == 0) table[i] |= kSegmentPart | kRelativePathPart;
    if ((kEncodeSets[i] & kSpecialQuerySet) == 0) table[i] |= kQueryPart;
    if ((kEncodeSets[i] & kFragmentSet) == 0) table[i] |= kFragmentPart;
    const bool name = (i >= 'a' && i <= 'z') || (i >= '0' && i <= '9');
    if (name || i == '-' || i == '.' || i == '_') table[i] |= kHostPart;
  }
  for (const unsigned char c : {'%', '\\', ':'})
    table[c] &= static_cast<std::uint8_t>(~kRelativePathPart);
  for (const unsigned char c : {'/', '\\'}) table[c] &= static_cast<std::uint8_t>(~kSegmentPart);
  return table;
}
constexpr std::array<std::uint8_t, 256> kParts = make_parts();

template <std::uint8_t Part>
std::size_t skip(std::string_view text, std::size_t at) {
  while (at < text.size() && (kParts[static_cast<unsigned char>(text[at])] & Part) != 0) ++at;
  return at;
}

// Where the query that may begin at `at` ends; `text` must then be over or have its '#' there.
std::size_t skip_query(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] == '?' ? skip<kQueryPart>(text, at) : at;
}
bool is_plain_fragment(std::string_view text, std::size_t at) {
  if (at == text.size()) return true;
  return text[at] == '#' && skip<kFragmentPart>(text, at + 1) == text.size();
}

}  // namespace

bool PlainUrl::absolute(std::string_view input, Url* out) {
  const std::size_t colon = input.starts_with("https://") ? 5 : 4;
  if ((colon == 4 && !input.starts_with("http://")) || input.size() > kMaxUrlBytes) return false;
  const std::size_t host = colon + 3;
  const std::size_t path = skip<kHostPart>(input, host);
  if (path == host || path == input.size() || input[path] != '/') return false;
  // An IPv4 address in any spelling has a digit at the front of its last label.
  const std::size_t label = std::max(input.rfind('.', path - 1) + 1, host);
  if (label == path || (input[label] >= '0' && input[label] <= '9')) return false;
  std::size_t path_end = path;
  for (std::size_t next = path; (path_end = skip<kSegmentPart>(input, next)) < input.size();) {
    if (input[path_end] != '/') break;
    next = path_end + 1;
    // "." and ".." in every spelling begin with one of these.
    if (next < input.size() && (input[next] == '.' || input[next] == '%')) return false;
  }
  const std::size_t query_end = skip_query(input, path_end);
  if (!is_plain_fragment(input, query_end)) return false;

  out->href_.assign(input);
  out->protocol_end_ = static_cast<std::uint32_t>(colon + 1);
  out->user_end_ = out->host_start_ = static_cast<std::uint32_t>(host);
  out->host_end_ = out->path_start_ = static_cast<std::uint32_t>(path);
  out->search_start_ = static_cast<std::uint32_t>(path_end);
  out->hash_start_ = static_cast<std::uint32_t>(query_end);
  out->port_ = -1;
  out->has_host_ = out->special_ = true;
  out->opaque_path_ = false;
  return true;
}

bool PlainUrl::relative(std::string_view input, const Url& base, Url* out) {
  if (!base.special_ || base.opaque_path_ || base.href_.size() + input.size() > kMaxUrlBytes)
    return false;
  if (input.empty() || (base.protocol_end_ == 5 && base.href_.starts_with("file:"))) return false;
  if (input.size() >= 2 && input[0] == '/' && input[1] == '/') return false;
  const std::size_t path_end = skip<kRelativePathPart>(input, 0);
  const std::size_t query_end = skip_query(input, path_end);
  if (!is_plain_fragment(input, query_end)) return false;

  std::string& href = out->href_;
  href.reserve(base.path_start_ + base.href_.size() + input.size());
  if (path_end == 0) {
    // "?query" or "#fragment": the base's path stays, and its query with a fragment alone.
    href.assign(base.href_, 0, query_end == 0 ? base.hash_start_ : base.search_start_);
    out->search_start_ = base.search_start_;
  } else {
    href.assign(base.href_, 0, base.path_start_);
    append_path(input.substr(0, path_end), base, &href);
    out->search_start_ = static_cast<std::uint32_t>(href.size());
  }
  href.append(input, path_end, query_end - path_end);
  out->hash_start_ = static_cast<std::uint32_t>(href.size());
  if (path_end == 0 && query_end == 0)
    out->search_start_ = std::min(out->search_start_, out->hash_start_);
  href.append(input, query_end);
  out->protocol_end_ = base.protocol_end_;
  out->user_end_ = base.user_end_;
  out->host_start_ = base.host_start_;
  out->host_end_ = base.host_end_;
  out->path_start_ = base.path_start_;
  out->port_ = base.port_;
  out->has_host_ = base.has_host_;
  out->special_ = true;
  out->opaque_path_ = false;
  return true;
}

// Behind the base's authority: the base's folder, then `path` segment by segment.
void PlainUrl::append_path(std::string_view path, const Url& base, std::string* href) {
  const std::size_t root = base.path_start_;
  if (path[0] == '/') {
    *href += '/';
    path.remove_prefix(1);
  } else {
    const std::string_view base_path = base.pathname();
    href->append(base_path.substr(0, base_path.rfind('/') + 1));
  }
  while (true) {
    const std::size_t slash = path.find('/');
    const std::string_view segment = path.substr(0, slash);
    const bool last = slash == std::string_view::npos;
    if (segment == "..") {
      // *href ends in '/': take away the segment before it.
      if (href->size() - 1 > root) href->resize(href->rfind('/', href->size() - 2) + 1);
    } else if (segment != ".") {
      href->append(segment);
      if (!last) *href += '/';
    }
    if (last) return;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace periplus
