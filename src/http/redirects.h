// Following redirects: hop by hop, each hop asked for at a gate first.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "http/fetcher.h"

namespace periplus {

// Asked before every hop. The visit's gate waits for the site's turn and looks at robots.txt and
// scope.
class HopGate {
 public:
  virtual ~HopGate() = default;
  // Nothing = go; a Failure = this hop is not fetched and ends the chain.
  virtual Task<std::optional<Failure>> before(Url url, int hop) = 0;
  // Told every answer, before the next hop: pace and back-off learn from it.
  virtual void after(const Exchange& exchange) = 0;
};

struct Hop {
  std::string url;
  int status = 0;
  std::string location;  // as sent, empty when it was no redirect
  std::string address;
  Timings timings;
};

struct Chain {
  std::vector<Hop> hops;  // all, the last one included
  Exchange last;          // of the last hop; failure kTooManyRedirects, kRedirectLoop, … live here
  bool cookie_retry = false;  // a redirect to itself that set a cookie was retried once with it
};

// Follows 301, 302, 303, 307 and 308 for at most `max_hops` redirects. A redirect to an address
// already seen in the chain is a loop, but for one: an answer that redirects to itself and sets a
// cookie is asked once more with that cookie, which is then forgotten.
Task<Chain> fetch_following(Fetcher& fetcher, Request request, HopGate& gate, int max_hops);

}  // namespace periplus
