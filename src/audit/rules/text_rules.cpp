// The words of a page: its text, title, description and headings.
#include <fmt/format.h>
#include <unicode/uchar.h>

#include <algorithm>

#include "audit/check.h"
#include "base/text.h"

namespace periplus {
namespace {

constexpr std::uint32_t kFewestWords = 50;
constexpr std::uint32_t kShortestTitle = 10, kLongestTitle = 65;  // columns
constexpr std::string_view kCut = "the page did not come whole";

Judged text_in_html(const PageInHand& in, FindingList& findings) {
  const PageFacts& facts = *in.facts;
  if (facts.words >= kFewestWords) return pass();
  if (in.page.cut) return unknown(kCut);
  std::string why;
  if (!facts.app_root.empty())
    why = fmt::format("; <… id=\"{}\"> is empty and waits for a script", quote_of(facts.app_root));
  else if (facts.asks_for_script)
    why = "; a noscript text asks to enable JavaScript";
  else if (std::ranges::any_of(facts.links,
                               [](const Link& link) { return link.kind == LinkKind::kFrame; }))
    why = "; its frames are other pages";
  findings.add(fmt::format("The HTML holds {} visible word{}{}.", facts.words,
                           facts.words == 1 ? "" : "s", why),
               facts.text);
  return findings.verdict();
}

Judged title_missing(const PageInHand& in, FindingList& findings) {
  const PageFacts& facts = *in.facts;
  if (!facts.title.empty()) return pass();
  if (in.page.cut && facts.titles.empty()) return unknown(kCut);
  if (facts.titles.empty()) {
    findings.add("The page has no title.");
  } else {
    const Title& title = facts.titles.front();
    findings.add(title.in_head ? "The title is empty." : "The only title stands in the body.",
                 in.source(title.place, title.text), title.place);
  }
  return findings.verdict();
}

bool continues_grapheme(char32_t c) {
  const auto code = static_cast<UChar32>(c);
  const int category = u_charType(code);
  return category == U_NON_SPACING_MARK || category == U_ENCLOSING_MARK ||
         category == U_COMBINING_SPACING_MARK || category == U_FORMAT_CHAR ||
         u_hasBinaryProperty(code, UCHAR_EMOJI_MODIFIER) != 0;
}

// As a list of results shows it: a grapheme is one column, a wide one two.
std::uint32_t columns(std::string_view text) {
  std::uint32_t count = 0;
  bool joined = false;  // behind a zero-width joiner
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, &at);
    if (c == 0x200d) {
      joined = true;
      continue;
    }
    if (joined || continues_grapheme(c)) {
      joined = false;
      continue;
    }
    const int width = u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_EAST_ASIAN_WIDTH);
    count += width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
  }
  return count;
}

Judged title_length(const PageInHand& in, FindingList& findings) {
  const std::string_view title = in.facts->title;
  if (title.empty()) return not_applicable("the page has no title");
  const std::uint32_t width = columns(title);
  if (width < kShortestTitle)
    findings.add(fmt::format("The title is {} columns wide; under {} it says little.", width,
                             kShortestTitle),
                 title, in.page.title_place);
  if (width > kLongestTitle)
    findings.add(fmt::format("The title is {} columns wide; lists of results cut it at about {}.",
                             width, kLongestTitle),
                 title, in.page.title_place);
  return findings.verdict();
}

Judged description_missing(const PageInHand& in, FindingList& findings) {
  const Meta* empty = nullptr;
  for (const Meta& meta : in.facts->metas) {
    if (meta.name != "description" || meta.property || meta.http_equiv) continue;
    if (!trim(meta.content).empty()) return pass();
    empty = &meta;
  }
  if (in.page.cut && empty == nullptr) return unknown(kCut);
  if (empty != nullptr)
    findings.add("The meta description is empty.", in.source(empty->place, {}), empty->place);
  else
    findings.add("The page has no meta description.");
  return findings.verdict();
}

