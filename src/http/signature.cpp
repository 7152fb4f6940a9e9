#include "http/signature.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>

#include <stdexcept>

#include "http/signature_base.h"
#include "http/structured_field.h"

namespace periplus {
namespace {

EVP_PKEY* as_pkey(const std::shared_ptr<void>& key) { return static_cast<EVP_PKEY*>(key.get()); }

std::shared_ptr<void> own(EVP_PKEY* key) {
  return {key, [](void* held) { EVP_PKEY_free(static_cast<EVP_PKEY*>(held)); }};
}

using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

const unsigned char* octets(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// OpenSSL would otherwise ask at the terminal.
int no_password(char*, int, int, void*) { return 0; }

std::int64_t whole_seconds(Instant at) {
  return std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
}

}  // namespace

Result<SigningKey> SigningKey::generate() {
  EVP_PKEY* key = EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519");
  if (key == nullptr) return fail(ErrorKind::kInternal, "OpenSSL made no Ed25519 key");
  SigningKey made;
  made.key_ = own(key);
  return made;
}

Result<SigningKey> SigningKey::from_pem(std::string_view pem) {
  constexpr std::size_t kMostOctets = 64 * 1024;
  if (pem.size() > kMostOctets) return fail(ErrorKind::kInput, "a key of over 64 KiB is no key");
  const Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), &BIO_free);
  EVP_PKEY* key = PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, nullptr);
  SigningKey read;
  read.key_ = own(key);
  if (key == nullptr) {
    return fail(ErrorKind::kInput,
                "expected an unencrypted private key in PEM (-----BEGIN PRIVATE KEY-----)");
  }
  if (EVP_PKEY_get_base_id(key) != EVP_PKEY_ED25519) {
    return fail(ErrorKind::kInput, "expected an Ed25519 key, this one is of another kind");
  }
  return read;
}

std::string SigningKey::to_pem() const {
  const Bio bio(BIO_new(BIO_s_secmem()), &BIO_free);
  if (PEM_write_bio_PKCS8PrivateKey(bio.get(), as_pkey(key_), nullptr, nullptr, 0, nullptr,
                                    nullptr) != 1) {
    throw std::runtime_error("OpenSSL could not write a key");
  }
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

std::array<std::uint8_t, 32> SigningKey::public_octets() const {
  std::array<std::uint8_t, 32> key{};
  std::size_t size = key.size();
  if (EVP_PKEY_get_raw_public_key(as_pkey(key_), key.data(), &size) != 1 || size != key.size()) {
    throw std::runtime_error("OpenSSL gave no public key");
  }
  return key;
}

std::string SigningKey::public_jwk() const {
  const std::array<std::uint8_t, 32> key = public_octets();
  const std::string x = to_base64url({reinterpret_cast<const char*>(key.data()), key.size()});
  return R"({"crv":"Ed25519","kty":"OKP","x":")" + x + "\"}";
}

std::string SigningKey::thumbprint() const { return to_base64url(sha256(public_jwk())); }

std::string SigningKey::sign(std::string_view message) const {
  const DigestContext context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  std::string signature(64, '\0');
  std::size_t size = signature.size();
  if (EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, as_pkey(key_)) != 1 ||
      EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                     octets(message), message.size()) != 1 ||
      size != signature.size()) {
    throw std::runtime_error("OpenSSL could not sign");
  }
  return signature;
}

bool verify_ed25519(std::string_view public_key, std::string_view message,
                    std::string_view signature) {
  if (public_key.size() != 32 || signature.size() != 64) return false;
  const std::shared_ptr<void> key = own(EVP_PKEY_new_raw_public_key(
      EVP_PKEY_ED25519, nullptr, octets(public_key), public_key.size()));
  if (!key) return false;
  const DigestContext context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  return EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, as_pkey(key)) == 1 &&
         EVP_DigestVerify(context.get(), octets(signature), signature.size(), octets(message),
                          message.size()) == 1;
}

std::string sha256(std::string_view data) {
  std::string digest(32, '\0');
  std::size_t size = 0;
  if (EVP_Q_digest(nullptr, "SHA256", nullptr, data.data(), data.size(),
                   reinterpret_cast<unsigned char*>(digest.data()), &size) != 1) {
    throw std::runtime_error("OpenSSL has no SHA-256");
  }
  return digest;
}

std::string fresh_nonce() {
  std::string random(64, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(random.data()),
                 static_cast<int>(random.size())) != 1) {
    throw std::runtime_error("OpenSSL has no random numbers");
  }
  return to_base64(random);
}

Result<SignatureFields> sign_message(const SigningKey& key, const SignedMessage& message,
                                     const std::string& label, const SfInnerList& covered) {
  const Result<std::string> base = signature_base(message, covered);
  if (!base) return std::unexpected(base.error());
  const SfDictionary input = {{label, covered}};
  const SfDictionary signature = {{label, SfItem{SfBytes{key.sign(*base)}, {}}}};
  SignatureFields fields;
  Result<std::string> text = serialise_sf(input);
  if (!text) return std::unexpected(text.error());
  fields.input = std::move(*text);
  text = serialise_sf(signature);
  if (!text) return std::unexpected(text.error());
  fields.signature = std::move(*text);
  return fields;
}

RequestSigner::RequestSigner(SigningKey key, std::string agent_origin, SignatureAgentForm form,
                             RequestSignerOptions options)
    : key_(std::move(key)),
      agent_origin_(std::move(agent_origin)),
      form_(form),
      options_(std::move(options)) {}

std::vector<std::pair<std::string, std::string>> RequestSigner::sign(const Url& url, Instant now,
                                                                     std::string nonce) const {
  if (!url.is_http()) return {};
  SignedMessage message = get_request_of(url);
  SfInnerList covered;
  covered.items.push_back({std::string("@authority"), {}});
  std::vector<std::pair<std::string, std::string>> lines;
  if (!agent_origin_.empty()) {
    SfItem component{std::string("signature-agent"), {}};
    Result<std::string> agent;
    if (form_ == SignatureAgentForm::kDictionary) {
      component.parameters = {{"key", options_.agent_label}};
      agent = serialise_sf(SfDictionary{{options_.agent_label, SfItem{agent_origin_, {}}}});
    } else {
      agent = serialise_sf(SfItem{agent_origin_, {}});
    }
    if (!agent) return {};
    covered.items.push_back(std::move(component));
    lines.emplace_back("Signature-Agent", *agent);
    message.headers.lines = lines;
  }
  const std::int64_t created = whole_seconds(now);
  covered.parameters = {
      {"created", created},
      {"keyid", key_.thumbprint()},
      {"alg", std::string("ed25519")},
      {"expires", created + options_.lifetime.count()},
      {"nonce", nonce.empty() ? fresh_nonce() : std::move(nonce)},
      {"tag", std::string("web-bot-auth")},
  };
  Result<SignatureFields> fields = sign_message(key_, message, options_.label, covered);
  if (!fields) return {};
  lines.emplace_back("Signature-Input", std::move(fields->input));
  lines.emplace_back("Signature", std::move(fields->signature));
  return lines;
}

}  // namespace periplus
