#include "url/idna.h"

#include <unicode/uidna.h>

#include <algorithm>

#include "base/text.h"

namespace periplus {
namespace {

// CheckBidi, CheckJoiners, nontransitional; CheckHyphens, UseSTD3ASCIIRules and VerifyDnsLength
// off.
const UIDNA* uts46() {
  static const UIDNA* const instance = [] {
    UErrorCode status = U_ZERO_ERROR;
    return uidna_openUTS46(UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ |
                               UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE,
                           &status);
  }();
  return instance;
}

// ICU reports these whatever the options; the URL Standard switches the checks off.
constexpr std::uint32_t kIgnored = UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG |
                                   UIDNA_ERROR_DOMAIN_NAME_TOO_LONG | UIDNA_ERROR_LEADING_HYPHEN |
                                   UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;

using Convert = int32_t (*)(const UIDNA*, const char*, int32_t, char*, int32_t, UIDNAInfo*,
                            UErrorCode*);

bool convert(Convert function, std::string_view in, std::string* out) {
  UErrorCode status = U_ZERO_ERROR;
  UIDNAInfo info = UIDNA_INFO_INITIALIZER;
  out->resize(in.size() * 4 + 64);
  int32_t size = function(uts46(), in.data(), static_cast<int32_t>(in.size()), out->data(),
                          static_cast<int32_t>(out->size()), &info, &status);
  if (status == U_BUFFER_OVERFLOW_ERROR) {
    status = U_ZERO_ERROR;
    info = UIDNA_INFO_INITIALIZER;
    out->resize(static_cast<std::size_t>(size) + 1);
    size = function(uts46(), in.data(), static_cast<int32_t>(in.size()), out->data(),
                    static_cast<int32_t>(out->size()), &info, &status);
  }
  if (U_FAILURE(status) || (info.errors & ~kIgnored) != 0) return false;
  out->resize(static_cast<std::size_t>(size));
  return true;
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// What UTS 46 revision 33 (Unicode 16) maps or ignores and ICU 72 (Unicode 15) still refuses:
// capitals that gained their small letters, corrected compatibility ideographs, and invisible
// fillers.
void append_newer_mapping(std::string* out, char32_t c) {
  struct Mapped {
    char32_t from, to;
  };
  static constexpr Mapped kMapped[] = {{0x04C0, 0x04CF},  {0x10C7, 0x2D27},  {0x10CD, 0x2D2D},
                                       {0x1E9E, 0x00DF},  {0x2132, 0x214E},  {0x2183, 0x2184},
                                       {0x2F868, 0x36FC}, {0x2F874, 0x5F53}, {0x2F91F, 0x243AB},
                                       {0x2F95F, 0x7AEE}, {0x2F9BF, 0x45D7}};
  if (c < 0x04C0) return append_utf8(out, c);
  if (c >= 0x10A0 && c <= 0x10C5) return append_utf8(out, c - 0x10A0 + 0x2D00);
  const bool ignored = c == 0x115F || c == 0x1160 || c == 0x17B4 || c == 0x17B5 || c == 0x180E ||
                       (c >= 0x2061 && c <= 0x2064) || (c >= 0x206A && c <= 0x206F) ||
                       c == 0x3164 || c == 0xFFA0 || (c >= 0x1BCA0 && c <= 0x1BCA3) ||
                       (c >= 0x1D173 && c <= 0x1D17A);
  if (ignored) return;
  const auto* found = std::ranges::find(kMapped, c, &Mapped::from);
  append_utf8(out, found == std::end(kMapped) ? c : found->to);
}

// Punycode that stands for nothing, or for ASCII alone, is no label (UTS 46 revision 33; ICU 72 is
// older).
bool is_empty_punycode(std::string_view label) {
  if (!starts_with_ignoring_case(label, "xn--")) return false;
  const std::string_view code = label.substr(4);
  return code.empty() || code.back() == '-';
}

template <class Visit>
void each_label(std::string_view domain, Visit visit) {
  for (std::size_t start = 0; start <= domain.size();) {
    const std::size_t end = std::min(domain.find('.', start), domain.size());
    visit(domain.substr(start, end - start));
    start = end + 1;
  }
}

}  // namespace

std::expected<std::string, UrlFault> domain_to_ascii(std::string_view domain) {
  // An ASCII domain is not judged, Punycode or not: whoever wrote it so gets what the DNS says of
  // it.
  if (is_ascii(domain)) return to_ascii_lower(domain);
  bool empty_punycode = false;
  each_label(domain, [&](std::string_view label) {
    empty_punycode = empty_punycode || is_empty_punycode(label);
  });
  std::string mapped;
  for (std::size_t at = 0; at < domain.size();)
    append_newer_mapping(&mapped, next_code_point(domain, &at));
  std::string out;
  if (empty_punycode || !convert(uidna_nameToASCII_UTF8, mapped, &out) || out.empty()) {
    return std::unexpected(UrlFault::kHostBadIdna);
  }
  each_label(out, [&](std::string_view label) {
    empty_punycode = empty_punycode || is_empty_punycode(label);
  });
  if (empty_punycode) return std::unexpected(UrlFault::kHostBadIdna);
  return out;
}

std::string host_to_unicode(std::string_view ascii_host) {
  if (ascii_host.find("xn--") == std::string_view::npos) return std::string(ascii_host);
  std::string out;
  return convert(uidna_nameToUnicodeUTF8, ascii_host, &out) ? out : std::string(ascii_host);
}

bool is_ip_literal(std::string_view hostname) {
  if (hostname.starts_with('[')) return true;
  // A serialised host that ends in a digit label is an IPv4 address: any other was refused by the
  // parser.
  const std::size_t dot = hostname.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? hostname : hostname.substr(dot + 1);
  return !last.empty() && std::ranges::all_of(last, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace periplus
