#include "store/schema.h"

#include <array>

#include "store/schema_search.h"

namespace periplus {
namespace {

// Types are written so that both engines take them: SQLite goes by affinity, and keeps bytes in a
// BYTEA column as they are. Times are milliseconds since 1970.
//
// Every table starts its key with `bucket`, the hash of its site, so that it can be spread over
// machines. A visit's id is its number within the bucket × 1024 + bucket: unique, rising, and it
// tells its bucket.
//
// `visits.kept` tells of the file with the visit's pages (inside.h): 1 it is there, 2 it is to be
// removed, 0 there is none. `pages.place` is the page's place in that file.
constexpr const char* kVersion1 = R"sql(
CREATE TABLE sites (
  bucket BIGINT NOT NULL,
  site TEXT NOT NULL,
  first_seen BIGINT NOT NULL,
  last_visit BIGINT NOT NULL,
  PRIMARY KEY (bucket, site)
);
CREATE TABLE visits (
  bucket BIGINT NOT NULL,
  id BIGINT NOT NULL,
  site TEXT NOT NULL,
  use TEXT NOT NULL,
  start_url TEXT NOT NULL,
  started BIGINT NOT NULL,
  ended BIGINT NOT NULL,
  outcome TEXT NOT NULL,
  outcome_detail TEXT NOT NULL,
  failure TEXT NOT NULL,
  complete BIGINT NOT NULL,
  pages_read BIGINT NOT NULL,
  identity TEXT NOT NULL,
  limits TEXT NOT NULL,
  notes TEXT NOT NULL,
  kept BIGINT NOT NULL,
  PRIMARY KEY (bucket, id)
);
CREATE INDEX visits_by_site ON visits (bucket, site, use, id);
CREATE TABLE pages (
  bucket BIGINT NOT NULL,
  visit BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  place BIGINT NOT NULL,
  url TEXT NOT NULL,
  final_url TEXT NOT NULL,
  depth BIGINT NOT NULL,
  found_from TEXT NOT NULL,
  via TEXT NOT NULL,
  status BIGINT NOT NULL,
  failure TEXT NOT NULL,
  failure_detail TEXT NOT NULL,
  fetched_at BIGINT NOT NULL,
  words BIGINT NOT NULL,
  links BIGINT NOT NULL,
  content_type TEXT NOT NULL,
  title TEXT NOT NULL,
  text_hash BIGINT NOT NULL,
  body_bytes BIGINT NOT NULL,
  cut BIGINT NOT NULL,
  notes TEXT NOT NULL,
  failed_rules TEXT NOT NULL,
  PRIMARY KEY (bucket, visit, seq),
  FOREIGN KEY (bucket, visit) REFERENCES visits (bucket, id) ON DELETE CASCADE
);
CREATE TABLE texts (
  bucket BIGINT NOT NULL,
  site TEXT NOT NULL,
  hash BIGINT NOT NULL,
  first_visit BIGINT NOT NULL,
  body BYTEA NOT NULL,
  PRIMARY KEY (bucket, site, hash)
);
CREATE TABLE documents (
  bucket BIGINT NOT NULL,
  visit BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  status BIGINT NOT NULL,
  failure TEXT NOT NULL,
  fetched_at BIGINT NOT NULL,
  headers TEXT NOT NULL,
  chain TEXT NOT NULL,
  body BYTEA,
  PRIMARY KEY (bucket, visit, seq),
  FOREIGN KEY (bucket, visit) REFERENCES visits (bucket, id) ON DELETE CASCADE
);
CREATE TABLE reports (
  bucket BIGINT NOT NULL,
  visit BIGINT NOT NULL,
  rulebook_version TEXT NOT NULL,
  score_version TEXT NOT NULL,
  made BIGINT NOT NULL,
  score DOUBLE PRECISION,
  no_score TEXT NOT NULL,
  coverage DOUBLE PRECISION NOT NULL,
  json BYTEA,
  PRIMARY KEY (bucket, visit),
  FOREIGN KEY (bucket, visit) REFERENCES visits (bucket, id) ON DELETE CASCADE
);
CREATE TABLE report_stages (
  bucket BIGINT NOT NULL,
  visit BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  name TEXT NOT NULL,
  score DOUBLE PRECISION,
  PRIMARY KEY (bucket, visit, seq),
  FOREIGN KEY (bucket, visit) REFERENCES reports (bucket, visit) ON DELETE CASCADE
);
CREATE TABLE report_rules (
  bucket BIGINT NOT NULL,
  visit BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  rule TEXT NOT NULL,
  failing BIGINT NOT NULL,
  passing BIGINT NOT NULL,
  unknown BIGINT NOT NULL,
  not_applicable BIGINT NOT NULL,
  PRIMARY KEY (bucket, visit, seq),
  FOREIGN KEY (bucket, visit) REFERENCES reports (bucket, visit) ON DELETE CASCADE
);
CREATE TABLE politeness (
  bucket BIGINT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  next_allowed BIGINT NOT NULL,
  blocked_until BIGINT NOT NULL,
  reason TEXT NOT NULL,
  failure TEXT NOT NULL,
  failures BIGINT NOT NULL,
  PRIMARY KEY (bucket, kind, key)
);
CREATE TABLE robots_copies (
  bucket BIGINT NOT NULL,
  site TEXT NOT NULL,
  origin TEXT NOT NULL,
  fetched_at BIGINT NOT NULL,
  status BIGINT NOT NULL,
  body BYTEA,
  PRIMARY KEY (bucket, site, origin)
);
CREATE TABLE robots_readings (
  bucket BIGINT NOT NULL,
  site TEXT NOT NULL,
  origin TEXT NOT NULL,
  seq BIGINT NOT NULL,
  at BIGINT NOT NULL,
  status BIGINT NOT NULL,
  failure TEXT NOT NULL,
  outcome TEXT NOT NULL,
  PRIMARY KEY (bucket, site, origin, seq)
);
CREATE TABLE leases (
  bucket BIGINT NOT NULL,
  site TEXT NOT NULL,
  holder TEXT NOT NULL,
  machine TEXT NOT NULL,
  process BIGINT NOT NULL,
  process_started BIGINT NOT NULL,
  until BIGINT NOT NULL,
  PRIMARY KEY (bucket, site)
);
CREATE TABLE starts (
  bucket BIGINT NOT NULL,
  site TEXT NOT NULL,
  use TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (bucket, site, use)
);
)sql";

constexpr std::array<Migration, 2> kMigrations{{{1, kVersion1}, {2, kSchemaSearch}}};

[[noreturn]] void refuse_file(const Connection& on, std::string sentence) {
  throw SqlError{{ErrorKind::kDatabase, std::move(sentence), on.path()}};
}

// The catalogue of tables is the one thing that the engines name differently.
bool has_table(Connection& on, const char* name) {
  return on.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1", name).next();
}
bool has_any_table(Connection& on) {
  return on.query("SELECT 1 FROM sqlite_master WHERE type = 'table'").next();
}

}  // namespace

