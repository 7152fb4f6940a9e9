// periplus read FILE|-: the facts of a page given as bytes. No network, no home.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/session.h"
#include "cli/values.h"
#include "html/page_reader.h"

namespace periplus {

int run_read(const Options& options) {
  const Result<std::string> bytes = read_input(options.url);
  if (!bytes) return complain(bytes.error());
  std::optional<Url> url;
  if (!options.page_url.empty()) {
    const Result<Url> typed = typed_url(options.page_url);
    if (!typed) return complain(typed.error());
    url = *typed;
  }
  PageFacts facts;
  read_page({*bytes, options.content_type, false}, &facts);
  if (options.json) {
    std::puts(dump(facts_to_json(facts, url ? &*url : nullptr)).c_str());
    return kExitDone;
  }
  std::puts(fmt::format("title     {}", plain(facts.title)).c_str());
  std::puts(fmt::format("encoding  {} (by {})", facts.encoding, facts.encoding_source).c_str());
  std::puts(fmt::format("language  {}", facts.has_lang ? plain(facts.html_lang) : "not declared")
                .c_str());
  std::puts(fmt::format("words     {}, of them {} in the main text", facts.words, facts.main_words)
                .c_str());
  std::puts(fmt::format("links     {}", facts.links.size()).c_str());
  for (const Heading& h : facts.headings)
    std::puts(fmt::format("{:>5}:{:<3} {:>{}}h{} {}", h.place.line, h.place.column, "", h.level * 2,
                          h.level, plain(h.text))
                  .c_str());
  for (const Link& l : facts.links)
    std::puts(fmt::format("{:>5}:{:<3} {}  {}", l.place.line, l.place.column, plain(l.href),
                          plain(l.words))
                  .c_str());
  return kExitDone;
}

}  // namespace periplus
