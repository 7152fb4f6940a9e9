#include "store/schedule.h"

#include "store/inside.h"

namespace periplus {
namespace {

#define PERIPLUS_SCHEDULE_COLUMNS                                                           \
  "site, owner, start_url, known_since, source, owners, owners_in, hops, line, next_visit," \
  " reason, visits, pages, failure, failures, verdict, points, held, sitemaps_read "

ScheduledSite site_of(const Query& row) {
  ScheduledSite site;
  site.site = row.text(0);
  site.owner = row.text(1);
  site.start_url = row.text(2);
  site.known_since = row.instant(3);
  site.source = row.text(4);
  site.owners = row.number<std::uint32_t>(5);
  site.owners_in = row.number<std::uint32_t>(6);
  site.hops = row.number<std::uint32_t>(7);
  site.line = static_cast<Line>(row.integer(8));
  site.next_visit = row.instant(9);
  site.reason = row.text(10);
  site.visits = row.number<std::uint32_t>(11);
  site.pages = row.number<std::uint32_t>(12);
  site.failure = row.text(13);
  site.failures = row.number<std::uint32_t>(14);
  site.verdict = row.text(15);
  site.points = row.real(16);
  site.held = row.text(17);
  site.sitemaps_read = row.instant(18);
  return site;
}

// Of one line, those that are due, best first.
void read_due(Query row, std::vector<ScheduledSite>* into) {
  while (row.next()) into->push_back(site_of(row));
}

}  // namespace

bool add_to_schedule(Connection& sql, const ScheduledSite& site) {
  return sql
      .query(
          "INSERT INTO schedule (bucket, site, owner, start_url, known_since, source, owners,"
          " owners_in, hops, line, next_visit, reason, visits, pages, failure, failures, verdict,"
          " points, held, sitemaps_read)"
          " VALUES ($1, $2, $3, $4, $5, $6, 0, 0, $7, $8, $9, $10, 0, 0, '', 0, $11, $12, '', 0)"
          " ON CONFLICT (bucket, site) DO NOTHING RETURNING site",
          bucket_of_site(site.site), site.site, site.owner, site.start_url, site.known_since,
          site.source, site.hops, static_cast<int>(site.line), site.next_visit, site.reason,
          site.verdict, site.points)
      .next();
}

Result<bool> Schedule::add(const ScheduledSite& site) {
  return guarded([&]() -> Result<bool> {
    Connection& sql = store_.inside().sql;
    sql.set_durable(true);
    return add_to_schedule(sql, site);
  });
}

Result<bool> Schedule::bring_forward(const std::string& site, Instant at,
                                     const std::string& reason) {
  return guarded([&]() -> Result<bool> {
    Connection& sql = store_.inside().sql;
    sql.set_durable(true);
    Transaction transaction(sql);
    const std::int64_t bucket = bucket_of_site(site);
    sql.run(
        "UPDATE schedule SET line = CASE WHEN visits = 0 THEN 0 ELSE 1 END, next_visit = $1,"
        " reason = $2 WHERE bucket = $3 AND site = $4 AND line = 2",
        at, reason, bucket, site);
    sql.run(
        "UPDATE schedule SET next_visit = $1, reason = $2"
        " WHERE bucket = $3 AND site = $4 AND line <> 3 AND next_visit > $1",
        at, reason, bucket, site);
    const bool known =
        sql.query("SELECT 1 FROM schedule WHERE bucket = $1 AND site = $2", bucket, site).next();
    transaction.commit();
    return known;
  });
}

Result<void> Schedule::hold(const std::string& site, const std::string& reason) {
  return guarded([&]() -> Result<void> {
    Connection& sql = store_.inside().sql;
    sql.set_durable(true);
    sql.run("UPDATE schedule SET line = 2, reason = $1 WHERE bucket = $2 AND site = $3", reason,
            bucket_of_site(site), site);
    return {};
  });
}

Result<void> Schedule::release_held_pages(const std::string& site) {
  return guarded([&]() -> Result<void> {
    Connection& sql = store_.inside().sql;
    sql.set_durable(true);
    sql.run("UPDATE schedule SET held = 'released' WHERE bucket = $1 AND site = $2 AND held <> ''",
            bucket_of_site(site), site);
    return {};
  });
}

Result<std::vector<ScheduledSite>> Schedule::take(Instant now, std::size_t most,
                                                  Instant lease_until) {
  return guarded([&]() -> Result<std::vector<ScheduledSite>> {
    std::vector<ScheduledSite> taken;
    if (most == 0) return taken;
    Store::Inside& inside = store_.inside();
    Connection& sql = inside.sql;
    sql.set_durable(false);  // kill -9 forgets nothing; after a loss of power the line is as before
    Transaction transaction(sql);
    std::vector<ScheduledSite> visited;
    read_due(sql.query("SELECT " PERIPLUS_SCHEDULE_COLUMNS
                       "FROM schedule WHERE line = 1 AND next_visit <= $1"
                       " ORDER BY next_visit LIMIT $2",
                       now, static_cast<std::int64_t>(most)),
             &visited);
    std::vector<ScheduledSite> fresh;
    read_due(sql.query("SELECT " PERIPLUS_SCHEDULE_COLUMNS "FROM schedule WHERE line = 0"
                       " ORDER BY owners_in DESC, owners DESC, known_since LIMIT $1",
                       static_cast<std::int64_t>(most)),
             &fresh);
    std::size_t next_visited = 0;
    std::size_t next_fresh = 0;
    while (taken.size() < most && (next_visited < visited.size() || next_fresh < fresh.size())) {
      const bool take_visited = next_visited < visited.size() &&
                                (next_fresh >= fresh.size() || next_visited <= next_fresh);
      ScheduledSite& site = take_visited ? visited[next_visited++] : fresh[next_fresh++];
      if (!take_lease(inside, site.site, now, lease_until)) continue;
      sql.run("UPDATE schedule SET line = 3 WHERE bucket = $1 AND site = $2",
              bucket_of_site(site.site), site.site);
      taken.push_back(std::move(site));
    }
    if (!taken.empty()) transaction.commit();
    return taken;
  });
}

namespace {

void put_back(Connection& sql, const std::string& site) {
  sql.run(
      "UPDATE schedule SET line = CASE WHEN visits = 0 THEN 0 ELSE 1 END"
      " WHERE bucket = $1 AND site = $2 AND line = 3",
      bucket_of_site(site), site);
}

}  // namespace

Result<void> Schedule::hand_back(const std::string& site) {
  return guarded([&]() -> Result<void> {
    Store::Inside& inside = store_.inside();
    inside.sql.set_durable(false);
    Transaction transaction(inside.sql);
    if (has_lease(inside, site)) {
      put_back(inside.sql, site);
      give_back_lease(inside, site);
      transaction.commit();
    }
    return {};
  });
}

Result<std::size_t> Schedule::reclaim(Instant now) {
  return guarded([&]() -> Result<std::size_t> {
    Store::Inside& inside = store_.inside();
    Connection& sql = inside.sql;
    sql.set_durable(false);
    Transaction transaction(sql);
    std::vector<std::string> orphans;
    {
      Query row = sql.query(
          "SELECT s.site, l.machine, l.process, l.process_started, l.until, l.holder"
          " FROM schedule s LEFT JOIN leases l ON l.bucket = s.bucket AND l.site = s.site"
          " WHERE s.line = 3");
      while (row.next()) {
        const bool lives = !row.is_null(5) && row.instant(4) > now &&
                           !is_gone({row.text(1), row.integer(2), row.integer(3)});
        if (!lives) orphans.push_back(row.text(0));
      }
    }
    for (const std::string& site : orphans) {
      put_back(sql, site);
      sql.run("DELETE FROM leases WHERE bucket = $1 AND site = $2", bucket_of_site(site), site);
    }
    if (!orphans.empty()) transaction.commit();
    return orphans.size();
  });
}

Result<std::optional<ScheduledSite>> Schedule::find(const std::string& site) {
  return guarded([&]() -> Result<std::optional<ScheduledSite>> {
    Query row = store_.inside().sql.query("SELECT " PERIPLUS_SCHEDULE_COLUMNS
                                          "FROM schedule WHERE bucket = $1 AND site = $2",
                                          bucket_of_site(site), site);
    if (!row.next()) return std::nullopt;
    return site_of(row);
  });
}

Result<std::optional<Instant>> Schedule::next_due() {
  return guarded([&]() -> Result<std::optional<Instant>> {
    Connection& sql = store_.inside().sql;
    if (sql.query("SELECT 1 FROM schedule WHERE line = 0 LIMIT 1").next()) return Instant{};
    Query row = sql.query("SELECT min(next_visit) FROM schedule WHERE line = 1");
    if (!row.next() || row.is_null(0)) return std::nullopt;
    return row.instant(0);
  });
}

Result<ScheduleCounts> Schedule::counts(Instant now) {
  return guarded([&]() -> Result<ScheduleCounts> {
    Connection& sql = store_.inside().sql;
    ScheduleCounts counts;
    {
      Query row = sql.query("SELECT line, count(*) FROM schedule GROUP BY line");
      while (row.next()) {
        const auto pages = row.number<std::uint64_t>(1);
        switch (static_cast<Line>(row.integer(0))) {
          case Line::kNew:
            counts.fresh = pages;
            break;
          case Line::kVisited:
            counts.visited = pages;
            break;
          case Line::kHeld:
            counts.held = pages;
            break;
          case Line::kVisiting:
            counts.visiting = pages;
            break;
        }
      }
    }
    Query due = sql.query("SELECT count(*) FROM schedule WHERE line = 1 AND next_visit <= $1", now);
    if (due.next()) counts.due = due.number<std::uint64_t>(0);
    return counts;
  });
}

Result<std::vector<ScheduledSite>> Schedule::list(const std::string& after, std::size_t most) {
  return guarded([&]() -> Result<std::vector<ScheduledSite>> {
    std::vector<ScheduledSite> found;
    Query row = store_.inside().sql.query("SELECT " PERIPLUS_SCHEDULE_COLUMNS
                                          "FROM schedule WHERE site > $1 ORDER BY site LIMIT $2",
                                          after, static_cast<std::int64_t>(most));
    while (row.next()) found.push_back(site_of(row));
    return found;
  });
}

}  // namespace periplus
