// Every address that was asked for, in one table.
#include <fmt/format.h>

#include "audit/report/html_parts.h"

namespace periplus {
namespace {

struct Column {
  std::string_view words;
  bool number = false;
};
constexpr Column kColumns[] = {
    {"Page"},        {"Status", true},      {"Depth", true},       {"Words", true},
    {"Links", true}, {"Linked from", true}, {"Failed rules", true}};

void write_columns(HtmlWriter& out) {
  const auto head = out.in("thead");
  const auto row = out.in("tr");
  for (const Column& column : kColumns) {
    out.element("th", {{"scope", "col"}, {column.number ? "class" : "", "num"}}, column.words);
  }
}

void write_number(HtmlWriter& out, bool known, std::uint64_t value) {
  out.element("td", {{"class", "num"}}, known ? number(value) : "–");
}

std::string status_of(const PageResult& page) {
  if (page.status > 0) return std::to_string(page.status);
  return "none";
}

// What makes a page other than plain HTML that was read whole.
void write_remarks(HtmlWriter& out, const PageResult& page) {
  const auto remark = [&](std::string_view words) {
    out.element("span", {{"class", "remark"}}, words);
    out.text(" ");
  };
  const auto line = out.in("p", {{"class", "remarks"}});
  if (page.failure) remark(std::string(sentence(page.failure->kind)));
  if (page.blocked) remark("bot protection answered");
  if (page.noindex) remark("noindex");
  if (page.cut) remark("cut at the size limit");
  if (!page.depth) remark("only the sitemap names it");
  if (!page.html && !page.failure && page.status >= 200 && page.status < 300 &&
      !page.content_type.empty()) {
    const auto type = out.in("span", {{"class", "remark"}});
    out.foreign(page.content_type);
  }
  if (!page.leads_to.empty()) {
    out.text("leads to ");
    out.address(page.leads_to);
  }
}

bool has_remarks(const PageResult& page) {
  return page.failure || page.blocked || page.noindex || page.cut || !page.depth ||
         !page.leads_to.empty() || (!page.html && !page.content_type.empty());
}

void write_page(HtmlWriter& out, const Judgement& j, PageId id) {
  const PageResult& page = j.pages[id];
  const auto row = out.in("tr", {{"id", page_anchor(id)}});
  {
    const auto cell = out.in("th", {{"scope", "row"}});
    if (!page.title.empty()) {
      const auto title = out.in("span", {{"class", "title"}});
      out.foreign(page.title);
    }
    out.address(page.url, short_address(j, page.url));
    if (has_remarks(page)) write_remarks(out, page);
  }
  out.element("td", {{"class", page.status == 200 ? "num" : "num odd"}}, status_of(page));
  write_number(out, page.depth.has_value(), page.depth.value_or(0));
  write_number(out, page.html, page.words);
  write_number(out, page.html, page.links);
  write_number(out, true, page.links_in);
  const auto cell = out.in("td", {{"class", "failed"}});
  if (page.failed.empty()) {
    out.text("0");
    return;
  }
  const auto details = out.in("details");
  out.element("summary", std::to_string(page.failed.size()));
  const auto list = out.in("p");
  for (const std::uint16_t index : page.failed) {
    const Rule& rule = *j.rules[index].rule;
    out.element("a", {{"href", "#" + rule_anchor(rule)}}, rule.id);
    out.text(" ");
  }
}

}  // namespace

void write_pages(HtmlWriter& out, const Judgement& j) {
  const auto section = out.in("section", {{"id", "pages"}});
  out.element("h2", "Every page");
  {
    const auto tools = out.in("div", {{"class", "tools"}, {"data-script", ""}, {"hidden", ""}});
    {
      const auto label = out.in("label");
      out.text("Filter ");
      out.open("input", {{"type", "search"},
                         {"id", "page-filter"},
                         {"placeholder", "address, title or rule"},
                         {"autocomplete", "off"}});
    }
    {
      const auto label = out.in("label");
      out.text("Show ");
      const auto select = out.in("select", {{"id", "page-kind"}});
      out.element("option", {{"value", ""}}, "all pages");
      out.element("option", {{"value", "failed"}}, "pages with failed rules");
      out.element("option", {{"value", "status"}}, "status other than 200");
    }
    out.element("p", {{"id", "page-count"}, {"role", "status"}}, "");
  }
  const auto scroll = out.in("div", {{"class", "scroll"},
                                     {"tabindex", "0"},
                                     {"role", "region"},
                                     {"aria-label", "Table of pages"}});
  const auto table = out.in("table", {{"id", "page-table"}, {"class", "pages"}});
  out.element("caption",
              fmt::format("{} in the order of reading. Depth counts clicks from the start page; "
                          "links are those on the page; “linked from” counts pages that were read.",
                          counted(j.pages.size(), "address", "addresses")));
  write_columns(out);
  const auto body = out.in("tbody");
  for (PageId id = 0; id < j.pages.size(); ++id) write_page(out, j, id);
}

}  // namespace periplus
