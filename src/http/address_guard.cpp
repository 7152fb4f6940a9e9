#include "http/address_guard.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace periplus {
namespace {

struct Block {
  std::string_view cidr;
  std::string_view name;
};

// What may not be connected to, most specific lines first: the IANA special-purpose registries
// (2026-07-18) and the multicast and deprecated blocks outside them. Anycast services that the
// registries call reachable are no websites and are refused too.
constexpr Block kBlocks4[] = {
    {"0.0.0.0/32", "This host on this network"},
    {"0.0.0.0/8", "This network"},
    {"10.0.0.0/8", "Private use"},
    {"100.64.0.0/10", "Shared address space"},
    {"127.0.0.0/8", "Loopback"},
    {"169.254.0.0/16", "Link local"},
    {"172.16.0.0/12", "Private use"},
    {"192.0.0.0/29", "IPv4 service continuity prefix"},
    {"192.0.0.8/32", "IPv4 dummy address"},
    {"192.0.0.9/32", "Port Control Protocol anycast"},
    {"192.0.0.10/32", "TURN anycast"},
    {"192.0.0.170/32", "NAT64/DNS64 discovery"},
    {"192.0.0.171/32", "NAT64/DNS64 discovery"},
    {"192.0.0.0/24", "IETF protocol assignments"},
    {"192.0.2.0/24", "Documentation"},
    {"192.31.196.0/24", "AS112"},
    {"192.52.193.0/24", "AMT"},
    {"192.88.99.2/32", "6a44 relay anycast"},
    {"192.88.99.0/24", "6to4 relay anycast"},
    {"192.168.0.0/16", "Private use"},
    {"192.175.48.0/24", "AS112"},
    {"198.18.0.0/15", "Benchmarking"},
    {"198.51.100.0/24", "Documentation"},
    {"203.0.113.0/24", "Documentation"},
    {"224.0.0.0/4", "Multicast"},
    {"255.255.255.255/32", "Limited broadcast"},
    {"240.0.0.0/4", "Reserved"},
};
constexpr Block kBlocks6[] = {
    {"::1/128", "Loopback"},
    {"::/128", "Unspecified"},
    {"::ffff:0:0:0/96", "IPv4-translated"},
    {"::/96", "IPv4-compatible"},
    {"64:ff9b:1::/48", "IPv4-IPv6 translation, local use"},
    {"100:0:0:1::/64", "Dummy prefix"},
    {"100::/64", "Discard only"},
    {"2001::/32", "Teredo"},
    {"2001:1::1/128", "Port Control Protocol anycast"},
    {"2001:1::2/128", "TURN anycast"},
    {"2001:1::3/128", "DNS-SD service registration anycast"},
    {"2001:2::/48", "Benchmarking"},
    {"2001:3::/32", "AMT"},
    {"2001:4:112::/48", "AS112"},
    {"2001:10::/28", "ORCHID"},
    {"2001:20::/28", "ORCHIDv2"},
    {"2001:30::/28", "Drone remote ID"},
    {"2001::/23", "IETF protocol assignments"},
    {"2001:db8::/32", "Documentation"},
    {"2002::/16", "6to4"},
    {"2620:4f:8000::/48", "AS112"},
    {"3fff::/20", "Documentation"},
    {"5f00::/16", "Segment routing"},
    {"fc00::/7", "Unique local"},
    {"fe80::/10", "Link-local unicast"},
    {"fec0::/10", "Site-local"},
    {"ff00::/8", "Multicast"},
};

struct Prefix {
  Block block;
  std::array<std::uint8_t, 16> octets{};
  int bits = 0;
};

template <std::size_t N>
std::array<Prefix, N> parsed(const Block (&blocks)[N], int family) {
  std::array<Prefix, N> out;
  for (std::size_t i = 0; i < N; ++i) {
    const std::size_t slash = blocks[i].cidr.find('/');
    const std::string address(blocks[i].cidr.substr(0, slash));
    out[i].block = blocks[i];
    inet_pton(family, address.c_str(), out[i].octets.data());
    out[i].bits = std::stoi(std::string(blocks[i].cidr.substr(slash + 1)));
  }
  return out;
}

bool inside(const Prefix& prefix, const std::uint8_t* octets) {
  const int whole = prefix.bits / 8;
  if (std::memcmp(prefix.octets.data(), octets, static_cast<std::size_t>(whole)) != 0) return false;
  const int rest = prefix.bits % 8;
  if (rest == 0) return true;
  const int shift = 8 - rest;
  return (prefix.octets[static_cast<std::size_t>(whole)] >> shift) == (octets[whole] >> shift);
}

AddressVerdict judge_v4(const std::uint8_t* octets) {
  static const auto blocks = parsed(kBlocks4, AF_INET);
  for (const Prefix& prefix : blocks) {
    if (inside(prefix, octets)) return {false, std::string(prefix.block.cidr), prefix.block.name};
  }
  return {true, {}, {}};
}

// An IPv4 address inside an IPv6 one is judged as what it is.
AddressVerdict judge_embedded(std::string_view around, const std::uint8_t* octets) {
  AddressVerdict verdict = judge_v4(octets);
  if (!verdict.is_public) verdict.block = std::string(around) + " around " + verdict.block;
  return verdict;
}

}  // namespace

AddressVerdict judge_address(const Address& address) {
  if (!address.v6) return judge_v4(address.octets);
  constexpr std::uint8_t kMapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  constexpr std::uint8_t kNat64[12] = {0, 0x64, 0xff, 0x9b};
  if (std::memcmp(address.octets, kMapped, 12) == 0)
    return judge_embedded("::ffff:0:0/96", address.octets + 12);
  if (std::memcmp(address.octets, kNat64, 12) == 0)
    return judge_embedded("64:ff9b::/96", address.octets + 12);
  static const auto blocks = parsed(kBlocks6, AF_INET6);
  for (const Prefix& prefix : blocks) {
    if (inside(prefix, address.octets))
      return {false, std::string(prefix.block.cidr), prefix.block.name};
  }
  if ((address.octets[0] & 0xe0U) != 0x20U)
    return {false, "outside 2000::/3", "Not handed out as global unicast"};
  return {true, {}, {}};
}

void AddressGuard::allow_private(std::string host) { private_hosts_.insert(std::move(host)); }
void AddressGuard::allow_port(std::uint16_t port) { ports_.insert(port); }

bool AddressGuard::allows_private(std::string_view host) const {
  return private_hosts_.contains("*") || private_hosts_.contains(host);
}

std::optional<Failure> AddressGuard::judge_port(std::string_view host, std::uint16_t port) const {
  if (ports_.contains(port) || allows_private(host)) return std::nullopt;
  return Failure{FailureKind::kPortRefused, "port " + std::to_string(port)};
}

std::optional<Failure> AddressGuard::judge(std::string_view host, const Address& address) const {
  if (allows_private(host)) return std::nullopt;
  const AddressVerdict verdict = judge_address(address);
  if (verdict.is_public) return std::nullopt;
  return Failure{FailureKind::kAddressRefused, address.to_text() + " is in " + verdict.block +
                                                   " (" + std::string(verdict.name) + ")"};
}

}  // namespace periplus
