// How a use (audit, search, map) plugs into the visit: what it wants fetched and what may be kept
// of it. The visit never names a use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "url/url.h"

namespace periplus {

// The columns of the design's table "what each use may keep".
struct Keep {
  bool addresses = false;  // page addresses, and with them status, depth, counts
  bool html = false;       // bodies, header lines, redirect chains, robots.txt, sitemaps
  bool text = false;       // visible text, once per version
};

// One extra request of a visit beside its pages: a file at a known place, or a redirect to be seen.
struct ExtraDocument {
  std::string kind;  // "llms.txt", "https-upgrade", "one-host"
  Url url;
};

class Use {
 public:
  virtual ~Use() = default;
  virtual std::string_view name() const = 0;
  virtual Keep keep() const = 0;
  virtual bool reads_sitemaps() const = 0;
  // Asked once the start page has been read; `home` is where it was found in the end.
  virtual std::vector<ExtraDocument> extra_documents(const Url& start, const Url& home) const = 0;
};

}  // namespace periplus
