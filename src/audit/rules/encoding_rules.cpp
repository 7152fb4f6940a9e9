// Whether a page's octets can be turned into its words.
#include <fmt/format.h>

#include "audit/check.h"
#include "audit/summarise.h"
#include "html/encoding.h"

namespace periplus {
namespace {

Judged content_type(const PageInHand& in, FindingList& findings) {
  if (has_html_type(in.record.headers)) return pass();
  const std::string_view type = in.record.headers.get("content-type");
  if (type.empty()) {
    findings.add("The page is HTML, but the answer has no Content-Type.",
                 std::string_view(in.record.body).substr(0, 120), {1, 1});
  } else {
    findings.add(fmt::format("The page is HTML, but is served as {}.", quote_of(type)), type);
  }
  return findings.verdict();
}

Judged charset_valid(const PageInHand& in, FindingList& findings) {
  const PageFacts& facts = *in.facts;
  const std::string header(encoding_of_label(facts.header_charset));
  const std::string meta(encoding_of_label(facts.meta_charset));
  if (!facts.header_charset.empty() && header.empty())
    findings.add(fmt::format("Content-Type names the encoding \"{}\", which does not exist.",
                             quote_of(facts.header_charset)),
                 in.record.headers.get("content-type"));
  if (!facts.meta_charset.empty() && meta.empty())
    findings.add(fmt::format("A meta element names the encoding \"{}\", which does not exist.",
                             quote_of(facts.meta_charset)),
                 facts.meta_charset);
  if (!header.empty() && !meta.empty() && header != meta)
    findings.add(
        fmt::format("Content-Type says {}, but the page's meta element says {}.", header, meta),
        in.record.headers.get("content-type"));
  const bool declared = facts.encoding_source == "bom" || facts.encoding_source == "header" ||
                        facts.encoding_source == "meta";
  if (!declared && findings.empty())
    findings.add(
        fmt::format("No encoding is declared in Content-Type or in the first 1,024 octets; "
                    "readers have to guess ({} here).",
                    facts.encoding),
        in.record.headers.get("content-type"));
  // The last character of a page that we cut may be half.
  const std::uint32_t allowed = in.page.cut ? 1 : 0;
  if (facts.undecodable > allowed)
    findings.add(fmt::format("{} sequence{} of octets on the page {} not valid {}.",
                             facts.undecodable, facts.undecodable == 1 ? "" : "s",
                             facts.undecodable == 1 ? "is" : "are", facts.encoding));
  return findings.verdict();
}

constexpr RuleEntry kRules[] = {
    {.rule = {.id = "content-type",
              .title = "HTML is served as HTML",
              .stage = Stage::kReadable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHeaders | kNeedsHtml,
              .why = "Readers show or save the source, and crawlers pass over it.",
              .fix = "Send Content-Type: text/html; charset=utf-8.",
              .source = "RFC 9110 section 8.3; HTML Standard section 4.2",
              .false_positives = "An example of HTML that is meant to be read as text."},
     .page = content_type},
    {.rule = {.id = "charset-valid",
              .title = "The encoding is declared, and the page is in it",
              .stage = Stage::kReadable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHeaders | kNeedsHtml,
              .why = "Letters turn into others, and words are no longer found.",
              .fix = "Save the page as UTF-8 and say so in Content-Type or in the first line of "
                     "head.",
              .source = "HTML Standard section 13.2.3; Encoding Standard",
              .false_positives = ""},
     .page = charset_valid},
};

}  // namespace

std::span<const RuleEntry> encoding_rules() { return kRules; }

}  // namespace periplus
