// periplus explain URL: every decision about one address. periplus fetch URL: the same, and the
// fetch itself.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/session.h"
#include "cli/values.h"
#include "visit/explain.h"

namespace periplus {
namespace {

Task<void> explain(Url url, Engine& engine, bool fetch, std::optional<Explanation>* out) {
  Explanation explanation =
      co_await explain_url(url, engine.config().limits, engine.rooms(), fetch);
  *out = std::move(explanation);
}

int exit_code(const Explanation& e) {
  if (e.wall) return kExitBotWall;
  if (!e.failure) return kExitDone;
  switch (e.failure->kind) {
    case FailureKind::kRobotsDisallowed:
      return e.robots && e.robots->closed() ? kExitUnreachable : kExitKeptOut;
    case FailureKind::kInternal:
      return kExitInternal;
    default:
      return kExitUnreachable;
  }
}

int run(const Options& options, bool fetch) {
  const Result<Config> config = effective_config(options);
  if (!config) return complain(config.error());
  const Result<Url> url = typed_url(options.url);
  if (!url) return complain(url.error());
  auto engine = Engine::open(*config, options.home, nullptr);
  if (!engine) return complain(engine.error());
  std::optional<Explanation> e;
  const Result<void> ran = (*engine)->run(explain(*url, **engine, fetch, &e));
  if (!ran) return complain(ran.error());
  if (!e) return complain({ErrorKind::kInternal, "interrupted", ""});

  if (options.json) {
    nlohmann::ordered_json out = explanation_to_json(*e);
    if (options.body && e->chain) out["body"] = e->chain->last.body;
    std::puts(dump(out).c_str());
    return exit_code(*e);
  }
  std::FILE* talk = options.body ? stderr : stdout;
  for (const Decision& d : e->decisions) {
    std::fputs(fmt::format("{}  {:9} {}\n", d.goes_on ? " " : "x", d.step, plain(d.reason)).c_str(),
               talk);
  }
  if (fetch && e->chain && !e->failure) {
    const Exchange& answer = e->chain->last;
    std::fputs(fmt::format("   {:9} {} octets{}{}, {} ms\n", "body", answer.body.size(),
                           answer.cut ? " (cut)" : "", e->charset.empty() ? "" : ", " + e->charset,
                           answer.timings.total.count())
                   .c_str(),
               talk);
  }
  if (options.body && e->chain)
    std::fwrite(e->chain->last.body.data(), 1, e->chain->last.body.size(), stdout);
  return exit_code(*e);
}

}  // namespace

int run_fetch(const Options& options) { return run(options, true); }
int run_explain(const Options& options) {
  // What is explained may well be a refusal; only bad input and our own faults are failures here.
  const int code = run(options, false);
  return code == kExitInternal || code == kExitUsage ? code : kExitDone;
}

}  // namespace periplus
