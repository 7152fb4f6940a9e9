// Which addresses belong to the site being read.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "url/site.h"
#include "url/url.h"

namespace periplus {

// A start page at the site's apex or its www host means the whole site, every host of it; any other
// host
// ("docs.example.com") means that host alone. Ports: those of the start and home pages, 80 and 443.
class Scope {
 public:
  Scope(const PublicSuffixes& suffixes, const Url& start);
  // Where the start page was found after redirects within the site.
  void add(const Url& home);
  bool contains(const Url& url);
  // The same, whatever the port: a redirect may lead from one port of the site to another (the
  // address guard says which ports may be used at all).
  bool contains_host(const Url& url);
  const std::string& site() const { return site_; }

 private:
  const PublicSuffixes& suffixes_;
  std::string site_;
  bool whole_site_ = false;
  std::set<std::string, std::less<>> hosts_;
  std::set<std::uint16_t> ports_{80, 443};
  std::unordered_map<std::string, bool>
      judged_;  // hosts met, so that the list is asked once for each
};

// Whether the path's ending says that it is a picture, archive, medium, style sheet or the like:
// such addresses are known but not fetched.
bool is_page_path(std::string_view pathname);

}  // namespace periplus
