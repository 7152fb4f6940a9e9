#include "audit/rulebook.h"

#include "audit/check.h"

namespace periplus {
namespace {

std::vector<const RuleEntry*> all_entries() {
  const std::span<const RuleEntry> families[] = {
      tls_rules(),       answering_rules(), redirect_rules(), robots_rules(),    ai_agent_rules(),
      indexing_rules(),  sitemap_rules(),   address_rules(),  encoding_rules(),  structure_rules(),
      text_rules(),      link_rules(),      naming_rules(),   canonical_rules(), hreflang_rules(),
      duplicate_rules(), data_rules(),      security_rules(),
  };
  std::vector<const RuleEntry*> out;
  for (std::size_t stage = 0; stage < kStages; ++stage) {
    for (const std::span<const RuleEntry> family : families) {
      for (const RuleEntry& entry : family) {
        if (entry.rule.stage == static_cast<Stage>(stage)) out.push_back(&entry);
      }
    }
  }
  return out;
}

}  // namespace

Rulebook::Rulebook(std::vector<const RuleEntry*> entries) : entries_(std::move(entries)) {}

const Rulebook& Rulebook::standard() {
  static const Rulebook book(all_entries());
  return book;
}

const Rule& Rulebook::operator[](std::size_t index) const { return entries_[index]->rule; }

std::size_t Rulebook::index_of(std::string_view id) const {
  std::size_t index = 0;
  while (index < entries_.size() && entries_[index]->rule.id != id) ++index;
  return index;
}

const Rule* Rulebook::find(std::string_view id) const {
  const std::size_t index = index_of(id);
  return index < entries_.size() ? &entries_[index]->rule : nullptr;
}

}  // namespace periplus
