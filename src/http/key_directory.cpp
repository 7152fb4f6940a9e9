#include "http/key_directory.h"

#include "base/text.h"
#include "http/signature_base.h"
#include "http/structured_field.h"

namespace periplus {

std::string key_directory_json(const std::vector<SigningKey>& keys) {
  // Every value is of the base64url alphabet: nothing to escape.
  std::string json = "{\"keys\":[";
  for (const SigningKey& key : keys) {
    const std::array<std::uint8_t, 32> octets = key.public_octets();
    if (json.back() == '}') json += ',';
    json += R"({"kty":"OKP","crv":"Ed25519","kid":")" + key.thumbprint() + R"(","x":")";
    json += to_base64url({reinterpret_cast<const char*>(octets.data()), octets.size()});
    json += R"(","use":"sig"})";
  }
  return json + "]}";
}

std::vector<std::pair<std::string, std::string>> key_directory_headers(
    const std::vector<SigningKey>& keys, std::string_view authority, std::string_view body,
    Instant now, std::chrono::seconds lifetime) {
  SignedMessage request;
  request.method = "GET";
  request.scheme = "https";
  request.authority = to_ascii_lower(authority);
  request.path = kKeyDirectoryPath;

  const SfDictionary digest = {{"sha-256", SfItem{SfBytes{sha256(body)}, {}}}};
  SignedMessage response;
  response.status = 200;
  response.request = &request;
  response.headers.lines = {{"Content-Type", std::string(kKeyDirectoryType)},
                            {"Content-Digest", serialise_sf(digest).value()}};

  const std::int64_t created =
      std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
  std::string inputs;
  std::string signatures;
  std::size_t number = 0;
  for (const SigningKey& key : keys) {
    ++number;
    SfInnerList covered;
    covered.items = {SfItem{std::string("@authority"), {{"req", true}}},
                     SfItem{std::string("content-digest"), {}}};
    covered.parameters = {{"created", created},
                          {"expires", created + lifetime.count()},
                          {"keyid", key.thumbprint()},
                          {"tag", std::string("http-message-signatures-directory")}};
    const std::string label = number == 1 ? "binding" : "binding" + std::to_string(number);
    const Result<SignatureFields> fields = sign_message(key, response, label, covered);
    // Only a host that is no host can fail here, and then there is nothing to serve.
    if (!fields) return {};
    if (number > 1) {
      inputs += ", ";
      signatures += ", ";
    }
    inputs += fields->input;
    signatures += fields->signature;
  }
  std::vector<std::pair<std::string, std::string>> lines = response.headers.lines;
  if (number > 0) {
    lines.emplace_back("Signature-Input", std::move(inputs));
    lines.emplace_back("Signature", std::move(signatures));
  }
  return lines;
}

}  // namespace periplus
