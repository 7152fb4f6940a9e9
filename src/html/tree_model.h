// Tree construction (HTML Standard section 13.2.6) as far as facts depend on it: which elements are
// open, where the head ends, which tags are implied or ignored. It keeps the stack of open elements
// and the list of active formatting elements, but builds no tree; what opens, closes and is written
// goes to the FactCollector. Scripts are off, as they are for a crawler.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "html/open_elements.h"
#include "html/tokenizer.h"

namespace periplus {

class FactCollector;

class TreeModel {
 public:
  TreeModel(Tokenizer& tokenizer, FactCollector& facts) : tokenizer_(tokenizer), facts_(facts) {}

  void restart();
  void take(const Token& token);
  // The input is over: every element closes.
  void finish();

  // The current node is not an HTML element, so CDATA sections are allowed.
  bool in_foreign() const { return !open_.empty() && open_.top().space != Space::kHtml; }
  // The element whose raw text the input ended in; kOther when there is none.
  Tag unfinished_text() const { return mode_ == Mode::kText ? open_.top().tag : Tag::kOther; }

 private:
  enum class Mode : std::uint8_t {
    kInitial,
    kBeforeHtml,
    kBeforeHead,
    kInHead,
    kInHeadNoscript,
    kAfterHead,
    kInBody,
    kText,
    kInTable,
    kInCaption,
    kInColumnGroup,
    kInTableBody,
    kInRow,
    kInCell,
    kInTemplate,
    kAfterBody,
    kInFrameset,
    kAfterFrameset,
    kAfterAfterBody,
    kAfterAfterFrameset,
  };
  struct Formatting {  // an entry of the list of active formatting elements; id 0: a marker
    std::uint32_t id = 0;
    Tag tag = Tag::kOther;
    std::uint64_t attributes = 0;  // their hash, for the Noah's Ark clause
    OpenElement element;
  };

  // Each handler gives true when the token must be taken again in the mode it has set.
  bool step(const Token& token);
  bool by_mode(const Token& token);
  bool initial(const Token& token);
  bool before_html(const Token& token);
  bool before_head(const Token& token);
  bool in_head(const Token& token);
  bool in_head_noscript(const Token& token);
  bool after_head(const Token& token);
  bool in_body(const Token& token);
  bool body_start(const Token& token);
  bool body_end(const Token& token);
  bool text_mode(const Token& token);
  bool in_table(const Token& token);
  bool in_caption(const Token& token);
  bool in_column_group(const Token& token);
  bool in_table_body(const Token& token);
  bool in_row(const Token& token);
  bool in_cell(const Token& token);
  bool in_template(const Token& token);
  bool after_body(const Token& token);
  bool in_frameset(const Token& token);
  bool after_frameset(const Token& token);
  bool after_after(const Token& token);
  bool in_foreign_content(const Token& token);
  bool html_rules_apply(const Token& token) const;

  OpenElement& insert(const Token& token, Tag tag, Space space = Space::kHtml);
  void insert_implied(Tag tag);
  void insert_void(const Token& token, Tag tag);
  void insert_raw(const Token& token, TextMode mode);
  void pop();
  void remove(std::size_t at);
  void pop_until(Tag tag);  // the element of that name included
  void pop_to_size(std::size_t size);
  void generate_implied_end_tags(Tag except = Tag::kOther);
  void generate_all_implied_end_tags();
  void close_p();
  void close_p_in_button_scope() {
    if (open_.in_button_scope(Tag::k_p)) close_p();
  }
  void any_other_end_tag(const Token& token);
  void end_head(const Token& token);
  void body_text(std::string_view text);
  bool take_raw_start(const Token& token);
  void start_template(const Token& token);
  void end_template();
  void reset_mode();

  void reconstruct_formatting() {
    if (!formatting_.empty()) reopen_formatting();
  }
  void reopen_formatting();
  void push_formatting(const Token& token, const OpenElement& element);
  void push_marker() { formatting_.push_back({}); }
  void clear_to_marker();
  void adoption_agency(const Token& token);
  bool adopt_once(std::size_t entry, std::size_t at);
  std::size_t formatting_entry(Tag tag) const;  // size() when there is none after the last marker
  std::size_t entry_of(std::uint32_t id) const;
  OpenElement clone(const OpenElement& of);

  void clear_to_table_context();
  void clear_to_body_context();
  void clear_to_row_context();
  void close_cell();
  bool foster(const Token& token) { return in_body(token); }

  Tokenizer& tokenizer_;
  FactCollector& facts_;
  OpenElements open_;
  std::vector<Formatting> formatting_;
  std::vector<Mode> template_modes_;
  Mode mode_ = Mode::kInitial;
  Mode original_mode_ = Mode::kInitial;
  bool quirks_ = false;
  bool frameset_ok_ = true;
  bool head_seen_ = false;       // the head element pointer is set
  bool skip_line_feed_ = false;  // the first LF in pre, listing and textarea
  std::uint32_t form_ = 0;       // id of the form element pointer
  std::uint32_t next_id_ = 1;
};

// Of a tag name that no rule mentions; letter case does not matter.
std::uint32_t hash_tag_name(std::string_view name);

// The mode that a DOCTYPE puts the page in (section 13.2.6.4.1).
enum class QuirksMode : std::uint8_t { kNone, kLimited, kQuirks };
QuirksMode quirks_of(const Token& doctype);

}  // namespace periplus
