// The parts of the HTML report, in the order in which they stand. Each writes what belongs into
// <main>, html.cpp puts them together.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "audit/judge.h"
#include "audit/report/html_writer.h"

namespace periplus {

inline constexpr std::size_t kFindingsShown = 50;  // of one rule; the rest is in the JSON report
inline constexpr std::size_t kFindingsTogether =
    1'000;  // of all rules; beyond it each rule shows fewer
inline constexpr std::size_t kFindingsLeast = 10;
inline constexpr std::size_t kNotFetchedShown = 100;  // addresses

// html_head.cpp
void write_head(HtmlWriter& out, const Judgement& judgement);  // <head>
void write_score(HtmlWriter& out, const Judgement& judgement);
void write_no_read(HtmlWriter& out, const Judgement& judgement);  // instead, when no page was read
// html_coverage.cpp
void write_coverage(HtmlWriter& out, const Judgement& judgement);
// html_rules.cpp
void write_fixes(HtmlWriter& out, const Judgement& judgement);
void write_rules(HtmlWriter& out, const Judgement& judgement);
// html_pages.cpp
void write_pages(HtmlWriter& out, const Judgement& judgement);
// html_site.cpp
void write_agents(HtmlWriter& out, const Judgement& judgement);
void write_files(HtmlWriter& out, const Judgement& judgement);
void write_conduct(HtmlWriter& out, const Judgement& judgement);

// Small words that several parts use (html_words.cpp).
std::string_view title_of(Stage stage);    // "Reachable"
std::string_view meaning_of(Stage stage);  // "A crawler can get the pages"
std::string number(std::uint64_t value);   // "12,345"
std::string counted(std::uint64_t value, std::string_view one, std::string_view many);
std::string percent(double part);                 // of 0..1, rounded down: "97 %"
std::string points(double gain);                  // "+2.4"
std::string moment(Instant at);                   // "2026-12-01 03:46 UTC"
std::string duration(double seconds);             // "3 min 20 s"
std::string sentence_of(std::string_view words);  // first letter large, full stop
std::string words_of(const Failure& failure);
std::string short_address(const Judgement& judgement, std::string_view url);  // without our origin
bool read_nothing(const Judgement& judgement);  // no HTML page was read
// "page-12"
std::string page_anchor(PageId page);
std::string rule_anchor(const Rule& rule);
void write_severity(HtmlWriter& out, Severity severity);
void write_page_link(HtmlWriter& out, const Judgement& judgement, PageId page);

}  // namespace periplus
