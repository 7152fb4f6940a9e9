// What must not be forgotten between two requests: paces, back-offs, leases, readings of
// robots.txt.
#include <fmt/format.h>

#include <algorithm>

#include "store/inside.h"

namespace periplus {
namespace {

constexpr std::int64_t kReadingsKept = 100;

}  // namespace

Result<std::optional<PolitenessRow>> Store::politeness(const std::string& kind,
                                                       const std::string& key) {
  return guarded([&]() -> Result<std::optional<PolitenessRow>> {
    Query row = inside_->sql.query(
        "SELECT next_allowed, blocked_until, reason, failure, failures FROM politeness"
        " WHERE bucket = $1 AND kind = $2 AND key = $3",
        bucket_of_site(key), kind, key);
    if (!row.next()) return std::nullopt;
    return PolitenessRow{kind,
                         key,
                         row.instant(0),
                         row.instant(1),
                         row.text(2),
                         row.text(3),
                         row.number<std::uint32_t>(4)};
  });
}

Result<void> Store::put_politeness(std::span<const PolitenessRow> rows) {
  return guarded([&]() -> Result<void> {
    Connection& sql = inside_->sql;
    sql.set_durable(std::ranges::any_of(
        rows, [](const PolitenessRow& row) { return row.blocked_until != Instant{}; }));
    Transaction transaction(sql);
    for (const PolitenessRow& row : rows) {
      sql.run(
          "INSERT INTO politeness (bucket, kind, key, next_allowed, blocked_until, reason, failure,"
          " failures) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
          " ON CONFLICT (bucket, kind, key) DO UPDATE SET next_allowed = excluded.next_allowed,"
          " blocked_until = excluded.blocked_until, reason = excluded.reason,"
          " failure = excluded.failure, failures = excluded.failures",
          bucket_of_site(row.key), row.kind, row.key, row.next_allowed, row.blocked_until,
          row.reason, row.failure, row.failures);
    }
    transaction.commit();
    return {};
  });
}

Result<void> Store::put_robots_copy(const RobotsCopy& copy) {
  return guarded([&]() -> Result<void> {
    Connection& sql = inside_->sql;
    sql.set_durable(true);
    sql.run(
        "INSERT INTO robots_copies (bucket, site, origin, fetched_at, status, body)"
        " VALUES ($1, $2, $3, $4, $5, $6)"
        " ON CONFLICT (bucket, site, origin) DO UPDATE SET fetched_at = excluded.fetched_at,"
        " status = excluded.status, body = excluded.body",
        bucket_of_site(copy.site), copy.site, copy.origin, copy.fetched_at, copy.status,
        Blob{copy.packed_body});
    return {};
  });
}

Result<std::optional<RobotsCopy>> Store::robots_copy(const std::string& site,
                                                     const std::string& origin, Instant oldest) {
  return guarded([&]() -> Result<std::optional<RobotsCopy>> {
    Query row = inside_->sql.query(
        "SELECT fetched_at, status, body FROM robots_copies"
        " WHERE bucket = $1 AND site = $2 AND origin = $3 AND fetched_at >= $4",
        bucket_of_site(site), site, origin, oldest);
    if (!row.next()) return std::nullopt;
    return RobotsCopy{site, origin, row.instant(0), row.number<int>(1), row.text(2)};
  });
}

Result<void> Store::note_robots_reading(const RobotsReading& reading) {
  return guarded([&]() -> Result<void> {
    Connection& sql = inside_->sql;
    const std::int64_t bucket = bucket_of_site(reading.site);
    sql.set_durable(false);
    Transaction transaction(sql);
    Query newest = sql.query(
        "SELECT coalesce(max(seq), 0) FROM robots_readings"
        " WHERE bucket = $1 AND site = $2 AND origin = $3",
        bucket, reading.site, reading.origin);
    newest.next();
    const std::int64_t seq = newest.integer(0) + 1;
    sql.run(
        "INSERT INTO robots_readings (bucket, site, origin, seq, at, status, failure, outcome)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        bucket, reading.site, reading.origin, seq, reading.at, reading.status, reading.failure,
        reading.outcome);
    sql.run(
        "DELETE FROM robots_readings WHERE bucket = $1 AND site = $2 AND origin = $3 AND seq <= $4",
        bucket, reading.site, reading.origin, seq - kReadingsKept);
    transaction.commit();
    return {};
  });
}

Result<std::vector<RobotsReading>> Store::robots_readings(const std::string& site,
                                                          const std::string& origin,
                                                          std::size_t most) {
  return guarded([&]() -> Result<std::vector<RobotsReading>> {
    std::vector<RobotsReading> found;
    Query row = inside_->sql.query(
        "SELECT at, status, failure, outcome FROM robots_readings"
        " WHERE bucket = $1 AND site = $2 AND origin = $3 ORDER BY seq DESC LIMIT $4",
        bucket_of_site(site), site, origin, static_cast<std::int64_t>(most));
    while (row.next()) {
      found.push_back({site, origin, row.instant(0), row.number<int>(1), row.text(2), row.text(3)});
    }
    return found;
  });
}

Result<void> take_lease(Store::Inside& inside, const std::string& site, Instant now,
                        Instant until) {
  {
    Query row = inside.sql.query(
        "SELECT holder, machine, process, process_started, until FROM leases"
        " WHERE bucket = $1 AND site = $2",
        bucket_of_site(site), site);
    if (row.next() && row.bytes(0) != inside.holder && row.instant(4) > now &&
        !is_gone({row.text(1), row.integer(2), row.integer(3)})) {
      return fail(ErrorKind::kBusy,
                  fmt::format("{} is being read by another process (number {}), at the latest "
                              "until {}",
                              site, row.integer(2), to_rfc3339(row.instant(4))));
    }
  }
  const ProcessMark& me = inside.process;
  inside.sql.run(
      "INSERT INTO leases (bucket, site, holder, machine, process, process_started, until)"
      " VALUES ($1, $2, $3, $4, $5, $6, $7)"
      " ON CONFLICT (bucket, site) DO UPDATE SET holder = excluded.holder,"
      " machine = excluded.machine, process = excluded.process,"
      " process_started = excluded.process_started, until = excluded.until",
      bucket_of_site(site), site, inside.holder, me.machine, me.process, me.started, until);
  inside.holds_leases = true;
  return {};
}

bool has_lease(Store::Inside& inside, const std::string& site) {
  return inside.sql
      .query("SELECT 1 FROM leases WHERE bucket = $1 AND site = $2 AND holder = $3",
             bucket_of_site(site), site, inside.holder)
      .next();
}

void give_back_lease(Store::Inside& inside, const std::string& site) {
  inside.sql.run("DELETE FROM leases WHERE bucket = $1 AND site = $2 AND holder = $3",
                 bucket_of_site(site), site, inside.holder);
}

Result<void> Store::lease(const std::string& site, Instant now, Instant until) {
  return guarded([&]() -> Result<void> {
    inside_->sql.set_durable(true);
    Transaction transaction(inside_->sql);
    const Result<void> taken = take_lease(*inside_, site, now, until);
    if (taken) transaction.commit();
    return taken;
  });
}

Result<void> Store::release(const std::string& site) {
  return guarded([&]() -> Result<void> {
    inside_->sql.set_durable(false);
    give_back_lease(*inside_, site);
    return {};
  });
}

Result<std::optional<Instant>> Store::last_start(const std::string& site, const std::string& use) {
  return guarded([&]() -> Result<std::optional<Instant>> {
    Query row =
        inside_->sql.query("SELECT at FROM starts WHERE bucket = $1 AND site = $2 AND use = $3",
                           bucket_of_site(site), site, use);
    if (!row.next()) return std::nullopt;
    return row.instant(0);
  });
}

Result<void> Store::note_start(const std::string& site, const std::string& use, Instant at) {
  return guarded([&]() -> Result<void> {
    inside_->sql.set_durable(true);
    inside_->sql.run(
        "INSERT INTO starts (bucket, site, use, at) VALUES ($1, $2, $3, $4)"
        " ON CONFLICT (bucket, site, use) DO UPDATE SET at = excluded.at",
        bucket_of_site(site), site, use, at);
    return {};
  });
}

}  // namespace periplus
