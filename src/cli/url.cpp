// periplus url URL [--base B]: how an address is parsed, and whose it is. Exit 2 when it is no URL.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/session.h"

namespace periplus {

int run_url(const Options& options) {
  const Result<Config> config = effective_config(options);
  if (!config) return complain(config.error());
  const auto suffixes = PublicSuffixes::load(config->network.psl_file);
  if (!suffixes) return complain(suffixes.error());

  std::expected<Url, UrlFault> base;
  if (!options.base.empty()) base = Url::parse(options.base);
  const auto url = !base ? base : Url::parse(options.url, options.base.empty() ? nullptr : &*base);
  if (!url) {
    const std::string why =
        (!base ? "the base is not a URL: " : "") + std::string(sentence(url.error()));
    return complain(
        {ErrorKind::kInput, "not a URL: " + why, plain(base ? options.url : options.base)});
  }
  const std::string host(url->hostname());
  nlohmann::ordered_json out = {{"href", url->href()},
                                {"protocol", url->protocol()},
                                {"username", url->username()},
                                {"password", url->password()},
                                {"host", url->host()},
                                {"hostname", host},
                                {"port", url->port()},
                                {"pathname", url->pathname()},
                                {"search", url->search()},
                                {"hash", url->hash()},
                                {"origin", url->origin()},
                                {"site", host.empty() ? "" : (*suffixes)->site(host)},
                                {"owner", host.empty() ? "" : (*suffixes)->owner(host)}};
  if (options.json) {
    std::puts(out.dump().c_str());
  } else {
    for (const auto& [key, value] : out.items()) {
      if (!value.get<std::string>().empty())
        std::puts(fmt::format("{:9} {}", key, value.get<std::string>()).c_str());
    }
  }
  return kExitDone;
}

}  // namespace periplus
