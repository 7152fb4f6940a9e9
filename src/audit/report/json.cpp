#include <nlohmann/json.hpp>

#include "audit/report/report.h"

namespace periplus {
namespace {

using json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "https://periplus.example/schema/audit-report/1";

template <class T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json();
}
json text_or_null(std::string_view text) { return text.empty() ? json() : json(text); }
json failure_json(const std::optional<Failure>& failure) {
  return failure ? json{{"kind", name(failure->kind)},
                        {"sentence", sentence(failure->kind)},
                        {"detail", failure->detail}}
                 : json();
}
json instant_json(Instant at) { return at == Instant{} ? json() : json(to_rfc3339(at)); }
// Two decimals: more would only say how the arithmetic went.
json rounded(double value) {
  return static_cast<double>(static_cast<std::int64_t>(value * 100 + (value < 0 ? -0.5 : 0.5))) /
         100.0;
}
json rounded(const std::optional<double>& value) { return value ? rounded(*value) : json(); }

json ids(const Judgement& j, const std::vector<std::uint16_t>& indices) {
  json out = json::array();
  for (const std::uint16_t index : indices) out.push_back(j.rules.at(index).rule->id);
  return out;
}

json stages_json(const Judgement& j) {
  json out = json::array();
  for (std::size_t i = 0; i < kStages; ++i) {
    const StageScore& stage = j.sheet.stages.at(i);
    out.push_back({{"stage", name(static_cast<Stage>(i))},
                   {"score", rounded(stage.score)},
                   {"coverage", rounded(stage.coverage)},
                   {"partial", stage.partial}});
  }
  return out;
}

json finding_json(const Judgement& j, const Finding& finding) {
  return {{"page", finding.page == kNoPage ? json() : json(j.pages.at(finding.page).url)},
          {"message", finding.message},
          {"quote", text_or_null(finding.quote)},
          {"line", finding.place.line == 0 ? json() : json(finding.place.line)},
          {"column", finding.place.line == 0 ? json() : json(finding.place.column)},
          {"related", finding.related}};
}

json reasons_json(const std::vector<std::pair<std::string, std::uint32_t>>& reasons) {
  json out = json::array();
  for (const auto& [reason, pages] : reasons) out.push_back({{"reason", reason}, {"pages", pages}});
  return out;
}

json rules_json(const Judgement& j) {
  json out = json::array();
  for (const RuleResult& result : j.rules) {
    json findings = json::array();
    for (const Finding& finding : result.findings) findings.push_back(finding_json(j, finding));
    out.push_back({{"id", result.rule->id},
                   {"title", result.rule->title},
                   {"stage", name(result.rule->stage)},
                   {"severity", name(result.rule->severity)},
                   {"scope", name(result.rule->scope)},
                   {"verdict", name(result.verdict())},
                   {"passing", result.passing},
                   {"failing", result.failing},
                   {"unknown", result.unknown},
                   {"not_applicable", result.not_applicable},
                   {"gain", rounded(result.stage_gain)},
                   {"overall_gain", rounded(result.gain)},
                   {"unknown_reasons", reasons_json(result.unknown_reasons)},
                   {"findings_total", result.findings_total},
                   {"findings", std::move(findings)}});
  }
  return out;
}

json pages_json(const Judgement& j) {
  json out = json::array();
  for (const PageResult& page : j.pages) {
    out.push_back({{"url", page.url},
                   {"final_url", page.final_url},
                   {"status", page.status == 0 ? json() : json(page.status)},
                   {"failure", failure_json(page.failure)},
                   {"depth", or_null(page.depth)},
                   {"via", name(page.via)},
                   {"found_from", text_or_null(page.found_from)},
                   {"title", page.title},
                   {"language", text_or_null(page.lang)},
                   {"content_type", text_or_null(page.content_type)},
                   {"words", page.words},
                   {"links", page.links},
                   {"links_in", page.links_in},
                   {"bytes", page.bytes},
                   {"cut", page.cut},
                   {"blocked", page.blocked},
                   {"noindex", page.noindex},
                   {"indexable", or_null(page.indexable)},
                   {"canonical", text_or_null(page.canonical)},
                   {"leads_to", text_or_null(page.leads_to)},
                   {"wait_ms", page.wait_ms},
                   {"failed_rules", ids(j, page.failed)}});
  }
  return out;
}

json robots_json(const RobotsResult& robots) {
  return {{"url", robots.url},
          {"status", robots.status == 0 ? json() : json(robots.status)},
          {"failure", failure_json(robots.failure)},
          {"from_last_good", robots.from_last_good},
          {"line", robots.line == 0 ? json() : json(robots.line)},
          {"rule", text_or_null(robots.rule)},
          {"crawl_delay", or_null(robots.crawl_delay)},
          {"sitemaps", robots.sitemaps},
          {"signals", robots.signals}};
}

json not_fetched_json(const SiteRead& read) {
  json list = json::array();
  for (const NotFetched& item : read.not_fetched) {
    list.push_back({{"url", item.url},
                    {"reason", name(item.reason)},
                    {"sentence", sentence(item.reason)},
                    {"found_from", text_or_null(item.found_from)}});
  }
  return list;
}

json counts_json(const SiteRead& read) {
  json out = json::object();
  for (const auto& [reason, count] : read.not_fetched_counts)
    out[std::string(name(reason))] = count;
  return out;
}

json traps_json(const SiteRead& read) {
  json out = json::array();
  for (const Trap& trap : read.traps) {
    out.push_back({{"kind", name(trap.kind)},
                   {"sentence", sentence(trap.kind)},
                   {"pattern", trap.pattern},
                   {"example", trap.example},
                   {"found_on", text_or_null(trap.found_on)},
                   {"pages", trap.pages},
                   {"refused", trap.refused}});
  }
  return out;
}

json sitemaps_json(const Judgement& j) {
  json out = json::array();
  for (const SitemapResult& map : j.sitemaps) {
    out.push_back({{"url", map.url},
                   {"status", map.status == 0 ? json() : json(map.status)},
                   {"failure", failure_json(map.failure)},
                   {"kind", map.kind},
                   {"entries", map.entries},
                   {"faults", map.faults}});
  }
  return out;
}

json agents_json(const Judgement& j) {
  json out = json::array();
  for (const AgentResult& result : j.agents) {
    out.push_back({{"token", result.agent->token},
                   {"vendor", result.agent->vendor},
                   {"purpose", name(result.agent->purpose)},
                   {"allowed", result.known ? json(result.home_allowed) : json()},
                   {"pages_closed", result.pages_closed},
                   {"line", result.line == 0 ? json() : json(result.line)},
                   {"rule", text_or_null(result.rule)},
                   {"group", text_or_null(result.group)}});
  }
  return out;
}

json tls_json(const std::optional<TlsFacts>& tls) {
  if (!tls || !tls->used) return {};
  return {{"version", tls->version},
          {"issuer", tls->issuer},
          {"subject", tls->subject},
          {"not_before", tls->not_before ? instant_json(*tls->not_before) : json()},
          {"not_after", tls->not_after ? instant_json(*tls->not_after) : json()}};
}

}  // namespace

