#include "search/scope_labels.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/compress.h"
#include "base/text.h"
#include "html/page_reader.h"
#include "store/schedule.h"
#include "store/search_pages.h"

namespace periplus {
namespace {

constexpr std::size_t kAtOnce = 500;                 // rows read from the store in one go
constexpr std::size_t kMostBody = 64 * 1024 * 1024;  // of one kept copy
constexpr std::size_t kMostAnchors = 20;
constexpr std::size_t kMostLineBytes = 4 * 1024 * 1024;

using Json = nlohmann::json;

// A small page as a site would send it.
std::string page_of(const Json& object) {
  const auto text = [&](const char* key) { return object.value(key, std::string()); };
  std::string html = "<!doctype html><html";
  if (object.contains("lang")) html += fmt::format(" lang=\"{}\"", escape_html(text("lang")));
  html += fmt::format("><head><title>{}</title>", escape_html(text("title")));
  if (object.contains("description"))
    html +=
        fmt::format("<meta name=\"description\" content=\"{}\">", escape_html(text("description")));
  html += "</head><body>";
  if (object.contains("heading")) html += fmt::format("<h1>{}</h1>", escape_html(text("heading")));
  const std::string all = text("text");
  for (std::size_t start = 0; start < all.size();) {
    const std::size_t end = std::min(all.find('\n', start), all.size());
    html += fmt::format("<p>{}</p>", escape_html(all.substr(start, end - start)));
    start = end + 1;
  }
  return html + "</body></html>";
}

// What is wrong with the object's keys; empty when all is well.
std::string complaint(const Json& object) {
  static const std::set<std::string> kTexts{"url",         "label",   "html", "lang",
                                            "title",       "heading", "text", "content_language",
                                            "description", "note"};
  if (!object.is_object()) return "a line must be a JSON object";
  for (const auto& [key, value] : object.items()) {
    if (key == "links") {
      if (!value.is_object()) return "links must be an object";
      continue;
    }
    if (!kTexts.contains(key)) return fmt::format("unknown key {}", without_controls(key));
    if (!value.is_string()) return fmt::format("{} must be a string", key);
  }
  const std::string label = object.value("label", "");
  if (label != "in" && label != "out") return "label must be \"in\" or \"out\"";
  if (object.contains("html") && (object.contains("title") || object.contains("text")))
    return "a page is given by html, or by title and text, not both";
  return {};
}

std::string read_links(const Json& object, LinkEvidence* out) {
  if (!object.contains("links")) return {};
  for (const auto& [key, value] : object["links"].items()) {
    if (key == "words") {
      if (!value.is_array()) return "links.words must be a list of strings";
      for (const Json& words : value) {
        if (!words.is_string()) return "links.words must be a list of strings";
        out->words.push_back(words.get<std::string>());
      }
    } else if (key == "in" || key == "in_scope") {
      if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 1'000'000'000)
        return fmt::format("links.{} must be a whole number", key);
      (key == "in" ? out->in_links : out->in_links_in_scope) = value.get<std::uint32_t>();
    } else {
      return fmt::format("unknown key links.{}", without_controls(key));
    }
  }
  return {};
}

Result<void> each_page_of(SearchPages& pages, const std::string& site,
                          const std::function<void(const ScopeEvidence&)>& each) {
  PageFacts facts;
  std::string after;
  for (bool more = true; more;) {
    const auto rows = pages.list(site, "", after, kAtOnce);
    if (!rows) return std::unexpected(rows.error());
    more = rows->size() == kAtOnce;
    for (const SearchPage& row : *rows) {
      after = row.url;
      const auto url = Url::parse(row.url);
      if (!url) continue;
      ScopeEvidence evidence{.url = &*url};
      const auto anchors = pages.anchors(site, row.url, kMostAnchors);
      if (!anchors) return std::unexpected(anchors.error());
      for (const SearchPages::Anchor& anchor : *anchors)
        if (!anchor.own) evidence.links.words.push_back(anchor.words);
      const auto copy = pages.copy(site, row.url);
      if (!copy) return std::unexpected(copy.error());
      std::string kept;
      if (*copy && !(*copy)->packed_body.empty()) {
        Result<std::string> body = unpack((*copy)->packed_body, kMostBody);
        if (!body) return std::unexpected(body.error());
        kept = std::move(*body);
        read_page({kept, (*copy)->content_type, false}, &facts);
        evidence.facts = &facts;
      } else if (*copy && !(*copy)->packed_text.empty()) {
        Result<std::string> text = unpack((*copy)->packed_text, kMostBody);
        if (!text) return std::unexpected(text.error());
        kept = std::move(*text);
        facts.clear();
        facts.title = row.title;
        facts.html_lang = row.lang;
        facts.text = facts.main_text = kept;
        evidence.facts = &facts;
      }
      each(evidence);
    }
  }
  return {};
}

}  // namespace

Result<std::vector<LabelledPage>> parse_labelled(std::string_view text, std::string_view file) {
  std::vector<LabelledPage> pages;
  std::set<std::string> known;
  std::size_t number = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = trim(text.substr(start, end - start));
    start = end + 1;
    ++number;
    if (line.empty() || line[0] == '#') continue;
    const auto bad = [&](std::string sentence) {
      return fail(ErrorKind::kInput, std::move(sentence), fmt::format("{}:{}", file, number));
    };
    if (line.size() > kMostLineBytes) return bad("a labelled page is at most 4 MiB");
    const Json object = Json::parse(line, nullptr, false);
    if (object.is_discarded()) return bad("not a JSON object on one line");
    if (std::string what = complaint(object); !what.empty()) return bad(std::move(what));
    LabelledPage page;
    const auto url = Url::parse(object.value("url", ""));
    if (!url || !url->is_http()) return bad("url must be an http or https address");
    page.url = *url;
    if (!known.insert(page.url.href()).second) return bad("that address was labelled above");
    page.in = object.value("label", "") == "in";
    page.html = object.contains("html") ? object.value("html", "") : page_of(object);
    page.content_language = object.value("content_language", "");
    if (std::string what = read_links(object, &page.links); !what.empty())
      return bad(std::move(what));
    page.note = object.value("note", "");
    page.line = number;
    pages.push_back(std::move(page));
  }
  return pages;
}

