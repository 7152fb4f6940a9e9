// periplus scope explain URL|FILE: every point of the verdict on one page.
// periplus scope test LABELLED: how good the scope is on pages that a person labelled.
// periplus scope diff OLD NEW LABELLED|home: what a changed file would add or drop; a dry run.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/session.h"
#include "cli/values.h"
#include "html/page_reader.h"
#include "search/scope_labels.h"
#include "visit/explain.h"

namespace periplus {
namespace {

namespace fs = std::filesystem;

Result<SearchScope> open_scope(const Options& options) {
  return SearchScope::load(options.scope.empty() ? (fs::path(options.home) / "scope.toml").string()
                                                 : options.scope);
}

nlohmann::ordered_json to_json(const ScopeJudgement& judgement) {
  nlohmann::ordered_json why = nlohmann::ordered_json::array();
  for (const ScopePoint& point : judgement.why)
    why.push_back({{"points", point.points}, {"rule", point.rule}, {"why", point.why}});
  return {
      {"verdict", name(judgement.verdict)}, {"points", judgement.points}, {"why", std::move(why)}};
}

void print(const ScopeJudgement& judgement, std::string_view indent) {
  for (const ScopePoint& point : judgement.why)
    std::puts(fmt::format("{}{:+6.1f}  {:14} {}", indent, point.points, plain(point.rule),
                          plain(point.why))
                  .c_str());
}

Task<void> fetch(Url url, Engine& engine, std::optional<Explanation>* out) {
  Explanation explanation = co_await explain_url(url, engine.config().limits, engine.rooms(), true);
  *out = std::move(explanation);
}

struct Page {
  std::optional<Url> url;
  std::string body, content_type, content_language;
};

// A file where there is one of that name (or stdin), else an address, which is fetched as a visit
// would; or the exit code to leave with.
std::expected<Page, int> page_to_explain(const Options& options) {
  Page page;
  std::error_code fault;
  if (options.url == "-" || fs::is_regular_file(options.url, fault)) {
    Result<std::string> bytes = read_input(options.url);
    if (!bytes) return std::unexpected(complain(bytes.error()));
    page.body = std::move(*bytes);
    page.content_type = options.content_type;
    if (!options.page_url.empty()) {
      const Result<Url> url = typed_url(options.page_url);
      if (!url) return std::unexpected(complain(url.error()));
      page.url = *url;
    }
    return page;
  }
  // A path, not an address: "/" and "." begin no host.
  if (options.url.starts_with('/') || options.url.starts_with('.'))
    return std::unexpected(
        complain({ErrorKind::kInput, "there is no such file", plain(options.url)}));
  const Result<Config> config = effective_config(options);
  if (!config) return std::unexpected(complain(config.error()));
  const Result<Url> url = typed_url(options.url);
  if (!url) return std::unexpected(complain(url.error()));
  auto engine = Engine::open(*config, options.home, nullptr);
  if (!engine) return std::unexpected(complain(engine.error()));
  std::optional<Explanation> got;
  const Result<void> ran = (*engine)->run(fetch(*url, **engine, &got));
  if (!ran) return std::unexpected(complain(ran.error()));
  if (!got) return std::unexpected(complain({ErrorKind::kInternal, "interrupted", ""}));
  page.url = *url;
  if (got->chain && !got->failure) {
    const Exchange& answer = got->chain->last;
    page.url = answer.url;
    page.body = answer.body;
    page.content_type = answer.headers.get("content-type");
    page.content_language = answer.headers.get("content-language");
  } else {
    std::fputs("The page was not read; what follows is the verdict on its address alone.\n",
               stderr);
    for (const Decision& decision : got->decisions)
      if (!decision.goes_on)
        std::fputs(fmt::format("  {}: {}\n", decision.step, plain(decision.reason)).c_str(),
                   stderr);
  }
  return page;
}

int explain(const Options& options) {
  const Result<SearchScope> scope = open_scope(options);
  if (!scope) return complain(scope.error());
  const std::expected<Page, int> page = page_to_explain(options);
  if (!page) return page.error();
  PageFacts facts;
  ScopeEvidence evidence{.url = page->url ? &*page->url : nullptr,
                         .content_language = page->content_language};
  if (!page->body.empty()) {
    read_page({page->body, page->content_type, false}, &facts);
    evidence.facts = &facts;
  }
  const ScopeJudgement judgement = scope->judge(evidence);
  if (options.json) {
    nlohmann::ordered_json out = to_json(judgement);
    out["scope"] = scope->name();
    out["url"] = page->url ? nlohmann::ordered_json(page->url->href()) : nlohmann::ordered_json();
    out["page_read"] = evidence.facts != nullptr;
    std::puts(dump(out).c_str());
    return kExitDone;
  }
  std::puts(fmt::format("{}: {} of the scope {}, {:g} points",
                        plain(page->url ? page->url->href() : options.url), name(judgement.verdict),
                        plain(scope->name()), judgement.points)
                .c_str());
  print(judgement, "  ");
  if (judgement.why.empty()) std::puts("  nothing speaks for it or against it");
  return kExitDone;
}

Result<std::vector<LabelledPage>> open_labelled(const std::string& file) {
  const Result<std::string> text = read_input(file);
  if (!text) return std::unexpected(text.error());
  return parse_labelled(*text, file);
}

int test(const Options& options) {
  const Result<SearchScope> scope = open_scope(options);
  if (!scope) return complain(scope.error());
  const Result<std::vector<LabelledPage>> pages = open_labelled(options.url);
  if (!pages) return complain(pages.error());
  const LabelledHalf half = options.half == "tune"       ? LabelledHalf::kTune
                            : options.half == "held-out" ? LabelledHalf::kHeldOut
                                                         : LabelledHalf::kBoth;
  const ScopeScore score = score_scope(*scope, *pages, half);
  if (options.json) {
    const auto row = [&](std::size_t label) {
      const auto& counts = score.confusion[label];
      return nlohmann::ordered_json{{"in", counts[0]}, {"unsure", counts[1]}, {"out", counts[2]}};
    };
    nlohmann::ordered_json mistakes = nlohmann::ordered_json::array();
    for (const ScopeScore::Mistake& mistake : score.mistakes) {
      nlohmann::ordered_json one = to_json(mistake.judgement);
      one["url"] = mistake.page->url.href();
      one["label"] = mistake.page->in ? "in" : "out";
      one["line"] = mistake.page->line;
      mistakes.push_back(std::move(one));
    }
    std::puts(dump({{"scope", scope->name()},
                    {"pages", score.pages()},
                    {"precision", score.precision()},
                    {"recall", score.recall()},
                    {"labelled_in", row(1)},
                    {"labelled_out", row(0)},
                    {"mistakes", std::move(mistakes)}})
                  .c_str());
    return kExitDone;
  }
  std::puts(fmt::format("{}: {} pages, precision {:.3f}, recall {:.3f}\n", plain(scope->name()),
                        score.pages(), score.precision(), score.recall())
                .c_str());
  std::puts("                judged in  unsure     out");
  for (const std::size_t label : {1U, 0U}) {
    const auto& counts = score.confusion[label];
    std::puts(fmt::format("  labelled {:3} {:11} {:7} {:7}", label == 1 ? "in" : "out", counts[0],
                          counts[1], counts[2])
                  .c_str());
  }
  for (const ScopeScore::Mistake& mistake : score.mistakes) {
    std::puts(fmt::format("\n{}:{}: {} is {}, judged {} ({:g})", plain(options.url),
                          mistake.page->line, plain(mistake.page->url.href()),
                          mistake.page->in ? "in" : "out", name(mistake.judgement.verdict),
                          mistake.judgement.points)
                  .c_str());
    print(mistake.judgement, "  ");
  }
  return kExitDone;
}

// What changes from one scope to the other, page by page.
class Comparison {
 public:
  Comparison(const SearchScope& before, const SearchScope& after, bool json)
      : before_(before), after_(after), json_(json) {}

