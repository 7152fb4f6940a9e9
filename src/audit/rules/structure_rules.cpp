// Whether the source's structure says what its author meant.
#include <fmt/format.h>
#include <unicode/uloc.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <string>

#include "audit/check.h"
#include "base/text.h"

namespace periplus {
namespace {

bool matters_in_head(const Meta& meta) {
  if (meta.http_equiv) return meta.name == "content-type" || meta.name == "refresh";
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"description", "robots", "googlebot", "viewport", "charset"});
  return !meta.property && std::ranges::find(kNames, meta.name) != kNames.end();
}

Judged head_intact(const PageInHand& in, FindingList& findings) {
  const PageFacts& facts = *in.facts;
  std::string cause = "stands in the body";
  if (!facts.head_ended_by.empty()) {
    SourcePlace where;
    for (const StructureFinding& fault : facts.faults) {
      if (fault.fault == StructureFault::kHeadEndedByElement) where = fault.place;
    }
    cause = where.line > 0
                ? fmt::format("stands in the body, for <{}> in line {} ended the head",
                              facts.head_ended_by, where.line)
                : fmt::format("stands in the body, for <{}> ended the head", facts.head_ended_by);
  }
  for (const Title& title : facts.titles) {
    if (!title.in_head && facts.title.empty())
      findings.add(fmt::format("The title {}.", cause), in.source(title.place, title.text),
                   title.place);
  }
  for (const Meta& meta : facts.metas) {
    if (!meta.in_head && matters_in_head(meta))
      findings.add(fmt::format("The meta element \"{}\" {}.", quote_of(meta.name), cause),
                   in.source(meta.place, meta.content), meta.place);
  }
  for (const LinkRel& link : facts.link_rels) {
    if (link.in_head) continue;
    const bool canonical = link.rel == "canonical";
    const bool alternate = contains_ignoring_case(link.rel, "alternate") && !link.hreflang.empty();
    if (canonical || alternate)
      findings.add(fmt::format("The {} {}.", canonical ? "canonical link" : "hreflang link", cause),
                   in.source(link.place, link.href), link.place);
  }
  return findings.verdict();
}

std::string_view words_for(StructureFault fault) {
  switch (fault) {
    case StructureFault::kQuirksMode:
      return "The page has no doctype that gives standards mode";
    case StructureFault::kSecondHtml:
      return "A second <html> tag stands in the page";
    case StructureFault::kSecondHead:
      return "A second <head> tag stands in the page";
    case StructureFault::kSecondBody:
      return "A second <body> tag stands in the page";
    case StructureFault::kUnclosedTitle:
      return "<title> is never closed and swallows what follows";
    case StructureFault::kUnclosedTextarea:
      return "<textarea> is never closed and swallows what follows";
    case StructureFault::kUnclosedScript:
      return "<script> is never closed and swallows what follows";
    case StructureFault::kUnclosedStyle:
      return "<style> is never closed and swallows what follows";
    case StructureFault::kUnclosedComment:
      return "A comment is never closed and swallows what follows";
    case StructureFault::kUnclosedTag:
      return "The page ends inside a tag";
    case StructureFault::kHeadEndedByElement:  // head-intact
    case StructureFault::kNullCharacters:
      return {};
  }
  return {};
}

bool is_unclosed(StructureFault fault) {
  switch (fault) {
    case StructureFault::kUnclosedTitle:
    case StructureFault::kUnclosedTextarea:
    case StructureFault::kUnclosedScript:
    case StructureFault::kUnclosedStyle:
    case StructureFault::kUnclosedComment:
    case StructureFault::kUnclosedTag:
      return true;
    default:
      return false;
  }
}

Judged html_structure(const PageInHand& in, FindingList& findings) {
  for (const StructureFinding& found : in.facts->faults) {
    const std::string_view words = words_for(found.fault);
    if (words.empty()) continue;
    // What we cut off may have held the end.
    if (in.page.cut && is_unclosed(found.fault)) continue;
    findings.add(fmt::format("{}.", words), in.source(found.place, {}), found.place);
  }
  if (findings.empty() && in.page.cut) return unknown("the page did not come whole");
  return findings.verdict();
}

