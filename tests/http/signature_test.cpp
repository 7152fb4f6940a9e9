#include "http/signature.h"

#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "http/signature_base.h"
#include "http/structured_field.h"
#include "testdata.h"

namespace periplus {
namespace {

using Json = nlohmann::json;
using Pkey = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

const unsigned char* octets(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string from_hex(const std::string& hex) {
  std::string text;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    text.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return text;
}

std::string decoded(const std::string& base64) {
  std::string text;
  EXPECT_TRUE(from_base64(base64, &text));
  return text;
}

Pkey public_key(const std::string& pem) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(
      BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), &BIO_free);
  return {PEM_read_bio_PUBKEY(bio.get(), nullptr, nullptr, nullptr), &EVP_PKEY_free};
}

// r and s of 32 octets each, as RFC 9421 section 3.3.4 writes them, to the DER that OpenSSL takes.
std::string ecdsa_to_der(std::string_view raw) {
  if (raw.size() != 64) return {};
  const std::unique_ptr<ECDSA_SIG, decltype(&ECDSA_SIG_free)> sig(ECDSA_SIG_new(), &ECDSA_SIG_free);
  ECDSA_SIG_set0(sig.get(), BN_bin2bn(octets(raw), 32, nullptr),
                 BN_bin2bn(octets(raw.substr(32)), 32, nullptr));
  unsigned char* der = nullptr;
  const int size = i2d_ECDSA_SIG(sig.get(), &der);
  std::string text(reinterpret_cast<char*>(der), static_cast<std::size_t>(size));
  OPENSSL_free(der);
  return text;
}

bool verify_with_openssl(const std::string& algorithm, const Json& key, std::string_view base,
                         std::string signature) {
  if (algorithm == "hmac-sha256") {
    const std::string secret = decoded(key.at("base64"));
    std::string mac(32, '\0');
    unsigned size = 0;
    HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()), octets(base), base.size(),
         reinterpret_cast<unsigned char*>(mac.data()), &size);
    return size == 32 && mac == signature;
  }
  const Pkey pkey = public_key(key.at("public_pem"));
  if (!pkey) return false;
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  EVP_PKEY_CTX* inner = nullptr;
  const bool is_rsa = algorithm == "rsa-pss-sha512";
  const EVP_MD* digest = nullptr;
  if (is_rsa) digest = EVP_sha512();
  if (algorithm == "ecdsa-p256-sha256") {
    digest = EVP_sha256();
    signature = ecdsa_to_der(signature);
  }
  if (EVP_DigestVerifyInit(context.get(), &inner, digest, nullptr, pkey.get()) != 1) return false;
  if (is_rsa) {
    EVP_PKEY_CTX_set_rsa_padding(inner, RSA_PKCS1_PSS_PADDING);
    EVP_PKEY_CTX_set_rsa_pss_saltlen(inner, 64);
  }
  return EVP_DigestVerify(context.get(), octets(signature), signature.size(), octets(base),
                          base.size()) == 1;
}

SignedMessage message_of(const Json& json) {
  SignedMessage message;
  for (const Json& line : json.at("headers")) message.headers.lines.emplace_back(line[0], line[1]);
  std::string start = json.at("start_line");
  if (start.starts_with("HTTP/")) {
    message.status = std::stoi(start.substr(start.find(' ') + 1));
    return message;
  }
  message.method = start.substr(0, start.find(' '));
  const std::size_t begin = start.find(' ') + 1;
  const std::string target = start.substr(begin, start.rfind(' ') - begin);
  message.scheme = "https";
  message.path = target.substr(0, target.find('?'));
  if (message.path.size() < target.size()) message.query = target.substr(message.path.size() + 1);
  for (const auto& [name, value] : message.headers.lines) {
    if (name == "Host") message.authority = value;
  }
  return message;
}

// The member of a Signature-Input field.
SfInnerList covered_of(const std::string& field, const std::string& label) {
  const Result<SfDictionary> dictionary = parse_sf_dictionary(field);
  EXPECT_TRUE(dictionary.has_value());
  const SfMember* member = dictionary ? find_sf(*dictionary, label) : nullptr;
  EXPECT_NE(member, nullptr) << field;
  return member == nullptr ? SfInnerList{} : std::get<SfInnerList>(*member);
}