  void look_at(const ScopeEvidence& evidence) {
    const ScopeJudgement before = before_.judge(evidence);
    const ScopeJudgement after = after_.judge(evidence);
    ++pages_;
    if (before.verdict == after.verdict) return;
    if (after.verdict == ScopeVerdict::kIn) ++added_;
    if (before.verdict == ScopeVerdict::kIn) ++dropped_;
    ++changed_;
    if (json_) {
      changes_.push_back(
          {{"url", evidence.url->href()}, {"before", to_json(before)}, {"after", to_json(after)}});
      return;
    }
    std::puts(fmt::format("{}  {} ({:g}) -> {} ({:g})  {}",
                          after.verdict == ScopeVerdict::kIn    ? "+"
                          : before.verdict == ScopeVerdict::kIn ? "-"
                                                                : " ",
                          name(before.verdict), before.points, name(after.verdict), after.points,
                          plain(evidence.url->href()))
                  .c_str());
  }

  void finish() {
    if (json_) {
      std::puts(dump({{"pages", pages_},
                      {"added", added_},
                      {"dropped", dropped_},
                      {"changed", changed_},
                      {"changes", std::move(changes_)}})
                    .c_str());
      return;
    }
    std::puts(fmt::format("{} of {} pages change their verdict: {} come in, {} go out of scope or "
                          "become unsure. Nothing was changed.",
                          changed_, pages_, added_, dropped_)
                  .c_str());
  }

 private:
  const SearchScope& before_;
  const SearchScope& after_;
  bool json_;
  std::size_t pages_ = 0, added_ = 0, dropped_ = 0, changed_ = 0;
  nlohmann::ordered_json changes_ = nlohmann::ordered_json::array();
};

Result<std::unique_ptr<Store>> open_home(const Options& options) {
  const Result<Config> config = effective_config(options);
  if (!config) return std::unexpected(config.error());
  const std::string file = config->store_url.substr(std::string_view("sqlite:").size());
  return Store::open((fs::path(options.home) / file).string(), OpenMode::kReadOnly);
}

int diff(const Options& options) {
  const Result<SearchScope> before = SearchScope::load(options.old_scope);
  if (!before) return complain(before.error());
  const Result<SearchScope> after = SearchScope::load(options.new_scope);
  if (!after) return complain(after.error());
  Comparison comparison(*before, *after, options.json);
  if (options.url == "home") {
    const Result<std::unique_ptr<Store>> store = open_home(options);
    if (!store) return complain(store.error());
    const Result<void> done = each_known_page(
        **store, [&](const ScopeEvidence& evidence) { comparison.look_at(evidence); });
    if (!done) return complain(done.error());
  } else {
    const Result<std::vector<LabelledPage>> pages = open_labelled(options.url);
    if (!pages) return complain(pages.error());
    PageFacts facts;
    for (const LabelledPage& page : *pages) {
      read_page({page.html, "text/html; charset=utf-8", false}, &facts);
      comparison.look_at({&page.url, &facts, page.content_language, page.links});
    }
  }
  comparison.finish();
  return kExitDone;
}

}  // namespace

int run_scope(const Options& options) {
  if (options.command == "scope explain") return explain(options);
  return options.command == "scope test" ? test(options) : diff(options);
}

}  // namespace periplus
