#include "audit/report/html_writer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace periplus {
namespace {

bool is_void(std::string_view tag) {
  constexpr std::array<std::string_view, 5> kVoid{"meta", "link", "input", "br", "img"};
  return std::ranges::find(kVoid, tag) != kVoid.end();
}

}  // namespace

void HtmlWriter::open(std::string_view tag, HtmlAttributes attributes) {
  out_.append("<").append(tag);
  for (const HtmlAttribute& attribute : attributes) {
    if (attribute.name.empty()) continue;
    out_.append(" ").append(attribute.name).append("=\"");
    text(attribute.value);
    out_.push_back('"');
  }
  out_.push_back('>');
  if (!is_void(tag)) tags_.push_back(tag);
}

void HtmlWriter::close() {
  if (tags_.empty()) return;
  out_.append("</").append(tags_.back()).append(">");
  tags_.pop_back();
}

void HtmlWriter::text(std::string_view text) { out_ += escape_html(without_controls(text)); }

void HtmlWriter::element(std::string_view tag, HtmlAttributes attributes, std::string_view words) {
  open(tag, attributes);
  text(words);
  close();
}

void HtmlWriter::foreign(std::string_view words) { element("bdi", words); }

void HtmlWriter::address(std::string_view url, std::string_view words) {
  const std::string_view shown = words.empty() ? url : words;
  if (!starts_with_ignoring_case(url, "http://") && !starts_with_ignoring_case(url, "https://"))
    return foreign(shown);
  const Element link = in("a", {{"href", url}, {"rel", "noreferrer"}});
  foreign(shown);
}

std::string HtmlWriter::take() {
  while (!tags_.empty()) close();
  return std::exchange(out_, {});
}

}  // namespace periplus
