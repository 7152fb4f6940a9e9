#include "url/host_parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include "base/text.h"
#include "url/idna.h"
#include "url/percent_encode.h"

namespace periplus {
namespace {

// Octets that no host, and beyond those no domain, may hold.
enum : std::uint8_t { kForbiddenHost = 1, kForbiddenDomain = 2 };
consteval std::array<std::uint8_t, 256> make_forbidden() {
  std::array<std::uint8_t, 256> table{};
  for (const char c : std::string_view("\0\t\n\r #/:<>?@[\\]^|", 17))
    table[static_cast<unsigned char>(c)] = kForbiddenHost | kForbiddenDomain;
  for (std::size_t i = 0; i < 0x20; ++i) table[i] |= kForbiddenDomain;
  table['%'] = kForbiddenDomain;
  table[0x7f] = kForbiddenDomain;
  return table;
}
constexpr std::array<std::uint8_t, 256> kForbidden = make_forbidden();

bool has_forbidden(std::string_view text, std::uint8_t kind) {
  return std::ranges::any_of(
      text, [kind](char c) { return (kForbidden[static_cast<unsigned char>(c)] & kind) != 0; });
}

bool all_digits(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// A number in decimal, octal or hexadecimal; nothing when it is none. Values over 32 bits come back
// as 2^32.
std::optional<std::uint64_t> parse_ipv4_number(std::string_view text) {
  if (text.empty()) return std::nullopt;
  int base = 10;
  if (text.size() >= 2 && text[0] == '0' && ascii_lower(text[1]) == 'x') {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() >= 2 && text[0] == '0') {
    base = 8;
    text.remove_prefix(1);
  }
  if (text.empty()) return 0;
  std::uint64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (end != text.data() + text.size()) return std::nullopt;
  if (fault == std::errc::result_out_of_range || value > 0xffffffffULL) return 0x100000000ULL;
  return value;
}

// https://url.spec.whatwg.org/#ends-in-a-number-checker
bool ends_in_a_number(std::string_view host) {
  if (host.ends_with('.')) {
    host.remove_suffix(1);
    if (host.empty()) return false;
  }
  const std::size_t dot = host.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? host : host.substr(dot + 1);
  if (last.empty()) return false;
  return all_digits(last) ||
         (starts_with_ignoring_case(last, "0x") && parse_ipv4_number(last).has_value());
}

// https://url.spec.whatwg.org/#concept-ipv4-parser
std::expected<void, UrlFault> append_ipv4(std::string_view host, std::string* out) {
  if (host.ends_with('.')) host.remove_suffix(1);
  std::array<std::uint64_t, 4> numbers{};
  std::size_t count = 0;
  for (std::size_t start = 0; start <= host.size();) {
    const std::size_t end = std::min(host.find('.', start), host.size());
    if (count == 4) return std::unexpected(UrlFault::kHostBadIpv4);
    const std::optional<std::uint64_t> number = parse_ipv4_number(host.substr(start, end - start));
    if (!number) return std::unexpected(UrlFault::kHostBadIpv4);
    numbers[count++] = *number;
    start = end + 1;
  }
  std::uint64_t address = 0;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    if (numbers[i] > 255) return std::unexpected(UrlFault::kHostBadIpv4);
    address |= numbers[i] << (8 * (3 - i));
  }
  if (numbers[count - 1] >= (1ULL << (8 * (5 - count))))
    return std::unexpected(UrlFault::kHostBadIpv4);
  address |= numbers[count - 1];
  for (int shift = 24; shift >= 0; shift -= 8) {
    *out += std::to_string((address >> shift) & 255U);
    if (shift > 0) *out += '.';
  }
  return {};
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = ascii_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

using Pieces = std::array<std::uint16_t, 8>;

// The four decimal numbers at the end of an IPv6 address; writes two pieces.
bool parse_embedded_ipv4(std::string_view text, std::size_t* at, Pieces* pieces,
                         std::size_t* piece) {
  int seen = 0;
  while (*at < text.size()) {
    if (seen > 0) {
      if (text[*at] != '.' || seen >= 4) return false;
      ++*at;
    }
    int value = -1;
    while (*at < text.size() && text[*at] >= '0' && text[*at] <= '9') {
      const int digit = text[*at] - '0';
      if (value == 0) return false;  // a leading zero
      value = value < 0 ? digit : value * 10 + digit;
      if (value > 255) return false;
      ++*at;
    }
    if (value < 0) return false;
    (*pieces)[*piece] = static_cast<std::uint16_t>((*pieces)[*piece] * 256 + value);
    ++seen;
    if (seen == 2 || seen == 4) ++*piece;
  }
  return seen == 4;
}

// https://url.spec.whatwg.org/#concept-ipv6-parser, `text` without brackets.
std::optional<Pieces> parse_ipv6(std::string_view text) {
  Pieces pieces{};
  std::size_t piece = 0;
  std::optional<std::size_t> compress;
  std::size_t at = 0;
  if (text.starts_with(':')) {
    if (!text.starts_with("::")) return std::nullopt;
    at = 2;
    compress = ++piece;
  }
  while (at < text.size()) {
    if (piece == 8) return std::nullopt;
    if (text[at] == ':') {
      if (compress) return std::nullopt;
      ++at;
      compress = ++piece;
      continue;
    }
    unsigned value = 0;
    std::size_t length = 0;
    while (length < 4 && at < text.size() && hex_digit(text[at]) >= 0) {
      value = value * 16 + static_cast<unsigned>(hex_digit(text[at++]));
      ++length;
    }
    if (at < text.size() && text[at] == '.') {
      if (length == 0 || piece > 6) return std::nullopt;
      at -= length;
      if (!parse_embedded_ipv4(text, &at, &pieces, &piece)) return std::nullopt;
      break;
    }
    if (at < text.size() && text[at] == ':') {
      if (++at == text.size()) return std::nullopt;
    } else if (at < text.size()) {
      return std::nullopt;
    }
    pieces[piece++] = static_cast<std::uint16_t>(value);
  }
  if (compress) {
    std::size_t swaps = piece - *compress;
    for (piece = 7; piece != 0 && swaps > 0; --piece, --swaps)
      std::swap(pieces[piece], pieces[*compress + swaps - 1]);
  } else if (piece != 8) {
    return std::nullopt;
  }
  return pieces;
}

// https://url.spec.whatwg.org/#concept-ipv6-serializer
void append_ipv6(const Pieces& pieces, std::string* out) {
  std::size_t best = 8;
  std::size_t best_length = 1;
  for (std::size_t i = 0; i < 8;) {
    std::size_t end = i;
    while (end < 8 && pieces[end] == 0) ++end;
    if (end - i > best_length) {
      best = i;
      best_length = end - i;
    }
    i = end + 1;
  }
  *out += '[';
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == best) {
      *out += i == 0 ? "::" : ":";
      i += best_length - 1;
      continue;
    }
    char hex[4];
    const auto [end, fault] = std::to_chars(hex, hex + 4, pieces[i], 16);
    out->append(hex, end);
    if (i < 7) *out += ':';
  }
  *out += ']';
}

}  // namespace

