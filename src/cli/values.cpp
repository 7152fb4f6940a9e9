#include "cli/values.h"

#include <array>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace periplus {
namespace {

using json = nlohmann::ordered_json;

template <class T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json();
}

template <class List, class Shape>
json list_of(const List& list, Shape shape) {
  json out = json::array();
  for (const auto& item : list) out.push_back(shape(item));
  return out;
}

json with_place(json object, const SourcePlace& at) {
  object["line"] = at.line;
  object["column"] = at.column;
  return object;
}

constexpr std::array<std::string_view, 6> kRegions{"body",   "main",   "nav",
                                                   "header", "footer", "aside"};
constexpr std::array<std::string_view, 4> kLinkKinds{"a", "area", "frame", "iframe"};
constexpr std::array<std::string_view, 11> kResourceKinds{
    "script", "stylesheet", "iframe", "object", "embed",      "image",
    "audio",  "video",      "source", "track",  "form-action"};
constexpr std::array<std::string_view, 12> kFaults{
    "quirks-mode",      "second-html",       "second-head",           "second-body",
    "unclosed-title",   "unclosed-textarea", "unclosed-script",       "unclosed-style",
    "unclosed-comment", "unclosed-tag",      "head-ended-by-element", "null-characters"};

json rel_words(std::uint16_t rel) {
  static constexpr std::array<std::pair<std::uint16_t, std::string_view>, 7> kWords{
      {{kRelNofollow, "nofollow"},
       {kRelUgc, "ugc"},
       {kRelSponsored, "sponsored"},
       {kRelExternal, "external"},
       {kRelNext, "next"},
       {kRelPrev, "prev"},
       {kRelNoopener, "noopener"}}};
  json out = json::array();
  for (const auto& [bit, word] : kWords) {
    if ((rel & bit) != 0) out.push_back(word);
  }
  return out;
}

json resolved(std::string_view href, const Url* base) {
  const auto url = Url::parse(href, base);
  return url ? json(url->href()) : json();
}

}  // namespace

std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

json robots_to_json(const RobotsTxt& text, const RobotsRules& rules, const RobotsVerdict& verdict) {
  return {{"allowed", verdict.allowed},
          {"line", verdict.line == 0 ? json() : json(verdict.line)},
          {"rule", verdict.line == 0 ? json() : json(verdict.rule)},
          {"group", rules.group()},
          {"crawl_delay", or_null(rules.crawl_delay())},
          {"sitemaps", text.sitemaps()}};
}

json facts_to_json(const PageFacts& f, const Url* document) {
  std::optional<Url> base;
  if (document != nullptr) {
    base = *document;
    if (!f.base_href.empty()) {
      if (const auto given = Url::parse(f.base_href, document)) base = *given;
    }
  }
  const Url* base_url = base ? &*base : nullptr;
  json out = {
      {"encoding", f.encoding},
      {"encoding_source", f.encoding_source},
      {"header_charset", f.header_charset},
      {"meta_charset", f.meta_charset},
      {"undecodable", f.undecodable},
      {"title", f.title},
      {"titles", list_of(f.titles,
                         [](const Title& t) {
                           return with_place({{"text", t.text}, {"in_head", t.in_head}}, t.place);
                         })},
      {"language", f.has_lang ? json(f.html_lang) : json()},
      {"base", f.base_href.empty() ? json() : json(f.base_href)},
      {"doctype", f.doctype},
      {"head_ended_by", f.head_ended_by.empty() ? json() : json(f.head_ended_by)},
      {"metas", list_of(f.metas,
                        [](const Meta& m) {
                          return with_place({{"name", m.name},
                                             {"content", m.content},
                                             {"http_equiv", m.http_equiv},
                                             {"in_head", m.in_head}},
                                            m.place);
                        })},
      {"link_rels", list_of(f.link_rels,
                            [&](const LinkRel& l) {
                              return with_place({{"rel", l.rel},
                                                 {"href", l.href},
                                                 {"url", resolved(l.href, base_url)},
                                                 {"hreflang", l.hreflang},
                                                 {"type", l.type},
                                                 {"media", l.media},
                                                 {"in_head", l.in_head}},
                                                l.place);
                            })},
      {"hreflang", list_of(f.alternates,
                           [&](const Alternate& a) {
                             return with_place({{"lang", a.lang},
                                                {"href", a.href},
                                                {"url", resolved(a.href, base_url)},
                                                {"in_head", a.in_head}},
                                               a.place);
                           })},
      {"headings", list_of(f.headings,
                           [](const Heading& h) {
                             return with_place(
                                 {{"level", h.level},
                                  {"text", h.text},
                                  {"hidden", h.hidden},
                                  {"region", kRegions.at(static_cast<std::size_t>(h.region))}},
                                 h.place);
                           })},
      {"links", list_of(f.links,
                        [&](const Link& l) {
                          return with_place(
                              {{"kind", kLinkKinds.at(static_cast<std::size_t>(l.kind))},
                               {"href", l.has_href ? json(l.href) : json()},
                               {"url", l.has_href ? resolved(l.href, base_url) : json()},
                               {"words", l.words},
                               {"rel", rel_words(l.rel)},
                               {"region", kRegions.at(static_cast<std::size_t>(l.region))},
                               {"hidden", l.hidden}},
                              l.place);
                        })},
      {"images", list_of(f.images,
                         [&](const Image& i) {
                           return with_place({{"src", i.src},
                                              {"alt", i.has_alt ? json(i.alt) : json()},
                                              {"decorative", i.decorative}},
                                             i.place);
                         })},
      {"resources", list_of(f.resources,
                            [&](const Resource& r) {
                              return with_place(
                                  {{"kind", kResourceKinds.at(static_cast<std::size_t>(r.kind))},
                                   {"url", r.url}},
                                  r.place);
                            })},
      {"controls", list_of(f.controls,
                           [](const Control& c) {
                             return with_place({{"element", c.element},
                                                {"type", c.type},
                                                {"name", c.name},
                                                {"named", c.named}},
                                               c.place);
                           })},
      {"ids", list_of(f.ids,
                      [](const Id& i) {
                        return with_place({{"value", i.value}, {"anchor", i.anchor_name}}, i.place);
                      })},
      {"json_ld",
       list_of(f.json_ld, [](const JsonLd& j) { return with_place({{"text", j.text}}, j.place); })},
      {"faults", list_of(f.faults,
                         [](const StructureFinding& s) {
                           return with_place(
                               {{"fault", kFaults.at(static_cast<std::size_t>(s.fault))}}, s.place);
                         })},
      {"words", f.words},
      {"main_words", f.main_words},
      {"text", f.text},
      {"main_text", f.main_text},
      {"bytes", f.source_bytes}};
  return out;
}

