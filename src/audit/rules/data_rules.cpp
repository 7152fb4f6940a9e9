// Data for machines: JSON-LD, and llms.txt.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "audit/audit_use.h"
#include "audit/check.h"
#include "base/text.h"

namespace periplus {
namespace {

// Takes everything, keeps nothing but where it went wrong.
class FaultFinder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception&) override {
    position_ = position == 0 ? 0 : position - 1;
    return false;
  }
  std::size_t position() const { return position_; }

 private:
  std::size_t position_ = 0;
};

std::string_view cause_of(std::string_view text, std::size_t at) {
  const std::string_view here = text.substr(std::min(at, text.size()));
  const std::string_view before = trim(text.substr(0, std::min(at, text.size())));
  const auto near = [&](std::string_view what) {
    return text.substr(at < 12 ? 0 : at - 12, 24).find(what) != std::string_view::npos;
  };
  if (near("<![CDATA[") || near("]]>")) return "a CDATA mark stands around it";
  if (near("<!--") || near("-->")) return "an HTML comment stands in it";
  if (here.starts_with('/') || near("//") || near("/*")) return "a comment stands in it";
  if (here.starts_with(';')) return "a semicolon stands behind it";
  if ((here.starts_with('}') || here.starts_with(']')) && before.ends_with(','))
    return "a comma stands before the closing bracket";
  if (near("&quot;") || near("&#34;") || near("&amp;") || here.starts_with('&'))
    return "quotation marks are written as HTML entities";
  if (here.starts_with('\n') || here.starts_with('\r') || here.starts_with('\t'))
    return "a string goes over the end of its line, or holds a raw tab";
  if (here.empty()) return "it ends too early";
  if (here.starts_with('\'')) return "strings stand in single quotation marks";
  if (here.starts_with('{') || here.starts_with('['))
    return "a comma is missing between two values";
  if (here.starts_with('"')) return "a comma is missing, or a quotation mark is not escaped";
  return "it is no JSON";
}

Judged jsonld_parses(const PageInHand& in, FindingList& findings) {
  if (in.facts->json_ld.empty()) return not_applicable("the page has no JSON-LD");
  for (const JsonLd& block : in.facts->json_ld) {
    const std::string_view text = trim(block.text);
    if (text.starts_with("\xef\xbb\xbf")) {
      findings.add("A block of JSON-LD cannot be read: it begins with a byte order mark.",
                   text.substr(3), block.place);
      continue;
    }
    if (text.empty()) {
      findings.add("A block of JSON-LD is empty.", {}, block.place);
      continue;
    }
    FaultFinder finder;
    if (nlohmann::json::sax_parse(text.begin(), text.end(), &finder)) continue;
    if (in.page.cut && finder.position() + 1 >= text.size()) continue;  // our own cut
    const std::size_t at = std::min(finder.position(), text.size());
    const std::size_t lead = static_cast<std::size_t>(text.data() - block.text.data());
    SourcePlace place = block.place;
    const auto lines = std::ranges::count(block.text.substr(0, lead + at), '\n');
    place.line += static_cast<std::uint32_t>(lines);
    if (lines > 0) {
      const std::size_t line_start = text.rfind('\n', at == 0 ? 0 : at - 1);
      place.column = static_cast<std::uint32_t>(
          line_start == std::string_view::npos ? at + 1 : at - line_start);
    }
    findings.add(fmt::format("A block of JSON-LD cannot be read: {}.", cause_of(text, at)),
                 text.substr(at < 40 ? 0 : at - 40, 80), place);
  }
  return findings.verdict();
}

bool looks_like_html(std::string_view body) {
  if (body.starts_with("\xef\xbb\xbf")) body.remove_prefix(3);
  body = trim(body.substr(0, 2048));
  return starts_with_ignoring_case(body, "<!doctype") || starts_with_ignoring_case(body, "<html") ||
         starts_with_ignoring_case(body, "<head") || starts_with_ignoring_case(body, "<!--");
}

// The targets of [text](target).
std::vector<std::string_view> markdown_links(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t at = text.find("]("); at != std::string_view::npos; at = text.find("](", at)) {
    at += 2;
    const std::size_t end = text.find_first_of(") \n", at);
    if (end == std::string_view::npos) break;
    if (end > at) out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

Judged llms_txt_valid(const SiteFacts& site, FindingList& findings) {
  const auto found = site.extras.find(std::string(kLlmsTxt));
  if (found == site.extras.end()) return unknown("llms.txt was not asked for");
  const DocumentRecord& file = found->second;
  if (file.wall) return unknown("bot protection answered");
  if (file.failure || file.status == 0) return unknown("llms.txt could not be read");
  if (file.status == 429 || file.status >= 500) return unknown("llms.txt could not be read");
  if (file.status >= 400) return not_applicable("there is no llms.txt");
  const std::string& last = file.hops.empty() ? file.url : file.hops.back().url;
  const auto url = Url::parse(last);
  if (!url || !url->pathname().ends_with(".txt"))
    return not_applicable("its address leads to another page");
  std::string_view body = file.body;
  if (looks_like_html(body)) {
    findings.add("/llms.txt is answered with an HTML page.", body.substr(0, 160), {1, 1}, {last});
    return findings.verdict();
  }
  if (body.starts_with("\xef\xbb\xbf")) body.remove_prefix(3);
  const std::size_t start = body.find_first_not_of(" \t\r\n");
  const std::string_view first =
      start == std::string_view::npos
          ? std::string_view()
          : body.substr(start, body.find_first_of("\r\n", start) - start);
  if (!first.starts_with("# "))
    findings.add("llms.txt does not begin with a heading (\"# Name\").", first, {1, 1}, {last});
  const std::vector<std::string_view> links = markdown_links(body);
  if (links.empty()) findings.add("llms.txt holds no Markdown link.", first, {1, 1}, {last});
  for (const std::string_view link : links) {
    const auto target = Url::parse(link, &*url);
    if (!target) continue;
    const AddressId id = site.addresses.find(target->without_fragment());
    if (id == kNoText) continue;
    const Destination end = site.destination(id);
    if (!end.read() || end.loop) continue;
    const PageSummary& page = site.pages[end.page];
    if (page.state == PageState::kError && (page.status == 404 || page.status == 410))
      findings.add(fmt::format("llms.txt links to {}, which answers with status {}.",
                               target->href(), page.status),
                   link, {}, {last, target->href()});
  }
  return findings.verdict();
}

constexpr RuleEntry kRules[] = {
    {.rule = {.id = "jsonld-parses",
              .title = "Structured data can be read",
              .stage = Stage::kUnderstandable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHtml,
              .why = "Programs drop the whole block at its first fault.",
              .fix = "Mend the place named here; write blocks with a JSON library.",
              .source = "JSON-LD 1.1 section 7; RFC 8259",
              .false_positives = "Some readers forgive comments and entities; most do not."},
     .page = jsonld_parses},
    {.rule = {.id = "llms-txt-valid",
              .title = "llms.txt, if there is one, is in its form",
              .stage = Stage::kUnderstandable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kSite,
              .needs = kNeedsDocument | kNeedsGraph,
              .why = "A file that is not what its name says misleads those who ask for it.",
              .fix = "Begin with \"# Name\" and list pages as Markdown links, or answer 404.",
              .source = "llmstxt.org",
              .false_positives = ""},
     .site = llms_txt_valid},
};

}  // namespace

std::span<const RuleEntry> data_rules() { return kRules; }

}  // namespace periplus