std::string json_report(const Judgement& j) {
  const SiteRead& read = j.read;
  const json outcome = {{"kind", name(read.outcome.kind)},
                        {"sentence", sentence(read.outcome.kind)},
                        {"detail", text_or_null(read.outcome.detail)},
                        {"failure", failure_json(read.outcome.failure)}};
  const json report = {{"schema", kSchema},
                       {"schema_version", 1},
                       {"rulebook_version", j.rulebook_version},
                       {"score_version", j.score_version},
                       {"site", read.site},
                       {"start_url", read.start_url},
                       {"home_url", text_or_null(read.home_url)},
                       {"started", instant_json(read.started)},
                       {"ended", instant_json(read.ended)},
                       {"user_agent", read.user_agent},
                       {"outcome", outcome},
                       {"complete", j.complete},
                       {"retry_at", instant_json(read.retry_at)},
                       {"waited_seconds", rounded(read.waited_seconds)},
                       {"score", rounded(j.overall)},
                       {"grade", j.overall ? json(std::string(1, grade(*j.overall))) : json()},
                       {"no_score", text_or_null(j.no_score)},
                       {"coverage", rounded(j.sheet.coverage)},
                       {"partial", j.sheet.partial},
                       {"stages", stages_json(j)},
                       {"fix_list", ids(j, j.fix_list)},
                       {"rules", rules_json(j)},
                       {"pages", pages_json(j)},
                       {"page_limit", read.page_limit == 0 ? json() : json(read.page_limit)},
                       {"not_fetched", not_fetched_json(read)},
                       {"not_fetched_counts", counts_json(read)},
                       {"traps", traps_json(read)},
                       {"robots", j.robots ? robots_json(*j.robots) : json()},
                       {"sitemaps", sitemaps_json(j)},
                       {"agents", agents_json(j)},
                       {"agents_date", kAgentsDate},
                       {"tls", tls_json(j.tls)}};
  return report.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace periplus