TEST(Signature, Rfc9421AppendixB) {
  const std::string path =
      PERIPLUS_NEEDS_TESTDATA("http-message-signatures/rfc9421-appendix-b.json");
  const Json keys =
      Json::parse(read_file(testdata_root() + "/http-message-signatures/rfc9421-keys.json"));
  int cases = 0;
  int made_again = 0;
  for (const Json& vector : Json::parse(read_file(path))["cases"]) {
    SCOPED_TRACE(vector["id"].get<std::string>());
    ++cases;
    const SfInnerList covered = covered_of(vector["signature_input_field"], vector["label"]);
    const Result<std::string> base = signature_base(message_of(vector["message"]), covered);
    ASSERT_TRUE(base.has_value()) << base.error().sentence;
    EXPECT_EQ(*base, vector["signature_base"].get<std::string>());
    const std::string signature = decoded(vector["signature_base64"]);
    EXPECT_EQ(signature, from_hex(vector["signature_hex"]));
    const Json& key = keys.at(vector["key"].get<std::string>());
    EXPECT_EQ(verify_with_openssl(vector["algorithm"], key, *base, signature),
              vector["valid"].get<bool>());
    if (vector["algorithm"] != "ed25519") continue;
    EXPECT_EQ(verify_ed25519(from_hex(key["public_hex"]), *base, signature),
              vector["valid"].get<bool>());
    if (!vector["valid"]) continue;
    ++made_again;
    const Result<SigningKey> signing = SigningKey::from_pem(key["private_pem"].get<std::string>());
    ASSERT_TRUE(signing.has_value());
    const Result<SignatureFields> fields =
        sign_message(*signing, message_of(vector["message"]), vector["label"], covered);
    ASSERT_TRUE(fields.has_value());
    EXPECT_EQ(fields->input, vector["signature_input_field"].get<std::string>());
    EXPECT_EQ(fields->signature, vector["signature_field"].get<std::string>());
  }
  EXPECT_EQ(cases, 13);
  EXPECT_EQ(made_again, 5);
}

TEST(Signature, WycheproofEd25519) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA("ed25519/wycheproof_ed25519_test.json");
  int count = 0;
  for (const Json& group : Json::parse(read_file(path))["testGroups"]) {
    const std::string key = from_hex(group["publicKey"]["pk"]);
    for (const Json& test : group["tests"]) {
      ++count;
      EXPECT_EQ(verify_ed25519(key, from_hex(test["msg"]), from_hex(test["sig"])),
                test["result"] == "valid")
          << test["tcId"];
    }
  }
  EXPECT_EQ(count, 151);
}

SigningKey test_key() {
  // RFC 9421 appendix B.1.4: a public test key.
  return SigningKey::from_pem(
             "-----BEGIN PRIVATE KEY-----\n"
             "MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n"
             "-----END PRIVATE KEY-----\n")
      .value();
}

std::string line_of(const std::vector<std::pair<std::string, std::string>>& lines,
                    std::string_view name) {
  for (const auto& [known, value] : lines) {
    if (known == name) return value;
  }
  return "(none)";
}

TEST(Signature, WebBotAuthVectorsOfBothForms) {
  const std::string root = PERIPLUS_NEEDS_TESTDATA("http-message-signatures/web-bot-auth/");
  const Json bases = Json::parse(read_file(root + "derived_signature_bases.json"));
  const Json keys =
      Json::parse(read_file(testdata_root() + "/http-message-signatures/rfc9421-keys.json"));
  int signed_again = 0;
  for (const Json& expected : bases["signature_bases"]) {
    const std::string file = expected["file"];
    const Json vector = Json::parse(read_file(root + file)).at(expected["index"].get<int>());
    SCOPED_TRACE(file + " " + std::to_string(expected["index"].get<int>()));
    const Url url = Url::parse(vector["target_url"].get<std::string>()).value();
    SignedMessage message = get_request_of(url);
    const std::string agent = vector.value("signature_agent", "");
    if (!agent.empty()) message.headers.lines.emplace_back("Signature-Agent", agent);
    const std::string label = vector["label"];
    const Result<std::string> base =
        signature_base(message, covered_of(vector["signature_input"], label));
    ASSERT_TRUE(base.has_value()) << base.error().sentence;
    EXPECT_EQ(*base, expected["signature_base"].get<std::string>());

    const std::string algorithm = expected["algorithm"];
    const SfDictionary field = parse_sf_dictionary(vector["signature"].get<std::string>()).value();
    const std::string signature =
        std::get<SfBytes>(std::get<SfItem>(*find_sf(field, label)).value).octets;
    const std::string key = algorithm == "ed25519" ? "test-key-ed25519" : "test-key-rsa-pss";
    EXPECT_TRUE(verify_with_openssl(algorithm, keys[key], *base, signature));
    if (algorithm != "ed25519") continue;

    ++signed_again;
    RequestSignerOptions options;
    options.label = label;
    options.agent_label = vector.value("signature_agent_key", "sig1");
    options.lifetime = std::chrono::seconds{
        (vector["expires_ms"].get<std::int64_t>() - vector["created_ms"].get<std::int64_t>()) /
        1000};
    const SignatureAgentForm form = vector.contains("signature_agent_key")
                                        ? SignatureAgentForm::kDictionary
                                        : SignatureAgentForm::kString;
    const RequestSigner signer(test_key(), agent.empty() ? "" : "https://signature-agent.test",
                               form, options);
    const auto lines = signer.sign(url, Instant{Millis{vector["created_ms"].get<std::int64_t>()}},
                                   vector["nonce"]);
    EXPECT_EQ(line_of(lines, "Signature-Input"), vector["signature_input"].get<std::string>());
    EXPECT_EQ(line_of(lines, "Signature"), vector["signature"].get<std::string>());
    EXPECT_EQ(line_of(lines, "Signature-Agent"), agent.empty() ? "(none)" : agent);
  }
  EXPECT_EQ(signed_again, 4);
}

