// "In body" (section 13.2.6.4.7).
#include "base/text.h"
#include "html/fact_collector.h"
#include "html/scan.h"
#include "html/tree_model.h"

namespace periplus {
namespace {

bool has_visible_text(std::string_view text) {
  for (const char c : text) {
    if (!is_html_space(c) && c != '\0') return true;
  }
  return false;
}

bool input_is_hidden(const Token& token) {
  for (const RawAttribute& attribute : token.attributes) {
    if (equal_ignoring_case(attribute.name, "type")) {
      return equal_ignoring_case(attribute.value, "hidden");
    }
  }
  return false;
}

}  // namespace

void TreeModel::body_text(std::string_view text) {
  reconstruct_formatting();
  if (frameset_ok_ && has_visible_text(text)) frameset_ok_ = false;
  facts_.text(text, open_.top());
}

bool TreeModel::in_body(const Token& token) {
  switch (token.kind) {
    case TokenKind::kText:
      body_text(token.text);
      return false;
    case TokenKind::kStartTag:
      return body_start(token);
    case TokenKind::kEndTag:
      return body_end(token);
    default:
      return false;
  }
}

bool TreeModel::body_start(const Token& token) {
  const Tag tag = token.tag;
  const std::uint32_t flags = tag_flags(tag);
  if ((flags & kInline) != 0) {
    reconstruct_formatting();
    const OpenElement& element = insert(token, tag);
    if ((flags & kFormatting) != 0) push_formatting(token, element);
    return false;
  }
  if ((flags & kClosesP) != 0) {
    close_p_in_button_scope();
    insert(token, tag);
    return false;
  }
  if (take_raw_start(token)) return false;
  if ((flags & kHeadingTag) != 0) {
    close_p_in_button_scope();
    if (open_.top().space == Space::kHtml && (tag_flags(open_.top().tag) & kHeadingTag) != 0) pop();
    insert(token, tag);
    return false;
  }
  switch (tag) {
    case Tag::k_html:
      facts_.html_again(token);
      return false;
    case Tag::k_body:
      if (open_.size() > 1 && open_[1].tag == Tag::k_body && !open_.has(Tag::k_template)) {
        frameset_ok_ = false;
        facts_.again(StructureFault::kSecondBody, token);
      }
      return false;
    case Tag::k_frameset:
      if (open_.size() < 2 || open_[1].tag != Tag::k_body || !frameset_ok_) return false;
      pop_to_size(1);
      facts_.body_dropped();
      insert(token, tag);
      mode_ = Mode::kInFrameset;
      return false;
    case Tag::k_head:
      facts_.again(StructureFault::kSecondHead, token);
      return false;
    case Tag::k_caption:
    case Tag::k_col:
    case Tag::k_colgroup:
    case Tag::k_frame:
    case Tag::k_tbody:
    case Tag::k_td:
    case Tag::k_tfoot:
    case Tag::k_th:
    case Tag::k_thead:
    case Tag::k_tr:
      return false;
    case Tag::k_pre:
    case Tag::k_listing:
      close_p_in_button_scope();
      insert(token, tag);
      skip_line_feed_ = true;
      frameset_ok_ = false;
      return false;
    case Tag::k_form: {
      const bool in_template = open_.has(Tag::k_template);
      if (form_ != 0 && !in_template) return false;
      close_p_in_button_scope();
      const OpenElement& form = insert(token, tag);
      if (!in_template) form_ = form.id;
      return false;
    }
    case Tag::k_li:
    case Tag::k_dd:
    case Tag::k_dt: {
      frameset_ok_ = false;
      const bool list_item = tag == Tag::k_li;
      for (std::size_t i = open_.size(); i-- > 0;) {
        const OpenElement& e = open_[i];
        const bool html = e.space == Space::kHtml;
        const bool same = list_item ? e.tag == Tag::k_li : e.tag == Tag::k_dd || e.tag == Tag::k_dt;
        if (html && same) {
          const Tag closing = e.tag;
          generate_implied_end_tags(closing);
          pop_until(closing);
          break;
        }
        if (OpenElements::is_special(e) &&
            !(html && (e.tag == Tag::k_address || e.tag == Tag::k_div || e.tag == Tag::k_p))) {
          break;
        }
      }
      close_p_in_button_scope();
      insert(token, tag);
      return false;
    }
    case Tag::k_plaintext:
      close_p_in_button_scope();
      insert_raw(token, TextMode::kPlaintext);
      return false;
    case Tag::k_button:
      if (open_.in_scope(Tag::k_button)) {
        generate_implied_end_tags();
        pop_until(Tag::k_button);
      }
      reconstruct_formatting();
      insert(token, tag);
      frameset_ok_ = false;
      return false;
    case Tag::k_a: {
      const std::size_t entry = formatting_entry(Tag::k_a);
      if (entry < formatting_.size()) {
        const std::uint32_t id = formatting_[entry].id;
        adoption_agency(token);
        const std::size_t still = entry_of(id);
        if (still < formatting_.size()) {
          formatting_.erase(formatting_.begin() + static_cast<std::ptrdiff_t>(still));
        }
        const std::size_t at = open_.find(id);
        if (at < open_.size()) remove(at);
      }
      reconstruct_formatting();
      push_formatting(token, insert(token, tag));
      return false;
    }
    case Tag::k_nobr:
      reconstruct_formatting();
      if (open_.in_scope(Tag::k_nobr)) {
        adoption_agency(token);
        reconstruct_formatting();
      }
      push_formatting(token, insert(token, tag));
      return false;
    case Tag::k_applet:
    case Tag::k_marquee:
    case Tag::k_object:
      reconstruct_formatting();
      insert(token, tag);
      push_marker();
      frameset_ok_ = false;
      return false;
    case Tag::k_table:
      if (!quirks_) close_p_in_button_scope();
      insert(token, tag);
      frameset_ok_ = false;
      mode_ = Mode::kInTable;
      return false;
    case Tag::k_image:
    case Tag::k_area:
    case Tag::k_br:
    case Tag::k_embed:
    case Tag::k_img:
    case Tag::k_keygen:
    case Tag::k_wbr:
      reconstruct_formatting();
      insert_void(token, tag == Tag::k_image ? Tag::k_img : tag);
      frameset_ok_ = false;
      return false;
    case Tag::k_input:
      if (open_.in_scope(Tag::k_select)) pop_until(Tag::k_select);
      reconstruct_formatting();
      insert_void(token, tag);
      if (frameset_ok_ && !input_is_hidden(token)) frameset_ok_ = false;
      return false;
    case Tag::k_param:
    case Tag::k_source:
    case Tag::k_track:
      insert_void(token, tag);
      return false;
    case Tag::k_hr:
      close_p_in_button_scope();
      if (open_.in_scope(Tag::k_select)) generate_implied_end_tags();
      insert_void(token, tag);
      frameset_ok_ = false;
      return false;
    case Tag::k_textarea:
      insert_raw(token, TextMode::kRcdata);
      skip_line_feed_ = true;
      frameset_ok_ = false;
      return false;
    case Tag::k_xmp:
      close_p_in_button_scope();
      reconstruct_formatting();
      frameset_ok_ = false;
      insert_raw(token, TextMode::kRawtext);
      return false;
    case Tag::k_iframe:
      frameset_ok_ = false;
      insert_raw(token, TextMode::kRawtext);
      return false;
    case Tag::k_noembed:
      insert_raw(token, TextMode::kRawtext);
      return false;
    case Tag::k_select:
      if (open_.in_scope(Tag::k_select)) {
        pop_until(Tag::k_select);
        return false;
      }
      reconstruct_formatting();
      insert(token, tag);
      frameset_ok_ = false;
      return false;
    case Tag::k_option:
    case Tag::k_optgroup:
      if (open_.in_scope(Tag::k_select)) {
        generate_implied_end_tags(tag == Tag::k_option ? Tag::k_optgroup : Tag::kOther);
      } else if (open_.top_is(Tag::k_option)) {
        pop();
      }
      reconstruct_formatting();
      insert(token, tag);
      return false;
    case Tag::k_rb:
    case Tag::k_rtc:
    case Tag::k_rp:
    case Tag::k_rt:
      if (open_.in_scope(Tag::k_ruby)) {
        generate_implied_end_tags(tag == Tag::k_rp || tag == Tag::k_rt ? Tag::k_rtc : Tag::kOther);
      }
      insert(token, tag);
      return false;
    case Tag::k_math:
    case Tag::k_svg:
      reconstruct_formatting();
      insert(token, tag, tag == Tag::k_svg ? Space::kSvg : Space::kMath);
      if (token.self_closing) pop();
      return false;
    default:
      reconstruct_formatting();
      insert(token, tag);
      return false;
  }
}

bool TreeModel::body_end(const Token& token) {
  const Tag tag = token.tag;
  const std::uint32_t flags = tag_flags(tag);
  if ((flags & kEndsBlock) != 0) {
    if (!open_.in_scope(tag)) return false;
    generate_implied_end_tags();
    pop_until(tag);
    return false;
  }
  if ((flags & kFormatting) != 0) {
    adoption_agency(token);
    return false;
  }
  if ((flags & kInline) != 0) {
    any_other_end_tag(token);
    return false;
  }
  if ((flags & kHeadingTag) != 0) {
    bool open = false;
    for (const Tag heading : {Tag::k_h1, Tag::k_h2, Tag::k_h3, Tag::k_h4, Tag::k_h5, Tag::k_h6}) {
      open = open || open_.in_scope(heading);
    }
    if (!open) return false;
    generate_implied_end_tags();
    for (bool found = false; !found;) {
      found = open_.top().space == Space::kHtml && (tag_flags(open_.top().tag) & kHeadingTag) != 0;
      pop();
    }
    return false;
  }
  switch (tag) {
    case Tag::k_template:
      end_template();
      return false;
    case Tag::k_body:
    case Tag::k_html:
      if (!open_.in_scope(Tag::k_body)) return false;
      mode_ = Mode::kAfterBody;
      return tag == Tag::k_html;
    case Tag::k_form:
      if (open_.has(Tag::k_template)) {
        if (!open_.in_scope(Tag::k_form)) return false;
        generate_implied_end_tags();
        pop_until(Tag::k_form);
      } else {
        const std::uint32_t form = form_;
        form_ = 0;
        if (form == 0 || !open_.in_scope(Tag::k_form)) return false;
        generate_implied_end_tags();
        const std::size_t at = open_.find(form);
        if (at < open_.size()) remove(at);
      }
      return false;
    case Tag::k_p:
      if (!open_.in_button_scope(Tag::k_p)) insert_implied(Tag::k_p);
      close_p();
      return false;
    case Tag::k_li:
      if (!open_.in_list_scope(tag)) return false;
      generate_implied_end_tags(tag);
      pop_until(tag);
      return false;
    case Tag::k_dd:
    case Tag::k_dt:
      if (!open_.in_scope(tag)) return false;
      generate_implied_end_tags(tag);
      pop_until(tag);
      return false;
    case Tag::k_applet:
    case Tag::k_marquee:
    case Tag::k_object:
      if (!open_.in_scope(tag)) return false;
      generate_implied_end_tags();
      pop_until(tag);
      clear_to_marker();
      return false;
    case Tag::k_br:
      reconstruct_formatting();
      insert_implied(Tag::k_br);
      pop();
      frameset_ok_ = false;
      return false;
    default:
      any_other_end_tag(token);
      return false;
  }
}

}  // namespace periplus
