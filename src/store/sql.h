// A thin connection to the SQL engine; the only place that knows which one it is. Statements use
// the SQL that SQLite and PostgreSQL both understand, with $1, $2, … in the order of first use.
//
// Inside this room a refusal of the engine is thrown as SqlError, so that a transaction is undone
// on the way out; Store's functions turn it into an Error at their edge.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "store/store.h"

struct sqlite3;
struct sqlite3_stmt;

namespace periplus {

struct SqlError {
  Error error;
};

// Bytes, where a plain string is text. Empty bytes are stored as NULL.
struct Blob {
  std::string_view bytes;
};

class Connection;

// One running statement; gives it back when it goes out of scope.
class Query {
 public:
  ~Query();
  Query(Query&& other) noexcept;
  Query& operator=(Query&&) = delete;

  // Moves to the next row; false behind the last.
  bool next();

  std::int64_t integer(int column) const;
  double real(int column) const;
  bool is_null(int column) const;
  // Text or bytes; valid until the next call of next(). NULL is empty.
  std::string_view bytes(int column) const;
  std::string text(int column) const { return std::string(bytes(column)); }
  Instant instant(int column) const { return Instant(Millis(integer(column))); }
  bool flag(int column) const { return integer(column) != 0; }
  template <class T>
  T number(int column) const {
    return static_cast<T>(integer(column));
  }

 private:
  friend class Connection;
  Query(Connection& on, sqlite3_stmt* statement, bool* busy)
      : on_(&on), statement_(statement), busy_(busy) {}
  void put(int at, std::int64_t value);
  void put(int at, double value);
  void put(int at, std::string_view text, bool blob, bool keep);
  void put_null(int at);

  template <class T>
  void bind(int at, const T& value, bool keep) {
    if constexpr (std::same_as<T, Blob>) {
      put(at, value.bytes, true, keep);
    } else if constexpr (std::same_as<T, Instant>) {
      put(at, static_cast<std::int64_t>(value.time_since_epoch().count()));
    } else if constexpr (std::same_as<T, std::optional<double>>) {
      value ? put(at, *value) : put_null(at);
    } else if constexpr (std::floating_point<T>) {
      put(at, static_cast<double>(value));
    } else if constexpr (std::integral<T>) {
      put(at, static_cast<std::int64_t>(value));
    } else {
      put(at, std::string_view(value), false, keep);
    }
  }

  Connection* on_;
  sqlite3_stmt* statement_;
  bool* busy_;  // null: the statement is ours alone
};

class Connection {
 public:
  // Throws SqlError.
  Connection(const std::string& path, OpenMode mode);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Runs a statement without rows. `sql` must be a literal: prepared statements are kept by its
  // address.
  template <class... Values>
  void run(const char* sql, const Values&... values) {
    Query query = prepared(sql);
    int at = 0;
    (query.bind(++at, values, false), ...);
    while (query.next()) {
    }
  }
  // A statement with rows; the values are copied.
  template <class... Values>
  Query query(const char* sql, const Values&... values) {
    Query made = prepared(sql);
    int at = 0;
    (made.bind(++at, values, true), ...);
    return made;
  }
  // Several statements, separated by ";".
  void script(const char* sql);

  // Whether what is committed from now on must also outlive a loss of power.
  void set_durable(bool durable);
  [[noreturn]] void refuse(int code) const;
  const std::string& path() const { return path_; }

 private:
  friend class Query;
  Query prepared(const char* sql);

  struct Prepared {
    sqlite3_stmt* statement = nullptr;
    bool busy = false;
  };
  std::string path_;
  sqlite3* db_ = nullptr;
  bool durable_ = true;
  std::unordered_map<const char*, std::unique_ptr<Prepared>> prepared_;
};

// A writing transaction: undone unless commit() was reached.
class Transaction {
 public:
  explicit Transaction(Connection& on);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Connection& on_;
  bool open_ = true;
};

// `work` may throw SqlError; it comes back as an Error.
template <class F>
auto guarded(F&& work) -> decltype(work()) {
  try {
    return work();
  } catch (const SqlError& refusal) {
    return std::unexpected(refusal.error);
  }
}

}  // namespace periplus
