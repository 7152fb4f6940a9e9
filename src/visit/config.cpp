#include "visit/config.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>

#include "base/text.h"
#include "http/resolver.h"
#include "url/url.h"

namespace periplus {
namespace {

// Reads one table: every key it is asked for is ticked off, and finish() complains about the rest.
class TableReader {
 public:
  TableReader(const toml::table* table, std::string path, std::string_view file,
              std::optional<Error>* error)
      : table_(table), path_(std::move(path)), file_(file), error_(error) {}

  const toml::node* take(std::string_view key) {
    known_.emplace_back(key);
    return table_ == nullptr ? nullptr : table_->get(key);
  }

  void text(std::string_view key, std::string* out) {
    const toml::node* node = take(key);
    if (node == nullptr) return;
    if (!node->is_string()) return complain(key, node, "a string in quotes");
    *out = node->as_string()->get();
  }

  template <class Number>
  void number(std::string_view key, Number* out, double least, double most) {
    const toml::node* node = take(key);
    if (node == nullptr) return;
    const std::optional<double> value = node->value<double>();
    const bool whole = !std::is_integral_v<Number> || node->is_integer();
    if (!node->is_number() || !value || !whole || !(*value >= least && *value <= most)) {
      return complain(
          key, node,
          fmt::format("a {} from {} to {}", std::is_integral_v<Number> ? "whole number" : "number",
                      least, most));
    }
    *out = static_cast<Number>(*value);
  }

  void duration(std::string_view key, Millis* out) {
    const toml::node* node = take(key);
    if (node == nullptr) return;
    const Result<Millis> parsed = node->is_string() ? parse_duration(node->as_string()->get())
                                  : node->is_number()
                                      ? parse_duration(fmt::format("{}", node->value_or(-1.0)))
                                      : parse_duration("");
    if (!parsed) return complain(key, node, "a duration such as \"2s\", \"250ms\" or \"10m\"");
    *out = *parsed;
  }

  void texts(std::string_view key, std::vector<std::string>* out) {
    each(key, "a list of strings", [&](const toml::node& item) {
      if (!item.is_string()) return false;
      out->push_back(item.as_string()->get());
      return true;
    });
  }

  void ports(std::string_view key, std::vector<std::uint16_t>* out) {
    each(key, "a list of port numbers", [&](const toml::node& item) {
      // Only of an integer may the value be asked: the library casts a float unchecked (8e80).
      const toml::value<std::int64_t>* value = item.as_integer();
      if (value == nullptr || value->get() < 1 || value->get() > 65535) return false;
      out->push_back(static_cast<std::uint16_t>(value->get()));
      return true;
    });
  }

  void finish() {
    if (table_ == nullptr) return;
    for (const auto& [key, node] : *table_) {
      const bool known =
          std::ranges::any_of(known_, [&](const std::string& k) { return key.str() == k; });
      if (!known) {
        set(fmt::format("unknown key {}{}; known here: {}", path_, key.str(),
                        fmt::join(known_, ", ")),
            &node);
        return;
      }
    }
  }

  void complain(std::string_view key, const toml::node* node, std::string_view expected) {
    set(fmt::format("{}{} must be {}", path_, key, expected), node);
  }

 private:
  template <class Take>
  void each(std::string_view key, std::string_view expected, Take take_item) {
    const toml::node* node = take(key);
    if (node == nullptr) return;
    if (!node->is_array()) return complain(key, node, expected);
    for (const toml::node& item : *node->as_array()) {
      if (!take_item(item)) return complain(key, &item, expected);
    }
  }
  void set(std::string sentence, const toml::node* node) {
    if (*error_) return;
    *error_ = Error{ErrorKind::kConfig, std::move(sentence),
                    fmt::format("{}:{}", file_, node->source().begin.line)};
  }

