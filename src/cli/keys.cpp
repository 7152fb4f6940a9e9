// periplus keys new|show|rotate: the key that signs our requests (Web Bot Auth).
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/session.h"
#include "http/key_directory.h"
#include "http/signature_key_ring.h"

namespace periplus {
namespace {

Instant now() { return std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now()); }

void print(const KeyRing& ring, const Options& options) {
  if (options.json) {
    nlohmann::json keys = nlohmann::json::array();
    for (const KeyRing::Entry& entry : ring.entries()) {
      keys.push_back({{"thumbprint", entry.key.thumbprint()},
                      {"jwk", nlohmann::json::parse(entry.key.public_jwk())},
                      {"created", entry.created},
                      {"current", &entry == ring.entries().data()},
                      {"file", entry.file}});
    }
    std::puts(nlohmann::json{{"keys", keys}}.dump().c_str());
    return;
  }
  for (const KeyRing::Entry& entry : ring.entries()) {
    const bool current = &entry == ring.entries().data();
    std::puts(
        fmt::format("{}  {}  {}", entry.key.thumbprint(), entry.created,
                    current ? "current: signs every request" : "older: stays in the directory")
            .c_str());
  }
  std::puts(
      "\nServe this as /.well-known/http-message-signatures-directory on "
      "identity.signature_agent:");
  std::puts(key_directory_json(ring.keys()).c_str());
}

}  // namespace

int run_keys(const Options& options) {
  Result<KeyRing> ring = KeyRing::open((std::filesystem::path(options.home) / "keys").string());
  if (!ring) return complain(ring.error());
  if (options.command == "keys new" && !ring->empty()) {
    return complain({ErrorKind::kInput,
                     "this home has a key already; 'periplus keys rotate' makes a new one current",
                     options.home});
  }
  if (options.command != "keys new" && ring->empty()) {
    return complain(
        {ErrorKind::kInput, "this home has no key; 'periplus keys new' makes one", options.home});
  }
  if (options.command != "keys show") {
    const Result<void> added = ring->add_new(now());
    if (!added) return complain(added.error());
  }
  print(*ring, options);
  return kExitDone;
}

}  // namespace periplus
