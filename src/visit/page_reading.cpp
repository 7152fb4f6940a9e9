#include "visit/page_reading.h"

#include "html/page_reader.h"
#include "visit/answers.h"

namespace periplus {

void read_answer(const Exchange& answer, const Identity& identity, PageReading* out) {
  out->facts.clear();
  out->directives = {};
  out->wall.reset();
  for (const std::string_view value : answer.headers.all("x-robots-tag"))
    add_x_robots_tag(value, identity.token, &out->directives);
  out->html = is_html(answer) && !answer.body.empty();
  if (out->html) {
    read_page({answer.body, answer.headers.get("content-type"), true}, &out->facts);
    for (const Meta& meta : out->facts.metas) {
      if (meta.in_head) add_meta_robots(meta.name, meta.content, identity.token, &out->directives);
    }
  }
  if (answer.status != 0) {
    // A page with that much to read, or that many ways on, is no challenge, whatever marks it
    // quotes; its header lines count.
    const bool rich =
        answer.status == 200 && (out->facts.words > 600 || out->facts.links.size() > 60);
    const std::string_view body = rich ? std::string_view() : answer.body;
    out->wall = recognise_bot_wall(answer.status, answer.headers, body);
  }
  out->content = out->html && answer.status >= 200 && answer.status < 300 && !out->wall;
}

Url base_of(const PageFacts& facts, const Url& page) {
  if (facts.base_href.empty()) return page;
  const auto given = Url::parse(facts.base_href, &page);
  return given ? *given : page;
}

}  // namespace periplus