Judged h1_missing(const PageInHand& in, FindingList& findings) {
  const Heading* empty = nullptr;
  for (const Heading& heading : in.facts->headings) {
    if (heading.level != 1) continue;
    if (!heading.hidden && !trim(heading.text).empty()) return pass();
    empty = &heading;
  }
  if (in.page.cut) return unknown(kCut);
  if (empty != nullptr)
    findings.add(empty->hidden ? "The only h1 is hidden." : "The only h1 is empty.",
                 in.source(empty->place, empty->text), empty->place);
  else
    findings.add("The page has no h1.");
  return findings.verdict();
}

Judged heading_order(const PageInHand& in, FindingList& findings) {
  const bool has_main = in.facts->visible_mains > 0;
  const Heading* before = nullptr;
  bool any = false;
  for (const Heading& heading : in.facts->headings) {
    if (heading.hidden) continue;
    const bool elsewhere = heading.region == Region::kNavigation ||
                           heading.region == Region::kFooter || heading.region == Region::kAside;
    if (has_main ? heading.region != Region::kMain : elsewhere) continue;
    any = true;
    if (trim(heading.text).empty()) {
      findings.add(fmt::format("An h{} is empty.", heading.level), in.source(heading.place, {}),
                   heading.place);
      continue;
    }
    if (before != nullptr && heading.level > before->level + 1)
      findings.add(fmt::format("An h{} (\"{}\") follows an h{} (\"{}\"): a level is skipped.",
                               heading.level, quote_of(heading.text.substr(0, 60)), before->level,
                               quote_of(before->text.substr(0, 60))),
                   in.source(heading.place, heading.text), heading.place);
    before = &heading;
  }
  if (!any) return not_applicable("the page has no headings in its main part");
  return findings.verdict();
}

constexpr RuleEntry kRules[] = {
    {.rule = {.id = "text-in-html",
              .title = "The words are in the HTML",
              .stage = Stage::kReadable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kIndexablePage,
              .needs = kNeedsHtml,
              .why = "Most crawlers run no scripts; what a script writes does not exist for them.",
              .fix = "Render the text on the server, or when the site is built.",
              .source = "Practice of crawlers: Common Crawl and AI crawlers run no scripts",
              .false_positives = "Pages that hold a picture, a film or a form and little else."},
     .page = text_in_html},
    {.rule = {.id = "title-missing",
              .title = "Every page has a title",
              .stage = Stage::kReadable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHtml,
              .why = "It is the name under which the page is found, shared and bookmarked.",
              .fix = "Write one <title> into head.",
              .source = "HTML Standard section 4.2.2",
              .false_positives = ""},
     .page = title_missing},
    {.rule = {.id = "title-length",
              .title = "Titles are 10 to 65 columns wide",
              .stage = Stage::kReadable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHtml,
              .why = "A longer one is cut in lists of results, a shorter one says little.",
              .fix = "Put what sets this page apart into the first words.",
              .source = "Practice of search engines; none sets a limit",
              .false_positives = "Names that are short or long by nature.",
              .prerequisite = "title-missing"},
     .page = title_length},
    {.rule = {.id = "description-missing",
              .title = "Every page has a description",
              .stage = Stage::kReadable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kIndexablePage,
              .needs = kNeedsHtml,
              .why = "Search engines and previews show it below the title.",
              .fix = "Write one or two sentences into <meta name=description>.",
              .source = "HTML Standard section 4.2.5.1",
              .false_positives = ""},
     .page = description_missing},
    {.rule = {.id = "h1-missing",
              .title = "Every page has a main heading",
              .stage = Stage::kReadable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHtml,
              .why = "It tells readers, and programs that read aloud, where they are.",
              .fix = "Give the page one <h1> that names its subject.",
              .source = "HTML Standard section 4.3.6",
              .false_positives = ""},
     .page = h1_missing},
    {.rule = {.id = "heading-order",
              .title = "Headings skip no level",
              .stage = Stage::kReadable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHtml,
              .why = "The outline is what people who cannot see the page move by.",
              .fix = "Use the next deeper level; choose the size of letters in the style sheet.",
              .source = "HTML Standard section 4.3.11; WCAG 2.2 technique H42",
              .false_positives = ""},
     .page = heading_order},
};

}  // namespace

std::span<const RuleEntry> text_rules() { return kRules; }

}  // namespace periplus
