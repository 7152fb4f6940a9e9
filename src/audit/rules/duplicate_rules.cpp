// Pages that cannot be told apart, and pages that are none.
#include <fmt/format.h>

#include <algorithm>

#include "audit/check.h"

namespace periplus {
namespace {

constexpr std::uint32_t kFewestWords = 50;
constexpr std::size_t kNamed = 10;

bool is_series_word(std::string_view text) {
  return text == "page" || text == "p" || text == "seite" || text == "pagina" || text == "stran" ||
         text == "offset" || text == "start" || text == "paged";
}

// /news?page=2, /news/page/2: one of a numbered series. Gives the address without the number.
std::string series_of(const std::string& address) {
  const auto url = Url::parse(address);
  if (!url) return address;
  std::string path(url->pathname());
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  const std::size_t number = path.rfind('/');
  if (number != std::string::npos && number > 0) {
    const std::string last = path.substr(number + 1);
    const std::size_t word = path.rfind('/', number - 1);
    if (!last.empty() && last.find_first_not_of("0123456789") == std::string::npos &&
        word != std::string::npos && is_series_word(path.substr(word + 1, number - word - 1)))
      path.resize(word);
  }
  std::string query;
  std::string_view rest = url->search();
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::size_t end = rest.find('&');
    const std::string_view item = rest.substr(0, end);
    if (!is_series_word(item.substr(0, item.find('='))))
      query.append(query.empty() ? "?" : "&").append(item);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end);
  }
  while (path.ends_with('/')) path.pop_back();
  return url->origin() + path + query;
}

bool names_as_language(const PageSummary& page, const PageSummary& other) {
  return std::ranges::any_of(page.alternates, [&](const AlternateEntry& alternate) {
    return alternate.target == other.final_url || alternate.target == other.url;
  });
}

Judged title_duplicate(const SiteFacts& site, const PageSummary& page, FindingList& findings) {
  if (page.title.empty()) return not_applicable("the page has no title");
  const std::string own = series_of(site.address(page.final_url));
  std::vector<std::string> same;
  std::size_t count = 0;
  for (const PageId other_id : site.with_title(page)) {
    const PageSummary& other = site.pages[other_id];
    if (other.id == page.id || !other.indexable.value_or(false) ||
        other.final_url == page.final_url)
      continue;
    if (names_as_language(page, other) || names_as_language(other, page)) continue;
    if (series_of(site.address(other.final_url)) == own) continue;
    ++count;
    if (same.size() < kNamed) same.push_back(site.address(other.final_url));
  }
  if (count == 0) return pass();
  const std::string first = same.front();
  findings.add(
      count == 1 ? fmt::format("{} has the same title.", first)
                 : fmt::format("{} other pages have the same title, {} among them.", count, first),
      page.title, page.title_place, std::move(same));
  return findings.verdict();
}

Judged content_duplicate(const SiteFacts& site, const PageSummary& page, FindingList& findings) {
  if (page.main_hash == 0 || page.main_words < kFewestWords)
    return not_applicable("fewer than 50 words in the main part");
  std::vector<std::string> same;
  std::size_t count = 0;
  for (const PageId other_id : site.with_text(page)) {
    const PageSummary& other = site.pages[other_id];
    if (other.id == page.id || !other.indexable.value_or(false) ||
        other.final_url == page.final_url)
      continue;
    ++count;
    if (same.size() < kNamed) same.push_back(site.address(other.final_url));
  }
  if (count == 0) return pass();
  const std::string first = same.front();
  findings.add(
      count == 1
          ? fmt::format("{} has the same text, and neither names the other as canonical.", first)
          : fmt::format("{} other pages have the same text, {} among them, and none names "
                        "another as canonical.",
                        count, first),
      page.title, {}, std::move(same));
  return findings.verdict();
}

Judged soft_404(const SiteFacts& site, const PageSummary& page, FindingList& findings) {
  if (page.id == site.home) return pass();
  if (page.maybe_soft_404)
    return unknown("it reads like a page that was not found; nobody asked a second time");
  if (!page.soft_404) return pass();
  std::string proof = "another address answers with the same words";
  std::vector<std::string> related;
  for (const PageId other_id : site.with_text(page)) {
    const PageSummary& other = site.pages[other_id];
    if (other.id == page.id) continue;
    related = {site.address(other.final_url)};
    if (other.state != PageState::kError) continue;
    proof = fmt::format("the same text is answered with status {} at {}", other.status,
                        related.front());
    break;
  }
  findings.add(fmt::format("Answers with status {}, but is a page that was not found: {}.",
                           page.status, proof),
               page.not_found_quote.empty() ? page.title : page.not_found_quote, {},
               std::move(related));
  return findings.verdict();
}

constexpr RuleEntry kRules[] = {
    {.rule = {.id = "title-duplicate",
              .title = "No two pages have the same title",
              .stage = Stage::kUnderstandable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kIndexablePage,
              .needs = kNeedsGraph | kNeedsHtml,
              .why = "Nobody can tell them apart in a list.",
              .fix = "Put what sets the page apart into its title.",
              .source = "Google Search Central: Influencing title links",
              .false_positives = "Numbered series and translations that do not name each other.",
              .prerequisite = "title-missing"},
     .graph = title_duplicate},
    {.rule = {.id = "content-duplicate",
              .title = "No two pages have the same text",
              .stage = Stage::kUnderstandable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kIndexablePage,
              .needs = kNeedsGraph | kNeedsHtml,
              .why = "Search engines keep one of them, and not always the one you want.",
              .fix = "Redirect one to the other, or name the other by rel=canonical.",
              .source = "RFC 6596; Google Search Central: Consolidate duplicate URLs",
              .false_positives = "",
              .prerequisite = "text-in-html"},
     .graph = content_duplicate},
    {.rule = {.id = "soft-404",
              .title = "Pages that are not there say so by their status",
              .stage = Stage::kUnderstandable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kPage,
              .needs = kNeedsGraph | kNeedsHtml | kNeedsChain,
              .why =
                  "Crawlers take the error page for a page, read it again and again, and list it.",
              .fix = "Answer with status 404 or 410.",
              .source = "RFC 9110 section 15.5.5; Google Search Central: soft 404 errors",
              .false_positives = ""},
     .graph = soft_404},
};

}  // namespace

std::span<const RuleEntry> duplicate_rules() { return kRules; }

}  // namespace periplus
