// What robots.txt says to the crawlers of search engines and AI products, each by its name.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "audit/agents.h"
#include "audit/check.h"
#include "base/text.h"

namespace periplus {
namespace {

constexpr std::string_view kNotKnown = "robots.txt is not known";

// The pages that were read; the start page when none was.
std::vector<Url> read_pages(const SiteFacts& site) {
  std::vector<Url> out;
  for (const PageSummary& page : site.pages) {
    if (page.state != PageState::kHtml && page.state != PageState::kOther) continue;
    if (const auto url = Url::parse(site.address(page.final_url))) out.push_back(*url);
  }
  if (out.empty()) out.push_back(site.home_url);
  return out;
}

Judged allowed_for(const SiteFacts& site, AgentPurpose purpose, FindingList& findings) {
  const RobotsFile* robots = site.home_robots();
  if (robots == nullptr || !robots->known()) return unknown(kNotKnown);
  const std::vector<Url> pages = read_pages(site);
  for (const Agent& agent : known_agents()) {
    if (agent.purpose != purpose) continue;
    std::size_t closed = 0;
    RobotsVerdict deciding;
    for (const Url& page : pages) {
      const auto verdict = site.robots_verdict(agent.token, page);
      if (!verdict || verdict->allowed) continue;
      if (closed++ == 0) deciding = *verdict;
    }
    if (closed * 2 < pages.size()) continue;
    findings.add(fmt::format("{} ({}) may not fetch {} of {} pages, by robots.txt line {}.",
                             agent.token, agent.vendor, closed, pages.size(), deciding.line),
                 deciding.rule, {deciding.line, 1});
  }
  return findings.verdict();
}

Judged ai_search_allowed(const SiteFacts& site, FindingList& findings) {
  return allowed_for(site, AgentPurpose::kSearch, findings);
}

Judged ai_user_allowed(const SiteFacts& site, FindingList& findings) {
  return allowed_for(site, AgentPurpose::kUserHonours, findings);
}

// The table of agents shows what is allowed; there is nothing to fail.
Judged ai_training_policy(const SiteFacts& site, FindingList&) {
  const RobotsFile* robots = site.home_robots();
  if (robots == nullptr || !robots->known()) return unknown(kNotKnown);
  return pass();
}

struct SignalItem {
  std::string key, value;
};

// "search=yes, ai-train=no" (Content-Signal), "train-ai=n" (Content-Usage).
std::vector<SignalItem> signal_items(std::string_view value) {
  std::vector<SignalItem> out;
  while (!value.empty()) {
    const std::size_t comma = value.find_first_of(",;");
    const std::string_view item = trim(value.substr(0, comma));
    if (!item.empty()) {
      const std::size_t equals = item.find('=');
      out.push_back(
          {to_ascii_lower(trim(item.substr(0, equals))),
           equals == std::string_view::npos ? "" : to_ascii_lower(trim(item.substr(equals + 1)))});
    }
    if (comma == std::string_view::npos) break;
    value.remove_prefix(comma + 1);
  }
  return out;
}

bool is_legal(const std::string& field, const SignalItem& item) {
  if (field == "content-signal") {
    return (item.key == "search" || item.key == "ai-input" || item.key == "ai-train") &&
           (item.value == "yes" || item.value == "no");
  }
  // Keys of Content-Usage are an open vocabulary; unknown ones are to be passed over.
  return item.value == "y" || item.value == "n" || (!item.key.empty() && item.value.empty());
}

void check_signals(const SiteFacts& site, const RobotsTxt& text, FindingList& findings) {
  struct Said {
    std::string value;
    std::uint32_t line = 0;
  };
  std::map<std::string, Said> said;  // by group, path and key
  for (const UseSignal& signal : text.use_signals()) {
    const std::string_view line = text.line(signal.line);
    std::string group;
    for (const std::string& agent : signal.agents) group += to_ascii_lower(agent) + ' ';
    for (const SignalItem& item : signal_items(signal.value)) {
      if (!is_legal(signal.field, item)) {
        findings.add(
            fmt::format("robots.txt line {}: \"{}{}{}\" is no signal that {} defines.", signal.line,
                        item.key, item.value.empty() ? "" : "=", item.value, signal.field),
            line, {signal.line, 1});
        continue;
      }
      const auto [place, fresh] = said.try_emplace(
          fmt::format("{}\n{}\n{}\n{}", signal.field, group, signal.path, item.key),
          Said{item.value, signal.line});
      if (!fresh && place->second.value != item.value)
        findings.add(
            fmt::format("robots.txt says {}={} in line {} and {}={} in line {} to the same "
                        "crawlers.",
                        item.key, place->second.value, place->second.line, item.key, item.value,
                        signal.line),
            line, {signal.line, 1});
      const bool trains = item.key == "ai-train" && item.value == "yes";
      if (!trains) continue;
      for (const PageSummary& page : site.pages) {
        if (!page.noai) continue;
        findings.add_on(page.id,
                        fmt::format("The page says noai, but robots.txt line {} says ai-train=yes.",
                                    signal.line),
                        line);
        break;
      }
    }
  }
}

// A ban that names only what nobody sends any more bans nobody.
void check_retired(const SiteFacts& site, const RobotsTxt& text, FindingList& findings) {
  const std::vector<std::string> named = text.agents();
  const auto root = Url::parse("/", &site.home_url);
  std::set<std::string_view> told;
  for (const Agent& retired : known_agents()) {
    if (retired.purpose != AgentPurpose::kRetired) continue;
    const bool is_named = std::ranges::any_of(
        named, [&](const std::string& agent) { return equal_ignoring_case(agent, retired.token); });
    if (!is_named) continue;
    const auto verdict = site.robots_verdict(retired.token, *root);
    if (!verdict || verdict->allowed) continue;
    // What the same vendor sends today for the same end.
    const Agent* open = nullptr;
    bool any_closed = false;
    for (const Agent& today : known_agents()) {
      if (today.vendor != retired.vendor || today.purpose != AgentPurpose::kTraining) continue;
      if (site.robots_allows(today.token, *root).value_or(true)) {
        open = &today;
      } else {
        any_closed = true;
      }
    }
    if (any_closed || (open == nullptr && retired.vendor != "Cohere")) continue;
    if (open != nullptr && !told.insert(open->token).second) continue;
    findings.add(
        open != nullptr
            ? fmt::format("robots.txt closes {}, a name that is no longer sent; {} is not "
                          "closed.",
                          retired.token, open->token)
            : fmt::format("robots.txt closes {}, a name that is no longer sent.", retired.token),
        verdict->rule, {verdict->line, 1});
  }
}

Judged ai_policy_consistent(const SiteFacts& site, FindingList& findings) {
  const RobotsFile* robots = site.home_robots();
  if (robots == nullptr || !robots->known()) return unknown(kNotKnown);
  const RobotsTxt& text = *robots->text;
  if (text.use_signals().empty() && text.agents().empty())
    return not_applicable("robots.txt states no policy");
  check_signals(site, text, findings);
  check_retired(site, text, findings);
  return findings.verdict();
}

constexpr RuleEntry kRules[] = {
    {.rule = {.id = "ai-search-allowed",
              .title = "Crawlers that search and cite may read the pages",
              .stage = Stage::kReachable,
              .severity = Severity::kMajor,
              .scope = RuleScope::kSite,
              .needs = kNeedsRobots,
              .why = "A product whose crawler is kept out cannot find or cite the site in its "
                     "answers.",
              .fix = "Allow these crawlers in robots.txt; training can be refused separately.",
              .source = "Vendors' pages about their crawlers, as of 2026-08-28; RFC 9309",
              .false_positives = "An owner who does not want to appear in these answers."},
     .site = ai_search_allowed},
    {.rule = {.id = "ai-user-allowed",
              .title = "Assistants may open a page when a person asks them to",
              .stage = Stage::kReachable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kSite,
              .needs = kNeedsRobots,
              .why = "A person who asks an assistant to read a page is told that it cannot.",
              .fix = "Allow these names in robots.txt; they fetch single pages for people.",
              .source = "Vendors' pages about their crawlers, as of 2026-08-28; RFC 9309",
              .false_positives = "An owner who wants to be read by people only."},
     .site = ai_user_allowed},
    {.rule = {.id = "ai-training-policy",
              .title = "Who may train on the pages, by name",
              .stage = Stage::kReachable,
              .severity = Severity::kInfo,
              .scope = RuleScope::kSite,
              .needs = kNeedsRobots,
              .why = "Whether models may be trained on the pages is the owner's choice; the report "
                     "shows what robots.txt says to each.",
              .fix = "Nothing has to change; name the crawlers you want to keep out.",
              .source = "Vendors' pages about their crawlers, as of 2026-08-28; RFC 9309",
              .false_positives = ""},
     .site = ai_training_policy},
    {.rule = {.id = "ai-policy-consistent",
              .title = "What is said to AI crawlers is legal and does not contradict itself",
              .stage = Stage::kReachable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kSite,
              .needs = kNeedsRobots | kNeedsHtml | kNeedsHeaders,
              .why = "A policy that contradicts itself or names nobody does not hold.",
              .fix = "Keep one statement for each crawler and use, with the names sent today.",
              .source = "contentsignals.org; draft-ietf-aipref-attach; vendors' pages",
              .false_positives = ""},
     .site = ai_policy_consistent},
};

}  // namespace

std::span<const RuleEntry> ai_agent_rules() { return kRules; }

}  // namespace periplus
