// Dispatch, and the insertion modes around head and body.
#include "html/tree_model.h"

#include "html/fact_collector.h"
#include "html/scan.h"

namespace periplus {
namespace {

bool all_space(std::string_view text) {
  for (const char c : text) {
    if (!is_html_space(c)) return false;
  }
  return true;
}

std::string_view skip_space(std::string_view text) {
  while (!text.empty() && is_html_space(text.front())) text.remove_prefix(1);
  return text;
}

bool is_tag(const Token& token, TokenKind kind, Tag tag) {
  return token.kind == kind && token.tag == tag;
}

}  // namespace

void TreeModel::restart() {
  open_.clear();
  formatting_.clear();
  template_modes_.clear();
  mode_ = original_mode_ = Mode::kInitial;
  quirks_ = head_seen_ = skip_line_feed_ = false;
  frameset_ok_ = true;
  form_ = 0;
  next_id_ = 1;
}

void TreeModel::take(const Token& token) {
  if (skip_line_feed_) {
    skip_line_feed_ = false;
    if (token.kind == TokenKind::kText && token.text.starts_with('\n')) {
      if (token.text.size() == 1) return;
      Token rest = token;
      rest.text.remove_prefix(1);
      while (step(rest)) {
      }
      return;
    }
  }
  // By far the most tokens come here.
  if (mode_ == Mode::kInBody && open_.top().space == Space::kHtml &&
      token.kind != TokenKind::kComment) {
    if (!in_body(token)) return;
  }
  while (step(token)) {
  }
}

void TreeModel::finish() { pop_to_size(0); }

bool TreeModel::html_rules_apply(const Token& token) const {
  if (open_.empty() || open_.top().space == Space::kHtml) return true;
  const OpenElement& top = open_.top();
  const bool start = token.kind == TokenKind::kStartTag;
  const bool text = token.kind == TokenKind::kText;
  if (top.space == Space::kMath) {
    const bool text_point = top.tag == Tag::k_mi || top.tag == Tag::k_mo || top.tag == Tag::k_mn ||
                            top.tag == Tag::k_ms || top.tag == Tag::k_mtext;
    if (text_point &&
        (text || (start && token.tag != Tag::k_mglyph && token.tag != Tag::k_malignmark))) {
      return true;
    }
    if (top.tag == Tag::k_annotation_xml && start && token.tag == Tag::k_svg) return true;
    return top.html_inside && (start || text);
  }
  const bool point =
      top.tag == Tag::k_foreignobject || top.tag == Tag::k_desc || top.tag == Tag::k_title;
  return point && (start || text);
}

bool TreeModel::step(const Token& token) {
  if (token.kind == TokenKind::kComment) return false;
  if (!html_rules_apply(token)) return in_foreign_content(token);
  return by_mode(token);
}

bool TreeModel::by_mode(const Token& token) {
  switch (mode_) {
    case Mode::kInitial:
      return initial(token);
    case Mode::kBeforeHtml:
      return before_html(token);
    case Mode::kBeforeHead:
      return before_head(token);
    case Mode::kInHead:
      return in_head(token);
    case Mode::kInHeadNoscript:
      return in_head_noscript(token);
    case Mode::kAfterHead:
      return after_head(token);
    case Mode::kInBody:
      return in_body(token);
    case Mode::kText:
      return text_mode(token);
    case Mode::kInTable:
      return in_table(token);
    case Mode::kInCaption:
      return in_caption(token);
    case Mode::kInColumnGroup:
      return in_column_group(token);
    case Mode::kInTableBody:
      return in_table_body(token);
    case Mode::kInRow:
      return in_row(token);
    case Mode::kInCell:
      return in_cell(token);
    case Mode::kInTemplate:
      return in_template(token);
    case Mode::kAfterBody:
      return after_body(token);
    case Mode::kInFrameset:
      return in_frameset(token);
    case Mode::kAfterFrameset:
      return after_frameset(token);
    case Mode::kAfterAfterBody:
    case Mode::kAfterAfterFrameset:
      return after_after(token);
  }
  return false;
}

bool TreeModel::initial(const Token& token) {
  if (token.kind == TokenKind::kText && all_space(token.text)) return false;
  mode_ = Mode::kBeforeHtml;
  if (token.kind == TokenKind::kDoctype) {
    const QuirksMode quirks = quirks_of(token);
    quirks_ = quirks == QuirksMode::kQuirks;
    facts_.doctype(token, quirks != QuirksMode::kNone);
    return false;
  }
  quirks_ = true;
  facts_.no_doctype();
  return true;
}

bool TreeModel::before_html(const Token& token) {
  if (token.kind == TokenKind::kDoctype) return false;
  if (token.kind == TokenKind::kText && all_space(token.text)) return false;
  if (is_tag(token, TokenKind::kStartTag, Tag::k_html)) {
    insert(token, Tag::k_html);
    mode_ = Mode::kBeforeHead;
    return false;
  }
  if (token.kind == TokenKind::kEndTag && token.tag != Tag::k_head && token.tag != Tag::k_body &&
      token.tag != Tag::k_html && token.tag != Tag::k_br) {
    return false;
  }
  insert_implied(Tag::k_html);
  mode_ = Mode::kBeforeHead;
  return true;
}

bool TreeModel::before_head(const Token& token) {
  if (token.kind == TokenKind::kDoctype) return false;
  if (token.kind == TokenKind::kText && all_space(token.text)) return false;
  if (token.kind == TokenKind::kStartTag) {
    if (token.tag == Tag::k_html) return in_body(token);
    if (token.tag == Tag::k_head) {
      insert(token, Tag::k_head);
      head_seen_ = true;
      mode_ = Mode::kInHead;
      return false;
    }
  }
  if (token.kind == TokenKind::kEndTag && token.tag != Tag::k_head && token.tag != Tag::k_body &&
      token.tag != Tag::k_html && token.tag != Tag::k_br) {
    return false;
  }
  insert_implied(Tag::k_head);
  head_seen_ = true;
  mode_ = Mode::kInHead;
  return true;
}

// The start tags that "in head" takes; false when `token` is none of them.
bool TreeModel::take_raw_start(const Token& token) {
  switch (token.tag) {
    case Tag::k_base:
    case Tag::k_basefont:
    case Tag::k_bgsound:
    case Tag::k_link:
    case Tag::k_meta:
      insert_void(token, token.tag);
      return true;
    case Tag::k_title:
      insert_raw(token, TextMode::kRcdata);
      return true;
    case Tag::k_noframes:
    case Tag::k_style:
      insert_raw(token, TextMode::kRawtext);
      return true;
    case Tag::k_script:
      insert_raw(token, TextMode::kScriptData);
      return true;
    case Tag::k_template:
      start_template(token);
      return true;
    default:
      return false;
  }
}

// Something that belongs to the body came while the head was open.
void TreeModel::end_head(const Token& token) {
  const bool body_follows =
      token.kind == TokenKind::kStartTag &&
      (token.tag == Tag::k_body || token.tag == Tag::k_frameset || token.tag == Tag::k_html);
  const bool closes = token.kind == TokenKind::kEndTag;
  if (!body_follows && !closes) facts_.head_ended_by(token);
}

bool TreeModel::in_head(const Token& token) {
  switch (token.kind) {
    case TokenKind::kText: {
      if (all_space(token.text)) return false;
      break;
    }
    case TokenKind::kStartTag:
      if (token.tag == Tag::k_html) return in_body(token);
      if (take_raw_start(token)) return false;
      if (token.tag == Tag::k_noscript) {
        insert(token, Tag::k_noscript);
        mode_ = Mode::kInHeadNoscript;
        return false;
      }
      if (token.tag == Tag::k_head) {
        facts_.again(StructureFault::kSecondHead, token);
        return false;
      }
      break;
    case TokenKind::kEndTag:
      if (token.tag == Tag::k_head) {
        pop();
        mode_ = Mode::kAfterHead;
        return false;
      }
      if (token.tag == Tag::k_template) {
        end_template();
        return false;
      }
      if (token.tag != Tag::k_body && token.tag != Tag::k_html && token.tag != Tag::k_br) {
        return false;
      }
      break;
    default:
      return false;
  }
  end_head(token);
  pop();
  mode_ = Mode::kAfterHead;
  return true;
}

bool TreeModel::in_head_noscript(const Token& token) {
  if (token.kind == TokenKind::kDoctype) return false;
  if (token.kind == TokenKind::kText && all_space(token.text)) return false;
  if (token.kind == TokenKind::kStartTag) {
    switch (token.tag) {
      case Tag::k_html:
        return in_body(token);
      case Tag::k_basefont:
      case Tag::k_bgsound:
      case Tag::k_link:
      case Tag::k_meta:
      case Tag::k_noframes:
      case Tag::k_style:
        take_raw_start(token);
        return false;
      case Tag::k_head:
      case Tag::k_noscript:
        return false;
      default:
        break;
    }
  }
  if (token.kind == TokenKind::kEndTag) {
    if (token.tag == Tag::k_noscript) {
      pop();
      mode_ = Mode::kInHead;
      return false;
    }
    if (token.tag != Tag::k_br) return false;
  }
  if (token.kind == TokenKind::kText) facts_.text(token.text, open_.top());
  pop();
  mode_ = Mode::kInHead;
  return true;
}

bool TreeModel::after_head(const Token& token) {
  switch (token.kind) {
    case TokenKind::kText: {
      if (all_space(token.text)) return false;
      break;
    }
    case TokenKind::kStartTag:
      if (token.tag == Tag::k_html) return in_body(token);
      if (token.tag == Tag::k_body) {
        insert(token, Tag::k_body);
        frameset_ok_ = false;
        mode_ = Mode::kInBody;
        return false;
      }
      if (token.tag == Tag::k_frameset) {
        insert(token, Tag::k_frameset);
        mode_ = Mode::kInFrameset;
        return false;
      }
      if (take_raw_start(token)) return false;  // lands in the head all the same
      if (token.tag == Tag::k_head) {
        facts_.again(StructureFault::kSecondHead, token);
        return false;
      }
      break;
    case TokenKind::kEndTag:
      if (token.tag == Tag::k_template) {
        end_template();
        return false;
      }
      if (token.tag != Tag::k_body && token.tag != Tag::k_html && token.tag != Tag::k_br) {
        return false;
      }
      break;
    default:
      return false;
  }
  insert_implied(Tag::k_body);
  mode_ = Mode::kInBody;
  return true;
}

bool TreeModel::text_mode(const Token& token) {
  if (token.kind == TokenKind::kText) {
    facts_.raw_text(token.text, open_.top());
  } else if (token.kind == TokenKind::kEndTag) {
    pop();
    mode_ = original_mode_;
  }
  return false;
}

bool TreeModel::in_template(const Token& token) {
  if (token.kind == TokenKind::kText) return in_body(token);
  if (token.kind == TokenKind::kStartTag) {
    Mode next = Mode::kInBody;
    switch (token.tag) {
      case Tag::k_base:
      case Tag::k_basefont:
      case Tag::k_bgsound:
      case Tag::k_link:
      case Tag::k_meta:
      case Tag::k_noframes:
      case Tag::k_script:
      case Tag::k_style:
      case Tag::k_template:
      case Tag::k_title:
        take_raw_start(token);
        return false;
      case Tag::k_caption:
      case Tag::k_colgroup:
      case Tag::k_tbody:
      case Tag::k_tfoot:
      case Tag::k_thead:
        next = Mode::kInTable;
        break;
      case Tag::k_col:
        next = Mode::kInColumnGroup;
        break;
      case Tag::k_tr:
        next = Mode::kInTableBody;
        break;
      case Tag::k_td:
      case Tag::k_th:
        next = Mode::kInRow;
        break;
      default:
        break;
    }
    if (!template_modes_.empty()) template_modes_.back() = next;
    mode_ = next;
    return true;
  }
  if (is_tag(token, TokenKind::kEndTag, Tag::k_template)) end_template();
  return false;
}

bool TreeModel::after_body(const Token& token) {
  if (token.kind == TokenKind::kDoctype) return false;
  if (token.kind == TokenKind::kText && all_space(token.text)) return in_body(token);
  if (is_tag(token, TokenKind::kStartTag, Tag::k_html)) return in_body(token);
  if (is_tag(token, TokenKind::kEndTag, Tag::k_html)) {
    mode_ = Mode::kAfterAfterBody;
    return false;
  }
  mode_ = Mode::kInBody;
  return true;
}

bool TreeModel::in_frameset(const Token& token) {
  if (token.kind == TokenKind::kStartTag) {
    if (token.tag == Tag::k_html) return in_body(token);
    if (token.tag == Tag::k_frameset) insert(token, Tag::k_frameset);
    if (token.tag == Tag::k_frame) insert_void(token, Tag::k_frame);
    if (token.tag == Tag::k_noframes) take_raw_start(token);
  } else if (is_tag(token, TokenKind::kEndTag, Tag::k_frameset) && open_.size() > 1) {
    pop();
    if (!open_.top_is(Tag::k_frameset)) mode_ = Mode::kAfterFrameset;
  }
  return false;
}

bool TreeModel::after_frameset(const Token& token) {
  if (token.kind == TokenKind::kStartTag) {
    if (token.tag == Tag::k_html) return in_body(token);
    if (token.tag == Tag::k_noframes) take_raw_start(token);
  } else if (is_tag(token, TokenKind::kEndTag, Tag::k_html)) {
    mode_ = Mode::kAfterAfterFrameset;
  }
  return false;
}

bool TreeModel::after_after(const Token& token) {
  if (token.kind == TokenKind::kDoctype) return false;
  if (token.kind == TokenKind::kText && skip_space(token.text).empty()) return in_body(token);
  if (is_tag(token, TokenKind::kStartTag, Tag::k_html)) return in_body(token);
  if (mode_ == Mode::kAfterAfterFrameset) {
    if (is_tag(token, TokenKind::kStartTag, Tag::k_noframes)) take_raw_start(token);
    return false;
  }
  mode_ = Mode::kInBody;
  return true;
}

}  // namespace periplus