std::span<const Migration> migrations() { return kMigrations; }

int schema_version(Connection& on) {
  if (!has_table(on, "periplus")) {
    if (has_any_table(on)) refuse_file(on, "the file is not a store of periplus");
    return 0;
  }
  Query row = on.query("SELECT schema_version FROM periplus");
  if (!row.next()) refuse_file(on, "the store does not say which schema it has");
  return row.number<int>(0);
}

void migrate(Connection& on, std::span<const Migration> steps) {
  const int ours = steps.back().number;
  const auto check = [&](int found) {
    if (found > ours) {
      refuse_file(on, "the store has schema " + std::to_string(found) +
                          ", made by a newer periplus; this one knows up to " +
                          std::to_string(ours));
    }
    return found == ours;
  };
  if (check(schema_version(on))) return;
  Transaction transaction(on);
  const int found = schema_version(on);  // another process may just have done it
  if (check(found)) return;
  if (found == 0) on.script("CREATE TABLE periplus (schema_version BIGINT NOT NULL)");
  for (const Migration& step : steps) {
    if (step.number > found) on.script(step.sql);
  }
  on.run("DELETE FROM periplus");
  on.run("INSERT INTO periplus (schema_version) VALUES ($1)", ours);
  transaction.commit();
}

}  // namespace periplus
