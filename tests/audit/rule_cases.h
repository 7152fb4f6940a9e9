// For every rule: a read on which it passes, one on which it fails, and one on which it has nothing
// to say or cannot know.
#pragma once

#include <functional>
#include <ostream>
#include <string_view>
#include <vector>

#include "audit/made_read.h"

namespace periplus {

struct RuleCase {
  std::string_view id;
  std::function<MadeRead()> passing;
  std::function<MadeRead()> failing;
  std::function<MadeRead()> neither;
  std::string_view message;  // stands in what it says when it fails

  friend void PrintTo(const RuleCase& one, std::ostream* out) { *out << one.id; }
};

std::vector<RuleCase> reachable_cases();
std::vector<RuleCase> readable_cases();
std::vector<RuleCase> later_cases();  // understandable and trusted

// The good site with something done to it.
inline std::function<MadeRead()> good_but(std::function<void(MadeRead&)> change) {
  return [change = std::move(change)] {
    MadeRead read = good_site();
    change(read);
    return read;
  };
}
// The good site with the start page's HTML exchanged.
inline std::function<MadeRead()> home(std::string html) {
  return good_but([html = std::move(html)](MadeRead& read) { read.source.pages[0].body = html; });
}
// One page, and nothing else known.
inline std::function<MadeRead()> only(std::string html) {
  return [html = std::move(html)] {
    MadeRead read;
    read.page("https://example.com/", html);
    return read;
  };
}
// Nothing but a start page that bot protection hides.
inline MadeRead only_wall() {
  MadeRead read;
  read.walled("https://example.com/");
  read.source.site.outcome.kind = OutcomeKind::kBotWall;
  read.source.site.outcome.detail = "cloudflare: header cf-mitigated: challenge";
  return read;
}
inline MadeRead only_unreachable(FailureKind kind = FailureKind::kNameNotFound) {
  MadeRead read;
  read.source.site.home_url.clear();
  read.source.site.outcome.kind = OutcomeKind::kUnreachable;
  read.source.site.outcome.failure = Failure{kind, ""};
  return read;
}

}  // namespace periplus
