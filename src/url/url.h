// url: addresses. The WHATWG URL Standard for parsing and printing, UTS 46 for host names, the
// Public Suffix List for whose site it is. Nothing here touches the network.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace periplus {

// Why a string is not a URL (https://url.spec.whatwg.org/#concept-basic-url-parser): the first
// failure met.
enum class UrlFault : std::uint8_t {
  kNoScheme,       // relative, and there is no base
  kOpaqueBase,     // relative to a base that cannot have relative URLs
  kHostMissing,    // a special URL without a host
  kHostForbidden,  // a code point that no host may hold
  kHostBadIpv4,    // ends in a number and is no IPv4 address
  kHostBadIpv6,
  kHostBadIdna,  // domain to ASCII failed (UTS 46)
  kPortInvalid,
  kTooLong,  // over kMaxUrlBytes: our own limit
};
std::string_view sentence(UrlFault fault);

inline constexpr std::size_t kMaxUrlBytes = 64 * 1024;

// A parsed URL: one serialised string and where its parts lie.
//
//   https://user:pass@example.com:1234/foo/bar?baz#quux
//        |       |    |          |    |       |   |
//        |       |    |   host_end_   |       |   hash_start_
//        | user_end_  host_start_  path_start_|
//   protocol_end_                          search_start_
//
// Without a host, user_end_, host_start_ and host_end_ are protocol_end_ (a "/." that only keeps a
// path from being taken for a host may stand before path_start_).
//
// All getters are views into the string and live as long as it is unchanged.
class Url {
 public:
  Url() = default;
  // https://url.spec.whatwg.org/#url-parsing of `input` (UTF-8; malformed bytes count as U+FFFD)
  // against `base`, if any.
  static std::expected<Url, UrlFault> parse(std::string_view input, const Url* base = nullptr);
  // The same for links by the hundred: writes into *out and reuses its memory.
  static std::expected<void, UrlFault> parse_into(std::string_view input, const Url* base,
                                                  Url* out);

  const std::string& href() const { return href_; }
  std::string_view protocol() const;  // with the colon: "https:"
  std::string_view scheme() const;    // without it: "https"
  std::string_view username() const;
  std::string_view password() const;
  std::string_view host() const;         // with the port, if it is not the default one
  std::string_view hostname() const;     // IPv6 in brackets
  std::string_view port() const;         // empty for the scheme's default
  std::uint16_t effective_port() const;  // 80 and 443 filled in; 0 where the scheme has none
  std::string_view pathname() const;
  std::string_view search() const;            // with '?', empty when empty
  std::string_view hash() const;              // with '#', empty when empty
  std::string_view path_and_query() const;    // as a request line sends it
  std::string_view without_fragment() const;  // the key pages are deduplicated by
  std::string origin() const;  // "https://example.com:8443", or "null" for an opaque origin
  bool has_opaque_path() const;
  bool is_http() const;  // scheme http or https
  bool empty() const { return href_.empty(); }

  friend bool operator==(const Url& a, const Url& b) { return a.href_ == b.href_; }

 private:
  friend class UrlParser;
  friend class PlainUrl;
  std::string href_;
  std::uint32_t protocol_end_ = 0, user_end_ = 0, host_start_ = 0, host_end_ = 0, path_start_ = 0;
  std::uint32_t search_start_ = 0, hash_start_ = 0;  // href_.size() when there is none
  std::int32_t port_ = -1;                           // -1: the scheme's default, or none
  bool has_host_ = false;
  bool special_ = false;
  bool opaque_path_ = false;
};

}  // namespace periplus
