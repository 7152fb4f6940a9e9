// Scope: what an operator's search engine is about. One file, scope.toml, gives seeds, evidence
// with points, limits; a page or a site is in, out, or unsure, and every point is explained.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "html/page_facts.h"
#include "url/url.h"

namespace periplus {

enum class ScopeVerdict : std::uint8_t { kIn, kUnsure, kOut };
std::string_view name(ScopeVerdict verdict);  // "in", "unsure", "out"

// What the links towards a page or site say; zero when nothing is known.
struct LinkEvidence {
  std::uint32_t in_links = 0;           // links from sites that were judged
  std::uint32_t in_links_in_scope = 0;  // of them from sites in scope
  std::vector<std::string> words;       // link words towards it
};

// Everything the scope may look at of one page. Views live for the duration of the call.
struct ScopeEvidence {
  const Url* url = nullptr;
  const PageFacts* facts = nullptr;     // null: judged by address and links alone
  std::string_view content_language{};  // the header's value
  LinkEvidence links{};
};

struct ScopePoint {
  double points = 0;
  std::string rule;  // the rule's id in scope.toml, or "language", "domain", "gazetteer", …
  std::string why;  // "ends in .mt", "language mt, 64 % of 1,230 letters", "names Birkirkara, Gozo"
};

struct ScopeJudgement {
  ScopeVerdict verdict = ScopeVerdict::kOut;
  double points = 0;
  std::vector<ScopePoint> why;  // in the order of the file
};

struct ScopeLimits {
  std::uint32_t pages_per_site = 5'000;
  std::uint32_t pages_unsure_site = 10;  // of a site that is unsure
  std::uint32_t new_sites_per_day = 1'000;
  std::uint32_t hops = 1;  // sites out of scope that a path from a seed may cross
};

class SearchScope {
 public:
  // Reads scope.toml; files it names (gazetteer, site lists) are relative to `folder`. Errors name
  // line and key (kConfig).
  static Result<SearchScope> parse(std::string_view toml, std::string_view name,
                                   const std::string& folder);
  static Result<SearchScope> load(const std::string& path);
  ~SearchScope();
  SearchScope(SearchScope&&) noexcept;
  SearchScope& operator=(SearchScope&&) noexcept;

  const std::string& name() const;  // "Malta"
  const std::vector<Url>& seeds() const;
  const ScopeLimits& limits() const;
  ScopeJudgement judge(const ScopeEvidence& evidence) const;
  // A site by the judgements of its pages: always/never lists, else the mean of the points.
  ScopeJudgement judge_site(std::string_view site, std::span<const double> page_points) const;
  // Changes when anything that could change a verdict does: stored verdicts of another one are
  // stale.
  std::uint64_t fingerprint() const;

  struct Rules;  // scope_rules.h, for the files scope*.cpp alone

 private:
  explicit SearchScope(std::unique_ptr<Rules> rules);
  std::unique_ptr<Rules> rules_;
};

// A commented scope.toml: what `periplus init` writes.
std::string sample_scope();

}  // namespace periplus
