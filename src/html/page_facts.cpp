#include "html/page_facts.h"

#include <utility>

#include "html/page_memory.h"

namespace periplus {

PageFacts::PageFacts() = default;
PageFacts::PageFacts(PageFacts&&) noexcept = default;
PageFacts& PageFacts::operator=(PageFacts&&) noexcept = default;
PageFacts::~PageFacts() = default;

void PageFacts::clear() {
  encoding = encoding_source = header_charset = meta_charset = {};
  undecodable = replacement_chars = double_utf8_runs = 0;
  titles.clear();
  title = {};
  metas.clear();
  link_rels.clear();
  alternates.clear();
  base_href = html_lang = head_ended_by = app_root = {};
  has_lang = doctype = byline = asks_for_script = false;
  headings.clear();
  links.clear();
  images.clear();
  resources.clear();
  controls.clear();
  ids.clear();
  label_refs.clear();
  json_ld.clear();
  visible_mains = 0;
  times.clear();
  faults.clear();
  text = main_text = {};
  words = main_words = nosnippet_words = source_bytes = 0;
  if (memory != nullptr) {
    memory->arena.clear();
    memory->page.clear();
  }
}

}  // namespace periplus
