// Structured field values for HTTP (RFC 9651): parser and serialiser.
//
// A field of several lines is parsed as its lines joined with ", " (section 4.2).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"

namespace periplus {

// A decimal, exact: three digits after the point are all the standard knows (section 3.3.2).
struct SfDecimal {
  std::int64_t thousandths = 0;
  // Rounds to the nearest thousandth, halves to the even one (section 4.1.5).
  static SfDecimal from_double(double value);
  friend bool operator==(const SfDecimal&, const SfDecimal&) = default;
};
struct SfToken {
  std::string text;
  friend bool operator==(const SfToken&, const SfToken&) = default;
};
struct SfBytes {
  std::string octets;
  friend bool operator==(const SfBytes&, const SfBytes&) = default;
};
struct SfDate {
  std::int64_t seconds = 0;  // since 1970-01-01T00:00Z
  friend bool operator==(const SfDate&, const SfDate&) = default;
};
struct SfDisplayString {
  std::string text;  // UTF-8
  friend bool operator==(const SfDisplayString&, const SfDisplayString&) = default;
};

// std::string is the standard's String (printable ASCII), std::int64_t its Integer (15 digits).
using SfBareItem = std::variant<std::int64_t, SfDecimal, std::string, SfToken, SfBytes, bool,
                                SfDate, SfDisplayString>;
using SfParameters = std::vector<std::pair<std::string, SfBareItem>>;  // keys are unique

struct SfItem {
  SfBareItem value;
  SfParameters parameters;
  friend bool operator==(const SfItem&, const SfItem&) = default;
};
struct SfInnerList {
  std::vector<SfItem> items;
  SfParameters parameters;
  friend bool operator==(const SfInnerList&, const SfInnerList&) = default;
};
using SfMember = std::variant<SfItem, SfInnerList>;
using SfList = std::vector<SfMember>;
using SfDictionary = std::vector<std::pair<std::string, SfMember>>;  // keys are unique

// Section 4.2. The error (kInput) says what was expected, its place is the octet's number. An empty
// field is an empty list or dictionary, and no item.
Result<SfItem> parse_sf_item(std::string_view field);
Result<SfList> parse_sf_list(std::string_view field);
Result<SfDictionary> parse_sf_dictionary(std::string_view field);

// Section 4.1. An empty list or dictionary gives an empty text: then the field must not be sent.
// Fails (kInput) on what the standard cannot express: keys or tokens with other letters, numbers
// that are too large, strings outside printable ASCII, display strings that are not UTF-8.
Result<std::string> serialise_sf(const SfItem& item);
Result<std::string> serialise_sf(const SfInnerList& list);
Result<std::string> serialise_sf(const SfMember& member);
Result<std::string> serialise_sf(const SfList& list);
Result<std::string> serialise_sf(const SfDictionary& dictionary);

// The value of that key; null when there is none.
const SfBareItem* find_sf(const SfParameters& parameters, std::string_view key);
const SfMember* find_sf(const SfDictionary& dictionary, std::string_view key);

// RFC 4648 section 4, padded. Decoding takes missing padding and non-zero padding bits (RFC 9651
// section 4.2.7 allows both), and nothing outside the alphabet.
std::string to_base64(std::string_view octets);
std::string to_base64url(std::string_view octets);  // section 5, without padding
bool from_base64(std::string_view text, std::string* octets);

}  // namespace periplus
