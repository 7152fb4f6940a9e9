// The stack of open elements (HTML Standard section 13.2.4.2), without a tree under it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "html/names.h"
#include "html/page_facts.h"

namespace periplus {

enum class Space : std::uint8_t { kHtml, kSvg, kMath };  // namespaces

// What holds for an element and everything inside it.
enum InheritedFlag : std::uint16_t {
  kHidden = 1,         // hidden, aria-hidden or display:none
  kNotShown = 2,       // the browser does not show such text: script, noscript, option …
  kInTemplate = 4,     // no part of the document
  kInNoscript = 8,     //
  kNoSnippet = 16,     // data-nosnippet
  kInSectioning = 32,  // inside article, aside, main, nav or section
};

struct OpenElement {
  Tag tag = Tag::kOther;
  Space space = Space::kHtml;
  Region region = Region::kBody;
  bool html_inside = false;     // an HTML integration point by its attributes
  std::uint16_t flags = 0;      // InheritedFlag
  std::uint32_t name_hash = 0;  // of a name that is kOther
  std::uint32_t id = 0;         // unique in the page
  std::uint32_t capture = 0;    // the collector's; 0 = none
};

class OpenElements {
 public:
  // Deeper elements are made siblings, as browsers do: bounded memory and time.
  static constexpr std::size_t kMaxDepth = 512;

  bool empty() const { return stack_.empty(); }
  std::size_t size() const { return stack_.size(); }
  OpenElement& top() { return stack_.back(); }
  const OpenElement& top() const { return stack_.back(); }
  OpenElement& operator[](std::size_t i) { return stack_[i]; }
  const OpenElement& operator[](std::size_t i) const { return stack_[i]; }

  // The element with that id is open.
  bool is_open(std::uint32_t id) const { return id < open_ids_.size() && open_ids_[id] != 0; }

  void push(const OpenElement& element) {
    stack_.push_back(element);
    count(element, 1);
  }
  void insert(std::size_t at, const OpenElement& element) {
    stack_.insert(stack_.begin() + static_cast<std::ptrdiff_t>(at), element);
    count(element, 1);
  }
  void replace(std::size_t at, const OpenElement& element) {
    count(stack_[at], -1);
    stack_[at] = element;
    count(element, 1);
  }
  void remove(std::size_t at) {
    count(stack_[at], -1);
    stack_.erase(stack_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  void pop() {
    count(stack_.back(), -1);
    stack_.pop_back();
  }
  void clear() {
    stack_.clear();
    counts_.fill(0);
    open_ids_.assign(open_ids_.size(), 0);
  }

  bool top_is(Tag tag) const {
    return !stack_.empty() && stack_.back().tag == tag && stack_.back().space == Space::kHtml;
  }
  // An HTML element of that name is open.
  bool has(Tag tag) const { return counts_[static_cast<std::size_t>(tag)] != 0; }

  // Where the element with that id stands; size() when it is not open.
  std::size_t find(std::uint32_t id) const {
    for (std::size_t i = stack_.size(); i-- > 0;) {
      if (stack_[i].id == id) return i;
    }
    return stack_.size();
  }

  bool in_scope(Tag tag) const { return has(tag) && scan(tag, Tag::kOther, Tag::kOther); }
  bool in_button_scope(Tag tag) const { return has(tag) && scan(tag, Tag::k_button, Tag::kOther); }
  bool in_list_scope(Tag tag) const { return has(tag) && scan(tag, Tag::k_ol, Tag::k_ul); }
  bool in_table_scope(Tag tag) const;

  static bool is_special(const OpenElement& e) {
    if (e.space == Space::kHtml) return (tag_flags(e.tag) & kSpecial) != 0;
    return is_foreign_special(e);
  }
  static bool ends_scope(const OpenElement& e) {
    if (e.space == Space::kHtml) return (tag_flags(e.tag) & kScopeEnd) != 0;
    return is_foreign_special(e);
  }

 private:
  static bool is_foreign_special(const OpenElement& e);
  bool scan(Tag tag, Tag also, Tag and_also) const;
  void count(const OpenElement& e, int by) {
    if (e.id >= open_ids_.size()) open_ids_.resize(e.id * std::size_t{2} + 64);
    open_ids_[e.id] = by > 0 ? 1 : 0;
    if (e.space == Space::kHtml) {
      auto& n = counts_[static_cast<std::size_t>(e.tag)];
      n = static_cast<std::uint16_t>(n + by);
    }
  }

  std::vector<OpenElement> stack_;
  std::vector<std::uint8_t> open_ids_;  // by id: 1 while open
  std::array<std::uint16_t, static_cast<std::size_t>(Tag::kCount)> counts_{};
};

}  // namespace periplus
