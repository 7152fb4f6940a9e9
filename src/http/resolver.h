// DNS: A and AAAA through c-ares on the event loop, cached by TTL, servers configurable.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/task.h"
#include "http/exchange.h"

namespace periplus {

struct Address {
  bool v6 = false;
  std::uint8_t octets[16] = {};  // network order; 4 of them for IPv4
  std::string to_text() const;
  static std::optional<Address> from_text(
      std::string_view text);  // textual IPv4 or IPv6, no brackets
  friend bool operator==(const Address&, const Address&) = default;
};

struct Resolution {
  std::vector<Address> addresses;  // A first, then AAAA, each in the order served
  // kNameNotFound, kNameServerFailed, kAborted when the resolver went away, or none.
  std::optional<Failure> failure;
  Millis took{0};
  bool from_cache = false;
};

class Resolver {
 public:
  virtual ~Resolver() = default;
  // `host` as in Url::hostname(): a literal (brackets and all) answers at once without DNS.
  virtual Task<Resolution> resolve(std::string host) = 0;
  // What resolve() would answer without asking anybody: a literal, localhost, a cached answer.
  virtual std::optional<Resolution> at_once(std::string_view /*host*/) { return std::nullopt; }
};

struct ResolverOptions {
  std::vector<std::string> servers;  // "127.0.0.1:5353"; empty = the system's
  Millis timeout{5'000};             // for both tries at one server
  std::chrono::seconds min_ttl{5}, max_ttl{3'600}, negative_ttl{30};
  std::size_t max_entries = 100'000;
};
// May be destroyed while look-ups are under way: they end with kAborted. `loop` and `clock` must
// outlive them.
std::unique_ptr<Resolver> make_resolver(Loop& loop, Clock& clock, ResolverOptions options);

}  // namespace periplus
