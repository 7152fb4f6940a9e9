// A home's periplus.toml: identity, limits, pace, network, store. Unknown keys and wrong types are
// errors that name the line; nothing is half-applied.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "http/identity.h"
#include "http/signature.h"

namespace periplus {

struct PaceLimits {
  Millis floor{2'000};          // between the end of an answer and the next request of a lane
  double latency_factor = 5.0;  // × the smoothed answer time
  double jitter = 0.10;         // ± this share
  Millis longest_wait{
      120'000};   // within one visit; a longer one ends it (and is kept in the store)
  int lanes = 3;  // requests at once on one site, for an audit
};

struct PageLimits {
  std::uint32_t pages = 100;
  std::size_t page_bytes = 1024 * 1024;
  double expansion = 100.0;
  Millis request_time{60'000};
  std::uint64_t min_rate = 1024;  // octets a second after the first 10 s
  int redirects = 10;
  int robots_redirects = 5;
  std::uint32_t robots_every = 100;  // pages after which robots.txt is read again
  int depth = 20;                    // clicks
  Millis visit_time{2 * 3600 * 1000};
  std::uint32_t sitemaps = 20;  // sitemap files of one visit
};

struct NetworkSettings {
  std::vector<std::string> dns;            // "127.0.0.1:5353"; empty = the system's
  std::vector<std::string> allow_private;  // hosts, or "*"
  std::vector<std::uint16_t> ports;        // beside 80 and 443
  std::string ca_file;
  std::string proxy;
  std::string psl_file;
};

struct Config {
  Identity identity;
  SignatureAgentForm signature_form = SignatureAgentForm::kDictionary;
  PaceLimits pace;
  PageLimits limits;
  NetworkSettings network;
  std::string store_url = "sqlite:periplus.db";  // relative names lie in the home

  // Reads TOML. `name` stands in error places ("periplus.toml:12").
  static Result<Config> parse(std::string_view toml, std::string_view name);
  // The file, or the defaults when `path` does not exist and `required` is false.
  static Result<Config> load(const std::string& path, bool required);
};

// "2s", "1.5s", "250ms", "10m", "1h", or a bare number of seconds.
Result<Millis> parse_duration(std::string_view text);

// "127.0.0.1", "127.0.0.1:53", "::1" or "[::1]:53".
bool is_name_server(std::string_view text);

// A commented periplus.toml with every key and its default: what `periplus init` writes.
std::string sample_config();

}  // namespace periplus
