// What is read of known pages; record_search.cpp writes.
#include "store/search_pages.h"

#include <bit>

#include "store/inside.h"
#include "store/search_rows.h"

namespace periplus {
namespace {

std::vector<SearchPage> pages_of(Query row) {
  std::vector<SearchPage> found;
  while (row.next()) found.push_back(search_page_of(row));
  return found;
}

}  // namespace

Result<bool> SearchPages::add(const FoundPage& page, Instant now) {
  return guarded([&]() -> Result<bool> {
    Connection& sql = store_.inside().sql;
    sql.set_durable(true);
    Transaction transaction(sql);
    Sequence sequence(sql);
    const bool fresh = add_found_page(sql, page, now, &sequence);
    sequence.write();
    transaction.commit();
    return fresh;
  });
}

Result<std::optional<SearchPage>> SearchPages::find(const std::string& site,
                                                    const std::string& url) {
  return guarded([&]() -> Result<std::optional<SearchPage>> {
    Query row =
        store_.inside().sql.query("SELECT " PERIPLUS_SEARCH_COLUMNS
                                  "FROM search_pages WHERE bucket = $1 AND site = $2 AND url = $3",
                                  bucket_of_site(site), site, url);
    if (!row.next()) return std::nullopt;
    return search_page_of(row);
  });
}

Result<std::vector<SearchPage>> SearchPages::due(const std::string& site, Instant now,
                                                 std::size_t most) {
  return guarded([&]() -> Result<std::vector<SearchPage>> {
    return pages_of(store_.inside().sql.query(
        "SELECT " PERIPLUS_SEARCH_COLUMNS
        "FROM search_pages WHERE bucket = $1 AND site = $2 AND next_try <= $3"
        " ORDER BY next_try, depth LIMIT $4",
        bucket_of_site(site), site, now, static_cast<std::int64_t>(most)));
  });
}

Result<std::optional<Instant>> SearchPages::next_try(const std::string& site) {
  return guarded([&]() -> Result<std::optional<Instant>> {
    Query row = store_.inside().sql.query(
        "SELECT min(next_try) FROM search_pages WHERE bucket = $1 AND site = $2",
        bucket_of_site(site), site);
    if (!row.next() || row.is_null(0)) return std::nullopt;
    return row.instant(0);
  });
}

Result<std::vector<SearchPage>> SearchPages::list(const std::string& site, const std::string& state,
                                                  const std::string& after, std::size_t most) {
  return guarded([&]() -> Result<std::vector<SearchPage>> {
    Connection& sql = store_.inside().sql;
    const auto limit = static_cast<std::int64_t>(most);
    if (state.empty()) {
      return pages_of(sql.query("SELECT " PERIPLUS_SEARCH_COLUMNS
                                "FROM search_pages WHERE bucket = $1 AND site = $2 AND url > $3"
                                " ORDER BY url LIMIT $4",
                                bucket_of_site(site), site, after, limit));
    }
    return pages_of(
        sql.query("SELECT " PERIPLUS_SEARCH_COLUMNS
                  "FROM search_pages WHERE bucket = $1 AND site = $2 AND url > $3 AND state = $4"
                  " ORDER BY url LIMIT $5",
                  bucket_of_site(site), site, after, state, limit));
  });
}

Result<std::vector<StateCount>> SearchPages::states(const std::string& site) {
  return guarded([&]() -> Result<std::vector<StateCount>> {
    Connection& sql = store_.inside().sql;
    std::vector<StateCount> found;
    Query row = site.empty() ? sql.query(
                                   "SELECT state, count(*) FROM search_pages GROUP BY state"
                                   " ORDER BY state")
                             : sql.query(
                                   "SELECT state, count(*) FROM search_pages WHERE bucket = $1 AND"
                                   " site = $2 GROUP BY state ORDER BY state",
                                   bucket_of_site(site), site);
    while (row.next()) found.push_back({row.text(0), row.number<std::uint64_t>(1)});
    return found;
  });
}

Result<std::vector<SearchPage>> SearchPages::changed(std::uint64_t sequence, std::size_t most) {
  return guarded([&]() -> Result<std::vector<SearchPage>> {
    return pages_of(store_.inside().sql.query("SELECT " PERIPLUS_SEARCH_COLUMNS
                                              "FROM search_pages WHERE seq > $1 ORDER BY seq"
                                              " LIMIT $2",
                                              static_cast<std::int64_t>(sequence),
                                              static_cast<std::int64_t>(most)));
  });
}

Result<std::uint64_t> SearchPages::newest_sequence() {
  return guarded([&]() -> Result<std::uint64_t> {
    Query row = store_.inside().sql.query("SELECT max(seq) FROM search_pages");
    row.next();
    return row.number<std::uint64_t>(0);
  });
}

Result<void> SearchPages::touch(const std::string& site, const std::string& url) {
  return guarded([&]() -> Result<void> {
    Connection& sql = store_.inside().sql;
    sql.set_durable(true);
    Transaction transaction(sql);
    Sequence sequence(sql);
    if (url.empty()) {
      sql.run("UPDATE search_pages SET seq = $1 WHERE bucket = $2 AND site = $3", sequence.next(),
              bucket_of_site(site), site);
    } else {
      touch_page(sql, site, url, &sequence);
    }
    sequence.write();
    transaction.commit();
    return {};
  });
}

Result<std::optional<PageCopy>> SearchPages::copy(const std::string& site, const std::string& url) {
  return guarded([&]() -> Result<std::optional<PageCopy>> {
    Query row = store_.inside().sql.query(
        "SELECT at, content_type, body, text FROM page_copies"
        " WHERE bucket = $1 AND site = $2 AND url = $3",
        bucket_of_site(site), site, url);
    if (!row.next()) return std::nullopt;
    return PageCopy{url, row.instant(0), row.text(1), row.text(2), row.text(3)};
  });
}

Result<void> SearchPages::drop_copies(const std::string& site, const std::string& url) {
  return guarded([&]() -> Result<void> {
    Connection& sql = store_.inside().sql;
    sql.set_durable(true);
    if (url.empty()) {
      sql.run("UPDATE page_copies SET body = NULL WHERE bucket = $1 AND site = $2",
              bucket_of_site(site), site);
    } else {
      sql.run("UPDATE page_copies SET body = NULL WHERE bucket = $1 AND site = $2 AND url = $3",
              bucket_of_site(site), site, url);
    }
    return {};
  });
}

Result<std::vector<SearchPages::Anchor>> SearchPages::anchors(const std::string& site,
                                                              const std::string& url,
                                                              std::size_t most) {
  return guarded([&]() -> Result<std::vector<Anchor>> {
    std::vector<Anchor> found;
    Query row = store_.inside().sql.query(
        "SELECT words, count(*), CASE WHEN from_site = $1 THEN 1 ELSE 0 END AS own FROM anchors"
        " WHERE bucket = $2 AND site = $1 AND url = $3 GROUP BY words, own"
        " ORDER BY own, count(*) DESC, words LIMIT $4",
        site, bucket_of_site(site), url, static_cast<std::int64_t>(most));
    while (row.next()) {
      found.push_back({row.text(0), row.number<std::uint32_t>(1), row.flag(2)});
    }
    return found;
  });
}

Result<std::uint64_t> SearchPages::cluster_of(std::uint64_t fingerprint) {
  return guarded([&]() -> Result<std::uint64_t> {
    Connection& sql = store_.inside().sql;
    // Fingerprints within three bits agree in one of four bands whole.
    std::optional<std::uint64_t> cluster;
    int nearest = NearTexts::kMostDistance + 1;
    for (int band = 0; band < NearTexts::kBands; ++band) {
      const std::int64_t key = band_key(fingerprint, band);
      Query row =
          sql.query("SELECT fingerprint, cluster FROM near_texts WHERE bucket = $1 AND band = $2",
                    key % kBuckets, key);
      while (row.next()) {
        const int distance = std::popcount(fingerprint ^ row.number<std::uint64_t>(0));
        if (distance < nearest) {
          nearest = distance;
          cluster = row.number<std::uint64_t>(1);
        }
      }
    }
    if (nearest == 0) return *cluster;
    const std::uint64_t own = cluster.value_or(fingerprint);
    sql.set_durable(false);
    Transaction transaction(sql);
    for (int band = 0; band < NearTexts::kBands; ++band) {
      const std::int64_t key = band_key(fingerprint, band);
      sql.run(
          "INSERT INTO near_texts (bucket, band, fingerprint, cluster) VALUES ($1, $2, $3, $4)"
          " ON CONFLICT (bucket, band, fingerprint) DO NOTHING",
          key % kBuckets, key, static_cast<std::int64_t>(fingerprint),
          static_cast<std::int64_t>(own));
    }
    transaction.commit();
    return own;
  });
}

}  // namespace periplus
