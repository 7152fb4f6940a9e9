// From a stored read to verdicts, score and everything a report shows.
//
// Two passes. First page by page: octets become PageFacts, the rules that look at one page are
// judged while they are alive, a compact summary stays. Then the rules that need other pages or
// site files are judged on the summaries. Memory is that of the summaries and one page.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/agents.h"
#include "audit/rule.h"
#include "audit/score.h"
#include "audit/site_read.h"
#include "url/site.h"

namespace periplus {

class Rulebook;

struct JudgeOptions {
  const PublicSuffixes* suffixes = nullptr;  // required
  std::string_view our_token = "Periplus";
  Instant now{};                         // for certificate and sitemap dates; zero: the read's end
  std::size_t findings_per_page = 5;     // kept of one rule on one page; counts stay exact
  std::size_t findings_per_rule = 1000;  // kept of one rule
};

struct RuleResult {
  const Rule* rule = nullptr;
  std::uint32_t passing = 0, failing = 0, unknown = 0, not_applicable = 0;  // pages, or 1 site
  // Why it was not decided, most frequent first, with how many pages: "bot protection answered".
  std::vector<std::pair<std::string, std::uint32_t>> unknown_reasons;
  std::vector<std::pair<std::string, std::uint32_t>> not_applicable_reasons;
  std::vector<Finding> findings;      // in page order
  std::uint64_t findings_total = 0;   // also those not kept
  std::vector<PageId> failing_pages;  // all, in order; empty for site rules
  double share = 0;
  double stage_gain = 0, gain = 0;  // "fixing this adds"
  // Of a site rule; of a page rule: fail when any page fails, else pass when any passes, else
  // unknown when any is unknown.
  Verdict verdict() const;
};

struct PageResult {
  std::string url, final_url;
  int status = 0;
  std::optional<Failure> failure;
  std::string content_type;            // essence
  std::optional<std::uint32_t> depth;  // none: only a sitemap names it
  FoundVia via = FoundVia::kLink;
  std::string found_from;
  std::string title;
  std::string lang;
  std::uint32_t words = 0;
  std::uint32_t links = 0;     // links on the page
  std::uint32_t links_in = 0;  // pages of the read that link here
  std::uint64_t bytes = 0;     // decoded
  bool cut = false;
  bool html = false;
  bool blocked = false;  // bot protection answered instead of the page
  bool noindex = false;
  std::optional<bool> indexable;      // none: not known
  std::string canonical;              // resolved; empty when there is none
  std::string leads_to;               // of a redirect: where it ends
  std::uint32_t wait_ms = 0;          // the server's own time
  std::vector<std::uint16_t> failed;  // indices into Judgement::rules, in their order
};

struct LinkRecord {  // one link of a page, for links.csv: the first to each target
  PageId from = kNoPage;
  std::string to;
  std::string words;
  bool internal = false, nofollow = false;
  std::optional<int> status;  // of the target, where it was read
  SourcePlace place;
};

struct AgentResult {
  const Agent* agent = nullptr;
  bool known = true;               // false: robots.txt could not be read
  bool home_allowed = true;        // may it fetch the start page?
  std::uint32_t pages_closed = 0;  // of the pages that we read
  std::uint32_t line = 0;          // that decides on the start page; 0: none
  std::string rule;                // that line as written
  std::string group;               // "GPTBot", "*", or empty: no group
};

struct RobotsResult {
  std::string url;
  int status = 0;
  std::optional<Failure> failure;
  bool from_last_good = false;
  std::uint32_t line = 0;  // the line that decides for us on the start page
  std::string rule;
  std::vector<std::string> sitemaps;
  std::optional<double> crawl_delay;
  std::vector<std::string> signals;  // Content-Signal and Content-Usage lines as written
};

struct SitemapResult {
  std::string url;
  int status = 0;
  std::optional<Failure> failure;
  std::string kind;  // "url set", "index", "text", "RSS", "Atom", "none"
  std::uint64_t entries = 0;
  std::vector<std::string> faults;
};

struct Judgement {
  std::string rulebook_version, score_version;
  SiteRead read;  // who, when, outcome, traps, not fetched
  bool complete = false;
  std::optional<double> overall;  // none: no_score says why
  std::string no_score;
  ScoreSheet sheet;
  std::vector<RuleResult> rules;        // the rulebook's order
  std::vector<std::uint16_t> fix_list;  // indices into rules, largest gain first
  std::vector<PageResult> pages;        // the order of reading; PageId is the index
  std::optional<RobotsResult> robots;
  std::vector<SitemapResult> sitemaps;
  std::vector<AgentResult> agents;
  std::optional<TlsFacts> tls;  // of the home page
  // Every link in reading order, one for each (page, target).
  std::vector<LinkRecord> links() const;

  struct Kept;  // what links() is made of
  std::shared_ptr<const Kept> kept;
};

// Judges a read. The error is the source's.
Result<Judgement> judge(SiteReadSource& source, const Rulebook& rulebook,
                        const JudgeOptions& options);

}  // namespace periplus
