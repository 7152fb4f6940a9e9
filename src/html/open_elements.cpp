#include "html/open_elements.h"

namespace periplus {

bool OpenElements::is_foreign_special(const OpenElement& e) {
  if (e.space == Space::kSvg) {
    return e.tag == Tag::k_foreignobject || e.tag == Tag::k_desc || e.tag == Tag::k_title;
  }
  return e.tag == Tag::k_mi || e.tag == Tag::k_mo || e.tag == Tag::k_mn || e.tag == Tag::k_ms ||
         e.tag == Tag::k_mtext || e.tag == Tag::k_annotation_xml;
}

bool OpenElements::scan(Tag tag, Tag also, Tag and_also) const {
  for (std::size_t i = stack_.size(); i-- > 0;) {
    const OpenElement& e = stack_[i];
    if (e.space == Space::kHtml) {
      if (e.tag == tag) return true;
      if (also != Tag::kOther && (e.tag == also || e.tag == and_also)) return false;
    }
    if (ends_scope(e)) return false;
  }
  return false;
}

bool OpenElements::in_table_scope(Tag tag) const {
  if (!has(tag)) return false;
  for (std::size_t i = stack_.size(); i-- > 0;) {
    const OpenElement& e = stack_[i];
    if (e.space != Space::kHtml) continue;
    if (e.tag == tag) return true;
    if (e.tag == Tag::k_html || e.tag == Tag::k_table || e.tag == Tag::k_template) return false;
  }
  return false;
}

}  // namespace periplus
