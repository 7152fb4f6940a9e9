// What all insertion modes do to the stack of open elements.
#include "html/fact_collector.h"
#include "html/scan.h"
#include "html/tree_model.h"

namespace periplus {

std::uint32_t hash_tag_name(std::string_view name) {
  std::uint32_t hash = 2166136261U;
  for (const char c : name) {
    const auto low = static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    hash = (hash ^ low) * 16777619U;
  }
  return hash;
}

OpenElement& TreeModel::insert(const Token& token, Tag tag, Space space) {
  if (open_.size() >= OpenElements::kMaxDepth) pop();
  OpenElement element;
  if (!open_.empty()) {
    element.flags = open_.top().flags;
    element.region = open_.top().region;
  }
  element.tag = tag;
  element.space = space;
  element.id = next_id_++;
  if (tag == Tag::kOther) element.name_hash = hash_tag_name(token.text);
  const bool head =
      mode_ == Mode::kInHead || mode_ == Mode::kInHeadNoscript || mode_ == Mode::kAfterHead;
  facts_.opened(&element, token, head);
  open_.push(element);
  return open_.top();
}

void TreeModel::insert_implied(Tag tag) {
  if (open_.size() >= OpenElements::kMaxDepth) pop();
  OpenElement element;
  if (!open_.empty()) {
    element.flags = open_.top().flags;
    element.region = open_.top().region;
  }
  element.tag = tag;
  element.id = next_id_++;
  facts_.opened_without_tag(&element);
  open_.push(element);
}

void TreeModel::insert_void(const Token& token, Tag tag) {
  insert(token, tag);
  pop();
}

void TreeModel::insert_raw(const Token& token, TextMode mode) {
  insert(token, token.tag);
  tokenizer_.switch_to(mode, token.text);
  if (mode == TextMode::kPlaintext) return;
  original_mode_ = mode_;
  mode_ = Mode::kText;
}

void TreeModel::pop() {
  facts_.closed(open_.top());
  open_.pop();
}

void TreeModel::remove(std::size_t at) {
  facts_.closed(open_[at]);
  open_.remove(at);
}

void TreeModel::pop_to_size(std::size_t size) {
  while (open_.size() > size) pop();
}

void TreeModel::pop_until(Tag tag) {
  while (!open_.empty()) {
    const bool found = open_.top_is(tag);
    pop();
    if (found) return;
  }
}

void TreeModel::generate_implied_end_tags(Tag except) {
  while (open_.size() > 1 && open_.top().space == Space::kHtml && open_.top().tag != except &&
         (tag_flags(open_.top().tag) & kImpliedEnd) != 0) {
    pop();
  }
}

void TreeModel::generate_all_implied_end_tags() {
  while (open_.size() > 1 && open_.top().space == Space::kHtml &&
         (tag_flags(open_.top().tag) & (kImpliedEnd | kThoroughEnd)) != 0) {
    pop();
  }
}

void TreeModel::close_p() {
  generate_implied_end_tags(Tag::k_p);
  pop_until(Tag::k_p);
}

void TreeModel::any_other_end_tag(const Token& token) {
  const std::uint32_t hash = token.tag == Tag::kOther ? hash_tag_name(token.text) : 0;
  if (open_.top_is(token.tag) && open_.top().name_hash == hash) {
    pop();
    return;
  }
  for (std::size_t i = open_.size(); i-- > 0;) {
    const OpenElement& e = open_[i];
    if (e.space == Space::kHtml && e.tag == token.tag && e.name_hash == hash) {
      const std::uint32_t id = e.id;
      generate_implied_end_tags(token.tag);
      const std::size_t at = open_.find(id);
      if (at < open_.size()) pop_to_size(at);
      return;
    }
    if (OpenElements::is_special(e)) return;
  }
}

void TreeModel::start_template(const Token& token) {
  insert(token, Tag::k_template);
  push_marker();
  frameset_ok_ = false;
  mode_ = Mode::kInTemplate;
  template_modes_.push_back(Mode::kInTemplate);
}

void TreeModel::end_template() {
  if (!open_.has(Tag::k_template)) return;
  generate_all_implied_end_tags();
  pop_until(Tag::k_template);
  clear_to_marker();
  if (!template_modes_.empty()) template_modes_.pop_back();
  reset_mode();
}

// "Reset the insertion mode appropriately" (section 13.2.4.1).
void TreeModel::reset_mode() {
  for (std::size_t i = open_.size(); i-- > 0;) {
    const OpenElement& e = open_[i];
    if (e.space != Space::kHtml) continue;
    switch (e.tag) {
      case Tag::k_td:
      case Tag::k_th:
        mode_ = Mode::kInCell;
        return;
      case Tag::k_tr:
        mode_ = Mode::kInRow;
        return;
      case Tag::k_tbody:
      case Tag::k_thead:
      case Tag::k_tfoot:
        mode_ = Mode::kInTableBody;
        return;
      case Tag::k_caption:
        mode_ = Mode::kInCaption;
        return;
      case Tag::k_colgroup:
        mode_ = Mode::kInColumnGroup;
        return;
      case Tag::k_table:
        mode_ = Mode::kInTable;
        return;
      case Tag::k_template:
        mode_ = template_modes_.empty() ? Mode::kInTemplate : template_modes_.back();
        return;
      case Tag::k_head:
        mode_ = Mode::kInHead;
        return;
      case Tag::k_body:
        mode_ = Mode::kInBody;
        return;
      case Tag::k_frameset:
        mode_ = Mode::kInFrameset;
        return;
      case Tag::k_html:
        mode_ = head_seen_ ? Mode::kAfterHead : Mode::kBeforeHead;
        return;
      default:
        break;
    }
  }
  mode_ = Mode::kInBody;
}

}  // namespace periplus
