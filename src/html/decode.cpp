// Octets of any encoding to UTF-8. UTF-8, UTF-16 and windows-1252 are done here; ICU knows the
// rest.
#include <unicode/ucnv.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/text.h"
#include "html/encoding.h"
#include "html/scan.h"

namespace periplus {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Length of the well-formed sequence at `at`; 0 when there is none, with the octets that one
// U+FFFD stands for in *bad (the maximal subpart of Unicode section 3.9).
std::size_t sequence_at(const unsigned char* at, std::size_t left, std::size_t* bad) {
  const unsigned first = *at;
  *bad = 1;
  std::size_t size = 0;
  unsigned low = 0x80;
  unsigned high = 0xBF;
  if (first >= 0xC2 && first <= 0xDF) {
    size = 2;
  } else if (first >= 0xE0 && first <= 0xEF) {
    size = 3;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
  } else if (first >= 0xF0 && first <= 0xF4) {
    size = 4;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  for (std::size_t i = 1; i < size; ++i) {
    if (i >= left || at[i] < low || at[i] > high) {
      *bad = i;
      return 0;
    }
    low = 0x80;
    high = 0xBF;
  }
  return size;
}

std::uint32_t decode_utf8(std::string_view bytes, std::string* out) {
  std::uint32_t faults = 0;
  const char* at = bytes.data();
  const char* end = at + bytes.size();
  const char* good = at;  // from here on everything is valid and not yet copied
  while (at != end) {
    at = find_non_ascii(at, end);
    if (at == end) break;
    std::size_t bad = 0;
    const std::size_t size = sequence_at(reinterpret_cast<const unsigned char*>(at),
                                         static_cast<std::size_t>(end - at), &bad);
    if (size != 0) {
      at += size;
      continue;
    }
    out->append(good, at);
    out->append(kReplacement);
    ++faults;
    at += bad;
    good = at;
  }
  out->append(good, end);
  return faults;
}

// What 0x80 … 0x9F are in windows-1252; the rest is as in ISO-8859-1.
constexpr char16_t kWindows1252[32] = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

// ISO-8859-16 is not among ICU's converters: 0xA0 … 0xFF.
constexpr char16_t kIso885916[96] = {
    0xA0,   0x0104, 0x0105, 0x0141, 0x20AC, 0x201E, 0x0160, 0xA7,   0x0161, 0xA9,   0x0218, 0xAB,
    0x0179, 0xAD,   0x017A, 0x017B, 0xB0,   0xB1,   0x010C, 0x0142, 0x017D, 0x201D, 0xB6,   0xB7,
    0x017E, 0x010D, 0x0219, 0xBB,   0x0152, 0x0153, 0x0178, 0x017C, 0xC0,   0xC1,   0xC2,   0x0102,
    0xC4,   0x0106, 0xC6,   0xC7,   0xC8,   0xC9,   0xCA,   0xCB,   0xCC,   0xCD,   0xCE,   0xCF,
    0x0110, 0x0143, 0xD2,   0xD3,   0xD4,   0x0150, 0xD6,   0x015A, 0x0170, 0xD9,   0xDA,   0xDB,
    0xDC,   0x0118, 0x021A, 0xDF,   0xE0,   0xE1,   0xE2,   0x0103, 0xE4,   0x0107, 0xE6,   0xE7,
    0xE8,   0xE9,   0xEA,   0xEB,   0xEC,   0xED,   0xEE,   0xEF,   0x0111, 0x0144, 0xF2,   0xF3,
    0xF4,   0x0151, 0xF6,   0x015B, 0x0171, 0xF9,   0xFA,   0xFB,   0xFC,   0x0119, 0x021B, 0xFF};

template <class ToCodePoint>
void decode_single_octets(std::string_view bytes, ToCodePoint to_code_point, std::string* out) {
  const char* at = bytes.data();
  const char* end = at + bytes.size();
  while (at != end) {
    const char* plain = at;
    at = find_non_ascii(at, end);
    out->append(plain, at);
    if (at == end) break;
    append_utf8(out, to_code_point(static_cast<unsigned char>(*at++)));
  }
}

std::uint32_t decode_utf16(std::string_view bytes, bool big, std::string* out) {
  std::uint32_t faults = 0;
  const auto unit = [&](std::size_t i) {
    const auto first = static_cast<unsigned char>(bytes[i]);
    const auto second = static_cast<unsigned char>(bytes[i + 1]);
    return static_cast<char32_t>(big ? first << 8 | second : second << 8 | first);
  };
  std::size_t i = 0;
  while (i + 1 < bytes.size()) {
    char32_t code = unit(i);
    i += 2;
    if (code >= 0xD800 && code <= 0xDFFF) {
      const char32_t low = i + 1 < bytes.size() ? unit(i) : 0;
      if (code < 0xDC00 && low >= 0xDC00 && low <= 0xDFFF) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        i += 2;
      } else {
        code = 0xFFFD;
        ++faults;
      }
    }
    append_utf8(out, code);
  }
  if (i < bytes.size()) {
    out->append(kReplacement);
    ++faults;
  }
  return faults;
}

// The ICU converter that decodes as the Encoding Standard's does, or nearest to it.
const char* converter_name(std::string_view encoding) {
  struct Row {
    std::string_view encoding;
    const char* converter;
  };
  static constexpr Row kRows[] = {
      {"gbk", "gb18030"},
      {"gb18030", "gb18030"},
      {"big5", "Big5-HKSCS"},
      {"euc-jp", "EUC-JP"},
      {"iso-2022-jp", "ISO-2022-JP"},
      {"shift_jis", "ibm-943_P15A-2003"},
      {"euc-kr", "windows-949"},
      {"iso-8859-8-i", "ISO-8859-8"},
      {"windows-874", "windows-874"},
      {"x-mac-cyrillic", "x-mac-cyrillic"},
      {"ibm866", "IBM866"},
  };
  for (const Row& row : kRows) {
    if (row.encoding == encoding) return row.converter;
  }
  return nullptr;  // ICU knows it by its own name
}

void count_and_replace(const void* context, UConverterToUnicodeArgs* args, const char* units,
                       std::int32_t size, UConverterCallbackReason reason, UErrorCode* error) {
  if (reason <= UCNV_IRREGULAR) {
    ++*static_cast<std::uint32_t*>(const_cast<void*>(context));
  }
  UCNV_TO_U_CALLBACK_SUBSTITUTE(nullptr, args, units, size, reason, error);
}

std::uint32_t decode_with_icu(std::string_view bytes, std::string_view encoding, std::string* out) {
  UErrorCode error = U_ZERO_ERROR;
  const std::string own_name(encoding);
  const char* name = converter_name(encoding);
  const std::unique_ptr<UConverter, void (*)(UConverter*)> from(
      ucnv_open(name != nullptr ? name : own_name.c_str(), &error), ucnv_close);
  const std::unique_ptr<UConverter, void (*)(UConverter*)> to(ucnv_open("UTF-8", &error),
                                                              ucnv_close);
  if (U_FAILURE(error) != 0) return decode_utf8(bytes, out);
  std::uint32_t faults = 0;
  ucnv_setToUCallBack(from.get(), count_and_replace, &faults, nullptr, nullptr, &error);
  char16_t pivot[1024];
  char16_t* pivot_source = pivot;
  char16_t* pivot_target = pivot;
  char piece[4096];
  const char* source = bytes.data();
  const char* end = source + bytes.size();
  bool first = true;
  do {
    error = U_ZERO_ERROR;
    char* target = piece;
    ucnv_convertEx(to.get(), from.get(), &target, piece + sizeof(piece), &source, end, pivot,
                   &pivot_source, &pivot_target, pivot + 1024, static_cast<UBool>(first),
                   static_cast<UBool>(true), &error);
    first = false;
    out->append(piece, target);
  } while (error == U_BUFFER_OVERFLOW_ERROR);
  return faults;
}

}  // namespace

