// The page reader: from octets to PageFacts in one pass.
#pragma once

#include <string_view>

#include "html/page_facts.h"

namespace periplus {

struct ReadRequest {
  std::string_view bytes;         // after content decoding; may be cut anywhere
  std::string_view content_type;  // the header's value; empty when there was none
  bool links_only =
      false;  // true: only title, metas, link rels, base, links' href/rel/region, words and
              // text; what a crawl needs to go on. Other vectors stay empty, and so do places.
};

// Reads one page. Never fails: whatever the bytes are, there are facts (perhaps none).
// `*facts` is cleared first; its memory is reused. Views in it are valid until the next clear().
void read_page(const ReadRequest& request, PageFacts* facts);

}  // namespace periplus
