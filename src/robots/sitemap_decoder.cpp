#include "robots/sitemap_decoder.h"

#include <iconv.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/text.h"

namespace periplus {
namespace {

// The encoding that an XML declaration names; empty when it names none.
std::string declared(std::string_view start) {
  if (!start.starts_with("<?xml")) return {};
  start = start.substr(0, start.find("?>"));
  const std::size_t at = start.find("encoding");
  if (at == std::string_view::npos) return {};
  const std::size_t quote = start.find_first_of("\"'", at);
  if (quote == std::string_view::npos) return {};
  const std::size_t end = start.find(start[quote], quote + 1);
  if (end == std::string_view::npos) return {};
  std::string name = to_ascii_lower(start.substr(quote + 1, end - quote - 1));
  // The name goes to iconv, where '/' has a meaning of its own.
  const bool sane = name.size() <= 40 && std::all_of(name.begin(), name.end(), [](char c) {
                      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
                             c == '_' || c == '.' || c == ':';
                    });
  if (!sane || name == "utf-8" || name == "utf8") return {};
  // What was sniffed as single octets cannot be UTF-16.
  if (name.starts_with("utf-16") || name.starts_with("utf-32") || name.starts_with("ucs"))
    return {};
  return name;
}

}  // namespace

SitemapDecoder::~SitemapDecoder() {
  if (converter_ != nullptr) iconv_close(converter_);
}

std::size_t SitemapDecoder::open(std::string_view start) {
  using namespace std::string_view_literals;
  std::string name;
  if (start.starts_with("\xEF\xBB\xBF")) return 3;
  if (start.starts_with("\xFF\xFE") || start.starts_with("<\0"sv)) {
    name = "UTF-16LE";
  } else if (start.starts_with("\xFE\xFF") || start.starts_with("\0<"sv)) {
    name = "UTF-16BE";
  } else {
    name = declared(trim(start));
  }
  if (name.empty()) return 0;
  const iconv_t opened = iconv_open("UTF-8", name.c_str());
  // NOLINTNEXTLINE(performance-no-int-to-ptr): iconv's own error value
  if (opened != reinterpret_cast<iconv_t>(-1)) converter_ = opened;
  return 0;
}

void SitemapDecoder::feed(std::string_view bytes, std::string* out) {
  if (converter_ == nullptr) {
    out->append(bytes);
    return;
  }
  held_.append(bytes);
  char* from = held_.data();
  std::size_t left = held_.size();
  std::array<char, 4096> to;
  while (left > 0) {
    char* end = to.data();
    std::size_t room = to.size();
    const std::size_t status = iconv(converter_, &from, &left, &end, &room);
    out->append(to.data(), to.size() - room);
    if (status != static_cast<std::size_t>(-1) || errno == E2BIG) continue;
    if (errno == EINVAL) break;  // the rest of a character has not come yet
    out->append("\xEF\xBF\xBD");
    ++from;
    --left;
  }
  held_.erase(0, held_.size() - left);
}

void SitemapDecoder::finish(std::string* out) {
  if (!held_.empty()) out->append("\xEF\xBF\xBD");
  held_.clear();
}

}  // namespace periplus
