#include "base/text.h"
#include "html/fact_collector.h"
#include "html/scan.h"

namespace periplus {

void AttributeView::read(const std::vector<RawAttribute>& attributes, Arena* arena) {
  attributes_ = &attributes;
  arena_ = arena;
  present_ = 0;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const Attribute attribute = find_attribute_padded(attributes[i].name);
    if (attribute == Attribute::kOther || has(attribute)) continue;  // the first one counts
    present_ |= bit(attribute);
    at_[static_cast<std::size_t>(attribute)] = static_cast<std::uint32_t>(i);
  }
}

std::string_view AttributeView::raw(Attribute attribute) const {
  if (!has(attribute)) return {};
  return (*attributes_)[at_[static_cast<std::size_t>(attribute)]].value;
}

std::string_view AttributeView::value(Attribute attribute) const {
  if (!has(attribute)) return {};
  const std::string_view written = raw(attribute);
  if (find_any_padded<'&', '\r', '\0'>(written) == written.data() + written.size()) {
    return trim(written);  // as nearly all are
  }
  return trim(attribute_value(written, arena_));
}

}  // namespace periplus
