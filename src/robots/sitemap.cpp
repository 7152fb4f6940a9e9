// Octets on their way: gzip (also twice), the limit, the start that tells the form, then the form's
// own reader.
#include "robots/sitemap.h"

#include <algorithm>
#include <optional>

#include "base/compress.h"
#include "base/text.h"
#include "robots/sitemap_decoder.h"
#include "robots/sitemap_sink.h"
#include "robots/sitemap_xml.h"

namespace periplus {
namespace {

constexpr std::size_t kSniff = 1024;
constexpr std::size_t kLineBytes = 64 * 1024;
constexpr std::size_t kLayers = 2;  // gzip in gzip is seen, more is not
// Compressed octets fed at once: what they grow to is all that is held in memory.
constexpr std::size_t kSlice = 4096;

bool starts_like_html(std::string_view start) {
  return starts_with_ignoring_case(start, "<!doctype html") ||
         starts_with_ignoring_case(start, "<html");
}

}  // namespace

struct SitemapReader::Rep {
  enum class Form : std::uint8_t { kUnknown, kXml, kText, kNothing };
  struct Layer {
    std::string held;
    bool decided = false;
    std::unique_ptr<Expander> expander;
  };

  SitemapSink sink;
  Layer layers[kLayers];
  Form form = Form::kUnknown;
  bool cut = false;
  bool leading_line = false;
  std::string start;
  std::string line;
  std::uint64_t line_number = 1;
  SitemapDecoder decoder;
  std::optional<SitemapXml> xml;

  void feed_layer(std::size_t at, std::string_view bytes) {
    if (cut) return;
    if (at == kLayers) {
      feed_plain(bytes);
      return;
    }
    Layer& layer = layers[at];
    if (!layer.decided) {
      layer.held.append(bytes);
      if (layer.held.size() < 3) return;
      decide_layer(at);
      return;
    }
    push_layer(at, bytes);
  }

  void decide_layer(std::size_t at) {
    Layer& layer = layers[at];
    layer.decided = true;
    if (looks_like_gzip(layer.held)) {
      // Sitemaps are mostly repetition: the size is the limit, not the ratio.
      layer.expander = make_expander(Coding::kGzip, {kSitemapBytes + 1, 1e9, kSitemapBytes});
    }
    const std::string held = std::exchange(layer.held, {});
    push_layer(at, held);
  }

  void push_layer(std::size_t at, std::string_view bytes) {
    Layer& layer = layers[at];
    if (!layer.expander) {
      feed_layer(at + 1, bytes);
      return;
    }
    std::string out;
    while (!bytes.empty() && !cut) {
      out.clear();
      layer.expander->feed(bytes.substr(0, kSlice), &out);
      bytes.remove_prefix(std::min(kSlice, bytes.size()));
      if (!out.empty()) feed_layer(at + 1, out);
    }
  }

  void feed_plain(std::string_view bytes) {
    Sitemap& result = sink.result;
    const std::size_t room = kSitemapBytes - result.bytes;
    if (bytes.size() > room) {
      cut = true;
      sink.find(SitemapFault::kTooLarge, 0);
      bytes = bytes.substr(0, room);
    }
    result.bytes += bytes.size();
    if (form != Form::kUnknown) {
      feed_form(bytes);
      return;
    }
    start.append(bytes);
    if (start.size() >= kSniff) decide_form();
  }

