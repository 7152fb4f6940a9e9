#include "url/url.h"

#include <array>

namespace periplus {

std::string_view sentence(UrlFault fault) {
  switch (fault) {
    case UrlFault::kNoScheme:
      return "it has no scheme such as https:, and there is no base to resolve it against";
    case UrlFault::kOpaqueBase:
      return "it is relative, and the base cannot have relative addresses";
    case UrlFault::kHostMissing:
      return "the host is missing";
    case UrlFault::kHostForbidden:
      return "the host holds a character that no host may have";
    case UrlFault::kHostBadIpv4:
      return "the host ends in a number but is no IPv4 address";
    case UrlFault::kHostBadIpv6:
      return "the host is no valid IPv6 address in brackets";
    case UrlFault::kHostBadIdna:
      return "the host is no valid international domain name";
    case UrlFault::kPortInvalid:
      return "the port is not a number from 0 to 65535";
    case UrlFault::kTooLong:
      return "it is longer than 64 KiB";
  }
  return "it is not a URL";
}

std::string_view Url::protocol() const { return std::string_view(href_).substr(0, protocol_end_); }

std::string_view Url::scheme() const {
  return href_.empty() ? std::string_view() : protocol().substr(0, protocol_end_ - 1);
}

std::string_view Url::username() const {
  if (!has_host_) return {};
  const std::uint32_t start = protocol_end_ + 2;
  return std::string_view(href_).substr(start, user_end_ - start);
}

std::string_view Url::password() const {
  // Between ':' behind the user name and '@' before the host.
  if (!has_host_ || host_start_ <= user_end_ + 1) return {};
  return std::string_view(href_).substr(user_end_ + 1, host_start_ - user_end_ - 2);
}

std::string_view Url::hostname() const {
  return std::string_view(href_).substr(host_start_, host_end_ - host_start_);
}

std::string_view Url::host() const {
  return port_ < 0 ? hostname()
                   : std::string_view(href_).substr(host_start_, path_start_ - host_start_);
}

std::string_view Url::port() const {
  return port_ < 0 ? std::string_view()
                   : std::string_view(href_).substr(host_end_ + 1, path_start_ - host_end_ - 1);
}

std::uint16_t Url::effective_port() const {
  if (port_ >= 0) return static_cast<std::uint16_t>(port_);
  const std::string_view name = scheme();
  if (name == "https" || name == "wss") return 443;
  if (name == "http" || name == "ws") return 80;
  if (name == "ftp") return 21;
  return 0;
}

std::string_view Url::pathname() const {
  return std::string_view(href_).substr(path_start_, search_start_ - path_start_);
}

std::string_view Url::search() const {
  const std::string_view part =
      std::string_view(href_).substr(search_start_, hash_start_ - search_start_);
  return part.size() <= 1 ? std::string_view() : part;
}

std::string_view Url::hash() const {
  const std::string_view part = std::string_view(href_).substr(hash_start_);
  return part.size() <= 1 ? std::string_view() : part;
}

std::string_view Url::path_and_query() const {
  return std::string_view(href_).substr(path_start_, hash_start_ - path_start_);
}

std::string_view Url::without_fragment() const {
  return std::string_view(href_).substr(0, hash_start_);
}

std::string Url::origin() const {
  const std::string_view name = scheme();
  if (name == "blob") {
    const auto inner = Url::parse(pathname());
    return inner && inner->is_http() ? inner->origin() : "null";
  }
  if (!special_ || name == "file") return "null";
  std::string out(protocol());
  out += "//";
  out += host();
  return out;
}

bool Url::has_opaque_path() const { return opaque_path_; }

bool Url::is_http() const { return special_ && (protocol() == "https:" || protocol() == "http:"); }

}  // namespace periplus
