#include "audit/report/html.h"

#include <fmt/format.h>

#include "audit/report/html_parts.h"
#include "audit/report/html_script.inc"

namespace periplus {
namespace {

void contents_link(HtmlWriter& out, std::string_view anchor, std::string_view words,
                   std::string_view count = {}) {
  const auto item = out.in("li");
  const auto link = out.in("a", {{"href", anchor}});
  out.text(words);
  if (!count.empty()) {
    out.text(" ");
    out.element("span", {{"class", "count"}}, count);
  }
}

void write_contents(HtmlWriter& out, const Judgement& j) {
  const auto nav = out.in("nav", {{"class", "contents"}, {"aria-label", "Parts of this report"}});
  const auto list = out.in("ul");
  if (read_nothing(j)) {
    contents_link(out, "#result", "Result");
  } else {
    contents_link(out, "#score", "Score");
    contents_link(out, "#coverage", "What was read");
    contents_link(out, "#fixes", "What to fix", number(j.fix_list.size()));
    contents_link(out, "#rules", "Rules", number(j.rules.size()));
    contents_link(out, "#pages", "Pages", number(j.pages.size()));
  }
  contents_link(out, "#crawlers", "AI crawlers");
  contents_link(out, "#files", "Site files");
  contents_link(out, "#conduct", "Our conduct");
}

void write_banner(HtmlWriter& out, const Judgement& j) {
  const auto banner = out.in("header", {{"class", "banner"}});
  const auto inner = out.in("div", {{"class", "inner"}});
  out.element("p", {{"class", "product"}}, "Periplus audit");
  {
    const auto when = out.in("p", {{"class", "when"}});
    out.text("Read ");
    out.element("time", {{"datetime", to_rfc3339(j.read.ended)}}, moment(j.read.ended));
  }
}

void write_footer(HtmlWriter& out, const Judgement& j) {
  const auto footer = out.in("footer");
  const auto inner = out.in("div", {{"class", "inner"}});
  out.element("p", fmt::format("Made by Periplus. Rulebook {}, score {}. Scores and verdicts are "
                               "to be compared only between reports of the same versions.",
                               j.rulebook_version, j.score_version));
  out.element("p",
              "This file holds everything it shows and asks for nothing from anywhere. The JSON "
              "report of the same read has every finding.");
}

}  // namespace

std::string html_report(const Judgement& judgement) {
  HtmlWriter out;
  out.verbatim("<!doctype html>\n");
  {
    const auto html = out.in("html", {{"lang", "en"}});
    write_head(out, judgement);
    const auto body = out.in("body");
    out.element("a", {{"class", "skip"}, {"href", "#main"}}, "Skip to the report");
    write_banner(out, judgement);
    {
      const auto frame = out.in("div", {{"class", "frame"}});
      write_contents(out, judgement);
      const auto main = out.in("main", {{"id", "main"}, {"tabindex", "-1"}});
      if (read_nothing(judgement)) {
        write_no_read(out, judgement);
      } else {
        write_score(out, judgement);
        write_coverage(out, judgement);
        write_fixes(out, judgement);
        write_rules(out, judgement);
        write_pages(out, judgement);
      }
      write_agents(out, judgement);
      write_files(out, judgement);
      write_conduct(out, judgement);
    }
    write_footer(out, judgement);
    const auto script = out.in("script");
    out.verbatim(kReportScript);
  }
  return out.take() + "\n";
}

}  // namespace periplus
