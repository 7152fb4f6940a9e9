// What to fix, and every rule with what it found.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "audit/report/html_parts.h"

namespace periplus {
namespace {

std::string_view words_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "Pass";
    case Verdict::kFail:
      return "Fail";
    case Verdict::kUnknown:
      return "Not decided";
    case Verdict::kNotApplicable:
      return "Does not apply";
  }
  return {};
}

std::string_view sign_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "✓";
    case Verdict::kFail:
      return "✕";
    case Verdict::kUnknown:
      return "?";
    case Verdict::kNotApplicable:
      return "–";
  }
  return {};
}

std::string_view pages_word(const Rule& rule, std::uint64_t count) {
  if (rule.scope == RuleScope::kAddress) return count == 1 ? "address" : "addresses";
  return count == 1 ? "page" : "pages";
}

// "12 of 60 pages", "the site".
std::string extent(const RuleResult& result) {
  if (result.rule->scope == RuleScope::kSite) return "the site";
  const std::uint64_t decided = std::uint64_t{result.passing} + result.failing;
  return fmt::format("{} of {} {}", number(result.failing), number(decided),
                     pages_word(*result.rule, decided));
}

std::string counts(const RuleResult& result) {
  const Rule& rule = *result.rule;
  if (rule.scope == RuleScope::kSite) return "Asked once, about the whole site.";
  return fmt::format("{} failing, {} passing, {} not decided, {} to which it does not apply.",
                     number(result.failing), number(result.passing), number(result.unknown),
                     number(result.not_applicable));
}

void write_place(HtmlWriter& out, const SourcePlace& place) {
  if (place.line == 0) return;
  out.text(" ");
  out.element("span", {{"class", "place"}},
              place.column > 0 ? fmt::format("line {}:{}", place.line, place.column)
                               : fmt::format("line {}", place.line));
}

void write_related(HtmlWriter& out, const Judgement& j, const Finding& finding) {
  if (finding.related.empty()) return;
  const auto line = out.in("span", {{"class", "related"}});
  out.text("See ");
  for (std::size_t i = 0; i < finding.related.size(); ++i) {
    if (i > 0) out.text(", ");
    out.address(finding.related[i], short_address(j, finding.related[i]));
  }
}

// Of one rule. Fewer than kFindingsShown where very many rules fail, so that the file stays one
// that opens at once.
std::size_t most_shown(const Judgement& j) {
  std::size_t together = 0, rules = 0;
  for (const RuleResult& result : j.rules) {
    together += std::min(result.findings.size(), kFindingsShown);
    if (!result.findings.empty()) ++rules;
  }
  if (together <= kFindingsTogether) return kFindingsShown;
  return std::clamp(kFindingsTogether / rules, kFindingsLeast, kFindingsShown);
}

// The same words about many pages are said once, with all the pages.
void write_findings(HtmlWriter& out, const Judgement& j, const RuleResult& result) {
  if (result.findings.empty()) return;
  using Group = std::vector<const Finding*>;
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> known;
  std::vector<Group> groups;
  const std::size_t shown_now = std::min(result.findings.size(), most_shown(j));
  for (std::size_t i = 0; i < shown_now; ++i) {
    const Finding& finding = result.findings[i];
    const auto [at, fresh] = known.try_emplace({finding.message, finding.quote}, groups.size());
    if (fresh) groups.emplace_back();
    groups[at->second].push_back(&finding);
  }
  out.element("h5", counted(result.findings_total, "finding", "findings"));
  {
    const auto list = out.in("ul", {{"class", "findings"}});
    for (const Group& group : groups) {
      const auto item = out.in("li");
      {
        const auto message = out.in("p");
        out.foreign(group.front()->message);
      }
      if (!group.front()->quote.empty()) {
        const auto quote = out.in("code", {{"class", "block"}});
        out.foreign(group.front()->quote);
      }
      for (const Finding* finding : group) {
        if (finding->page == kNoPage && finding->place.line == 0 && finding->related.empty())
          continue;
        const auto where = out.in("p", {{"class", "where"}});
        write_page_link(out, j, finding->page);
        write_place(out, finding->place);
        write_related(out, j, *finding);
      }
    }
  }
  if (result.findings_total > shown_now)
    out.element(
        "p", {{"class", "more"}},
        fmt::format("and {} more in the JSON report", number(result.findings_total - shown_now)));
}

void write_fact(HtmlWriter& out, std::string_view term, std::string_view words) {
  if (words.empty()) return;
  const auto pair = out.in("div");
  out.element("dt", term);
  out.element("dd", words);
}