TEST(Signature, ThumbprintIsTheOneOfRfc7638) {
  EXPECT_EQ(test_key().thumbprint(), "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U");
  EXPECT_EQ(test_key().public_jwk(),
            R"({"crv":"Ed25519","kty":"OKP","x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"})");
  const std::string path =
      PERIPLUS_NEEDS_TESTDATA("http-message-signatures/web-bot-auth/jwk_thumbprint_vectors.json");
  for (const Json& vector : Json::parse(read_file(path))) {
    const std::string canonical = from_hex(vector["precompute"]);
    EXPECT_EQ(sha256(canonical), from_hex(vector["sha256"]));
    EXPECT_EQ(to_base64url(sha256(canonical)), vector["thumbprint"].get<std::string>());
    if (vector["name"] != "ed25519") continue;
    // The thumbprint of a key of ours is made from the same canonical form.
    const Json jwk = Json::parse(vector["jwk"].get<std::string>());
    EXPECT_EQ(canonical,
              R"({"crv":"Ed25519","kty":"OKP","x":")" + jwk["x"].get<std::string>() + "\"}");
  }
}

TEST(Signature, SignatureAgentMembersOfTheDraftAreRead) {
  const std::string path = PERIPLUS_NEEDS_TESTDATA(
      "http-message-signatures/web-bot-auth/web_bot_auth_signature_agent_v1.json");
  for (const Json& vector : Json::parse(read_file(path))) {
    const SfDictionary field = parse_sf_dictionary(vector["header"].get<std::string>()).value();
    ASSERT_EQ(field.size(), vector["entries"].size());
    for (std::size_t i = 0; i < field.size(); ++i) {
      const Json& entry = vector["entries"][i];
      EXPECT_EQ(field[i].first, entry["label"].get<std::string>());
      const SfItem& item = std::get<SfItem>(field[i].second);
      EXPECT_EQ(std::get<std::string>(item.value), entry["uri"].get<std::string>());
      const SfBareItem* type = find_sf(item.parameters, "type");
      EXPECT_EQ(type == nullptr ? "directory" : std::get<SfToken>(*type).text,
                entry["type"].get<std::string>());
    }
  }
}

TEST(SigningKey, GoesToPemAndBack) {
  const SigningKey key = SigningKey::generate().value();
  const std::string pem = key.to_pem();
  EXPECT_TRUE(pem.starts_with("-----BEGIN PRIVATE KEY-----\n"));
  const SigningKey again = SigningKey::from_pem("some text before\n" + pem).value();
  EXPECT_EQ(again.thumbprint(), key.thumbprint());
  EXPECT_EQ(again.sign("text"), key.sign("text"));
  EXPECT_NE(SigningKey::generate().value().thumbprint(), key.thumbprint());
  const auto raw = key.public_octets();
  const std::string_view bytes(reinterpret_cast<const char*>(raw.data()), raw.size());
  EXPECT_TRUE(verify_ed25519(bytes, "text", key.sign("text")));
  EXPECT_FALSE(verify_ed25519(bytes, "texts", key.sign("text")));
  EXPECT_TRUE(verify_ed25519(bytes, "", key.sign("")));
}

TEST(SigningKey, OtherKeysAndGarbageAreRefused) {
  for (std::string_view pem :
       {"", "x", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PUBLIC KEY-----\n"
        "MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=\n"
        "-----END PUBLIC KEY-----\n",
        // Encrypted: must fail at once, and not ask anybody for the password.
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMC4CAQAwBQYDK2Vw\n"
        "-----END ENCRYPTED PRIVATE KEY-----\n"}) {
    const Result<SigningKey> key = SigningKey::from_pem(pem);
    ASSERT_FALSE(key.has_value()) << pem;
    EXPECT_EQ(key.error().kind, ErrorKind::kInput);
  }
  const std::string path = PERIPLUS_NEEDS_TESTDATA("http-message-signatures/rfc9421-keys.json");
  const Json keys = Json::parse(read_file(path));
  for (const char* name : {"test-key-rsa", "test-key-rsa-pss", "test-key-ecc-p256"}) {
    const Result<SigningKey> key =
        SigningKey::from_pem(keys[name]["private_pem"].get<std::string>());
    ASSERT_FALSE(key.has_value()) << name;
    EXPECT_NE(key.error().sentence.find("another kind"), std::string::npos);
  }
}

