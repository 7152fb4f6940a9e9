#include "http/structured_field.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "testdata.h"

namespace periplus {
namespace {

using Json = nlohmann::json;

// The suite writes octets in Base32 (RFC 4648 section 6).
std::string from_base32(const std::string& text) {
  std::string octets;
  std::uint32_t bits = 0;
  int held = 0;
  for (char c : text) {
    if (c == '=') break;
    bits = bits << 5 | static_cast<std::uint32_t>(c >= 'A' ? c - 'A' : c - '2' + 26);
    held += 5;
    if (held >= 8) {
      held -= 8;
      octets.push_back(static_cast<char>(bits >> held & 255U));
    }
  }
  return octets;
}

SfBareItem bare_of(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number_float()) return SfDecimal::from_double(json.get<double>());
  if (json.is_string()) return json.get<std::string>();
  const std::string type = json.at("__type");
  const Json& value = json.at("value");
  if (type == "token") return SfToken{value};
  if (type == "binary") return SfBytes{from_base32(value)};
  if (type == "date") return SfDate{value.get<std::int64_t>()};
  EXPECT_EQ(type, "displaystring");
  return SfDisplayString{value};
}

SfParameters parameters_of(const Json& json) {
  SfParameters parameters;
  for (const Json& pair : json) parameters.emplace_back(pair.at(0), bare_of(pair.at(1)));
  return parameters;
}

SfItem item_of(const Json& json) { return {bare_of(json.at(0)), parameters_of(json.at(1))}; }

SfMember member_of(const Json& json) {
  if (!json.at(0).is_array()) return item_of(json);
  SfInnerList list;
  for (const Json& item : json.at(0)) list.items.push_back(item_of(item));
  list.parameters = parameters_of(json.at(1));
  return list;
}

SfList list_of(const Json& json) {
  SfList list;
  for (const Json& member : json) list.push_back(member_of(member));
  return list;
}

SfDictionary dictionary_of(const Json& json) {
  SfDictionary dictionary;
  for (const Json& pair : json) dictionary.emplace_back(pair.at(0), member_of(pair.at(1)));
  return dictionary;
}

std::string joined(const Json& lines) {
  std::string text;
  for (const Json& line : lines) {
    if (!text.empty()) text += ", ";
    text += line.get<std::string>();
  }
  return text;
}

struct Tally {
  int parsed = 0, must_fail = 0, serialised = 0;
};

template <class Value>
void check_parsing(const Json& test, const Result<Value>& got, const Value& expected) {
  if (!got) {
    EXPECT_TRUE(test.value("can_fail", false)) << got.error().sentence;
    return;
  }
  EXPECT_EQ(*got, expected);
  const Json canonical = test.contains("canonical") ? test["canonical"] : test["raw"];
  const Result<std::string> text = serialise_sf(*got);
  ASSERT_TRUE(text.has_value()) << text.error().sentence;
  EXPECT_EQ(*text, joined(canonical));
}

void run_parsing(const Json& test, Tally* tally) {
  SCOPED_TRACE(test["name"].get<std::string>());
  ++tally->parsed;
  const std::string raw = joined(test["raw"]);
  const std::string type = test["header_type"];
  if (test.value("must_fail", false)) {
    ++tally->must_fail;
    if (type == "item") {
      EXPECT_FALSE(parse_sf_item(raw).has_value());
    }
    if (type == "list") {
      EXPECT_FALSE(parse_sf_list(raw).has_value());
    }
    if (type == "dictionary") {
      EXPECT_FALSE(parse_sf_dictionary(raw).has_value());
    }
    return;
  }
  const Json& expected = test["expected"];
  if (type == "item") check_parsing(test, parse_sf_item(raw), item_of(expected));
  if (type == "list") check_parsing(test, parse_sf_list(raw), list_of(expected));
  if (type == "dictionary") check_parsing(test, parse_sf_dictionary(raw), dictionary_of(expected));
}

void run_serialising(const Json& test, Tally* tally) {
  SCOPED_TRACE(test["name"].get<std::string>());
  ++tally->serialised;
  const std::string type = test["header_type"];
  const Json& value = test["expected"];
  Result<std::string> text;
  if (type == "item") text = serialise_sf(item_of(value));
  if (type == "list") text = serialise_sf(list_of(value));
  if (type == "dictionary") text = serialise_sf(dictionary_of(value));
  if (test.value("must_fail", false)) {
    EXPECT_FALSE(text.has_value());
  } else {
    ASSERT_TRUE(text.has_value()) << text.error().sentence;
    EXPECT_EQ(*text, joined(test["canonical"]));
  }
}

TEST(StructuredField, PassesThePublicSuite) {
  const std::string root = PERIPLUS_NEEDS_TESTDATA("structured-fields/");
  Tally tally;
  for (const char* name : {"binary",
                           "boolean",
                           "date",
                           "dictionary",
                           "display-string",
                           "examples",
                           "item",
                           "key-generated",
                           "large-generated",
                           "list",
                           "listlist",
                           "number-generated",
                           "number",
                           "param-dict",
                           "param-list",
                           "param-listlist",
                           "string-generated",
                           "string",
                           "token-generated",
                           "token"}) {
    for (const Json& test : Json::parse(read_file(root + name + ".json"))) {
      run_parsing(test, &tally);
    }
  }
  EXPECT_EQ(tally.parsed, 1591);
  EXPECT_EQ(tally.must_fail, 864);
  for (const char* name : {"key-generated", "number", "string-generated", "token-generated"}) {
    const std::string path = root + "serialisation-tests/" + name + ".json";
    for (const Json& test : Json::parse(read_file(path))) run_serialising(test, &tally);
  }
  EXPECT_EQ(tally.serialised, 544);
}

TEST(StructuredField, AnErrorNamesThePlace) {
  const Result<SfList> list = parse_sf_list("a, b, \x01");
  ASSERT_FALSE(list.has_value());
  EXPECT_EQ(list.error().kind, ErrorKind::kInput);
  EXPECT_EQ(list.error().place, "octet 7");
}

TEST(StructuredField, ALaterValueTakesThePlaceOfTheFirst) {
  const Result<SfDictionary> dictionary = parse_sf_dictionary("a=1, b=2, a=3");
  ASSERT_TRUE(dictionary.has_value());
  EXPECT_EQ(serialise_sf(*dictionary).value(), "a=3, b=2");
}

TEST(StructuredField, ManyKeysAreFoundAgain) {
  std::string field;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 3000; ++i) {
      field += "k" + std::to_string(i) + "=" + std::to_string(i + round) + ",";
    }
  }
  field.pop_back();
  const Result<SfDictionary> dictionary = parse_sf_dictionary(field);
  ASSERT_TRUE(dictionary.has_value());
  ASSERT_EQ(dictionary->size(), 3000U);
  const SfMember* last = find_sf(*dictionary, "k2999");
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(std::get<SfItem>(*last).value, SfBareItem(std::int64_t{3000}));
}