Judged viewport(const PageInHand& in, FindingList& findings) {
  const Meta* last = nullptr;
  for (const Meta& meta : in.facts->metas) {
    if (!meta.http_equiv && !meta.property && meta.name == "viewport") last = &meta;
  }
  if (last == nullptr) {
    if (in.page.cut) return unknown("the page did not come whole");
    findings.add(
        "The page has no meta viewport, so telephones draw it at the width of a desk's "
        "screen.");
    return findings.verdict();
  }
  const std::string content = to_ascii_lower(last->content);
  const std::string source = in.source(last->place, last->content);
  bool width = false;
  std::string_view rest = content;
  while (!rest.empty()) {
    const std::size_t end = rest.find_first_of(",;");
    const std::string_view item = trim(rest.substr(0, end));
    const std::size_t equals = item.find('=');
    const std::string_view key = trim(item.substr(0, equals));
    const std::string_view value =
        equals == std::string_view::npos ? "" : trim(item.substr(equals + 1));
    if (key == "width" && value == "device-width") width = true;
    // As the width of the device follows from the scale.
    if (key == "initial-scale" && value.starts_with('1')) width = true;
    if (key == "user-scalable" && (value == "no" || value == "0"))
      findings.add("The page keeps its readers from enlarging it (user-scalable=no).", source,
                   last->place);
    double scale = 0;
    if (key == "maximum-scale" &&
        std::from_chars(value.data(), value.data() + value.size(), scale).ec == std::errc() &&
        scale < 2)
      findings.add(fmt::format("The page keeps its readers from enlarging it (maximum-scale={}).",
                               quote_of(value)),
                   source, last->place);
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  if (!width)
    findings.add("The meta viewport does not set width=device-width.", source, last->place);
  return findings.verdict();
}

// Languages of ISO 639 that ICU knows: all of two letters, most of three that are written.
bool is_known_language(const std::string& code) {
  static const std::set<std::string, std::less<>> kKnown = [] {
    std::set<std::string, std::less<>> known;
    for (const char* const* at = uloc_getISOLanguages(); *at != nullptr; ++at) known.insert(*at);
    return known;
  }();
  return kKnown.contains(code);
}

enum class LanguageTag : std::uint8_t { kGood, kMalformed, kUnregistered, kNotKnown };

// BCP 47 (RFC 5646 section 2.1): well-formed, with a registered first subtag.
LanguageTag judge_language(std::string_view tag) {
  const std::string lower = to_ascii_lower(tag);
  std::vector<std::string_view> parts;
  std::string_view rest = lower;
  for (;;) {
    const std::size_t end = rest.find('-');
    parts.push_back(rest.substr(0, end));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  for (const std::string_view part : parts) {
    const bool good = !part.empty() && part.size() <= 8 && std::ranges::all_of(part, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    });
    if (!good) return LanguageTag::kMalformed;
  }
  const std::string first(parts.front());
  if (parts.back().size() == 1 || (first == "x" && parts.size() < 2))
    return LanguageTag::kMalformed;
  if (first == "x" || first == "i") return LanguageTag::kGood;
  if (std::ranges::any_of(first, [](char c) { return c < 'a'; })) return LanguageTag::kMalformed;
  if (first.size() < 2 || first.size() > 3) return LanguageTag::kUnregistered;
  if (is_known_language(first)) return LanguageTag::kGood;
  return first.size() == 2 ? LanguageTag::kUnregistered : LanguageTag::kNotKnown;
}

Judged lang_valid(const PageInHand& in, FindingList& findings) {
  const std::string_view lang = trim(in.facts->html_lang);
  if (lang.empty()) {
    findings.add(in.facts->has_lang ? "The lang attribute of <html> is empty."
                                    : "<html> has no lang attribute.");
    return findings.verdict();
  }
  switch (judge_language(lang)) {
    case LanguageTag::kGood:
      break;
    case LanguageTag::kMalformed:
      findings.add(fmt::format("lang=\"{}\" is no language tag{}.", quote_of(lang),
                               lang.find('_') != std::string_view::npos
                                   ? "; its parts are joined by \"-\", not \"_\""
                                   : ""),
                   lang);
      break;
    case LanguageTag::kUnregistered:
      findings.add(fmt::format("lang=\"{}\" names no language that is registered.", quote_of(lang)),
                   lang);
      break;
    case LanguageTag::kNotKnown:
      return unknown("a language of three letters that we do not know");
  }
  return findings.verdict();
}

constexpr RuleEntry kRules[] = {
    {.rule = {.id = "head-intact",
              .title = "Title, description and canonical stand in the head",
              .stage = Stage::kReadable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHtml,
              .why = "An element that belongs in the body ends the head; what follows is then in "
                     "the body, where search engines ignore it.",
              .fix = "Move the element named here behind </head>.",
              .source = "HTML Standard section 13.2.6.4.4",
              .false_positives = ""},
     .page = head_intact},
    {.rule = {.id = "html-structure",
              .title = "The page's outer structure is whole",
              .stage = Stage::kReadable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHtml,
              .why = "An element that is never closed swallows the rest of the page; without a "
                     "doctype it is drawn by the rules of 1998.",
              .fix = "Begin with <!doctype html> and close the element named here.",
              .source = "HTML Standard sections 13.1 and 13.2.6",
              .false_positives = ""},
     .page = html_structure},
    {.rule = {.id = "viewport",
              .title = "The page fits a telephone and may be enlarged",
              .stage = Stage::kReadable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHtml,
              .why = "Without it people on telephones read a page that is drawn for a desk.",
              .fix = "Add <meta name=viewport content=\"width=device-width, initial-scale=1\">.",
              .source = "CSS Viewport Module; WCAG 2.2 criterion 1.4.4",
              .false_positives = ""},
     .page = viewport},
    {.rule = {.id = "lang-valid",
              .title = "The page names its language",
              .stage = Stage::kUnderstandable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHtml,
              .why = "Translators, speech and search have to guess otherwise.",
              .fix = "Write the language into <html lang=\"…\">, as \"en\" or \"pt-BR\".",
              .source = "BCP 47 (RFC 5646); HTML Standard section 3.2.6.2",
              .false_positives = ""},
     .page = lang_valid},
};

}  // namespace

std::span<const RuleEntry> structure_rules() { return kRules; }

}  // namespace periplus
