// periplus init: a home with a commented periplus.toml and scope.toml. Changes nothing that is
// there.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "cli/session.h"
#include "search/scope.h"

namespace periplus {

int run_init(const Options& options) {
  std::error_code fault;
  std::filesystem::create_directories(options.home, fault);
  if (fault)
    return complain(
        {ErrorKind::kIo, "cannot make the home's folder: " + fault.message(), options.home});
  const std::string path = (std::filesystem::path(options.home) / "periplus.toml").string();
  if (std::filesystem::exists(path, fault)) {
    return complain(
        {ErrorKind::kInput, "this home has a periplus.toml already; nothing was changed", path});
  }
  const Result<void> written = write_whole(path, sample_config());
  if (!written) return complain(written.error());
  const std::string scope = (std::filesystem::path(options.home) / "scope.toml").string();
  if (!std::filesystem::exists(scope, fault)) {
    const Result<void> made = write_whole(scope, sample_scope());
    if (!made) return complain(made.error());
  }
  std::puts(fmt::format("Made {}. Next: set identity.token and identity.info_url, then 'periplus "
                        "keys new' to sign requests.",
                        path)
                .c_str());
  return kExitDone;
}

}  // namespace periplus
