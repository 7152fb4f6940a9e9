#include "cli/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "base/log.h"
#include "base/text.h"

namespace periplus {

Result<Config> effective_config(const Options& options) {
  const bool named = !options.config.empty();
  const std::string path =
      named ? options.config : (std::filesystem::path(options.home) / "periplus.toml").string();
  Result<Config> config = Config::load(path, named);
  if (!config) return config;
  for (const std::string& host : options.allow_private) {
    const auto url = Url::parse("http://" + host + "/");
    if (host != "*" && !url)
      return fail(ErrorKind::kUsage, "--allow-private takes a host name or address", host);
    config->network.allow_private.push_back(host == "*" ? host : std::string(url->hostname()));
  }
  if (!options.psl.empty()) config->network.psl_file = options.psl;
  if (!options.ca_file.empty()) config->network.ca_file = options.ca_file;
  if (!options.dns.empty()) config->network.dns = options.dns;
  if (options.pages) config->limits.pages = *options.pages;
  if (options.lanes) config->pace.lanes = std::stoi(*options.lanes);
  if (options.floor) {
    const Result<Millis> floor = parse_duration(*options.floor);
    if (!floor) return fail(ErrorKind::kUsage, floor.error().sentence, "--floor " + *options.floor);
    config->pace.floor = *floor;
  }
  for (const std::string& server : config->network.dns) {
    if (!is_name_server(server))
      return fail(ErrorKind::kConfig,
                  "a name server is an address with a port, such as 127.0.0.1:53", plain(server));
  }
  std::error_code absent;
  const std::string& ca_file = config->network.ca_file;
  if (!ca_file.empty() && !std::filesystem::is_regular_file(ca_file, absent)) {
    return fail(ErrorKind::kConfig, "there is no such file of certificates", plain(ca_file));
  }
  set_log_level(options.verbose ? LogLevel::kDebug
                : options.quiet ? LogLevel::kError
                                : LogLevel::kWarn);
  return config;
}

Result<Url> typed_url(const std::string& text) {
  const std::string trimmed(trim(text));
  // "example.com", "localhost:8080/x": what people type in an address bar. A scheme is what stands
  // before "://".
  const bool has_scheme = trimmed.find("://") != std::string::npos;
  const auto url = Url::parse(has_scheme ? trimmed : "https://" + trimmed);
  if (!url)
    return fail(ErrorKind::kInput, "not a URL: " + std::string(sentence(url.error())), plain(text));
  if (!url->is_http())
    return fail(ErrorKind::kInput, "only http and https addresses can be read", plain(text));
  if (!url->username().empty() || !url->password().empty()) {
    return fail(ErrorKind::kInput, "addresses with a user name are not public; leave it out",
                "https://…@" + std::string(url->host()));
  }
  return *url;
}

Result<void> check_floor(const Config& config, const Url& url) {
  if (config.pace.floor >= Millis(1000)) return {};
  const auto& own = config.network.allow_private;
  const bool allowed = std::ranges::any_of(
      own, [&](const std::string& host) { return host == "*" || host == url.hostname(); });
  if (allowed) return {};
  return fail(ErrorKind::kUsage,
              "a floor under 1 s is for one's own hosts only: name them with --allow-private",
              std::string(url.hostname()));
}

Result<std::string> read_input(const std::string& file) {
  if (file == "-") {
    return std::string{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  }
  std::error_code fault;
  if (std::filesystem::is_directory(file, fault))
    return fail(ErrorKind::kInput, "that is a folder, not a file", plain(file));
  if (!std::filesystem::exists(file, fault))
    return fail(ErrorKind::kInput, "no such file", plain(file));
  std::ifstream in(file, std::ios::binary);
  if (!in) return fail(ErrorKind::kInput, "cannot read the file", plain(file));
  return std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

Result<void> write_whole(const std::string& path, std::string_view bytes) {
  const std::string temporary = fmt::format("{}.{}.part", path, getpid());
  {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.flush();
    if (!out) {
      std::error_code ignored;
      std::filesystem::remove(temporary, ignored);
      return fail(ErrorKind::kIo, "cannot write the file", path);
    }
  }
  std::error_code fault;
  std::filesystem::rename(temporary, path, fault);
  if (fault) return fail(ErrorKind::kIo, "cannot write the file: " + fault.message(), path);
  return {};
}

std::string plain(std::string_view text) { return without_controls(text); }

}  // namespace periplus
