// The verdicts on visits.
#include <unordered_map>

#include "store/inside.h"

namespace periplus {

Result<void> Store::put_report(const StoredReport& report,
                               std::span<const std::pair<std::string, std::string>> failed) {
  return guarded([&]() -> Result<void> {
    Connection& sql = inside_->sql;
    const std::int64_t bucket = bucket_of_visit(report.visit);
    sql.set_durable(true);
    Transaction transaction(sql);
    Query visit =
        sql.query("SELECT 1 FROM visits WHERE bucket = $1 AND id = $2", bucket, report.visit);
    if (!visit.next()) {
      return fail(ErrorKind::kInternal,
                  "a report on a visit that is not recorded: " + std::to_string(report.visit));
    }
    sql.run("DELETE FROM reports WHERE bucket = $1 AND visit = $2", bucket, report.visit);
    sql.run(
        "INSERT INTO reports (bucket, visit, rulebook_version, score_version, made, score,"
        " no_score, coverage, json) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        bucket, report.visit, report.rulebook_version, report.score_version, report.made,
        report.score, report.no_score, report.coverage, Blob{report.packed_json});
    std::int64_t seq = 0;
    for (const auto& [stage, score] : report.stages) {
      sql.run(
          "INSERT INTO report_stages (bucket, visit, seq, name, score) VALUES ($1, $2, $3, $4, $5)",
          bucket, report.visit, seq++, stage, score);
    }
    seq = 0;
    for (const RuleCount& rule : report.rules) {
      sql.run(
          "INSERT INTO report_rules (bucket, visit, seq, rule, failing, passing, unknown,"
          " not_applicable) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
          bucket, report.visit, seq++, rule.rule, rule.failing, rule.passing, rule.unknown,
          rule.not_applicable);
    }

    std::unordered_map<std::string_view, std::string_view> rules_of(failed.begin(), failed.end());
    std::vector<std::pair<std::int64_t, std::string_view>> changes;
    {
      Query row =
          sql.query("SELECT seq, url, failed_rules FROM pages WHERE bucket = $1 AND visit = $2",
                    bucket, report.visit);
      while (row.next()) {
        const auto found = rules_of.find(row.bytes(1));
        const std::string_view rules = found == rules_of.end() ? std::string_view() : found->second;
        if (rules != row.bytes(2)) changes.emplace_back(row.integer(0), rules);
      }
    }
    for (const auto& [page, rules] : changes) {
      sql.run("UPDATE pages SET failed_rules = $1 WHERE bucket = $2 AND visit = $3 AND seq = $4",
              rules, bucket, report.visit, page);
    }
    transaction.commit();
    return {};
  });
}

Result<std::optional<StoredReport>> Store::report(VisitId id) {
  return guarded([&]() -> Result<std::optional<StoredReport>> {
    Connection& sql = inside_->sql;
    const std::int64_t bucket = bucket_of_visit(id);
    Query row = sql.query(
        "SELECT rulebook_version, score_version, made, score, no_score, coverage, json FROM reports"
        " WHERE bucket = $1 AND visit = $2",
        bucket, id);
    if (!row.next()) return std::nullopt;
    StoredReport report;
    report.visit = id;
    report.rulebook_version = row.text(0);
    report.score_version = row.text(1);
    report.made = row.instant(2);
    if (!row.is_null(3)) report.score = row.real(3);
    report.no_score = row.text(4);
    report.coverage = row.real(5);
    report.packed_json = row.text(6);
    Query stage = sql.query(
        "SELECT name, score FROM report_stages WHERE bucket = $1 AND visit = $2 ORDER BY seq",
        bucket, id);
    while (stage.next()) {
      std::optional<double> score;
      if (!stage.is_null(1)) score = stage.real(1);
      report.stages.emplace_back(stage.text(0), score);
    }
    Query rule = sql.query(
        "SELECT rule, failing, passing, unknown, not_applicable FROM report_rules"
        " WHERE bucket = $1 AND visit = $2 ORDER BY seq",
        bucket, id);
    while (rule.next()) {
      report.rules.push_back({rule.text(0), rule.number<std::uint32_t>(1),
                              rule.number<std::uint32_t>(2), rule.number<std::uint32_t>(3),
                              rule.number<std::uint32_t>(4)});
    }
    return report;
  });
}

}  // namespace periplus
