// What a visit reads beside pages: sitemaps, and the documents its use asks for. robots.txt binds
// each of them.
#pragma once

#include <string>
#include <vector>

#include "visit/scope.h"
#include "visit/site_robots.h"
#include "visit/visit.h"

namespace periplus {

class SideDocuments {
 public:
  SideDocuments(Rooms& rooms, SiteRobots& robots, const Scope& scope, PageLimits limits,
                VisitRecorder& recorder)
      : rooms_(rooms), robots_(robots), scope_(scope), limits_(limits), recorder_(recorder) {}

  // Reads the sitemaps that robots.txt names, else /sitemap.xml of `base`; an index leads to its
  // files. Gives every address they list, in order.
  Task<std::vector<std::string>> read_sitemaps(const OriginRobots* robots, Url base);
  Task<void> read_extras(std::vector<ExtraDocument> wanted);
  double waited_seconds() const { return waited_seconds_; }

 private:
  // Scope does not bind these: a sitemap may lie on another host.
  Task<Chain> fetch(Url url, std::size_t max_bytes);

  Rooms& rooms_;
  SiteRobots& robots_;
  const Scope& scope_;
  PageLimits limits_;
  VisitRecorder& recorder_;
  double waited_seconds_ = 0;
};

}  // namespace periplus
