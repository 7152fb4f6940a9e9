// What is known only at the end of the page: names of controls, the main text; and its faults.
#include <algorithm>

#include "base/text.h"
#include "html/fact_collector.h"
#include "html/word_count.h"

namespace periplus {

void FactCollector::fault(StructureFault which, std::size_t at) {
  if (links_only_) return;
  for (const StructureFinding& known : facts_->faults) {
    if (known.fault == which) return;  // the first place of each
  }
  facts_->faults.push_back({which, place(at)});
}

void FactCollector::doctype(const Token& token, bool quirks) {
  facts_->doctype = true;
  if (quirks) fault(StructureFault::kQuirksMode, token.at);
}

void FactCollector::no_doctype() { fault(StructureFault::kQuirksMode, 0); }

void FactCollector::head_ended_by(const Token& token) {
  if (!facts_->head_ended_by.empty()) return;
  facts_->head_ended_by = token.kind == TokenKind::kText ? std::string_view("#text")
                          : token.tag != Tag::kOther     ? tag_name(token.tag)
                                                         : name_text(token.text, arena_);
  fault(StructureFault::kHeadEndedByElement, token.at);
}

void FactCollector::again(StructureFault which, const Token& token) { fault(which, token.at); }

// A second html start tag adds the attributes that the first had not.
void FactCollector::html_again(const Token& token) {
  fault(StructureFault::kSecondHtml, token.at);
  if (facts_->has_lang) return;
  attributes_.read(token.attributes, arena_);
  facts_->has_lang = attributes_.has(Attribute::k_lang);
  facts_->html_lang = attributes_.value(Attribute::k_lang);
}

void FactCollector::body_dropped() {
  facts_->links.clear();
  facts_->headings.clear();
  facts_->images.clear();
  facts_->controls.clear();
  control_names_.clear();
  facts_->visible_mains = 0;
}

void FactCollector::unfinished_text(Tag tag) {
  switch (tag) {
    case Tag::k_title:
      fault(StructureFault::kUnclosedTitle, raw_at_);
      return;
    case Tag::k_textarea:
      fault(StructureFault::kUnclosedTextarea, raw_at_);
      return;
    case Tag::k_script:
      fault(StructureFault::kUnclosedScript, raw_at_);
      return;
    case Tag::k_style:
      fault(StructureFault::kUnclosedStyle, raw_at_);
      return;
    default:
      return;
  }
}

void FactCollector::resolve_controls() {
  if (facts_->controls.empty()) return;
  std::vector<const Label*> by_id;
  for (const Label& label : labels_) {
    if (!label.for_id.empty() && !label.text.empty()) by_id.push_back(&label);
  }
  const auto less = [](const Label* a, const Label* b) { return a->for_id < b->for_id; };
  std::sort(by_id.begin(), by_id.end(), [](const Label* a, const Label* b) {
    return a->for_id != b->for_id ? a->for_id < b->for_id : a < b;  // both in labels_
  });
  for (std::size_t i = 0; i < facts_->controls.size(); ++i) {
    Control& control = facts_->controls[i];
    const ControlNames& names = control_names_[i];
    std::string_view label;
    if (!names.id.empty()) {
      const Label wanted{names.id, {}};
      const auto at = std::lower_bound(by_id.begin(), by_id.end(), &wanted, less);
      if (at != by_id.end() && (*at)->for_id == names.id) label = (*at)->text;
    }
    if (label.empty() && names.label != 0 && labels_[names.label - 1].for_id.empty()) {
      label = labels_[names.label - 1].text;
    }
    for (const std::string_view name : {label, names.aria_label, names.labelled_by, names.title,
                                        names.value, names.text, names.alt, names.placeholder}) {
      if (name.empty()) continue;
      control.name = name;
      break;
    }
    control.named = !control.name.empty() || names.named_by_default;
  }
}

void FactCollector::resolve_text() {
  facts_->text = trim(shown_->view());
  facts_->main_text = facts_->text;
  const auto by_start = [](const Range& a, const Range& b) { return a.from < b.from; };
  if (!outside_main_.empty()) {
    std::sort(outside_main_.begin(), outside_main_.end(), by_start);
    std::size_t last = 0;  // ranges inside others are taken up by them
    for (std::size_t i = 1; i < outside_main_.size(); ++i) {
      if (outside_main_[i].from <= outside_main_[last].to) {
        outside_main_[last].to = std::max(outside_main_[last].to, outside_main_[i].to);
      } else {
        outside_main_[++last] = outside_main_[i];
      }
    }
    outside_main_.resize(last + 1);
    const std::string_view all = shown_->view();
    char* to = arena_->take(all.size() + outside_main_.size() + 1);
    std::size_t size = 0;
    const auto add = [&](std::string_view piece) {
      if (trim(piece).empty()) return;
      if (size == 0) {
        piece = trim(piece);
      } else if (piece.front() != '\n' && piece.front() != ' ') {
        to[size++] = '\n';
      }
      std::copy(piece.begin(), piece.end(), to + size);
      size += piece.size();
    };
    std::size_t done = 0;
    for (const Range& range : outside_main_) {
      if (range.from > done) add(all.substr(done, range.from - done));
      done = std::max(done, range.to);
    }
    if (done < all.size()) add(all.substr(done));
    facts_->main_text = trim({to, size});
  }
  std::sort(no_snippet_.begin(), no_snippet_.end(), by_start);
  // Neither kind of range overlaps its own, so both lists are walked once.
  std::size_t next = 0;
  for (const Range& part : no_snippet_) {
    std::size_t at = part.from;
    while (next < outside_main_.size() && outside_main_[next].to <= at) ++next;
    for (std::size_t i = next; i < outside_main_.size() && outside_main_[i].from < part.to; ++i) {
      if (outside_main_[i].from > at) {
        const std::size_t size = outside_main_[i].from - at;
        facts_->nosnippet_words += count_words(shown_->view().substr(at, size));
      }
      at = std::max(at, outside_main_[i].to);
    }
    if (at < part.to) {
      facts_->nosnippet_words += count_words(shown_->view().substr(at, part.to - at));
    }
  }
}

// The words of main_text, after those of text: all less those outside, unless a word could reach
// over the border (a landmark that is no block).
std::uint32_t FactCollector::count_main_words() const {
  const std::string_view all = shown_->view();
  std::uint32_t outside = 0;
  for (const Range& range : outside_main_) {
    for (const std::size_t border : {range.from, range.to}) {
      if (border != 0 && border < all.size() && all[border] != '\n') {
        return count_words(facts_->main_text);
      }
    }
    outside += count_words(all.substr(range.from, range.to - range.from));
  }
  return facts_->words - outside;
}

void FactCollector::finish() {
  resolve_controls();
  resolve_text();
  facts_->words = count_words(facts_->text);
  facts_->main_words = count_main_words();
}

}  // namespace periplus
