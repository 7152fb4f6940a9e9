// HTTP Message Signatures (RFC 9421) with Ed25519, as Web Bot Auth uses them.
#pragma once

#include <array>
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

class SigningKey {
 public:
  static Result<SigningKey> generate();
  static Result<SigningKey> from_pem(std::string_view pem);  // PKCS #8
  std::string to_pem() const;
  std::string public_jwk() const;  // {"crv":"Ed25519","kty":"OKP","x":"…"} (RFC 8037)
  std::string thumbprint() const;  // base64url SHA-256 of the JWK (RFC 7638)
  std::string sign(std::string_view message) const;  // 64 octets
  std::array<std::uint8_t, 32> public_octets() const;

 private:
  std::shared_ptr<void> key_;  // EVP_PKEY
};
bool verify_ed25519(std::string_view public_key, std::string_view message,
                    std::string_view signature);

// Which form of Signature-Agent a request carries: the current draft's dictionary, or the bare
// quoted string that verifiers in the field still want.
enum class SignatureAgentForm : std::uint8_t { kDictionary, kString };

class RequestSigner {
 public:
  RequestSigner(SigningKey key, std::string agent_origin, SignatureAgentForm form);
  // The header lines to add to a GET of `url`: Signature-Agent (when announced), Signature-Input,
  // Signature. `nonce` empty = a fresh random one.
  std::vector<std::pair<std::string, std::string>> sign(const Url& url, Instant now,
                                                        std::string nonce = {}) const;
  const SigningKey& key() const { return key_; }

 private:
  SigningKey key_;
  std::string agent_origin_;
  SignatureAgentForm form_;
};

}  // namespace periplus
