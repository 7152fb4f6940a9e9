// The rooms of one process, made from a configuration and a home: what every command that touches
// the network or the store starts from.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "http/address_guard.h"
#include "store/store.h"
#include "visit/config.h"
#include "visit/rooms.h"
#include "visit/visit.h"

namespace periplus {

class Engine {
 public:
  // Makes the home's folder when it is missing and opens its store. `observer` may be null and must
  // outlive the engine.
  static Result<std::unique_ptr<Engine>> open(const Config& config, const std::string& home,
                                              VisitObserver* observer);
  ~Engine();

  Rooms& rooms();
  Store& store();
  Clock& clock();
  const Config& config() const;
  const std::string& home() const;
  bool signs() const;  // the home has a key

  // Runs `task` on the loop until it ends; SIGINT and SIGTERM abort every transfer, so that it ends
  // soon. A store that refuses, and any exception of a task, come back as an Error.
  Result<void> run(Task<void> task);

  // One whole visit: leased, read, recorded. Errors: kBusy when another process reads that site.
  Result<VisitResult> visit(VisitPlan plan, const Use& use, VisitId* recorded);

 private:
  struct Inside;
  explicit Engine(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace periplus
