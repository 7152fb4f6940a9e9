// What most commands start with: the configuration with the command line's words over it, and an
// open engine.
#pragma once

#include <memory>
#include <string>

#include "cli/options.h"
#include "url/url.h"
#include "visit/config.h"
#include "visit/engine.h"

namespace periplus {

Result<Config> effective_config(const Options& options);
// The URL a person typed: "example.com" means https://example.com/. Only http and https.
Result<Url> typed_url(const std::string& text);
// Whether a shorter pace than the default may be used for that host: only one's own.
Result<void> check_floor(const Config& config, const Url& url);
// A whole file, or stdin for "-".
Result<std::string> read_input(const std::string& file);
// Writes the file through a temporary one beside it, so that it is never seen half-written.
Result<void> write_whole(const std::string& path, std::string_view bytes);
// Text of a site on its way to a terminal: no control characters.
std::string plain(std::string_view text);

}  // namespace periplus