std::expected<void, UrlFault> parse_host(std::string_view host, bool special, std::string* out) {
  if (host.starts_with('[')) {
    if (!host.ends_with(']')) return std::unexpected(UrlFault::kHostBadIpv6);
    const std::optional<Pieces> pieces = parse_ipv6(host.substr(1, host.size() - 2));
    if (!pieces) return std::unexpected(UrlFault::kHostBadIpv6);
    append_ipv6(*pieces, out);
    return {};
  }
  if (!special) {
    if (has_forbidden(host, kForbiddenHost)) return std::unexpected(UrlFault::kHostForbidden);
    append_encoded(out, host, kC0Set);
    return {};
  }
  const std::string decoded = host.find('%') == std::string_view::npos
                                  ? std::string(host)
                                  : to_valid_utf8(percent_decode(host));
  std::expected<std::string, UrlFault> ascii = domain_to_ascii(decoded);
  if (!ascii) return std::unexpected(ascii.error());
  if (has_forbidden(*ascii, kForbiddenDomain)) return std::unexpected(UrlFault::kHostForbidden);
  if (ascii->empty()) return std::unexpected(UrlFault::kHostMissing);
  if (ends_in_a_number(*ascii)) return append_ipv4(*ascii, out);
  *out += *ascii;
  return {};
}

}  // namespace periplus