  const toml::table* table_;
  std::string path_;
  std::string_view file_;
  std::optional<Error>* error_;
  std::vector<std::string> known_;
};

bool is_product_token(std::string_view token) {
  if (token.empty() || token.size() > 64) return false;
  return std::ranges::all_of(token, [](char c) {
    const char lower = ascii_lower(c);
    return (lower >= 'a' && lower <= 'z') || c == '-' || c == '_';
  });
}

// What types alone cannot say.
std::optional<Error> judge(const Config& config, std::string_view file) {
  const auto bad = [&](std::string sentence) {
    return Error{ErrorKind::kConfig, std::move(sentence), std::string(file)};
  };
  if (!is_product_token(config.identity.token)) {
    return bad("identity.token must be a robots.txt product token: letters, '-' and '_' only");
  }
  const auto info = Url::parse(config.identity.info_url);
  if (!info || !info->is_http()) return bad("identity.info_url must be an http or https URL");
  const std::string agent = config.identity.user_agent();
  if (!std::ranges::all_of(agent, [](char c) { return c >= 0x20 && c < 0x7f; })) {
    return bad("identity must be printable ASCII, for it goes into a header");
  }
  if (!config.identity.signature_agent.empty()) {
    const auto origin = Url::parse(config.identity.signature_agent);
    if (!origin || origin->protocol() != "https:")
      return bad("identity.signature_agent must be an https origin");
  }
  if (config.store_url.starts_with("postgresql://")) {
    return bad("store.url: this version stores in SQLite only (\"sqlite:FILE\")");
  }
  if (!config.store_url.starts_with("sqlite:") || config.store_url.size() < 8) {
    return bad("store.url must be \"sqlite:FILE\"");
  }
  return std::nullopt;
}

}  // namespace

Result<Config> Config::parse(std::string_view text, std::string_view name) {
  toml::table root;
  try {
    root = toml::parse(text, name);
  } catch (const toml::parse_error& error) {  // the library's only way to say so
    return fail(ErrorKind::kConfig, "not valid TOML: " + std::string(error.description()),
                fmt::format("{}:{}", name, error.source().begin.line));
  }
  Config config;
  std::optional<Error> error;
  TableReader top(&root, "", name, &error);
  const auto section = [&](std::string_view key) {
    const toml::node* node = top.take(key);
    if (node != nullptr && !node->is_table()) top.complain(key, node, "a table");
    return TableReader(node == nullptr ? nullptr : node->as_table(), std::string(key) + ".", name,
                       &error);
  };

  TableReader identity = section("identity");
  identity.text("token", &config.identity.token);
  identity.text("info_url", &config.identity.info_url);
  identity.text("signature_agent", &config.identity.signature_agent);
  std::string form = "dictionary";
  identity.text("signature_agent_form", &form);
  identity.finish();

  TableReader pace = section("pace");
  pace.duration("floor", &config.pace.floor);
  pace.number("latency_factor", &config.pace.latency_factor, 0, 100);
  pace.number("lanes", &config.pace.lanes, 1, 3);
  pace.duration("longest_wait", &config.pace.longest_wait);
  pace.finish();

  TableReader limits = section("limits");
  std::uint64_t page_kib = config.limits.page_bytes / 1024;
  limits.number("pages", &config.limits.pages, 1, 1'000'000);
  limits.number("page_kib", &page_kib, 16, 65'536);
  limits.number("expansion", &config.limits.expansion, 2, 1000);
  limits.duration("request_time", &config.limits.request_time);
  limits.number("min_rate", &config.limits.min_rate, 0, 1e9);
  limits.number("redirects", &config.limits.redirects, 0, 50);
  limits.number("depth", &config.limits.depth, 1, 1000);
  limits.duration("visit_time", &config.limits.visit_time);
  limits.number("sitemaps", &config.limits.sitemaps, 0, 500);
  limits.finish();
  config.limits.page_bytes = page_kib * 1024;

  TableReader network = section("network");
  network.texts("dns", &config.network.dns);
  network.texts("allow_private", &config.network.allow_private);
  network.ports("ports", &config.network.ports);
  network.text("ca_file", &config.network.ca_file);
  network.text("proxy", &config.network.proxy);
  network.text("psl_file", &config.network.psl_file);
  network.finish();

  TableReader store = section("store");
  store.text("url", &config.store_url);
  store.finish();
  top.finish();

  if (error) return std::unexpected(*error);
  if (form == "string") {
    config.signature_form = SignatureAgentForm::kString;
  } else if (form != "dictionary") {
    return fail(ErrorKind::kConfig,
                "identity.signature_agent_form must be \"dictionary\" or \"string\"",
                std::string(name));
  }
  if (std::optional<Error> bad = judge(config, name)) return std::unexpected(*bad);
  return config;
}

Result<Config> Config::load(const std::string& path, bool required) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    if (!required) return Config{};
    return fail(ErrorKind::kConfig, "cannot read the configuration file", path);
  }
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return parse(text, path);
}

