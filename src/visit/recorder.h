// From a visit to the store: pages go to a spool as they come, and at the end the whole visit is
// written in one transaction. Also the store-backed books of politeness and robots.txt.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "store/spool.h"
#include "store/store.h"
#include "visit/pace.h"
#include "visit/record_format.h"
#include "visit/rooms.h"
#include "visit/use.h"
#include "visit/visit.h"

namespace periplus {

class StoreRecorder final : public VisitRecorder {
 public:
  // `folder` is where the spool lies. Keeps what `keep` allows and nothing else.
  static Result<std::unique_ptr<StoreRecorder>> create(Store& store, const std::string& folder,
                                                       Keep keep);

  void page(const VisitedPage& page) override;
  void sitemap(const VisitedSitemap& sitemap) override;
  void document(const VisitedDocument& document) override;
  void robots(const OriginRobots& reading) override;

  // Writes everything. `user_agent` and `limits` (JSON) are noted with it.
  Result<VisitId> record(const VisitResult& result, std::string_view use,
                         const std::string& user_agent, const PageLimits& limits);

 private:
  StoreRecorder(Store& store, std::unique_ptr<Spool> spool, Keep keep)
      : store_(store), spool_(std::move(spool)), keep_(keep) {}
  void add_document(std::string_view kind, std::string name, const StoredChain& notes,
                    const Chain& chain);

  Store& store_;
  std::unique_ptr<Spool> spool_;
  Keep keep_;
  StoredPage page_;  // reused
  std::vector<StoredDocument> documents_;
  std::optional<Error> fault_;  // the first thing that could not be spooled
};

// The text of a stored page, read from its body once more and packed: the store's TextOfPage.
Result<std::string> packed_text_of(const StoredPage& page);

// Thrown when the store refuses what politeness must not forget; ends the visit.
struct StoreRefused : std::runtime_error {
  explicit StoreRefused(Error why) : std::runtime_error(why.sentence), error(std::move(why)) {}
  Error error;
};

class StorePolitenessBook final : public PolitenessBook {
 public:
  explicit StorePolitenessBook(Store& store) : store_(store) {}
  std::optional<PoliteRecord> recall(GateKind kind, const std::string& key) override;
  void remember(const std::vector<PoliteEntry>& entries) override;

 private:
  Store& store_;
};

class StoreRobotsBook final : public RobotsBook {
 public:
  StoreRobotsBook(Store& store, const PublicSuffixes& suffixes, Clock& clock)
      : store_(store), suffixes_(suffixes), clock_(clock) {}
  std::optional<GoodRobots> last_good(const std::string& origin) override;
  void note(const std::string& origin, Instant at, const std::string& outcome,
            const std::string* body) override;

 private:
  Store& store_;
  const PublicSuffixes& suffixes_;
  Clock& clock_;
};

}  // namespace periplus
