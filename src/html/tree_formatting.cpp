// The list of active formatting elements and the adoption agency (sections 13.2.4.3, 13.2.6.4.7).
#include <algorithm>

#include "base/text.h"
#include "html/fact_collector.h"
#include "html/tree_model.h"

namespace periplus {
namespace {

// More open formatting than any page means; the oldest is forgotten, which bounds the time that
// reopening can take.
constexpr std::size_t kMostFormatting = 128;

// The same for the same attributes in any order.
std::uint64_t hash_attributes(const std::vector<RawAttribute>& attributes) {
  std::uint64_t sum = attributes.size();  // 0 for none, the usual case
  for (const RawAttribute& attribute : attributes) {
    sum += hash64(attribute.value, hash64(attribute.name));
  }
  return sum;
}

}  // namespace

std::size_t TreeModel::entry_of(std::uint32_t id) const {
  for (std::size_t i = formatting_.size(); i-- > 0;) {
    if (formatting_[i].id == id) return i;
  }
  return formatting_.size();
}

std::size_t TreeModel::formatting_entry(Tag tag) const {
  for (std::size_t i = formatting_.size(); i-- > 0;) {
    if (formatting_[i].id == 0) break;
    if (formatting_[i].tag == tag) return i;
  }
  return formatting_.size();
}

void TreeModel::push_formatting(const Token& token, const OpenElement& element) {
  Formatting entry;
  entry.id = element.id;
  entry.tag = element.tag;
  // Two open links cannot stand in the list, so nobody asks for theirs.
  if (element.tag != Tag::k_a) entry.attributes = hash_attributes(token.attributes);
  entry.element = element;
  // The Noah's Ark clause: three of a kind are enough.
  std::size_t alike = 0;
  std::size_t earliest = 0;
  std::size_t since_marker = 0;
  for (std::size_t i = formatting_.size(); i-- > 0;) {
    if (formatting_[i].id == 0) break;
    ++since_marker;
    if (formatting_[i].tag == entry.tag && formatting_[i].attributes == entry.attributes) {
      ++alike;
      earliest = i;
    }
  }
  if (alike >= 3) {
    formatting_.erase(formatting_.begin() + static_cast<std::ptrdiff_t>(earliest));
  } else if (since_marker >= kMostFormatting) {
    formatting_.erase(formatting_.end() - static_cast<std::ptrdiff_t>(since_marker));
  }
  formatting_.push_back(entry);
}

void TreeModel::clear_to_marker() {
  while (!formatting_.empty()) {
    const bool marker = formatting_.back().id == 0;
    formatting_.pop_back();
    if (marker) return;
  }
}

OpenElement TreeModel::clone(const OpenElement& of) {
  OpenElement copy = of;
  copy.id = next_id_++;
  copy.capture = 0;
  facts_.reopened(&copy, of);
  return copy;
}

// "Reconstruct the active formatting elements".
void TreeModel::reopen_formatting() {
  std::size_t at = formatting_.size() - 1;
  const auto settled = [&](std::size_t i) {
    return formatting_[i].id == 0 || open_.is_open(formatting_[i].id);
  };
  if (settled(at)) return;
  while (at > 0 && !settled(at - 1)) --at;
  for (; at < formatting_.size(); ++at) {
    if (open_.size() >= OpenElements::kMaxDepth) pop();
    OpenElement source = formatting_[at].element;
    source.flags = static_cast<std::uint16_t>(source.flags | open_.top().flags);
    source.region = open_.top().region;
    const OpenElement copy = clone(source);
    open_.push(copy);
    formatting_[at].id = copy.id;
    formatting_[at].element = copy;
  }
}

void TreeModel::adoption_agency(const Token& token) {
  const Tag subject = token.tag;
  if (open_.top_is(subject) && entry_of(open_.top().id) == formatting_.size()) {
    pop();
    return;
  }
  for (int round = 0; round < 8; ++round) {
    const std::size_t entry = formatting_entry(subject);
    if (entry == formatting_.size()) {
      // A start tag ("a" in "a") has no element of its own to look for.
      if (token.kind == TokenKind::kEndTag) any_other_end_tag(token);
      return;
    }
    const std::size_t at = open_.find(formatting_[entry].id);
    if (at == open_.size()) {
      formatting_.erase(formatting_.begin() + static_cast<std::ptrdiff_t>(entry));
      return;
    }
    for (std::size_t i = open_.size(); i-- > at + 1;) {
      if (OpenElements::ends_scope(open_[i])) return;
    }
    if (!adopt_once(entry, at)) return;
  }
}

// One round for the formatting element at `at` in the stack; false when that was the last.
bool TreeModel::adopt_once(std::size_t entry, std::size_t at) {
  std::size_t block = at + 1;  // the furthest block
  while (block < open_.size() && !OpenElements::is_special(open_[block])) ++block;
  if (block == open_.size()) {
    pop_to_size(at);
    formatting_.erase(formatting_.begin() + static_cast<std::ptrdiff_t>(entry));
    return false;
  }
  const std::uint32_t formatting_id = formatting_[entry].id;
  std::uint32_t behind = formatting_id;  // the bookmark: behind this entry of the list
  std::size_t node = block;
  int counter = 0;
  bool last_is_block = true;
  while (--node > at) {
    ++counter;
    std::size_t node_entry = entry_of(open_[node].id);
    if (counter > 3 && node_entry < formatting_.size()) {
      formatting_.erase(formatting_.begin() + static_cast<std::ptrdiff_t>(node_entry));
      node_entry = formatting_.size();
    }
    if (node_entry == formatting_.size()) {
      remove(node);
      --block;
      continue;
    }
    const OpenElement original = open_[node];
    const OpenElement copy = clone(original);
    facts_.closed(original);
    formatting_[node_entry].id = copy.id;
    formatting_[node_entry].element = copy;
    open_.replace(node, copy);
    if (last_is_block) behind = copy.id;
    last_is_block = false;
  }
  const OpenElement original = open_[at];
  const OpenElement copy = clone(original);
  const std::size_t old_entry = entry_of(formatting_id);
  Formatting renewed = formatting_[old_entry];
  renewed.id = copy.id;
  renewed.element = copy;
  if (behind == formatting_id) {
    formatting_[old_entry] = renewed;
  } else {
    const std::size_t mark = entry_of(behind);
    formatting_.insert(formatting_.begin() + static_cast<std::ptrdiff_t>(mark + 1), renewed);
    formatting_.erase(formatting_.begin() + static_cast<std::ptrdiff_t>(entry_of(formatting_id)));
  }
  open_.insert(block + 1, copy);
  remove(at);
  return true;
}

}  // namespace periplus
