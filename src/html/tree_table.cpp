// The table modes (sections 13.2.6.4.9 to 13.2.6.4.15).
#include "base/text.h"
#include "html/fact_collector.h"
#include "html/scan.h"
#include "html/tree_model.h"

namespace periplus {
namespace {

bool all_space(std::string_view text) {
  for (const char c : text) {
    if (!is_html_space(c)) return false;
  }
  return true;
}

bool is_row_group(Tag tag) {
  return tag == Tag::k_tbody || tag == Tag::k_thead || tag == Tag::k_tfoot;
}
bool is_cell(Tag tag) { return tag == Tag::k_td || tag == Tag::k_th; }
// Start tags that end a caption or a cell.
bool is_table_part(Tag tag) {
  return is_row_group(tag) || is_cell(tag) || tag == Tag::k_tr || tag == Tag::k_caption ||
         tag == Tag::k_col || tag == Tag::k_colgroup;
}

}  // namespace

void TreeModel::clear_to_table_context() {
  while (!open_.top_is(Tag::k_table) && !open_.top_is(Tag::k_template) &&
         !open_.top_is(Tag::k_html)) {
    pop();
  }
}

void TreeModel::clear_to_body_context() {
  while (!open_.top_is(Tag::k_tbody) && !open_.top_is(Tag::k_tfoot) &&
         !open_.top_is(Tag::k_thead) && !open_.top_is(Tag::k_template) &&
         !open_.top_is(Tag::k_html)) {
    pop();
  }
}

void TreeModel::clear_to_row_context() {
  while (!open_.top_is(Tag::k_tr) && !open_.top_is(Tag::k_template) && !open_.top_is(Tag::k_html)) {
    pop();
  }
}

bool TreeModel::in_table(const Token& token) {
  switch (token.kind) {
    case TokenKind::kText: {
      const OpenElement& top = open_.top();
      const bool table_part =
          top.space == Space::kHtml && (top.tag == Tag::k_table || is_row_group(top.tag) ||
                                        top.tag == Tag::k_tr || top.tag == Tag::k_template);
      if (table_part && all_space(token.text)) return false;
      return foster(token);
    }
    case TokenKind::kStartTag:
      switch (token.tag) {
        case Tag::k_caption:
          clear_to_table_context();
          push_marker();
          insert(token, token.tag);
          mode_ = Mode::kInCaption;
          return false;
        case Tag::k_colgroup:
          clear_to_table_context();
          insert(token, token.tag);
          mode_ = Mode::kInColumnGroup;
          return false;
        case Tag::k_col:
          clear_to_table_context();
          insert_implied(Tag::k_colgroup);
          mode_ = Mode::kInColumnGroup;
          return true;
        case Tag::k_tbody:
        case Tag::k_tfoot:
        case Tag::k_thead:
          clear_to_table_context();
          insert(token, token.tag);
          mode_ = Mode::kInTableBody;
          return false;
        case Tag::k_td:
        case Tag::k_th:
        case Tag::k_tr:
          clear_to_table_context();
          insert_implied(Tag::k_tbody);
          mode_ = Mode::kInTableBody;
          return true;
        case Tag::k_table:
          if (!open_.in_table_scope(Tag::k_table)) return false;
          pop_until(Tag::k_table);
          reset_mode();
          return true;
        case Tag::k_style:
        case Tag::k_script:
        case Tag::k_template:
          take_raw_start(token);
          return false;
        case Tag::k_input:
          for (const RawAttribute& attribute : token.attributes) {
            if (!equal_ignoring_case(attribute.name, "type")) continue;
            if (!equal_ignoring_case(attribute.value, "hidden")) break;
            insert_void(token, token.tag);
            return false;
          }
          return foster(token);
        case Tag::k_form:
          if (open_.has(Tag::k_template) || form_ != 0) return false;
          form_ = insert(token, token.tag).id;
          pop();
          return false;
        default:
          return foster(token);
      }
    case TokenKind::kEndTag:
      switch (token.tag) {
        case Tag::k_table:
          if (!open_.in_table_scope(Tag::k_table)) return false;
          pop_until(Tag::k_table);
          reset_mode();
          return false;
        case Tag::k_body:
        case Tag::k_caption:
        case Tag::k_col:
        case Tag::k_colgroup:
        case Tag::k_html:
        case Tag::k_tbody:
        case Tag::k_td:
        case Tag::k_tfoot:
        case Tag::k_th:
        case Tag::k_thead:
        case Tag::k_tr:
          return false;
        case Tag::k_template:
          end_template();
          return false;
        default:
          return foster(token);
      }
    default:
      return false;
  }
}

bool TreeModel::in_caption(const Token& token) {
  const bool start = token.kind == TokenKind::kStartTag;
  const bool end = token.kind == TokenKind::kEndTag;
  const bool closes = end && token.tag == Tag::k_caption;
  if (closes || (start && is_table_part(token.tag)) || (end && token.tag == Tag::k_table)) {
    if (!open_.in_table_scope(Tag::k_caption)) return false;
    generate_implied_end_tags();
    pop_until(Tag::k_caption);
    clear_to_marker();
    mode_ = Mode::kInTable;
    return !closes;
  }
  if (end && (token.tag == Tag::k_body || token.tag == Tag::k_html || is_table_part(token.tag))) {
    return false;
  }
  return in_body(token);
}

bool TreeModel::in_column_group(const Token& token) {
  if (token.kind == TokenKind::kDoctype) return false;
  if (token.kind == TokenKind::kText && all_space(token.text)) return false;
  if (token.kind == TokenKind::kStartTag) {
    if (token.tag == Tag::k_html) return in_body(token);
    if (token.tag == Tag::k_col) {
      insert_void(token, token.tag);
      return false;
    }
    if (token.tag == Tag::k_template) {
      start_template(token);
      return false;
    }
  }
  if (token.kind == TokenKind::kEndTag) {
    if (token.tag == Tag::k_template) {
      end_template();
      return false;
    }
    if (token.tag == Tag::k_col) return false;
  }
  if (!open_.top_is(Tag::k_colgroup)) return false;
  pop();
  mode_ = Mode::kInTable;
  return !(token.kind == TokenKind::kEndTag && token.tag == Tag::k_colgroup);
}

bool TreeModel::in_table_body(const Token& token) {
  const Tag tag = token.tag;
  if (token.kind == TokenKind::kStartTag) {
    if (tag == Tag::k_tr) {
      clear_to_body_context();
      insert(token, tag);
      mode_ = Mode::kInRow;
      return false;
    }
    if (is_cell(tag)) {
      clear_to_body_context();
      insert_implied(Tag::k_tr);
      mode_ = Mode::kInRow;
      return true;
    }
  }
  const bool end = token.kind == TokenKind::kEndTag;
  if (end && is_row_group(tag)) {
    if (!open_.in_table_scope(tag)) return false;
    clear_to_body_context();
    pop();
    mode_ = Mode::kInTable;
    return false;
  }
  const bool next_part = token.kind == TokenKind::kStartTag && is_table_part(tag);
  if (next_part || (end && tag == Tag::k_table)) {
    if (!open_.in_table_scope(Tag::k_tbody) && !open_.in_table_scope(Tag::k_thead) &&
        !open_.in_table_scope(Tag::k_tfoot)) {
      return false;
    }
    clear_to_body_context();
    pop();
    mode_ = Mode::kInTable;
    return true;
  }
  if (end && (tag == Tag::k_body || tag == Tag::k_html || is_table_part(tag))) return false;
  return in_table(token);
}

bool TreeModel::in_row(const Token& token) {
  const Tag tag = token.tag;
  if (token.kind == TokenKind::kStartTag && is_cell(tag)) {
    clear_to_row_context();
    insert(token, tag);
    mode_ = Mode::kInCell;
    push_marker();
    return false;
  }
  const bool end = token.kind == TokenKind::kEndTag;
  const bool closes = end && tag == Tag::k_tr;
  const bool next_part = token.kind == TokenKind::kStartTag && is_table_part(tag);
  if (closes || next_part || (end && (tag == Tag::k_table || is_row_group(tag)))) {
    if (!open_.in_table_scope(Tag::k_tr)) return false;
    if (end && is_row_group(tag) && !open_.in_table_scope(tag)) return false;
    clear_to_row_context();
    pop();
    mode_ = Mode::kInTableBody;
    return !closes;
  }
  if (end && (tag == Tag::k_body || tag == Tag::k_html || is_table_part(tag))) return false;
  return in_table(token);
}

void TreeModel::close_cell() {
  generate_implied_end_tags();
  while (!open_.top_is(Tag::k_td) && !open_.top_is(Tag::k_th) && open_.size() > 1) pop();
  if (open_.size() > 1) pop();
  clear_to_marker();
  mode_ = Mode::kInRow;
}

bool TreeModel::in_cell(const Token& token) {
  const Tag tag = token.tag;
  if (token.kind == TokenKind::kEndTag) {
    if (is_cell(tag)) {
      if (!open_.in_table_scope(tag)) return false;
      generate_implied_end_tags();
      pop_until(tag);
      clear_to_marker();
      mode_ = Mode::kInRow;
      return false;
    }
    if (tag == Tag::k_body || tag == Tag::k_caption || tag == Tag::k_col ||
        tag == Tag::k_colgroup || tag == Tag::k_html) {
      return false;
    }
    if (tag == Tag::k_table || tag == Tag::k_tr || is_row_group(tag)) {
      if (!open_.in_table_scope(tag)) return false;
      close_cell();
      return true;
    }
  }
  if (token.kind == TokenKind::kStartTag && is_table_part(tag)) {
    if (!open_.in_table_scope(Tag::k_td) && !open_.in_table_scope(Tag::k_th)) return false;
    close_cell();
    return true;
  }
  return in_body(token);
}

}  // namespace periplus
