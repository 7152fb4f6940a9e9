// http: one request and its answer. Resolver, address guard, fetcher, message signatures, bot-wall
// recognition.
//
// An Exchange is one hop: a redirect is an answer like any other. http/redirects.h follows chains.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "url/url.h"

namespace periplus {

// Why there is no usable answer. A closed list: every switch over it names each kind.
enum class FailureKind : std::uint8_t {
  kBadUrl,            // not an http(s) URL
  kPortRefused,       // not 80 or 443, and not allowed by the operator
  kAddressRefused,    // the guard: not a public address
  kNameNotFound,      // NXDOMAIN, or no A and no AAAA record
  kNameServerFailed,  // SERVFAIL, refused, or no name server answered
  kConnectRefused,
  kConnectTimeout,
  kUnreachable,     // no route
  kConnectionLost,  // reset or closed before the answer was complete
  kTlsUntrusted,    // unknown or self-signed issuer
  kTlsExpired,      // not valid now
  kTlsWrongName,
  kTlsHandshake,     // protocol or cipher trouble, or the peer gave up
  kTlsRevokedOrBad,  // any other fault of the certificate
  kTimeout,          // over the whole time allowed
  kTooSlow,          // under the minimum rate
  kHeadersTooLarge,  // over 64 KiB of header lines
  kExpansionBomb,    // decompressed over the ratio
  kBadEncoding,      // Content-Encoding unknown or damaged from the start
  kBadResponse,      // not HTTP
  kTooManyRedirects,
  kRedirectLoop,
  kBadRedirect,       // Location missing or not a URL
  kRobotsDisallowed,  // a hop that robots.txt keeps us out of
  kOffSite,           // a hop that leaves the site being read
  kAborted,           // we are shutting down
  kInternal,
};
std::string_view name(FailureKind kind);      // "tls-expired": stable, for JSON and the store
std::string_view sentence(FailureKind kind);  // for people
std::optional<FailureKind> failure_kind(std::string_view name);

struct Failure {
  FailureKind kind = FailureKind::kInternal;
  std::string detail;  // what exactly: the address block, the library's words; may be empty
};

// Header lines as they came: order kept, repeated fields apart. Names as sent, compared without
// case.
struct Headers {
  std::vector<std::pair<std::string, std::string>> lines;
  // The first line of that name, trimmed; empty when there is none.
  std::string_view get(std::string_view name) const;
  bool has(std::string_view name) const;
  std::vector<std::string_view> all(std::string_view name) const;
  void add(std::string name, std::string value);
  // "Name: value\r\n" for each line, and back. For the store.
  std::string to_text() const;
  static Headers from_text(std::string_view text);
};

struct Timings {  // since the request left our queue; zero when the phase did not happen
  Millis resolve{0}, connect{0}, tls{0}, first_byte{0}, total{0};
  // The server's own time: from the request sent to the first octet.
  Millis wait{0};
};

struct TlsFacts {
  bool used = false;
  std::string version;  // "TLSv1.3"
  std::string issuer;   // common name or organisation of the issuer
  std::string subject;
  std::optional<Instant> not_before, not_after;
};

struct Request {
  Url url;
  std::vector<std::pair<std::string, std::string>>
      headers;                          // beside User-Agent, Accept, Accept-Encoding
  std::size_t max_bytes = 1024 * 1024;  // of the decoded body
  Millis timeout{60'000};
  bool keep_encoded =
      false;  // true: do not ask for compression (robots.txt and sitemaps still may)
};

struct Exchange {
  Url url;
  Instant at{};                    // when it was sent
  std::optional<Failure> failure;  // set: what follows may be incomplete
  int status = 0;                  // 0: no answer
  std::string http_version;        // "1.1", "2"
  Headers headers;
  std::string body;              // content-decoded
  bool cut = false;              // body stopped at max_bytes: what came is good
  bool body_damaged = false;     // the content coding broke off part of the way: what came is kept
  std::uint64_t wire_bytes = 0;  // body octets as transferred
  std::string address;           // peer, textual; empty when never connected
  bool reused_connection = false;
  TlsFacts tls;
  Timings timings;

  bool ok() const { return !failure && status >= 200 && status < 300; }
};

}  // namespace periplus
