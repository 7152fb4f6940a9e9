// What a rule of the audit is, and what it can say about a page or a site.
//
// A verdict is one of four. `unknown` means that the evidence is missing (blocked, not fetched, not
// kept, the read stopped early) and never becomes `fail`; `not applicable` means that the rule has
// nothing to say here. Only pass and fail enter the score; unknown lowers coverage.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "html/page_facts.h"

namespace periplus {

enum class Stage : std::uint8_t {
  kReachable,       // a crawler can get it
  kReadable,        // the words are in the bytes
  kUnderstandable,  // meaning is explicit and consistent
  kTrusted,         // safe to rely on and cite
};
inline constexpr std::size_t kStages = 4;

enum class Severity : std::uint8_t { kCritical, kMajor, kMinor, kInfo };  // info is never scored
enum class Verdict : std::uint8_t { kPass, kFail, kUnknown, kNotApplicable };

enum class RuleScope : std::uint8_t {
  kSite,           // one verdict for the site
  kAddress,        // every address that was asked for, whatever it answered
  kPage,           // HTML answered with status 200
  kIndexablePage,  // those without noindex, canonical to themselves or without one, no soft 404
};

// What a verdict is made of; a rule can be judged again only where all of it was kept.
enum Need : std::uint16_t {
  kNeedsHtml = 1,
  kNeedsHeaders = 2,
  kNeedsChain = 4,
  kNeedsRobots = 8,
  kNeedsSitemap = 16,
  kNeedsGraph = 32,
  kNeedsTls = 64,
  kNeedsDocument = 128,  // an extra document: llms.txt, a probe
};

std::string_view name(Stage stage);        // "reachable": stable, for JSON and the store
std::string_view name(Severity severity);  // "critical"
std::string_view name(Verdict verdict);    // "pass", "fail", "unknown", "na"
std::string_view name(RuleScope scope);    // "site", "address", "page", "indexable page"
std::optional<Stage> stage(std::string_view name);
std::optional<Severity> severity(std::string_view name);
// "html", "graph", … of each bit, in the order of the enum.
std::vector<std::string_view> names_of_needs(std::uint16_t needs);

// Texts live for ever and are for people.
struct Rule {
  std::string_view id = {};     // "title-missing": stable
  std::string_view title = {};  // what a passing page has, one line: "Every page has a title"
  Stage stage = Stage::kReachable;
  Severity severity = Severity::kMinor;
  RuleScope scope = RuleScope::kPage;
  std::uint16_t needs = 0;                // Need bits
  std::string_view why = {};              // what goes wrong otherwise
  std::string_view fix = {};              // what to do
  std::string_view source = {};           // the standard or practice it follows
  std::string_view false_positives = {};  // when a failure may be right as it is; empty when never
  // A page on which this rule fails fails the present one too, for it could not be judged before
  // that is mended; empty when there is none.
  std::string_view prerequisite = {};
  // Needs requests to other people's sites; "not asked" unless they were asked for.
  bool optional = false;
};

// Number of a page in the read, in the order of reading.
using PageId = std::uint32_t;
inline constexpr PageId kNoPage = 0xffffffff;

inline constexpr std::size_t kQuoteBytes = 160;

struct Finding {
  PageId page = kNoPage;  // kNoPage: about the site
  std::string message;    // one sentence that names what is wrong here
  std::string quote;      // of the source or text, at most kQuoteBytes, valid UTF-8, one line
  SourcePlace place;      // line 0: no place
  std::vector<std::string> related;  // addresses: where a redirect goes, who links here, …
};

}  // namespace periplus