Result<Millis> parse_duration(std::string_view text) {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  double millis = -1;
  if (fault == std::errc() && std::isfinite(value)) {
    if (unit.empty() || unit == "s") millis = value * 1e3;
    if (unit == "ms") millis = value;
    if (unit == "m") millis = value * 60e3;
    if (unit == "h") millis = value * 3600e3;
    if (unit == "d") millis = value * 86400e3;
  }
  if (!(millis >= 0 && millis <= 366 * 86400e3)) {
    return fail(ErrorKind::kInput, "a duration is a number with ms, s, m, h or d, such as 2s",
                std::string(text));
  }
  return Millis(static_cast<std::int64_t>(std::llround(millis)));
}

bool is_name_server(std::string_view text) {
  if (Address::from_text(text)) return true;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return false;
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  int port = 0;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data() + colon + 1, end, port);
  return fault == std::errc() && stop == end && port >= 1 && port <= 65535 &&
         Address::from_text(host);
}

std::string sample_config() {
  const Config config;
  return fmt::format(
      R"(# The home's settings. Every key may be left out; what stands here behind '#' is its default.

[identity]                       # who we say we are, on every request
# token = "{token}"             # the robots.txt product token: letters, '-' and '_'
# info_url = "{info}"   # a page that explains the bot and how to reach you
# signature_agent = ""           # https origin that serves your key directory; empty = keys are not announced
# signature_agent_form = "dictionary"   # or "string", which some verifiers still want

[pace]
# floor = "{floor}s"                   # least wait between an answer and the next request
# latency_factor = {factor}             # and at least this many times the smoothed answer time
# lanes = {lanes}                      # requests at once on one site, for an audit (1 where Crawl-delay is set)
# longest_wait = "{longest}s"         # a longer wait ends the visit; the site is left alone until it is over

[limits]
# pages = {pages}
# page_kib = {kib}                # of a page after decompression; more is cut and marked
# expansion = {expansion}                # decompressed : compressed, at most
# request_time = "{request}s"
# min_rate = {rate}                # octets a second after the first 10 s
# redirects = {redirects}
# depth = {depth}                     # clicks from the start page
# visit_time = "{visit}h"
# sitemaps = {sitemaps}                  # sitemap files read in one visit

[network]
# dns = ["127.0.0.1:5353"]       # name servers; empty = the system's
# allow_private = []             # your own hosts that may have private addresses and any port ("*" = all)
# ports = []                     # beside 80 and 443
# ca_file = ""                   # certificates to trust instead of the system's
# proxy = ""
# psl_file = ""                  # a newer Public Suffix List

[store]
# url = "{store}"
)",
      fmt::arg("token", config.identity.token), fmt::arg("info", config.identity.info_url),
      fmt::arg("floor", config.pace.floor.count() / 1000),
      fmt::arg("factor", config.pace.latency_factor), fmt::arg("lanes", config.pace.lanes),
      fmt::arg("longest", config.pace.longest_wait.count() / 1000),
      fmt::arg("pages", config.limits.pages), fmt::arg("kib", config.limits.page_bytes / 1024),
      fmt::arg("expansion", config.limits.expansion),
      fmt::arg("request", config.limits.request_time.count() / 1000),
      fmt::arg("rate", config.limits.min_rate), fmt::arg("redirects", config.limits.redirects),
      fmt::arg("depth", config.limits.depth),
      fmt::arg("visit", config.limits.visit_time.count() / 3'600'000),
      fmt::arg("sitemaps", config.limits.sitemaps), fmt::arg("store", config.store_url));
}

}  // namespace periplus
