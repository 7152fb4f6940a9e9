// What was read and what was not, and what could therefore not be decided.
#include <fmt/format.h>

#include <algorithm>

#include "audit/report/html_parts.h"

namespace periplus {
namespace {

void tile(HtmlWriter& out, std::string_view value, std::string_view words) {
  const auto pair = out.in("div");
  out.element("dt", words);
  out.element("dd", value);
}

void write_tiles(HtmlWriter& out, const Judgement& j) {
  const auto html =
      std::ranges::count_if(j.pages, [](const PageResult& page) { return page.html; });
  std::uint64_t left = 0;
  for (const auto& [reason, count] : j.read.not_fetched_counts) left += count;
  const auto tiles = out.in("dl", {{"class", "tiles"}});
  tile(out, number(j.pages.size()), "addresses asked for");
  tile(out, number(static_cast<std::uint64_t>(html)), "HTML pages judged");
  tile(out, number(left), "known, not asked for");
  tile(out, percent(j.sheet.coverage), "of the rules’ questions decided");
}

bool was_not_asked(const RuleResult& result) {
  return result.rule->optional && result.verdict() == Verdict::kNotApplicable;
}

void write_reasons(HtmlWriter& out, const RuleResult& result) {
  const auto cell = out.in("td");
  bool first = true;
  for (const auto& [reason, count] : result.unknown_reasons) {
    if (!first) out.text("; ");
    first = false;
    out.text(reason);
    if (result.unknown_reasons.size() > 1) out.text(fmt::format(" ({})", number(count)));
  }
}

void write_undecided(HtmlWriter& out, const Judgement& j) {
  const auto undecided =
      std::ranges::count_if(j.rules, [](const RuleResult& result) { return result.unknown > 0; });
  if (undecided > 0) {
    const auto details = out.in("details", {{"class", "box"}, {j.sheet.partial ? "open" : "", ""}});
    out.element("summary", counted(static_cast<std::uint64_t>(undecided),
                                   "rule could not be decided everywhere",
                                   "rules could not be decided everywhere"));
    const auto scroll = out.in("div", {{"class", "scroll"},
                                       {"tabindex", "0"},
                                       {"role", "region"},
                                       {"aria-label", "Rules not decided"}});
    const auto table = out.in("table");
    out.element("caption", "Not decided, and why");
    {
      const auto head = out.in("thead");
      const auto row = out.in("tr");
      for (const std::string_view words : {"Rule", "Where", "Why"})
        out.element("th", {{"scope", "col"}}, words);
    }
    const auto body = out.in("tbody");
    for (const RuleResult& result : j.rules) {
      if (result.unknown == 0) continue;
      const auto row = out.in("tr");
      {
        const auto cell = out.in("th", {{"scope", "row"}});
        out.element("a", {{"href", "#" + rule_anchor(*result.rule)}}, result.rule->title);
      }
      out.element("td", result.rule->scope == RuleScope::kSite
                            ? std::string("the site")
                            : counted(result.unknown, "page", "pages"));
      write_reasons(out, result);
    }
  }
  std::vector<const Rule*> not_asked;
  for (const RuleResult& result : j.rules) {
    if (was_not_asked(result)) not_asked.push_back(result.rule);
  }
  if (not_asked.empty()) return;
  const auto line = out.in("p", {{"class", "note"}});
  out.text("Not asked, for it would take requests to other people’s sites: ");
  for (std::size_t i = 0; i < not_asked.size(); ++i) {
    if (i > 0) out.text(", ");
    out.element("a", {{"href", "#" + rule_anchor(*not_asked[i])}}, not_asked[i]->title);
  }
  out.text(".");
}

void write_traps(HtmlWriter& out, const Judgement& j) {
  if (j.read.traps.empty()) return;
  out.element("h3", "Addresses without end");
  out.element(
      "p",
      "These patterns make up ever more addresses. Reading of the pattern was ended, not of "
      "the site. A crawler with less care spends its whole time there.");
  const auto list = out.in("ul", {{"class", "plain"}});
  for (const Trap& trap : j.read.traps) {
    const auto item = out.in("li");
    {
      const auto code = out.in("code");
      out.foreign(trap.pattern);
    }
    out.element("p", fmt::format("{} {} read, {} left unread.", sentence_of(sentence(trap.kind)),
                                 counted(trap.pages, "page", "pages"),
                                 counted(trap.refused, "address", "addresses")));
    if (!trap.example.empty()) {
      const auto line = out.in("p", {{"class", "note"}});
      out.text("For example ");
      out.address(trap.example);
      if (!trap.found_on.empty()) {
        out.text(", linked on ");
        out.address(trap.found_on);
      }
    }
  }
}

void write_not_fetched(HtmlWriter& out, const Judgement& j) {
  if (j.read.not_fetched_counts.empty()) return;
  out.element("h3", "Known, but not asked for");
  {
    const auto table = out.in("table", {{"class", "narrow"}});
    out.element("caption", "Addresses that were not asked for, by reason");
    {
      const auto head = out.in("thead");
      const auto row = out.in("tr");
      out.element("th", {{"scope", "col"}}, "Reason");
      out.element("th", {{"scope", "col"}, {"class", "num"}}, "Addresses");
    }
    const auto body = out.in("tbody");
    for (const auto& [reason, count] : j.read.not_fetched_counts) {
      const auto row = out.in("tr");
      out.element("th", {{"scope", "row"}}, sentence_of(sentence(reason)));
      out.element("td", {{"class", "num"}}, number(count));
    }
  }
  if (j.read.not_fetched.empty()) return;
  const auto details = out.in("details", {{"class", "box"}});
  out.element("summary", "The first of these addresses");
  {
    const auto list = out.in("ul", {{"class", "addresses"}});
    for (std::size_t i = 0; i < std::min(j.read.not_fetched.size(), kNotFetchedShown); ++i) {
      const NotFetched& one = j.read.not_fetched[i];
      const auto item = out.in("li");
      out.address(one.url, short_address(j, one.url));
      const auto note = out.in("span", {{"class", "note"}});
      out.text(fmt::format(" {}", sentence(one.reason)));
      if (!one.found_from.empty()) {
        out.text("; linked on ");
        out.foreign(short_address(j, one.found_from));
      }
    }
  }
  std::uint64_t all = 0;
  for (const auto& [reason, count] : j.read.not_fetched_counts) all += count;
  if (all > kNotFetchedShown && j.read.not_fetched.size() > kNotFetchedShown)
    out.element(
        "p", {{"class", "note"}},
        fmt::format("and {} more; the JSON report lists them.", number(all - kNotFetchedShown)));
}

}  // namespace

void write_coverage(HtmlWriter& out, const Judgement& j) {
  const auto section = out.in("section", {{"id", "coverage"}});
  out.element("h2", "What was read");
  {
    const auto lead = out.in("p", {{"class", "lead"}});
    out.text(j.complete ? "Complete: " : "Not complete: ");
    out.text(sentence_of(sentence(j.read.outcome.kind)));
    if (j.read.outcome.kind == OutcomeKind::kPageLimit && j.read.page_limit > 0)
      out.text(fmt::format(" The limit was {}.", counted(j.read.page_limit, "page", "pages")));
    if (!j.complete && !j.read.outcome.detail.empty() &&
        j.read.outcome.kind != OutcomeKind::kPageLimit) {
      out.text(" ");
      out.foreign(sentence_of(j.read.outcome.detail));
    }
  }
  write_tiles(out, j);
  if (!j.complete)
    out.element("p", {{"class", "note"}},
                "Claims about the site as a whole (pages that nothing links to, for example) are "
                "not made from a part of it.");
  write_undecided(out, j);
  write_traps(out, j);
  write_not_fetched(out, j);
}

}  // namespace periplus
