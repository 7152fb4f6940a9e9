// The fetcher: libcurl's multi interface on the event loop. One call, one exchange, no redirects
// followed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/task.h"
#include "http/address_guard.h"
#include "http/exchange.h"
#include "http/identity.h"
#include "http/resolver.h"

namespace periplus {

class RequestSigner;  // http/signature.h

struct FetchOptions {
  std::string ca_file;  // PEM; empty = the system's
  std::string
      proxy;  // "http://host:port"; empty = none (the guard then judges the proxy's duty: names)
  std::size_t max_header_bytes = 64 * 1024;
  double max_ratio = 100.0;
  // Octets a second, headers and body as transferred, judged over each window after the first. The
  // first window begins with the first octet of the answer: a server that says nothing at all is
  // held to Request::timeout (kTimeout), one that drips to this (kTooSlow).
  std::uint64_t min_rate = 1024;
  Millis rate_window{10'000};
  Millis connect_timeout{15'000};
  long max_connections = 1024;        // kept alive in the cache
  long max_connections_per_host = 3;  // 0: no limit
  bool http2 = true;
};

class Fetcher {
 public:
  virtual ~Fetcher() = default;
  // Sends GET for request.url and returns its answer. Never throws for anything the network does.
  // The exchange always tells address, timings and TLS facts as far as they got.
  virtual Task<Exchange> fetch(Request request) = 0;
  // Every look-up and transfer in flight ends with kAborted; later ones do so at once. So they do
  // when the fetcher is destroyed while the loop runs on.
  virtual void abort_all() = 0;
};

// All references must outlive the fetcher; `signer` may be null.
std::unique_ptr<Fetcher> make_fetcher(Loop& loop, Clock& clock, Resolver& resolver,
                                      const AddressGuard& guard, const Identity& identity,
                                      const RequestSigner* signer, FetchOptions options);

}  // namespace periplus
