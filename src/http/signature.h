// HTTP Message Signatures (RFC 9421) with Ed25519 (RFC 8032), as Web Bot Auth uses them
// (draft-ietf-webbotauth-httpsig-protocol). The signed text is made by http/signature_base.h, the
// keys lie in http/signature_key_ring.h, their public directory is http/key_directory.h.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "url/url.h"

namespace periplus {

// An Ed25519 key pair. Copies share the key; signing from several threads is safe.
class SigningKey {
 public:
  static Result<SigningKey> generate();
  // Unencrypted PKCS #8 (text before the key is skipped); kInput when it is another kind of key.
  static Result<SigningKey> from_pem(std::string_view pem);
  std::string to_pem() const;
  std::string public_jwk() const;  // {"crv":"Ed25519","kty":"OKP","x":"…"} (RFC 8037)
  std::string thumbprint() const;  // base64url SHA-256 of the JWK (RFC 7638)
  std::string sign(std::string_view message) const;  // 64 octets
  std::array<std::uint8_t, 32> public_octets() const;

 private:
  std::shared_ptr<void> key_;  // EVP_PKEY
};
// Octets, not text: a key of 32, a signature of 64. False for any other length.
bool verify_ed25519(std::string_view public_key, std::string_view message,
                    std::string_view signature);
std::string sha256(std::string_view octets);  // 32 octets
std::string fresh_nonce();                    // 64 random octets in Base64

// Which form of Signature-Agent a request carries: the current draft's dictionary, or the bare
// quoted string that verifiers in the field still want.
enum class SignatureAgentForm : std::uint8_t { kDictionary, kString };

// What a signature may be told to say otherwise than by default.
struct RequestSignerOptions {
  std::string label = "sig1";        // of the signature
  std::string agent_label = "sig1";  // of the dictionary's member
  std::chrono::seconds lifetime{60};
};

// Signs requests with the tag "web-bot-auth" over "@authority" and, when it is announced,
// Signature-Agent: its member by key in the dictionary form, the whole field in the string form.
class RequestSigner {
 public:
  // `agent_origin`: "https://bot.example", where the key directory is; empty = not announced.
  RequestSigner(SigningKey key, std::string agent_origin, SignatureAgentForm form,
                RequestSignerOptions options = {});
  // The header lines to add to a GET of `url`: Signature-Agent (when announced), Signature-Input,
  // Signature. `nonce` empty = a fresh random one. No lines when `url` is not an http(s) URL.
  std::vector<std::pair<std::string, std::string>> sign(const Url& url, Instant now,
                                                        std::string nonce = {}) const;
  const SigningKey& key() const { return key_; }

 private:
  SigningKey key_;
  std::string agent_origin_;
  SignatureAgentForm form_;
  RequestSignerOptions options_;
};

struct SignedMessage;  // http/signature_base.h
struct SfInnerList;    // http/structured_field.h

// The fields Signature-Input and Signature of one signature.
struct SignatureFields {
  std::string input;      // label=("@authority");created=…
  std::string signature;  // label=:…:
};
// Signs `message` over `covered`, whose parameters are the signature's own. Fails (kInput) as
// signature_base does, and when the label is no key.
Result<SignatureFields> sign_message(const SigningKey& key, const SignedMessage& message,
                                     const std::string& label, const SfInnerList& covered);

}  // namespace periplus
