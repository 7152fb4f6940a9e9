// The key directory of Web Bot Auth (draft-ietf-webbotauth-httpsig-protocol): our public keys, at
// /.well-known/http-message-signatures-directory, in an answer that each of the keys signs.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "http/signature.h"

namespace periplus {

inline constexpr std::string_view kKeyDirectoryPath =
    "/.well-known/http-message-signatures-directory";
inline constexpr std::string_view kKeyDirectoryType =
    "application/http-message-signatures-directory+json";

// The body: a JWK set (RFC 7517 section 5) with kid = thumbprint, in the order given.
std::string key_directory_json(const std::vector<SigningKey>& keys);

// The header lines of the answer to a GET of the directory at `authority` ("bot.example", as in
// Url::host()): Content-Type, Content-Digest (RFC 9530), Signature-Input and Signature with one
// signature for each key, over "@authority";req and content-digest, tag
// "http-message-signatures-directory". Labels: binding, binding2, …
std::vector<std::pair<std::string, std::string>> key_directory_headers(
    const std::vector<SigningKey>& keys, std::string_view authority, std::string_view body,
    Instant now, std::chrono::seconds lifetime);

}  // namespace periplus
