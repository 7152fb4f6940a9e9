#include "http/signature_base.h"

#include <gtest/gtest.h>

namespace periplus {
namespace {

SignedMessage example_request() {
  SignedMessage message;
  message.method = "POST";
  message.scheme = "https";
  message.authority = "www.example.com";
  message.path = "/path";
  message.query = "param=value";
  return message;
}

// The component as Signature-Input writes it: "\"@path\"", "\"x\";key=\"y\"".
Result<std::string> value_of(const SignedMessage& message, std::string_view component) {
  const Result<SfItem> item = parse_sf_item(component);
  EXPECT_TRUE(item.has_value()) << component;
  return component_value(message, *item);
}

std::string text_of(const SignedMessage& message, std::string_view component) {
  const Result<std::string> value = value_of(message, component);
  return value ? *value : "error: " + value.error().sentence;
}

// The examples of RFC 9421 sections 2.2.1 to 2.2.9.
TEST(SignatureBase, DerivedComponentsOfARequest) {
  const SignedMessage message = example_request();
  EXPECT_EQ(text_of(message, "\"@method\""), "POST");
  EXPECT_EQ(text_of(message, "\"@target-uri\""), "https://www.example.com/path?param=value");
  EXPECT_EQ(text_of(message, "\"@authority\""), "www.example.com");
  EXPECT_EQ(text_of(message, "\"@scheme\""), "https");
  EXPECT_EQ(text_of(message, "\"@request-target\""), "/path?param=value");
  EXPECT_EQ(text_of(message, "\"@path\""), "/path");
  EXPECT_EQ(text_of(message, "\"@query\""), "?param=value");
  EXPECT_EQ(text_of(message, "\"@query-param\";name=\"param\""), "value");
}

TEST(SignatureBase, AnEmptyPathIsASlashAndAMissingQueryAQuestionMark) {
  SignedMessage message = example_request();
  message.path.clear();
  message.query.reset();
  EXPECT_EQ(text_of(message, "\"@path\""), "/");
  EXPECT_EQ(text_of(message, "\"@query\""), "?");
  EXPECT_EQ(text_of(message, "\"@request-target\""), "/");
  message.query = "";
  EXPECT_EQ(text_of(message, "\"@query\""), "?");
  message.query = "queryString";
  EXPECT_EQ(text_of(message, "\"@query\""), "?queryString");
}

// The examples of section 2.2.8.
TEST(SignatureBase, QueryParametersAreDecodedAndEncodedAgain) {
  SignedMessage message = example_request();
  message.query =
      "var=this%20is%20a%20big%0Amultiline%20value&bar=with+plus+whitespace&fa%C3%A7ade%22%3A%20="
      "something&qux=&param=value&foo=bar&baz=batman&twice=1&twice=2";
  EXPECT_EQ(text_of(message, "\"@query-param\";name=\"baz\""), "batman");
  EXPECT_EQ(text_of(message, "\"@query-param\";name=\"qux\""), "");
  EXPECT_EQ(text_of(message, "\"@query-param\";name=\"var\""),
            "this%20is%20a%20big%0Amultiline%20value");
  EXPECT_EQ(text_of(message, "\"@query-param\";name=\"bar\""), "with%20plus%20whitespace");
  EXPECT_EQ(text_of(message, "\"@query-param\";name=\"fa%C3%A7ade%22%3A%20\""), "something");
  EXPECT_FALSE(value_of(message, "\"@query-param\";name=\"twice\"").has_value());
  EXPECT_FALSE(value_of(message, "\"@query-param\";name=\"absent\"").has_value());
  EXPECT_FALSE(value_of(message, "\"@query-param\"").has_value());
}

// The examples of sections 2.1 to 2.1.3.
TEST(SignatureBase, Fields) {
  SignedMessage message = example_request();
  message.headers.lines = {
      {"Host", "www.example.com"},
      {"X-OWS-Header", "   Leading and trailing whitespace.   "},
      {"X-Obs-Fold-Header", "Obsolete\r\n    line folding."},
      {"Cache-Control", "max-age=60"},
      {"Cache-Control", "    must-revalidate"},
      {"Example-Dict", "a=1,    b=2;x=1;y=2,   c=(a   b   c), d"},
      {"X-Empty-Header", ""},
      {"Example-Header", "value, with, lots"},
      {"Example-Header", "of, commas"},
      {"Priority", "u=1,   i"},
  };
  EXPECT_EQ(text_of(message, "\"host\""), "www.example.com");
  EXPECT_EQ(text_of(message, "\"x-ows-header\""), "Leading and trailing whitespace.");
  EXPECT_EQ(text_of(message, "\"x-obs-fold-header\""), "Obsolete line folding.");
  EXPECT_EQ(text_of(message, "\"cache-control\""), "max-age=60, must-revalidate");
  EXPECT_EQ(text_of(message, "\"example-dict\""), "a=1,    b=2;x=1;y=2,   c=(a   b   c), d");
  EXPECT_EQ(text_of(message, "\"x-empty-header\""), "");
  EXPECT_EQ(text_of(message, "\"example-dict\";key=\"a\""), "1");
  EXPECT_EQ(text_of(message, "\"example-dict\";key=\"d\""), "?1");
  EXPECT_EQ(text_of(message, "\"example-dict\";key=\"b\""), "2;x=1;y=2");
  EXPECT_EQ(text_of(message, "\"example-dict\";key=\"c\""), "(a b c)");
  EXPECT_EQ(text_of(message, "\"priority\";sf"), "u=1, i");
  EXPECT_EQ(text_of(message, "\"example-header\""), "value, with, lots, of, commas");
  EXPECT_EQ(text_of(message, "\"example-header\";bs"),
            ":dmFsdWUsIHdpdGgsIGxvdHM=:, :b2YsIGNvbW1hcw==:");
}

// The example of section 2.4, and of trailers in 2.1.4.
TEST(SignatureBase, AResponseCoversPartsOfItsRequestAndTrailers) {
  const SignedMessage request = example_request();
  SignedMessage response;
  response.status = 503;
  response.request = &request;
  response.trailers.lines.emplace_back("Expires", "Wed, 9 Nov 2022 07:28:00 GMT");
  EXPECT_EQ(text_of(response, "\"@status\""), "503");
  EXPECT_EQ(text_of(response, "\"@authority\";req"), "www.example.com");
  EXPECT_EQ(text_of(response, "\"expires\";tr"), "Wed, 9 Nov 2022 07:28:00 GMT");
  EXPECT_FALSE(value_of(response, "\"expires\"").has_value());
  EXPECT_FALSE(value_of(response, "\"@authority\"").has_value());
  EXPECT_FALSE(value_of(response, "\"@status\";req").has_value());
  EXPECT_FALSE(value_of(request, "\"@status\"").has_value());
  EXPECT_FALSE(value_of(request, "\"@method\";req").has_value());
}

TEST(SignatureBase, WhatTheStandardForbidsIsRefused) {
  SignedMessage message = example_request();
  message.headers.lines = {{"A", "b=1"}, {"Not-A-Dict", "(("}, {"Injected", "x\n\"@method\": GET"}};
  for (std::string_view component : {"\"@unknown\"",
                                     "\"@signature-params\"",
                                     "\"A\"",
                                     "\"a b\"",
                                     "\"\"",
                                     "\"absent\"",
                                     "\"a\";unknown",
                                     "\"a\";key",
                                     "\"a\";key=b",
                                     "\"a\";key=\"z\"",
                                     "\"a\";bs;sf",
                                     "\"a\";bs;key=\"b\"",
                                     "\"a\";sf",
                                     "\"a\";bs=1",
                                     "\"a\";name=\"b\"",
                                     "\"@path\";sf",
                                     "\"@path\";key=\"b\"",
                                     "\"not-a-dict\";key=\"b\"",
                                     "token",
                                     "1"}) {
    EXPECT_FALSE(value_of(message, component).has_value()) << component;
  }
}

TEST(SignatureBase, AComponentNamedTwiceIsRefused) {
  SignedMessage message = example_request();
  message.headers.lines.emplace_back("A", "b=1, c=2");
  const auto base_of = [&message](std::string_view list) {
    const SfList parsed = parse_sf_list(list).value();
    return signature_base(message, std::get<SfInnerList>(parsed[0]));
  };
  EXPECT_FALSE(base_of("(\"@path\" \"@path\")").has_value());
  EXPECT_FALSE(base_of("(\"a\";key=\"b\" \"a\";key=\"b\")").has_value());
  const Result<std::string> base = base_of("(\"a\";key=\"b\" \"a\";key=\"c\" \"a\");created=5");
  ASSERT_TRUE(base.has_value());
  EXPECT_EQ(*base,
            "\"a\";key=\"b\": 1\n\"a\";key=\"c\": 2\n\"a\": b=1, c=2\n"
            "\"@signature-params\": (\"a\";key=\"b\" \"a\";key=\"c\" \"a\");created=5");
}

TEST(SignatureBase, AFoldedLineCannotAddALine) {
  SignedMessage message = example_request();
  message.headers.lines.emplace_back("X", "x\r\n\"@method\": GET");
  SfInnerList covered;
  covered.items.push_back({std::string("x"), {}});
  const Result<std::string> base = signature_base(message, covered);
  ASSERT_TRUE(base.has_value());
  EXPECT_EQ(*base, "\"x\": x \"@method\": GET\n\"@signature-params\": (\"x\")");
}

TEST(SignatureBase, AUrlIsSignedAsItIsSent) {
  const auto request_of = [](std::string_view url) {
    return get_request_of(Url::parse(url).value());
  };
  SignedMessage message = request_of("HTTPS://Example.COM:443/a%20b?x=1#y");
  EXPECT_EQ(text_of(message, "\"@target-uri\""), "https://example.com/a%20b?x=1");
  EXPECT_EQ(text_of(message, "\"@authority\""), "example.com");
  message = request_of("http://example.com:8080");
  EXPECT_EQ(text_of(message, "\"@authority\""), "example.com:8080");
  EXPECT_EQ(text_of(message, "\"@path\""), "/");
  EXPECT_EQ(text_of(message, "\"@query\""), "?");
}

}  // namespace
}  // namespace periplus
