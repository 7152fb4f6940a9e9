// What the parts of Store share.
#pragma once

#include <string>

#include "store/process.h"
#include "store/sql.h"
#include "store/store.h"
#include "url/site.h"

namespace periplus {

struct Store::Inside {
  Inside(const std::string& path, OpenMode mode) : sql(path, mode) {}
  ~Inside();

  Connection sql;
  TextOfPage text_of;  // may be empty
  ProcessMark process = this_process();
  std::string holder;         // names this Store in leases
  bool holds_leases = false;  // so that closing gives them back
};

inline constexpr std::int64_t kBuckets = 1024;
inline std::int64_t bucket_of_visit(VisitId id) { return id % kBuckets; }
inline std::int64_t bucket_of_site(const std::string& site) { return bucket_of(site); }

// Headers, chains, bodies and link targets of a visit lie in a file of their own, as the spool
// wrote them: bytes that are read once or never would cost the database three copies each, and
// their removal more. The file belongs to the visit if the row says so (`kept`); a file whose visit
// was never committed is replaced by the next visit that gets its number.
std::string pages_file(const std::string& database, VisitId id);

// Inside a transaction: takes the site's lease, or says who has it (kBusy).
Result<void> take_lease(Store::Inside& inside, const std::string& site, Instant now, Instant until);
// Whether this Store holds it.
bool has_lease(Store::Inside& inside, const std::string& site);
void give_back_lease(Store::Inside& inside, const std::string& site);

// The number of the next visit of a bucket, and the visit's row with that number.
VisitId next_visit_id(Connection& sql, std::int64_t bucket);
void write_visit(Connection& sql, const StoredVisit& visit, VisitId id, int kept);

// Inside a transaction: puts a site in line if it is unknown; true when it was.
struct ScheduledSite;
bool add_to_schedule(Connection& sql, const ScheduledSite& site);

// Values of visits.kept.
enum Kept : int { kNoPages = 0, kPagesInPlace = 1, kPagesToRemove = 2 };

// No packed record that we write is larger unpacked.
inline constexpr std::size_t kMostUnpacked = 256U << 20U;

}  // namespace periplus
