// How a rule judges: what its check is handed, and what it gives back.
//
// A page check sees one page with its facts alive. A graph check sees one page's summary and the
// whole site. A site check sees the whole site and gives one verdict. Which pages a check is asked
// about follows from the rule's scope; the judge answers for all others.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/rule.h"
#include "audit/site_facts.h"
#include "audit/site_read.h"

namespace periplus {

struct Judged {
  Verdict verdict = Verdict::kPass;
  std::string_view reason;  // of unknown and not applicable; lives for ever
};
inline Judged pass() { return {}; }
inline Judged unknown(std::string_view reason) { return {Verdict::kUnknown, reason}; }
inline Judged not_applicable(std::string_view reason) { return {Verdict::kNotApplicable, reason}; }

// One line of valid UTF-8 without control characters, at most kQuoteBytes.
std::string quote_of(std::string_view text);

// Where a check puts what it found. All are counted, the first few kept.
class FindingList {
 public:
  explicit FindingList(std::size_t most) : most_(most) {}
  void add(std::string message, std::string_view quote = {}, SourcePlace place = {},
           std::vector<std::string> related = {});
  // Of a site check: about one page.
  void add_on(PageId page, std::string message, std::string_view quote = {}, SourcePlace place = {},
              std::vector<std::string> related = {});
  bool empty() const { return total_ == 0; }
  std::uint64_t total() const { return total_; }
  // Whether another one would be kept: lets a check save the work of wording it.
  bool wants_more() const { return kept_.size() < most_; }
  void count() { ++total_; }  // one more that need not be worded
  // fail when there is a finding, else pass.
  Judged verdict() const { return {total_ == 0 ? Verdict::kPass : Verdict::kFail, {}}; }
  std::vector<Finding>& kept() { return kept_; }

 private:
  std::size_t most_;
  std::uint64_t total_ = 0;
  std::vector<Finding> kept_;
};

// A link of the page in hand, resolved.
struct ResolvedLink {
  const Link* link = nullptr;
  bool parsed = false;
  UrlFault fault = UrlFault::kNoScheme;  // when not parsed
  Url url;
  bool internal = false;  // in the site's scope
  bool ignored = false;   // no link to a page: an obfuscated mail address
};

struct PageInHand {
  const SiteFacts& site;
  const PageRecord& record;
  const PageSummary& page;
  const PageFacts* facts = nullptr;  // null when it is no HTML
  Url url;                           // where it was found
  Url base;                          // what its links resolve against
  std::span<const ResolvedLink> links;
  // The source from that place on, where its encoding lets us find it; else `otherwise`.
  std::string source(SourcePlace place, std::string_view otherwise) const;
};

using PageCheck = Judged (*)(const PageInHand&, FindingList&);
using GraphCheck = Judged (*)(const SiteFacts&, const PageSummary&, FindingList&);
using SiteCheck = Judged (*)(const SiteFacts&, FindingList&);

struct RuleEntry {
  Rule rule;
  // Exactly one of them, or none for rules that are not asked.
  PageCheck page = nullptr;
  GraphCheck graph = nullptr;
  SiteCheck site = nullptr;
};

// The families, one file each under rules/.
std::span<const RuleEntry> answering_rules();
std::span<const RuleEntry> redirect_rules();
std::span<const RuleEntry> robots_rules();
std::span<const RuleEntry> ai_agent_rules();
std::span<const RuleEntry> indexing_rules();
std::span<const RuleEntry> sitemap_rules();
std::span<const RuleEntry> tls_rules();
std::span<const RuleEntry> address_rules();
std::span<const RuleEntry> encoding_rules();
std::span<const RuleEntry> structure_rules();
std::span<const RuleEntry> text_rules();
std::span<const RuleEntry> link_rules();
std::span<const RuleEntry> naming_rules();
std::span<const RuleEntry> canonical_rules();
std::span<const RuleEntry> hreflang_rules();
std::span<const RuleEntry> duplicate_rules();
std::span<const RuleEntry> data_rules();
std::span<const RuleEntry> security_rules();

}  // namespace periplus
