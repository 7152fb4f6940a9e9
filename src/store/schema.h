// The tables, and the way from older ones to ours.
#pragma once

#include <span>

#include "store/sql.h"

namespace periplus {

// A numbered step from schema `number` - 1 to `number`.
struct Migration {
  int number;
  const char* sql;
};
// All of them, from 1 on without a gap; never changed once released, only added to.
std::span<const Migration> migrations();

// The schema's number in the file: 0 for an empty file. Throws SqlError when the file holds tables
// that are not ours.
int schema_version(Connection& on);

// Brings the file to the last of `steps`, in one transaction. Throws SqlError when it is newer than
// that.
void migrate(Connection& on, std::span<const Migration> steps);

}  // namespace periplus
