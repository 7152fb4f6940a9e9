// Schema 2: what a search engine remembers. The line of sites, the pages known of each, link words,
// and near duplicates; kinds and states are words of the room that owns them.
#pragma once

namespace periplus {

// `schedule.line`: 0 new, 1 visited before, 2 held back, 3 being visited; the indexes give the best
// of a line at once, however long it is.
//
// `search_pages.seq` rises with every change of a row that a result may show: an index follows it.
// `near_texts` has one row for each band of a text's fingerprint; its bucket is the band's, for the
// texts of all sites are compared.
inline constexpr const char* kSchemaSearch = R"sql(
CREATE TABLE schedule (
  bucket BIGINT NOT NULL,
  site TEXT NOT NULL,
  owner TEXT NOT NULL,
  start_url TEXT NOT NULL,
  known_since BIGINT NOT NULL,
  source TEXT NOT NULL,
  owners BIGINT NOT NULL,
  owners_in BIGINT NOT NULL,
  hops BIGINT NOT NULL,
  line BIGINT NOT NULL,
  next_visit BIGINT NOT NULL,
  reason TEXT NOT NULL,
  visits BIGINT NOT NULL,
  pages BIGINT NOT NULL,
  failure TEXT NOT NULL,
  failures BIGINT NOT NULL,
  verdict TEXT NOT NULL,
  points DOUBLE PRECISION NOT NULL,
  held TEXT NOT NULL,
  sitemaps_read BIGINT NOT NULL,
  PRIMARY KEY (bucket, site)
);
CREATE INDEX schedule_new ON schedule (line, owners_in DESC, owners DESC, known_since);
CREATE INDEX schedule_due ON schedule (line, next_visit);
CREATE TABLE site_links (
  bucket BIGINT NOT NULL,
  target TEXT NOT NULL,
  owner TEXT NOT NULL,
  in_scope BIGINT NOT NULL,
  first_seen BIGINT NOT NULL,
  PRIMARY KEY (bucket, target, owner)
);
CREATE TABLE search_pages (
  bucket BIGINT NOT NULL,
  site TEXT NOT NULL,
  url TEXT NOT NULL,
  state TEXT NOT NULL,
  reason TEXT NOT NULL,
  depth BIGINT NOT NULL,
  found_from TEXT NOT NULL,
  first_seen BIGINT NOT NULL,
  last_try BIGINT NOT NULL,
  last_ok BIGINT NOT NULL,
  last_change BIGINT NOT NULL,
  next_try BIGINT NOT NULL,
  reads BIGINT NOT NULL,
  changes BIGINT NOT NULL,
  failure TEXT NOT NULL,
  failures BIGINT NOT NULL,
  failing_since BIGINT NOT NULL,
  status BIGINT NOT NULL,
  etag TEXT NOT NULL,
  last_modified TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  lang TEXT NOT NULL,
  canonical TEXT NOT NULL,
  text_hash BIGINT NOT NULL,
  fingerprint BIGINT NOT NULL,
  orders TEXT NOT NULL,
  unavailable_after BIGINT NOT NULL,
  verdict TEXT NOT NULL,
  points DOUBLE PRECISION NOT NULL,
  scope BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  PRIMARY KEY (bucket, site, url)
);
CREATE INDEX search_pages_due ON search_pages (bucket, site, next_try);
CREATE INDEX search_pages_canonical ON search_pages (bucket, site, canonical)
  WHERE canonical <> '';
CREATE INDEX search_pages_changed ON search_pages (seq);
CREATE TABLE page_copies (
  bucket BIGINT NOT NULL,
  site TEXT NOT NULL,
  url TEXT NOT NULL,
  at BIGINT NOT NULL,
  content_type TEXT NOT NULL,
  body BYTEA,
  text BYTEA,
  PRIMARY KEY (bucket, site, url)
);
CREATE TABLE anchors (
  bucket BIGINT NOT NULL,
  site TEXT NOT NULL,
  url TEXT NOT NULL,
  from_site TEXT NOT NULL,
  words TEXT NOT NULL,
  last_seen BIGINT NOT NULL,
  PRIMARY KEY (bucket, site, url, from_site, words)
);
CREATE TABLE near_texts (
  bucket BIGINT NOT NULL,
  band BIGINT NOT NULL,
  fingerprint BIGINT NOT NULL,
  cluster BIGINT NOT NULL,
  PRIMARY KEY (bucket, band, fingerprint)
);
CREATE TABLE counters (
  bucket BIGINT NOT NULL,
  name TEXT NOT NULL,
  value BIGINT NOT NULL,
  PRIMARY KEY (bucket, name)
);
)sql";

}  // namespace periplus
