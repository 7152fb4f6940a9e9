// The text that an HTTP message signature signs (RFC 9421 section 2.5), from any message.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "http/exchange.h"
#include "http/structured_field.h"

namespace periplus {

// A request, or (status > 0) a response with the request it answers.
struct SignedMessage {
  std::string method;                // "GET"
  std::string scheme;                // "https"
  std::string authority;             // lower case, without the scheme's default port
  std::string path;                  // as sent: absolute, percent-encoded; empty counts as "/"
  std::optional<std::string> query;  // as sent, without '?'
  int status = 0;
  Headers headers;
  Headers trailers;
  const SignedMessage* request = nullptr;
};
// The parts of an http(s) URL; method GET.
SignedMessage get_request_of(const Url& url);

// Derived components (section 2.2): @method @target-uri @authority @scheme @request-target @path
// @query @query-param;name @status. Fields (section 2.1) with sf, key, bs, tr; req on any of both.
// sf is known for the fields whose type this program knows. Fails (kInput) on everything section
// 2.5 makes an error: an unknown component or parameter, one named twice, a field that is missing.
//
// `covered` are the components with their parameters, and the signature's own parameters.
Result<std::string> signature_base(const SignedMessage& message, const SfInnerList& covered);

// The value of one component, without its name.
Result<std::string> component_value(const SignedMessage& message, const SfItem& component);

}  // namespace periplus