void write_rule(HtmlWriter& out, const Judgement& j, const RuleResult& result) {
  const Rule& rule = *result.rule;
  const Verdict verdict = result.verdict();
  const auto details = out.in(
      "details", {{"class", fmt::format("rule {}", name(verdict))}, {"id", rule_anchor(rule)}});
  {
    const auto summary = out.in("summary");
    {
      const auto mark = out.in("span", {{"class", "verdict"}});
      out.element("span", {{"aria-hidden", "true"}}, sign_of(verdict));
      out.element("span", {{"class", "unseen"}}, words_of(verdict));
    }
    out.text(" ");
    out.element("h4", rule.title);
    out.text(" ");
    const auto aside = out.in("span", {{"class", "aside"}});
    if (verdict == Verdict::kFail) {
      out.element("span", {{"class", "extent"}}, extent(result));
      out.text(" ");
    }
    write_severity(out, rule.severity);
  }
  const auto body = out.in("div", {{"class", "body"}});
  {
    const auto facts = out.in("dl", {{"class", "facts"}});
    write_fact(out, "Why it matters", rule.why);
    if (verdict != Verdict::kPass) write_fact(out, "What to do", rule.fix);
    if (verdict == Verdict::kFail) {
      write_fact(out, "When it may be right as it is", rule.false_positives);
      if (result.stage_gain > 0)
        write_fact(out, "Fixing this adds",
                   fmt::format("{} to the score, {} to “{}”", points(result.gain),
                               points(result.stage_gain), title_of(rule.stage)));
    }
    write_fact(out, "Follows", rule.source);
    std::string words = counts(result);
    const auto& reasons =
        verdict == Verdict::kNotApplicable ? result.not_applicable_reasons : result.unknown_reasons;
    for (const auto& [reason, count] : reasons)
      words +=
          fmt::format(" {}{}.", verdict == Verdict::kNotApplicable ? "" : "Not decided: ", reason);
    write_fact(out, "Verdict", fmt::format("{}. {}", words_of(verdict), words));
    const auto pair = out.in("div");
    out.element("dt", "Rule");
    const auto value = out.in("dd");
    out.element("code", rule.id);
    out.text(fmt::format(" ({}{})", name(rule.severity),
                         rule.severity == Severity::kInfo ? ", not scored" : ""));
  }
  write_findings(out, j, result);
}

using Results = std::vector<const RuleResult*>;

void write_group(HtmlWriter& out, const Judgement& j, const Results& results,
                 std::string_view words) {
  if (results.empty()) return;
  const auto group = out.in("details", {{"class", "group"}});
  out.element("summary", fmt::format("{} ({})", words, results.size()));
  for (const RuleResult* result : results) write_rule(out, j, *result);
}

void write_stage(HtmlWriter& out, const Judgement& j, Stage stage) {
  std::array<Results, 4> by_verdict;
  for (const RuleResult& result : j.rules) {
    if (result.rule->stage == stage)
      by_verdict.at(static_cast<std::size_t>(result.verdict())).push_back(&result);
  }
  const auto of = [&](Verdict verdict) -> Results& {
    return by_verdict.at(static_cast<std::size_t>(verdict));
  };
  // Results stand side by side in the judgement, so their addresses keep the rulebook's order.
  std::ranges::sort(of(Verdict::kFail), {}, [](const RuleResult* result) {
    return std::tuple(result->rule->severity, -result->stage_gain, result);
  });
  const auto section = out.in(
      "section", {{"class", "stage"}, {"aria-labelledby", fmt::format("stage-{}", name(stage))}});
  {
    const auto heading = out.in("h3", {{"id", fmt::format("stage-{}", name(stage))}});
    out.text(title_of(stage));
    const StageScore& score = j.sheet.stages.at(static_cast<std::size_t>(stage));
    out.text(" ");
    out.element("span", {{"class", "stage-score"}},
                score.score ? fmt::format("{} of 100", shown(*score.score)) : "no score");
  }
  out.element("p", {{"class", "note"}}, meaning_of(stage));
  if (of(Verdict::kFail).empty()) out.element("p", {{"class", "allgood"}}, "No rule fails here.");
  for (const RuleResult* result : of(Verdict::kFail)) write_rule(out, j, *result);
  write_group(out, j, of(Verdict::kUnknown), "Not decided");
  write_group(out, j, of(Verdict::kPass), "Passed");
  write_group(out, j, of(Verdict::kNotApplicable), "Does not apply");
}

}  // namespace

void write_fixes(HtmlWriter& out, const Judgement& j) {
  const auto section = out.in("section", {{"id", "fixes"}});
  out.element("h2", "What to fix");
  if (j.fix_list.empty()) {
    out.element("p", {{"class", "lead"}}, "No scored rule fails. There is nothing to fix.");
    return;
  }
  out.element("p", {{"class", "lead"}},
              "Largest gain first. Each gain is what fixing that one adds when nothing else "
              "changes: to its stage, and to the whole score.");
  const auto list = out.in("ol", {{"class", "fixes"}});
  for (const std::uint16_t index : j.fix_list) {
    const RuleResult& result = j.rules[index];
    const auto item = out.in("li");
    {
      const auto what = out.in("div", {{"class", "what"}});
      {
        const auto line = out.in("h3");
        out.element("a", {{"href", "#" + rule_anchor(*result.rule)}}, result.rule->title);
      }
      out.element("p", result.rule->fix);
      const auto meta = out.in("p", {{"class", "note"}});
      write_severity(out, result.rule->severity);
      out.text(fmt::format(" {} · fails on {}", title_of(result.rule->stage), extent(result)));
    }
    const auto gain = out.in("p", {{"class", "gain"}});
    out.element("span", {{"class", "unseen"}}, "Fixing this adds ");
    out.element("strong", points(result.stage_gain));
    out.element("span", {{"class", "note"}},
                fmt::format(" to “{}”, {} to the score", title_of(result.rule->stage),
                            points(result.gain)));
  }
}

void write_rules(HtmlWriter& out, const Judgement& j) {
  const auto section = out.in("section", {{"id", "rules"}});
  out.element("h2", "Every rule");
  {
    const auto tools = out.in("div", {{"class", "tools"}, {"data-script", ""}, {"hidden", ""}});
    out.element("button", {{"type", "button"}, {"data-open", "true"}}, "Open all");
    out.element("button", {{"type", "button"}, {"data-open", "false"}}, "Close all");
  }
  for (std::size_t i = 0; i < kStages; ++i) write_stage(out, j, static_cast<Stage>(i));
}

}  // namespace periplus