json explanation_to_json(const Explanation& e) {
  json hops = json::array();
  if (e.chain) {
    for (const Hop& hop : e.chain->hops) {
      hops.push_back({{"url", hop.url},
                      {"status", hop.status == 0 ? json() : json(hop.status)},
                      {"location", hop.location.empty() ? json() : json(hop.location)},
                      {"address", hop.address},
                      {"ms",
                       {{"resolve", hop.timings.resolve.count()},
                        {"connect", hop.timings.connect.count()},
                        {"tls", hop.timings.tls.count()},
                        {"wait", hop.timings.wait.count()},
                        {"total", hop.timings.total.count()}}}});
    }
  }
  const Exchange* answer = e.chain ? &e.chain->last : nullptr;
  const bool answered = answer != nullptr && answer->status != 0;
  json robots;
  if (e.robots) robots = robots_to_json(*e.robots->text, *e.robots->rules, *e.verdict);
  if (e.robots) robots["closed"] = e.robots->closed();
  if (e.robots && e.robots->closed()) robots["allowed"] = false;
  json waited = json::array();
  for (const Turn& turn : e.turns) {
    if (turn.waited.count() > 0)
      waited.push_back({{"seconds", static_cast<double>(turn.waited.count()) / 1000.0},
                        {"reason", turn.reason}});
  }
  json tls;
  if (answer != nullptr && answer->tls.used) {
    tls = {{"version", answer->tls.version},
           {"issuer", answer->tls.issuer},
           {"subject", answer->tls.subject},
           {"expires", answer->tls.not_after ? json(to_rfc3339(*answer->tls.not_after)) : json()}};
  }
  json decisions = json::array();
  for (const Decision& d : e.decisions)
    decisions.push_back({{"step", d.step}, {"goes_on", d.goes_on}, {"reason", d.reason}});
  return {{"url", e.url.href()},
          {"outcome", e.failure ? name(e.failure->kind)
                      : e.wall  ? "bot-wall"
                                : "ok"},
          {"detail", e.failure ? json(e.failure->detail) : json()},
          {"status", answered ? json(answer->status) : json()},
          {"final_url", answered ? json(answer->url.href()) : json()},
          {"hops", hops},
          {"addresses", e.addresses},
          {"address_verdict", e.address_verdict},
          {"bot_wall", e.wall ? json{{"vendor", e.wall->vendor},
                                     {"kind", name(e.wall->kind)},
                                     {"signal", e.wall->signal}}
                              : json()},
          {"robots", robots},
          {"bytes", answer != nullptr ? answer->body.size() : 0},
          {"cut", answer != nullptr && answer->cut},
          {"charset", e.charset.empty() ? json() : json(e.charset)},
          {"http_version", answered ? json(answer->http_version) : json()},
          {"tls", tls},
          {"waited", waited},
          {"decisions", decisions}};
}

}  // namespace periplus
