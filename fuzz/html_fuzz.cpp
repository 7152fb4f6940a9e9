// rooms: html
// Laws: tokens do not depend on how the input is cut; every view of the facts can be read and is
// valid UTF-8; text is folded; places of a kind rise; reading again into used facts, or for links
// only, gives the same links.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "html/page_reader.h"
#include "html/tokenizer.h"

namespace {

using periplus::PageFacts;
using periplus::SourcePlace;

void require(bool holds) {
  if (!holds) std::abort();
}

void describe(const periplus::Token& token, std::string* out, bool* in_text) {
  using periplus::TokenKind;
  if (token.kind == TokenKind::kText) {
    if (!*in_text) out->append("\n#text ");
    out->append(token.text);
    *in_text = true;
    return;
  }
  *in_text = false;
  out->append("\n#").append(std::to_string(static_cast<int>(token.kind)));
  if (token.kind == TokenKind::kDoctype) {
    out->append(token.name).append("|").append(token.public_id).append("|").append(token.system_id);
    out->append(std::to_string(token.has_name * 8 + token.has_public * 4 + token.has_system * 2 +
                               token.force_quirks));
    return;
  }
  out->append(token.text);
  out->append(std::to_string(token.at));
  if (token.kind != TokenKind::kStartTag) return;
  for (const periplus::RawAttribute& attribute : token.attributes) {
    out->append("|").append(attribute.name).append("=").append(attribute.value);
  }
  out->append(token.self_closing ? "/" : "");
}

std::string tokens(std::string_view input, periplus::TextMode mode, std::size_t step) {
  periplus::Tokenizer tokenizer;
  tokenizer.switch_to(mode, "script");
  std::string out;
  bool in_text = false;
  const auto drain = [&] {
    for (;;) {
      const periplus::Token& token = tokenizer.next();
      if (token.kind == periplus::TokenKind::kMore || token.kind == periplus::TokenKind::kEnd) {
        return;
      }
      describe(token, &out, &in_text);
    }
  };
  // Each piece is of its own, so that ASan sees its ends; the one before must live until feed().
  std::vector<char> piece;
  for (std::size_t at = 0; at < input.size(); at += step) {
    const std::string_view part = input.substr(at, step);
    std::vector<char> next(part.begin(), part.end());
    tokenizer.feed({next.data(), next.size()});
    piece.swap(next);
    drain();
  }
  tokenizer.finish();
  drain();
  return out;
}

void readable(std::string_view text) { require(periplus::is_valid_utf8(text)); }

void folded(std::string_view text) {
  readable(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool gap = text[i] == ' ' || text[i] == '\n';
    require(text[i] != '\t' && text[i] != '\r' && text[i] != '\f');
    if (gap) require(i != 0 && i + 1 != text.size() && text[i + 1] != ' ' && text[i + 1] != '\n');
  }
}

template <class Facts>
void rising(const std::vector<Facts>& facts, SourcePlace last_possible) {
  SourcePlace before{1, 1};
  for (const Facts& fact : facts) {
    const SourcePlace at = fact.place;
    require(at.line > before.line || (at.line == before.line && at.column >= before.column));
    require(at.line <= last_possible.line);
    before = at;
  }
}

void check(const PageFacts& facts, std::size_t octets) {
  const SourcePlace end{static_cast<std::uint32_t>(octets + 1), 0};
  for (const std::string_view text :
       {facts.encoding, facts.encoding_source, facts.title, facts.base_href, facts.html_lang,
        facts.head_ended_by, facts.app_root}) {
    readable(text);
  }
  folded(facts.text);
  folded(facts.main_text);
  for (const auto& title : facts.titles) folded(title.text);
  for (const auto& heading : facts.headings) {
    readable(heading.text);
    require(heading.level >= 1 && heading.level <= 6);
  }
  for (const auto& link : facts.links) {
    readable(link.href);
    readable(link.words);
    readable(link.aria_label);
  }
  for (const auto& meta : facts.metas) {
    readable(meta.name);
    readable(meta.content);
  }
  for (const auto& link : facts.link_rels) {
    readable(link.rel);
    readable(link.href);
    readable(link.type);
    readable(link.media);
  }
  for (const auto& image : facts.images) {
    readable(image.src);
    readable(image.alt);
  }
  for (const auto& resource : facts.resources) readable(resource.url);
  for (const auto& control : facts.controls) {
    readable(control.name);
    readable(control.type);
    require(control.named || control.name.empty());
  }
  for (const auto& json : facts.json_ld) readable(json.text);
  for (const auto& id : facts.ids) readable(id.value);
  for (const std::string_view ref : facts.label_refs) readable(ref);
  for (const std::string_view time : facts.times) readable(time);
  rising(facts.titles, end);
  rising(facts.metas, end);
  rising(facts.link_rels, end);
  rising(facts.images, end);
  rising(facts.headings, end);
  rising(facts.controls, end);
  rising(facts.ids, end);
  rising(facts.json_ld, end);
}

void same_links(const PageFacts& all, const PageFacts& only) {
  std::size_t i = 0;
  for (const periplus::Link& link : all.links) {
    if (!link.has_href) continue;
    require(i < only.links.size());
    require(link.href == only.links[i].href && link.rel == only.links[i].rel &&
            link.region == only.links[i].region && link.hidden == only.links[i].hidden);
    ++i;
  }
  require(i == only.links.size());
  require(all.text == only.text && all.title == only.title && all.words == only.words);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 64 * 1024) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto mode = static_cast<periplus::TextMode>(size % 6);
  const std::string whole = tokens(input, mode, size + 1);
  require(tokens(input, mode, 1) == whole);
  require(tokens(input, mode, 1 + size % 37) == whole);

  static PageFacts used;
  const bool declared = size % 2 == 0;
  const std::string_view type = declared ? "text/html; charset=utf-8" : "";
  PageFacts fresh;
  periplus::read_page({.bytes = input, .content_type = type}, &fresh);
  check(fresh, size);
  periplus::read_page({.bytes = input, .content_type = type, .links_only = true}, &used);
  same_links(fresh, used);
  periplus::read_page({.bytes = input, .content_type = type}, &used);
  require(used.text == fresh.text && used.links.size() == fresh.links.size() &&
          used.faults.size() == fresh.faults.size() && used.words == fresh.words);
  return 0;
}
