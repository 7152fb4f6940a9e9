#include "store/sql.h"

#include <sqlite3.h>

#include <utility>

#include "base/log.h"

namespace periplus {
namespace {

constexpr int kBusyMilliseconds = 10'000;

// Pages of 8 KiB: with 4 KiB recording a visit costs half as much again, with 16 KiB each pace
// does. A cache of 8 MiB keeps memory flat however large a visit is.
constexpr const char* kSettings =
    "PRAGMA page_size = 8192;"
    "PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = FULL;"
    "PRAGMA foreign_keys = ON;"
    "PRAGMA cache_size = -8192;"
    "PRAGMA temp_store = MEMORY;"
    "PRAGMA wal_autocheckpoint = 2000;"
    "PRAGMA journal_size_limit = 67108864;";

Error to_error(int code, const std::string& path, const char* words) {
  const std::string detail = words == nullptr ? "" : std::string(" (") + words + ")";
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorKind::kBusy,
              "another process is writing to the store and did not finish in time", path};
    case SQLITE_CORRUPT:
      return {ErrorKind::kDatabase,
              "the store is damaged" + detail + "; periplus doctor tells what is left", path};
    case SQLITE_NOTADB:
      return {ErrorKind::kDatabase, "the file is not a store of periplus", path};
    case SQLITE_CANTOPEN:
      return {ErrorKind::kIo,
              "the store cannot be opened: is its folder there, and may we write in it?", path};
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return {ErrorKind::kIo, "the store may only be read: check who owns the file and its folder",
              path};
    case SQLITE_FULL:
      return {ErrorKind::kIo, "the disk that holds the store is full", path};
    case SQLITE_IOERR:
      return {ErrorKind::kIo, "the store's disk refuses to read or write" + detail, path};
    case SQLITE_NOMEM:
      return {ErrorKind::kInternal, "out of memory in the store", path};
    default:
      return {ErrorKind::kDatabase, "the store refused" + detail, path};
  }
}

}  // namespace

Query::Query(Query&& other) noexcept
    : on_(other.on_),
      statement_(std::exchange(other.statement_, nullptr)),
      busy_(std::exchange(other.busy_, nullptr)) {}

Query::~Query() {
  if (statement_ == nullptr) return;
  if (busy_ == nullptr) {
    sqlite3_finalize(statement_);
    return;
  }
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
  *busy_ = false;
}

bool Query::next() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) on_->refuse(code);
  return false;
}

std::int64_t Query::integer(int column) const { return sqlite3_column_int64(statement_, column); }
double Query::real(int column) const { return sqlite3_column_double(statement_, column); }
bool Query::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}
std::string_view Query::bytes(int column) const {
  const void* data = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  if (data == nullptr || size <= 0) return {};
  return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
}

void Query::put(int at, std::int64_t value) {
  const int code = sqlite3_bind_int64(statement_, at, value);
  if (code != SQLITE_OK) on_->refuse(code);
}
void Query::put(int at, double value) {
  const int code = sqlite3_bind_double(statement_, at, value);
  if (code != SQLITE_OK) on_->refuse(code);
}
void Query::put_null(int at) {
  const int code = sqlite3_bind_null(statement_, at);
  if (code != SQLITE_OK) on_->refuse(code);
}
void Query::put(int at, std::string_view value, bool blob, bool keep) {
  if (blob && value.empty()) {
    put_null(at);
    return;
  }
  // A null pointer would bind NULL, where an empty text is meant.
  const char* data = value.data() == nullptr ? "" : value.data();
  const auto lifetime = keep ? SQLITE_TRANSIENT : SQLITE_STATIC;
  const int code =
      blob ? sqlite3_bind_blob64(statement_, at, data, value.size(), lifetime)
           : sqlite3_bind_text64(statement_, at, data, value.size(), lifetime, SQLITE_UTF8);
  if (code != SQLITE_OK) on_->refuse(code);
}

Connection::Connection(const std::string& path, OpenMode mode) : path_(path) {
  const int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
                    (mode == OpenMode::kReadOnly ? SQLITE_OPEN_READONLY
                                                 : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  const int code = sqlite3_open_v2(path.c_str(), &db_, flags, nullptr);
  try {
    if (code != SQLITE_OK) refuse(code);
    sqlite3_busy_timeout(db_, kBusyMilliseconds);
    // SQLite opens a file read-only when it may not write to it, and only says so at the first
    // write.
    if (mode == OpenMode::kReadWrite && sqlite3_db_readonly(db_, "main") == 1) {
      refuse(SQLITE_READONLY);
    }
    script(mode == OpenMode::kReadOnly ? "PRAGMA query_only = ON;" : kSettings);
  } catch (const SqlError&) {
    sqlite3_close_v2(db_);
    throw;
  }
}

Connection::~Connection() {
  for (const auto& [sql, kept] : prepared_) sqlite3_finalize(kept->statement);
  sqlite3_close_v2(db_);
}

void Connection::refuse(int code) const {
  const char* words = db_ == nullptr ? nullptr : sqlite3_errmsg(db_);
  throw SqlError{to_error(code, path_, words)};
}

void Connection::script(const char* sql) {
  const int code = sqlite3_exec(db_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) refuse(code);
}

void Connection::set_durable(bool durable) {
  if (durable == durable_) return;
  run(durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
  durable_ = durable;
}

Query Connection::prepared(const char* sql) {
  std::unique_ptr<Prepared>& kept = prepared_[sql];
  const bool ours_alone = kept && kept->busy;  // the statement is running further up the stack
  if (kept && !ours_alone) {
    kept->busy = true;
    return {*this, kept->statement, &kept->busy};
  }
  sqlite3_stmt* statement = nullptr;
  const unsigned flags = ours_alone ? 0 : SQLITE_PREPARE_PERSISTENT;
  const int code = sqlite3_prepare_v3(db_, sql, -1, flags, &statement, nullptr);
  if (code != SQLITE_OK) {
    if (!ours_alone) prepared_.erase(sql);
    refuse(code);
  }
  if (ours_alone) return {*this, statement, nullptr};
  kept = std::make_unique<Prepared>(statement, true);
  return {*this, statement, &kept->busy};
}

Transaction::Transaction(Connection& on) : on_(on) { on_.run("BEGIN IMMEDIATE"); }

Transaction::~Transaction() {
  if (!open_) return;
  try {
    on_.run("ROLLBACK");
  } catch (const SqlError& refusal) {
    // Some failures have already undone the transaction.
    log(LogLevel::kDebug, "store.rollback", {{"refused", refusal.error.sentence}});
  }
}

void Transaction::commit() {
  on_.run("COMMIT");
  open_ = false;
}

}  // namespace periplus
