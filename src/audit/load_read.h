// A recorded visit as the judge reads it.
#pragma once

#include <memory>

#include "audit/site_read.h"
#include "store/store.h"

namespace periplus {

// The visit's pages must still be kept (it is the newest kept read of its site); kInput when there
// is no such visit. `store` must outlive the source.
//
// A redirect to an address with a record of its own was not fetched again by the visit: its hops
// are joined here, so that a chain is seen whole, and a circle of records is named as one.
Result<std::unique_ptr<SiteReadSource>> load_read(Store& store, VisitId visit);

}  // namespace periplus
