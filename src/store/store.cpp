#include "store/store.h"

#include <fmt/format.h>

#include <random>
#include <utility>

#include "base/log.h"
#include "store/inside.h"
#include "store/schema.h"

namespace periplus {
namespace {

std::string fresh_name() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

}  // namespace

Store::Inside::~Inside() {
  if (!holds_leases) return;
  try {
    sql.run("DELETE FROM leases WHERE holder = $1", holder);
  } catch (const SqlError& refusal) {
    // They run out by themselves.
    log(LogLevel::kDebug, "store.leases", {{"refused", refusal.error.sentence}});
  }
}

std::string pages_file(const std::string& database, VisitId id) {
  return fmt::format("{}.pages/{}/{}", database, bucket_of_visit(id), id);
}

Store::Store(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Store::~Store() = default;

void Store::read_texts_with(TextOfPage text_of) { inside_->text_of = std::move(text_of); }

Result<std::unique_ptr<Store>> Store::open(const std::string& path, OpenMode mode) {
  return guarded([&]() -> Result<std::unique_ptr<Store>> {
    auto inside = std::make_unique<Inside>(path, mode);
    inside->holder = fresh_name();
    if (mode == OpenMode::kReadWrite) {
      migrate(inside->sql, migrations());
    } else if (const int found = schema_version(inside->sql); found != migrations().back().number) {
      return fail(ErrorKind::kDatabase,
                  fmt::format("the store has schema {}, this periplus has {}{}", found,
                              migrations().back().number,
                              found > migrations().back().number
                                  ? ": it was made by a newer one"
                                  : "; any command that writes brings it up to date"),
                  path);
    }
    return std::unique_ptr<Store>(new Store(std::move(inside)));
  });
}

}  // namespace periplus
