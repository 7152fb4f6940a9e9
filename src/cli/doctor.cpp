// periplus doctor: looks at everything in a home and says what is wrong. Exit 0 when nothing is, 70
// when the store is damaged, 2 when settings or keys are.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/session.h"
#include "http/signature_key_ring.h"
#include "store/store.h"

namespace periplus {
namespace {

struct Check {
  std::string what;
  bool good = true;
  int exit_code = kExitDone;
};

}  // namespace

int run_doctor(const Options& options) {
  std::vector<Check> checks;
  std::error_code ignored;
  const bool exists = std::filesystem::is_directory(options.home, ignored);
  if (!exists)
    return complain(
        {ErrorKind::kInput, "there is no home here; 'periplus init' makes one", options.home});

  const Result<Config> config = effective_config(options);
  if (!config) {
    checks.push_back(
        {fmt::format("settings: {} ({})", config.error().sentence, config.error().place), false,
         kExitUsage});
  } else {
    checks.push_back({"settings: good; we say \"" + config->identity.user_agent() + "\""});
    if (config->identity.info_url.find("periplus.example") != std::string::npos) {
      checks.push_back(
          {"settings: identity.info_url is still the sample; set a page of yours that explains the "
           "bot"});
    }
    const auto suffixes = PublicSuffixes::load(config->network.psl_file);
    checks.push_back(
        suffixes ? Check{"public suffix list: good"}
                 : Check{"public suffix list: " + suffixes.error().sentence, false, kExitUsage});
  }
  const auto ring = KeyRing::open((std::filesystem::path(options.home) / "keys").string());
  if (!ring)
    checks.push_back({fmt::format("keys: {} ({})", ring.error().sentence, ring.error().place),
                      false, kExitUsage});
  else
    checks.push_back({ring->empty()
                          ? "keys: none; requests are not signed ('periplus keys new')"
                          : "keys: good; requests are signed by " + ring->current()->thumbprint()});

  const std::string name = config ? config->store_url.substr(7) : "periplus.db";
  const std::string path = std::filesystem::path(name).is_absolute()
                               ? name
                               : (std::filesystem::path(options.home) / name).string();
  if (!std::filesystem::exists(path, ignored)) {
    checks.push_back({"store: none yet; the first read makes it"});
  } else if (const auto store = Store::open(path, OpenMode::kReadWrite); !store) {
    checks.push_back({"store: " + store.error().sentence, false, kExitInternal});
  } else if (const auto findings = (*store)->verify(); !findings) {
    checks.push_back({"store: " + findings.error().sentence, false, kExitInternal});
  } else {
    for (const StoreFinding& finding : *findings)
      checks.push_back(
          {"store: " + finding.what, !finding.fault, finding.fault ? kExitInternal : kExitDone});
    if (findings->empty()) checks.push_back({"store: good"});
  }

  int worst = kExitDone;
  nlohmann::json list = nlohmann::json::array();
  for (const Check& check : checks) {
    worst = std::max(worst, check.exit_code);
    list.push_back({{"what", check.what}, {"good", check.good}});
    if (!options.json)
      std::puts(fmt::format("{} {}", check.good ? "ok  " : "BAD ", plain(check.what)).c_str());
  }
  if (options.json)
    std::puts(nlohmann::json{{"good", worst == kExitDone}, {"checks", list}}.dump().c_str());
  return worst;
}

}  // namespace periplus
