// periplus robots URL [--agent TOKEN] [--file FILE]: the verdict, and the line that decides.
// Without a file the site's own robots.txt is read, as a visit would read it.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/session.h"
#include "cli/values.h"

namespace periplus {
namespace {

Task<void> read(Url url, Engine& engine, std::optional<OriginRobots>* out) {
  OriginRobots reading = co_await read_robots(url, engine.config().limits, engine.rooms());
  *out = std::move(reading);
}

}  // namespace

int run_robots(const Options& options) {
  const Result<Config> config = effective_config(options);
  if (!config) return complain(config.error());
  Result<Url> url = typed_url(options.url);
  if (!url && !options.file.empty() && options.url.starts_with('/')) {
    url = typed_url("https://site.example" + options.url);  // with a file, a path is enough
  }
  if (!url) return complain(url.error());
  const std::string token = options.agent.empty() ? config->identity.token : options.agent;

  std::shared_ptr<const RobotsTxt> text;
  std::string where = options.file;
  bool closed = false;
  std::optional<OriginRobots> reading;
  if (!options.file.empty()) {
    const Result<std::string> bytes = read_input(options.file);
    if (!bytes) return complain(bytes.error());
    text = std::make_shared<const RobotsTxt>(RobotsTxt::parse(*bytes));
  } else {
    auto engine = Engine::open(*config, options.home, nullptr);
    if (!engine) return complain(engine.error());
    const Result<void> ran = (*engine)->run(read(*url, **engine, &reading));
    if (!ran) return complain(ran.error());
    text = reading->text;
    where = reading->url.href();
    closed = reading->closed();
  }

  const RobotsRules rules = text->rules_for(token);
  RobotsVerdict verdict = rules.verdict(url->path_and_query());
  if (closed) verdict.allowed = false;
  if (options.json) {
    nlohmann::ordered_json out = robots_to_json(*text, rules, verdict);
    out["url"] = url->href();
    out["agent"] = token;
    if (reading) {
      const Exchange& answer = reading->chain.last;
      out["status"] =
          answer.status == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(answer.status);
      out["failure"] = answer.failure ? nlohmann::ordered_json(name(answer.failure->kind))
                                      : nlohmann::ordered_json();
      out["closed"] = closed;
    }
    std::puts(dump(out).c_str());
    return kExitDone;
  }
  std::puts(fmt::format("{}: {} may{} read {}", plain(where), plain(token),
                        verdict.allowed ? "" : " not", plain(url->href()))
                .c_str());
  if (closed) {
    const Exchange& answer = reading->chain.last;
    std::puts(fmt::format("  robots.txt is unavailable ({}), so the site counts as closed for now",
                          answer.failure ? std::string(sentence(answer.failure->kind))
                                         : fmt::format("status {}", answer.status))
                  .c_str());
  } else if (verdict.line > 0) {
    std::puts(fmt::format("  line {}: {}", verdict.line, plain(verdict.rule)).c_str());
  } else {
    std::puts(rules.group().empty() ? "  no group speaks to this agent" : "  no rule matches");
  }
  if (!rules.group().empty())
    std::puts(fmt::format("  group: {}", plain(fmt::format("{}", fmt::join(rules.group(), ", "))))
                  .c_str());
  if (rules.crawl_delay())
    std::puts(fmt::format("  Crawl-delay: {} s", *rules.crawl_delay()).c_str());
  return kExitDone;
}

}  // namespace periplus
