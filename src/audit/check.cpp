#include "audit/check.h"

#include "base/text.h"

namespace periplus {
namespace {

// An element without an end tag.
bool holds_nothing(std::string_view tag) {
  for (const std::string_view name :
       {"meta", "link", "img", "input", "base", "area", "source", "track", "embed"}) {
    if (!starts_with_ignoring_case(tag.substr(1), name)) continue;
    const std::size_t end = 1 + name.size();
    return end >= tag.size() || tag[end] == ' ' || tag[end] == '\n' || tag[end] == '\t' ||
           tag[end] == '\r' || tag[end] == '/' || tag[end] == '>';
  }
  return false;
}

}  // namespace

std::string quote_of(std::string_view text) {
  constexpr std::size_t kLookedAt = 4 * kQuoteBytes;
  const bool long_text = text.size() > kLookedAt;
  std::string out = without_controls(collapse_space(to_valid_utf8(text.substr(0, kLookedAt))));
  if (out.size() <= kQuoteBytes && !long_text) return out;
  constexpr std::string_view kMore = "…";
  std::size_t end = std::min(out.size(), kQuoteBytes - kMore.size());
  while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xc0U) == 0x80U) --end;
  out.resize(end);
  out += kMore;
  return out;
}

void FindingList::add(std::string message, std::string_view quote, SourcePlace place,
                      std::vector<std::string> related) {
  add_on(kNoPage, std::move(message), quote, place, std::move(related));
}

void FindingList::add_on(PageId page, std::string message, std::string_view quote,
                         SourcePlace place, std::vector<std::string> related) {
  ++total_;
  if (kept_.size() >= most_) return;
  kept_.push_back({page, std::move(message), quote_of(quote), place, std::move(related)});
}

std::string PageInHand::source(SourcePlace place, std::string_view otherwise) const {
  if (facts == nullptr || facts->encoding != "utf-8" || place.line == 0 || place.column == 0)
    return quote_of(otherwise);
  const std::string_view body = record.body;
  std::size_t at = body.starts_with("\xef\xbb\xbf") ? 3 : 0;
  for (std::uint32_t line = 1; line < place.line; ++line) {
    at = body.find_first_of("\r\n", at);
    if (at == std::string_view::npos) return quote_of(otherwise);
    at += body.substr(at).starts_with("\r\n") ? 2 : 1;
  }
  for (std::uint32_t column = 1; column < place.column && at < body.size(); ++column)
    next_code_point(body, &at);
  std::string_view rest = body.substr(at, 4 * kQuoteBytes);
  // A tag is quoted up to its end, and with what it holds when that is short.
  if (rest.starts_with('<')) {
    const std::size_t tag_end = rest.find('>');
    if (tag_end == std::string_view::npos) return quote_of(rest);
    const std::size_t next = holds_nothing(rest) ? std::string_view::npos : rest.find('<', tag_end);
    const std::size_t end = next == std::string_view::npos ? next : rest.find('>', next);
    rest = rest.substr(0, (end == std::string_view::npos ? tag_end : end) + 1);
  }
  return quote_of(rest);
}

}  // namespace periplus
