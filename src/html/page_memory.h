// What a PageFacts' views point into, and the reader's tools, kept from page to page.
#pragma once

#include <string>

#include "html/arena.h"
#include "html/fact_collector.h"
#include "html/page_facts.h"
#include "html/text_run.h"
#include "html/tokenizer.h"
#include "html/tree_model.h"

namespace periplus {

struct PageFacts::Memory {
  std::string page;  // decoded
  Arena arena;
  TextRun shown;
  TextRun hidden;
  Tokenizer tokenizer{true};
  FactCollector collector;
  TreeModel tree{tokenizer, collector};
};

}  // namespace periplus