TEST(RequestSigner, SaysWhatTheProtocolAsksFor) {
  const Url url = Url::parse("https://WWW.Example.com:443/a?b#c").value();
  const Instant now{Millis{1'796'000'000'999}};
  for (const SignatureAgentForm form :
       {SignatureAgentForm::kDictionary, SignatureAgentForm::kString}) {
    const bool is_dictionary = form == SignatureAgentForm::kDictionary;
    const RequestSigner signer(test_key(), "https://bot.example", form);
    const auto lines = signer.sign(url, now);
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(line_of(lines, "Signature-Agent"),
              is_dictionary ? R"(sig1="https://bot.example")" : R"("https://bot.example")");
    const SfInnerList covered = covered_of(line_of(lines, "Signature-Input"), "sig1");
    ASSERT_EQ(covered.items.size(), 2U);
    EXPECT_EQ(serialise_sf(covered.items[0]).value(), R"("@authority")");
    EXPECT_EQ(serialise_sf(covered.items[1]).value(),
              is_dictionary ? R"("signature-agent";key="sig1")" : R"("signature-agent")");
    EXPECT_EQ(*find_sf(covered.parameters, "created"), SfBareItem(std::int64_t{1'796'000'000}));
    EXPECT_EQ(*find_sf(covered.parameters, "expires"), SfBareItem(std::int64_t{1'796'000'060}));
    EXPECT_EQ(*find_sf(covered.parameters, "keyid"), SfBareItem(test_key().thumbprint()));
    EXPECT_EQ(*find_sf(covered.parameters, "alg"), SfBareItem(std::string("ed25519")));
    EXPECT_EQ(*find_sf(covered.parameters, "tag"), SfBareItem(std::string("web-bot-auth")));
    const std::string nonce = std::get<std::string>(*find_sf(covered.parameters, "nonce"));
    EXPECT_EQ(decoded(nonce).size(), 64U);

    // What a verifier does: the base from the request as it arrives, then the key.
    SignedMessage arrived;
    arrived.method = "GET";
    arrived.scheme = "https";
    arrived.authority = "www.example.com";
    arrived.headers.lines = lines;
    const std::string base = signature_base(arrived, covered).value();
    const SfDictionary field = parse_sf_dictionary(line_of(lines, "Signature")).value();
    const auto raw = test_key().public_octets();
    EXPECT_TRUE(verify_ed25519({reinterpret_cast<const char*>(raw.data()), raw.size()}, base,
                               std::get<SfBytes>(std::get<SfItem>(field[0].second).value).octets));
  }
}

TEST(RequestSigner, AnotherNonceEachTime) {
  const RequestSigner signer(test_key(), "", SignatureAgentForm::kDictionary);
  const Url url = Url::parse("http://example.com:8080/").value();
  const auto first = signer.sign(url, Instant{});
  const auto second = signer.sign(url, Instant{});
  EXPECT_EQ(line_of(first, "Signature-Agent"), "(none)");
  EXPECT_NE(line_of(first, "Signature-Input"), line_of(second, "Signature-Input"));
  EXPECT_NE(line_of(first, "Signature"), line_of(second, "Signature"));
}

TEST(RequestSigner, OnlyHttpIsSigned) {
  const RequestSigner signer(test_key(), "", SignatureAgentForm::kString);
  EXPECT_TRUE(signer.sign(Url::parse("mailto:x@example.com").value(), Instant{}).empty());
}

// docs/formats/signature.md shows real signatures: the ones made here.
TEST(RequestSigner, TheDocumentedExamplesAreReal) {
  const std::string page =
      read_file(std::string(PERIPLUS_SOURCE_DIR) + "/docs/formats/signature.md");
  const Url url = Url::parse("https://www.example.com/path?query").value();
  const Instant now{std::chrono::seconds{1'796'000'000}};
  for (const SignatureAgentForm form :
       {SignatureAgentForm::kDictionary, SignatureAgentForm::kString}) {
    const RequestSigner signer(test_key(), "https://bot.example", form);
    for (const auto& [name, value] : signer.sign(url, now, "bm9uY2U=")) {
      const std::string line = name + ": " + value + "\n";
      EXPECT_NE(page.find(line), std::string::npos) << line;
    }
  }
}

}  // namespace
}  // namespace periplus
