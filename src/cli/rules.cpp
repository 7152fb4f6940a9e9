// periplus rules [RULE]: the rulebook, or one rule explained.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "audit/rulebook.h"
#include "audit/score.h"
#include "cli/session.h"
#include "cli/values.h"

namespace periplus {
namespace {

nlohmann::ordered_json to_json(const Rule& rule) {
  return {{"id", rule.id},
          {"title", rule.title},
          {"stage", name(rule.stage)},
          {"severity", name(rule.severity)},
          {"scope", name(rule.scope)},
          {"needs", names_of_needs(rule.needs)},
          {"prerequisite", rule.prerequisite.empty() ? nlohmann::ordered_json()
                                                     : nlohmann::ordered_json(rule.prerequisite)},
          {"optional", rule.optional},
          {"why", rule.why},
          {"fix", rule.fix},
          {"source", rule.source},
          {"false_positives", rule.false_positives}};
}

// Words of `text` in lines of at most `width` columns, the first line behind `label`.
void print_wrapped(std::string_view label, std::string_view text, std::size_t width) {
  if (text.empty()) return;
  std::string line = fmt::format("{:10}", label);
  const std::string indent(10, ' ');
  bool empty = true;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string_view word = text.substr(start, end - start);
    if (!empty && line.size() + 1 + word.size() > width) {
      std::puts(line.c_str());
      line = indent;
      empty = true;
    }
    if (!empty) line += ' ';
    line += word;
    empty = false;
    start = end + 1;
  }
  std::puts(line.c_str());
}

void explain(const Rule& rule) {
  std::puts(fmt::format("{}: {}\n", rule.id, rule.title).c_str());
  std::puts(fmt::format("{:10}{}, {}, judged for each {}{}", "kind", name(rule.stage),
                        name(rule.severity), name(rule.scope),
                        rule.optional ? " (only when asked for)" : "")
                .c_str());
  print_wrapped("needs", fmt::format("{}", fmt::join(names_of_needs(rule.needs), ", ")), 90);
  print_wrapped("why", rule.why, 90);
  print_wrapped("fix", rule.fix, 90);
  print_wrapped("source", rule.source, 90);
  print_wrapped("but", rule.false_positives, 90);
  if (!rule.prerequisite.empty())
    print_wrapped("after",
                  fmt::format("{} (a page that fails it fails this rule too)", rule.prerequisite),
                  90);
}

}  // namespace

int run_rules(const Options& options) {
  const Rulebook& book = Rulebook::standard();
  if (!options.url.empty()) {
    const Rule* rule = book.find(options.url);
    if (rule == nullptr)
      return complain({ErrorKind::kInput,
                       "there is no rule of that name; 'periplus rules' lists them",
                       plain(options.url)});
    if (options.json)
      std::puts(dump(to_json(*rule)).c_str());
    else
      explain(*rule);
    return kExitDone;
  }
  if (options.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < book.size(); ++i) list.push_back(to_json(book[i]));
    std::puts(dump({{"rulebook_version", book.version()},
                    {"score_version", kScoreVersion},
                    {"rules", std::move(list)}})
                  .c_str());
    return kExitDone;
  }
  std::optional<Stage> shown;
  for (std::size_t i = 0; i < book.size(); ++i) {
    const Rule& rule = book[i];
    if (shown != rule.stage)
      std::puts(fmt::format("{}{}", shown ? "\n" : "", name(rule.stage)).c_str());
    shown = rule.stage;
    std::puts(fmt::format("  {:24} {:9} {}", rule.id, name(rule.severity), rule.title).c_str());
  }
  std::puts(fmt::format("\n{} rules, rulebook version {}. 'periplus rules ID' explains one.",
                        book.size(), book.version())
                .c_str());
  return kExitDone;
}

}  // namespace periplus