bool is_held_out(std::string_view url) {
  constexpr std::uint64_t kSeed = 1;  // fixed: another one would mix the halves
  return (hash64(url, kSeed) & 1U) != 0;
}

ScopeJudgement judge_labelled(const SearchScope& scope, const LabelledPage& page) {
  PageFacts facts;
  read_page({page.html, "text/html; charset=utf-8", false}, &facts);
  return scope.judge({&page.url, &facts, page.content_language, page.links});
}

std::size_t ScopeScore::pages() const {
  std::size_t sum = 0;
  for (const auto& row : confusion)
    for (const std::size_t count : row) sum += count;
  return sum;
}

double ScopeScore::precision() const {
  const std::size_t right = confusion[1][0];
  const std::size_t all = right + confusion[0][0];
  return all == 0 ? 1 : static_cast<double>(right) / static_cast<double>(all);
}

double ScopeScore::recall() const {
  const std::size_t right = confusion[1][0];
  const std::size_t all = right + confusion[1][1] + confusion[1][2];
  return all == 0 ? 1 : static_cast<double>(right) / static_cast<double>(all);
}

ScopeScore score_scope(const SearchScope& scope, const std::vector<LabelledPage>& pages,
                       LabelledHalf half) {
  ScopeScore score;
  for (const LabelledPage& page : pages) {
    if (half != LabelledHalf::kBoth &&
        is_held_out(page.url.href()) != (half == LabelledHalf::kHeldOut))
      continue;
    ScopeJudgement judgement = judge_labelled(scope, page);
    ++score.confusion[page.in ? 1 : 0][static_cast<std::size_t>(judgement.verdict)];
    if (page.in != (judgement.verdict == ScopeVerdict::kIn))
      score.mistakes.push_back({&page, std::move(judgement)});
  }
  return score;
}

Result<void> each_known_page(Store& store, const std::function<void(const ScopeEvidence&)>& each) {
  Schedule schedule(store);
  SearchPages pages(store);
  std::string after;
  for (bool more = true; more;) {
    const auto sites = schedule.list(after, kAtOnce);
    if (!sites) return std::unexpected(sites.error());
    more = sites->size() == kAtOnce;
    for (const ScheduledSite& site : *sites) {
      after = site.site;
      if (Result<void> done = each_page_of(pages, site.site, each); !done) return done;
    }
  }
  return {};
}

}  // namespace periplus
