// What one answer says as a page: its facts, the orders that bind it, and whether it is a bot wall.
#pragma once

#include <optional>

#include "html/page_facts.h"
#include "http/bot_wall.h"
#include "http/exchange.h"
#include "http/identity.h"
#include "robots/page_directives.h"
#include "url/url.h"

namespace periplus {

// Reused from page to page; `facts` holds views into the answer that was read last.
struct PageReading {
  PageFacts facts;            // empty when the answer is no HTML
  PageDirectives directives;  // X-Robots-Tag and meta robots, as they bind our token
  std::optional<BotWall> wall;
  bool html = false;
  bool content = false;  // HTML with a status of 2xx that is no wall: its links are followed
};

// Reads `answer`, which must outlive the reading's facts. Links only: the facts by which links are
// followed, walls recognised and traps seen.
void read_answer(const Exchange& answer, const Identity& identity, PageReading* out);

// Against what the page's addresses are resolved: its <base href>, where it has a usable one.
Url base_of(const PageFacts& facts, const Url& page);

}  // namespace periplus
