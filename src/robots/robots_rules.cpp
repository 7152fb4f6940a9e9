// The rules of one agent, compiled: ordered so that the first match decides.
#include <algorithm>
#include <cstring>
#include <string>

#include "base/text.h"
#include "robots/robots_path.h"
#include "robots/robots_rep.h"
#include "robots/robots_txt.h"

namespace periplus {
namespace {

// The first eight octets, for a look at a rule without touching its memory. NUL pads; no normal
// path holds one.
std::uint64_t first_octets(std::string_view text) {
  std::uint64_t out = 0;
  std::memcpy(&out, text.data(), std::min<std::size_t>(text.size(), 8));
  return out;
}

struct Rule {
  RobotsPattern pattern;
  std::size_t octets;
  std::uint32_t line;
  bool allow;
};

struct Glance {
  std::uint64_t octets;
  std::uint64_t mask;
};

// RFC 9309 section 2.2.2 shows ':' and '/' of a query written as %3A and %2F. They are the same
// address in practice, so such a rule is kept in both spellings.
std::vector<std::string> spellings(const std::string& path) {
  std::vector<std::string> out{path};
  const std::size_t query = path.find('?');
  if (query == std::string::npos) return out;
  std::string escaped = path.substr(0, query), plain = escaped;
  for (std::size_t i = query; i < path.size(); ++i) {
    const std::string_view rest = std::string_view(path).substr(i, 3);
    if (rest == "%3A" || rest == "%2F") {
      escaped += rest;
      plain += rest == "%3A" ? ':' : '/';
      i += 2;
    } else {
      if (path[i] == ':') {
        escaped += "%3A";
      } else if (path[i] == '/') {
        escaped += "%2F";
      } else {
        escaped += path[i];
      }
      plain += path[i];
    }
  }
  if (escaped != path) out.push_back(std::move(escaped));
  if (plain != path) out.push_back(std::move(plain));
  return out;
}

// "/docs/index.html" also stands for "/docs/" in an Allow rule: the part up to the last slash, or
// nothing.
std::string_view directory_of_index(std::string_view path) {
  if (path.ends_with('$')) path.remove_suffix(1);
  for (const std::string_view name : {"/index.html", "/index.htm"}) {
    if (path.ends_with(name)) return path.substr(0, path.size() - name.size() + 1);
  }
  return {};
}

}  // namespace

struct RobotsRules::Rep {
  std::shared_ptr<const RobotsTxt::Rep> text;
  std::vector<Rule> rules;  // longest first, Allow before Disallow of the same length
  std::vector<Glance> glances;
  std::vector<std::string> group;
  std::optional<double> delay;

  void add(const RobotsLine& line) {
    std::string path = line.path;
    if (path[0] != '/' && path[0] != '*') path.insert(path.begin(), '/');
    const std::string normal = normal_rule_path(path);
    for (const std::string& spelling : spellings(normal)) {
      rules.push_back({RobotsPattern(spelling), normal.size(), line.line, line.allow});
    }
    const std::string_view directory = line.allow ? directory_of_index(normal) : std::string_view();
    if (!directory.empty()) {
      const std::string exact = std::string(directory) + "$";
      rules.push_back({RobotsPattern(exact), exact.size(), line.line, true});
    }
  }

  void order() {
    std::sort(rules.begin(), rules.end(), [](const Rule& a, const Rule& b) {
      if (a.octets != b.octets) return a.octets > b.octets;
      if (a.allow != b.allow) return a.allow;
      return a.line < b.line;
    });
    glances.reserve(rules.size());
    for (const Rule& rule : rules) {
      const std::string_view prefix = rule.pattern.prefix();
      const std::size_t length = std::min<std::size_t>(prefix.size(), 8);
      constexpr char kOnes[] = "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF";
      glances.push_back({first_octets(prefix), first_octets({kOnes, length})});
    }
  }

  const Rule* decide(std::string_view normal_path) const {
    const std::uint64_t start = first_octets(normal_path);
    for (std::size_t i = 0; i < glances.size(); ++i) {
      if ((start & glances[i].mask) == glances[i].octets && rules[i].pattern.matches(normal_path))
        return &rules[i];
    }
    return nullptr;
  }

  const Rule* rule_for(std::string_view path) const {
    if (rules.empty()) return nullptr;
    if (is_normal_request_path(path)) return path == "/robots.txt" ? nullptr : decide(path);
    const std::string normal = normal_request_path(path);
    return normal == "/robots.txt" ? nullptr : decide(normal);
  }
};

RobotsRules::RobotsRules() : rep_(std::make_unique<Rep>()) {}
RobotsRules::RobotsRules(RobotsRules&&) noexcept = default;
RobotsRules& RobotsRules::operator=(RobotsRules&&) noexcept = default;
RobotsRules::~RobotsRules() = default;

RobotsVerdict RobotsRules::verdict(std::string_view path_and_query) const {
  const Rule* rule = rep_->rule_for(path_and_query);
  if (rule == nullptr) return {};
  return {rule->allow, rule->line, std::string(trim(rep_->text->line(rule->line)))};
}

bool RobotsRules::allows(std::string_view path_and_query) const {
  const Rule* rule = rep_->rule_for(path_and_query);
  return rule == nullptr || rule->allow;
}

std::optional<double> RobotsRules::crawl_delay() const { return rep_->delay; }
const std::vector<std::string>& RobotsRules::group() const { return rep_->group; }

bool RobotsRules::closes_everything() const {
  std::size_t closed_by = 0, opened_by = 0;
  for (const Rule& rule : rep_->rules) {
    if (rule.allow) {
      opened_by = std::max(opened_by, rule.octets);
    } else if (rule.pattern.matches_everything()) {
      closed_by = std::max(closed_by, rule.octets);
    }
  }
  return closed_by > 0 && opened_by < closed_by;
}

RobotsRules RobotsTxt::rules_for(std::string_view token) const {
  RobotsRules out;
  out.rep_->text = rep_;
  const auto speaks_to = [](const std::vector<std::string>& agents, auto named) {
    return std::any_of(agents.begin(), agents.end(), named);
  };
  const auto choose = [&](auto named) {
    for (const RobotsGroup& group : rep_->groups) {
      if (!speaks_to(group.agents, named)) continue;
      for (const std::string& agent : group.agents) {
        if (named(agent)) out.rep_->group.push_back(agent);
      }
      for (const RobotsLine& rule : group.rules) out.rep_->add(rule);
    }
    for (const RobotsDelay& delay : rep_->delays) {
      if (speaks_to(delay.agents, named))
        out.rep_->delay = std::max(out.rep_->delay.value_or(0), delay.seconds);
    }
  };
  choose([&](const std::string& agent) { return names_agent(agent, token); });
  if (out.rep_->group.empty()) choose(names_everyone);
  out.rep_->order();
  return out;
}

}  // namespace periplus