std::uint32_t decode_to_utf8(std::string_view bytes, std::string_view encoding, std::string* out) {
  if (encoding == "utf-8") {
    out->reserve(out->size() + bytes.size() + 64);
    return decode_utf8(bytes, out);
  }
  out->reserve(out->size() + bytes.size() + bytes.size() / 4);
  if (encoding == "windows-1252") {
    decode_single_octets(
        bytes,
        [](unsigned char c) { return char32_t{c < 0xA0 ? kWindows1252[c - 0x80] : char16_t{c}}; },
        out);
    return 0;
  }
  if (encoding == "iso-8859-16") {
    decode_single_octets(
        bytes,
        [](unsigned char c) { return char32_t{c < 0xA0 ? char16_t{c} : kIso885916[c - 0xA0]}; },
        out);
    return 0;
  }
  if (encoding == "x-user-defined") {
    decode_single_octets(bytes, [](unsigned char c) { return char32_t{0xF700U + c}; }, out);
    return 0;
  }
  if (encoding == "utf-16le" || encoding == "utf-16be") {
    return decode_utf16(bytes, encoding == "utf-16be", out);
  }
  if (encoding == "replacement") {
    if (bytes.empty()) return 0;
    out->append(kReplacement);
    return 1;
  }
  return decode_with_icu(bytes, encoding, out);
}

}  // namespace periplus
