// The address guard: only public addresses are connected to (IANA special-purpose registries;
// mapped, NAT64 and other embedded IPv4 forms unwrapped), on ports 80 and 443. It judges the very
// address a socket is about to connect to, on every hop, so a name that changes its answer gains
// nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "http/resolver.h"

namespace periplus {

struct AddressVerdict {
  bool is_public = false;
  // The registry line that refuses it: "127.0.0.0/8", or "::ffff:0:0/96 around 127.0.0.0/8" for an
  // embedded IPv4 address. Empty when public.
  std::string block;
  std::string_view name;  // what that block is for: "Loopback"
};
AddressVerdict judge_address(const Address& address);

class AddressGuard {
 public:
  // For that host (as in Url::hostname(), or a textual address) every address and every port is
  // allowed.
  // "*" allows all hosts: a closed test web.
  void allow_private(std::string host);
  void allow_port(std::uint16_t port);
  bool allows_private(std::string_view host) const;
  // Nothing when the port may be used for that host, else the refusal.
  std::optional<Failure> judge_port(std::string_view host, std::uint16_t port) const;
  std::optional<Failure> judge(std::string_view host, const Address& address) const;

 private:
  std::set<std::string, std::less<>> private_hosts_;
  std::set<std::uint16_t> ports_{80, 443};
};

}  // namespace periplus