  void decide_form() {
    // Only so much is looked at, however much has come.
    const std::size_t mark = decoder.open(std::string_view(start).substr(0, kSniff));
    if (mark > 0) sink.find(SitemapFault::kByteOrderMark, 1);
    const std::string all = std::exchange(start, {});
    std::string text;
    decoder.feed(std::string_view(all).substr(mark, kSniff - std::min(mark, kSniff)), &text);
    if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);  // UTF-16's mark
    const std::size_t first = std::min(text.find_first_not_of(" \t\r\n\f"), text.size());
    const std::string_view begin = std::string_view(text).substr(first);
    line_number += static_cast<std::uint64_t>(
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(first), '\n'));
    std::size_t skip = first;
    if (begin.empty() && all.size() <= kSniff) {
      sink.find(SitemapFault::kEmpty, 0);
      become_nothing();
    } else if (starts_like_html(begin)) {
      sink.find(SitemapFault::kLooksLikeHtml, line_number);
      become_nothing();
    } else if (begin.starts_with('<')) {
      if (first > 0 && begin.starts_with("<?xml")) leading(first);
      form = Form::kXml;
    } else if (const std::size_t xml_at = begin.find("<?xml"); xml_at != std::string_view::npos) {
      leading(first);
      skip = first + xml_at;
      form = Form::kXml;
    } else if (begin.find('\0') != std::string_view::npos) {
      become_nothing();
    } else {
      form = Form::kText;
    }
    if (form == Form::kXml) xml.emplace(&sink, line_number);
    feed_utf8(std::string_view(text).substr(skip));
    if (all.size() > kSniff) feed_form(std::string_view(all).substr(std::max(kSniff, mark)));
  }

  void leading(std::size_t) {
    sink.find(SitemapFault::kLeadingBytes, 1);
    sink.result.well_formed = false;
  }

  void become_nothing() {
    form = Form::kNothing;
    sink.result.well_formed = false;
  }

  void feed_form(std::string_view bytes) {
    std::string text;
    decoder.feed(bytes, &text);
    feed_utf8(text);
  }

  void feed_utf8(std::string_view text) {
    if (form == Form::kXml) {
      xml->feed(text);
    } else if (form == Form::kText) {
      for (const char c : text) {
        if (c == '\n' || c == '\r') {
          end_line();
          if (c == '\n') ++line_number;
        } else if (line.size() < kLineBytes) {
          line.push_back(c);
        }
      }
    }
  }

  void end_line() {
    const std::string_view found = trim_unicode(line);
    if (!found.empty() && !found.starts_with('#') && sink.add(found, {}, line_number))
      sink.result.kind = SitemapKind::kText;
    line.clear();
  }

  Sitemap finish() {
    for (std::size_t at = 0; at < kLayers; ++at) {
      Layer& layer = layers[at];
      if (!layer.decided && !layer.held.empty()) decide_layer(at);
      if (!layer.expander || cut) continue;
      const ExpandStatus status = layer.expander->finish();
      if (status == ExpandStatus::kDone) continue;
      if (status == ExpandStatus::kDamaged) {
        sink.find(SitemapFault::kGzipDamaged, 0);
        sink.result.well_formed = false;
      } else if (status == ExpandStatus::kBomb) {
        sink.find(SitemapFault::kBomb, 0);
        cut = true;
      }
    }
    if (form == Form::kUnknown) decide_form();
    std::string rest;
    decoder.finish(&rest);
    feed_utf8(rest);
    if (form == Form::kXml) {
      xml->finish(!cut);
      if (sink.result.kind == SitemapKind::kNone) sink.result.well_formed = false;
    }
    if (form == Form::kText) {
      if (!cut) end_line();
      if (sink.result.kind == SitemapKind::kNone) sink.result.well_formed = false;
    }
    return std::move(sink.result);
  }
};

// The content type is not asked: servers are wrong about it, the first octets are not.
SitemapReader::SitemapReader(std::string_view, const Url* base) : rep_(std::make_unique<Rep>()) {
  if (base != nullptr) rep_->sink.base = *base;
}
SitemapReader::~SitemapReader() = default;
void SitemapReader::feed(std::string_view bytes) { rep_->feed_layer(0, bytes); }
Sitemap SitemapReader::finish() { return rep_->finish(); }

Sitemap read_sitemap(std::string_view bytes, std::string_view content_type, const Url* base) {
  SitemapReader reader(content_type, base);
  reader.feed(bytes);
  return reader.finish();
}

std::string_view sentence(SitemapFault fault) {
  switch (fault) {
    case SitemapFault::kNotWellFormed:
      return "not well-formed XML";
    case SitemapFault::kLeadingBytes:
      return "something stands before the XML declaration";
    case SitemapFault::kByteOrderMark:
      return "starts with a UTF-8 byte order mark";
    case SitemapFault::kTooManyUrls:
      return "lists more than 50,000 URLs";
    case SitemapFault::kTooLarge:
      return "larger than 50 MiB uncompressed";
    case SitemapFault::kGzipDamaged:
      return "the gzip stream is damaged";
    case SitemapFault::kBomb:
      return "a decompression bomb";
    case SitemapFault::kDoctype:
      return "has a document type declaration";
    case SitemapFault::kUndefinedEntity:
      return "uses an entity that is not defined";
    case SitemapFault::kBadLastmod:
      return "a date is not valid";
    case SitemapFault::kEmpty:
      return "empty";
    case SitemapFault::kLooksLikeHtml:
      return "an HTML page instead of a sitemap";
    case SitemapFault::kUrlTooLong:
      return "a URL has 2,048 characters or more";
    case SitemapFault::kNestedIndex:
      return "an index inside an index";
    case SitemapFault::kUnescapedAmpersand:
      return "an ampersand is not escaped";
    case SitemapFault::kBadLoc:
      return "an address is not an absolute http or https URL";
    case SitemapFault::kRelativeLoc:
      return "an address is relative; it must be absolute";
  }
  return {};
}

}  // namespace periplus
