// SVG and MathML inside a page (section 13.2.6.5).
#include "base/text.h"
#include "html/fact_collector.h"
#include "html/scan.h"
#include "html/tree_model.h"

namespace periplus {
namespace {

bool breaks_out(const Token& token) {
  if (token.kind == TokenKind::kEndTag) return token.tag == Tag::k_br || token.tag == Tag::k_p;
  if ((tag_flags(token.tag) & kBreakout) != 0) return true;
  if (token.tag != Tag::k_font) return false;
  for (const RawAttribute& attribute : token.attributes) {
    const Attribute name = find_attribute(attribute.name);
    if (name == Attribute::k_color || name == Attribute::k_face || name == Attribute::k_size) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool TreeModel::in_foreign_content(const Token& token) {
  switch (token.kind) {
    case TokenKind::kText:
      if (frameset_ok_) {
        for (const char c : token.text) frameset_ok_ = frameset_ok_ && is_html_space(c);
      }
      facts_.text(token.text, open_.top());
      return false;
    case TokenKind::kStartTag:
    case TokenKind::kEndTag:
      break;
    default:
      return false;
  }
  if (breaks_out(token)) {
    for (;;) {
      const OpenElement& top = open_.top();
      if (top.space == Space::kHtml || top.html_inside) break;
      if (top.space == Space::kSvg &&
          (top.tag == Tag::k_foreignobject || top.tag == Tag::k_desc || top.tag == Tag::k_title)) {
        break;
      }
      if (top.space == Space::kMath &&
          (top.tag == Tag::k_mi || top.tag == Tag::k_mo || top.tag == Tag::k_mn ||
           top.tag == Tag::k_ms || top.tag == Tag::k_mtext)) {
        break;
      }
      pop();
    }
    // An integration point takes an end tag by the foreign rules again: go by the mode at once.
    return by_mode(token);
  }
  if (token.kind == TokenKind::kStartTag) {
    OpenElement& element = insert(token, token.tag, open_.top().space);
    if (element.space == Space::kMath && element.tag == Tag::k_annotation_xml) {
      Arena arena;
      for (const RawAttribute& attribute : token.attributes) {
        if (find_attribute(attribute.name) != Attribute::k_encoding) continue;
        const std::string_view value = attribute_value(attribute.value, &arena);
        element.html_inside = equal_ignoring_case(value, "text/html") ||
                              equal_ignoring_case(value, "application/xhtml+xml");
        break;
      }
    }
    if (token.self_closing) pop();
    return false;
  }
  // An end tag: the nearest foreign element of that name, else by the rules of the mode.
  for (std::size_t i = open_.size(); i-- > 1;) {
    const OpenElement& e = open_[i];
    if (e.space == Space::kHtml) return by_mode(token);
    if (e.tag == token.tag && (e.tag != Tag::kOther || e.name_hash == hash_tag_name(token.text))) {
      pop_to_size(i);
      return false;
    }
  }
  return false;
}

}  // namespace periplus