TEST(StructuredField, HalvesRoundToTheEvenThousandth) {
  EXPECT_EQ(SfDecimal::from_double(0.0005).thousandths, 0);
  EXPECT_EQ(SfDecimal::from_double(-0.0015).thousandths, -2);
  EXPECT_FALSE(serialise_sf(SfItem{SfDecimal::from_double(1e300), {}}).has_value());
  EXPECT_FALSE(serialise_sf(SfItem{SfDecimal::from_double(std::nan("")), {}}).has_value());
}

TEST(StructuredField, DisplayStringsMustBeUtf8) {
  EXPECT_FALSE(parse_sf_item("%\"%ff\"").has_value());
  EXPECT_FALSE(parse_sf_item("%\"%F0\"").has_value());
  EXPECT_FALSE(serialise_sf(SfItem{SfDisplayString{"\xff"}, {}}).has_value());
  EXPECT_EQ(serialise_sf(SfItem{SfDisplayString{"f\xc3\xbc"}, {}}).value(), "%\"f%c3%bc\"");
}

TEST(Base64, IsReadAndWritten) {
  constexpr std::array<std::string_view, 4> kPlain = {"", "f", "fo", "foo"};
  constexpr std::array<std::string_view, 4> kCoded = {"", "Zg==", "Zm8=", "Zm9v"};
  for (std::size_t i = 0; i < kPlain.size(); ++i) {
    std::string octets = "x";
    EXPECT_EQ(to_base64(kPlain[i]), kCoded[i]);
    EXPECT_TRUE(from_base64(kCoded[i], &octets));
    EXPECT_EQ(octets, kPlain[i]);
  }
  EXPECT_EQ(to_base64url("\xfb\xff\xfe"), "-__-");
  EXPECT_EQ(to_base64url("f"), "Zg");
  std::string octets;
  for (std::string_view bad :
       {"A", "Zg=", "Z===", "Zm9v=", "Zm9v====", "-__-", "Zm 9", "=", "Zg==Zg=="}) {
    EXPECT_FALSE(from_base64(bad, &octets)) << bad;
  }
}

}  // namespace
}  // namespace periplus
