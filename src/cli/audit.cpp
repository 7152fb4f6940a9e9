// periplus audit URL: reads one site, judges what was recorded, writes reports, prints a summary.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "audit/audit_use.h"
#include "audit/judge.h"
#include "audit/load_read.h"
#include "audit/report/report.h"
#include "audit/rulebook.h"
#include "base/compress.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "visit/record_format.h"

namespace periplus {
namespace {

constexpr std::chrono::minutes kBetweenReads{10};  // of one site, at least

struct Gate {
  std::optional<double> under;
  std::vector<std::string> on;
};

Result<std::vector<ReportFile>> wanted_formats(const std::string& list) {
  std::vector<ReportFile> out;
  const std::string_view text = list.empty() ? "html,json" : std::string_view(list);
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::vector<ReportFile> files = report_files(text.substr(start, end - start));
    if (files.empty())
      return fail(ErrorKind::kUsage, "--format takes a list of html, json and csv",
                  "--format " + list);
    out.insert(out.end(), files.begin(), files.end());
    start = end + 1;
  }
  return out;
}

Result<Gate> wanted_gate(const Options& options) {
  for (const std::string& name : options.fail_on) {
    if (!severity(name) && Rulebook::standard().find(name) == nullptr) {
      return fail(ErrorKind::kUsage,
                  "--fail-on takes a rule's id, or critical, major, minor or info",
                  "--fail-on " + plain(name));
    }
  }
  return Gate{options.fail_under, options.fail_on};
}

// Whether the gate is passed; says on stderr what failed it.
bool passes(const Gate& gate, const Judgement& judgement) {
  bool good = true;
  const auto failed = [&](const std::string& why) {
    std::fputs(("periplus: gate failed: " + why + "\n").c_str(), stderr);
    good = false;
  };
  if (gate.under && !judgement.overall) failed("there is no score: " + judgement.no_score);
  if (gate.under && judgement.overall && *judgement.overall < *gate.under) {
    failed(fmt::format("the score {:.1f} is under {:g}", *judgement.overall, *gate.under));
  }
  for (const std::string& name : gate.on) {
    const std::optional<Severity> worst = severity(name);
    for (const RuleResult& result : judgement.rules) {
      const bool meant = worst ? result.rule->severity <= *worst : result.rule->id == name;
      if (meant && result.failing > 0) failed(fmt::format("{} fails", result.rule->id));
    }
  }
  return good;
}

std::filesystem::path report_folder(const Options& options, const std::string& site) {
  return options.out.empty() ? std::filesystem::path(options.home) / "reports" / site
                             : std::filesystem::path(options.out);
}

// Where the last report of a site went is kept beside the store, for who asks again too soon.
std::filesystem::path place_note(const Options& options, const std::string& site) {
  return std::filesystem::path(options.home) / "reports" / (site + ".place");
}

std::optional<Error> too_soon(Engine& engine, const Options& options, const std::string& site) {
  const auto last = engine.store().newest_visit(site, std::string(AuditUse().name()));
  if (!last) return last.error();
  if (!*last) return std::nullopt;
  const Instant next = (*last)->ended + kBetweenReads;
  if (engine.clock().now() >= next) return std::nullopt;
  std::ifstream note(place_note(options, site));
  std::string place;
  std::getline(note, place);
  return Error{ErrorKind::kTooSoon,
               fmt::format("{} was read at {}; the next read may start at {}", site,
                           to_rfc3339((*last)->ended), to_rfc3339(next)),
               place.empty() ? "no report was written" : "last report: " + place};
}

Result<Judgement> judge_visit(Engine& engine, VisitId id) {
  auto source = load_read(engine.store(), id);
  if (!source) return std::unexpected(source.error());
  JudgeOptions how;
  how.suffixes = &engine.rooms().suffixes;
  how.our_token = engine.config().identity.token;
  return judge(**source, Rulebook::standard(), how);
}

Result<void> remember(Store& store, VisitId id, const Judgement& judgement, Instant now) {
  StoredReport report;
  report.visit = id;
  report.rulebook_version = judgement.rulebook_version;
  report.score_version = judgement.score_version;
  report.made = now;
  report.score = judgement.overall;
  report.no_score = judgement.no_score;
  for (std::size_t i = 0; i < kStages; ++i) {
    report.stages.emplace_back(name(static_cast<Stage>(i)), judgement.sheet.stages.at(i).score);
  }
  report.coverage = judgement.sheet.coverage;
  for (const RuleResult& rule : judgement.rules) {
    report.rules.push_back({std::string(rule.rule->id), rule.failing, rule.passing, rule.unknown,
                            rule.not_applicable});
  }
  report.packed_json = pack(json_report(judgement));
  std::vector<std::pair<std::string, std::string>> failed;
  for (const PageResult& page : judgement.pages) {
    std::string ids;
    for (const std::uint16_t index : page.failed)
      ids.append(ids.empty() ? "" : " ").append(judgement.rules.at(index).rule->id);
    if (!ids.empty()) failed.emplace_back(page.url, std::move(ids));
  }
  return store.put_report(report, failed);
}

// A folder that reports can be written to; made when it is missing.
Result<void> ready_folder(const std::filesystem::path& folder) {
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  if (fault)
    return fail(ErrorKind::kInput, "cannot make the folder for reports: " + fault.message(),
                folder.string());
  if (access(folder.c_str(), W_OK) != 0)
    return fail(ErrorKind::kInput, "cannot write into the folder for reports", folder.string());
  return {};
}

Result<std::vector<std::string>> write_reports(const Judgement& judgement,
                                               const std::filesystem::path& folder,
                                               const std::vector<ReportFile>& files) {
  std::vector<std::string> written;
  for (const ReportFile file : files) {
    const std::string path = (folder / std::string(file_name(file))).string();
    if (const Result<void> done = write_whole(path, render(judgement, file)); !done)
      return std::unexpected(done.error());
    written.push_back(path);
  }
  return written;
}

int exit_code(OutcomeKind outcome) {
  switch (outcome) {
    case OutcomeKind::kKeptOut:
      return kExitKeptOut;
    case OutcomeKind::kBotWall:
      return kExitBotWall;
    case OutcomeKind::kRobotsClosed:
    case OutcomeKind::kUnreachable:
    case OutcomeKind::kHomeError:
      return kExitUnreachable;
    case OutcomeKind::kBackedOff:
      return kExitTooSoon;
    case OutcomeKind::kAborted:
      return 130;
    default:
      return kExitDone;
  }
}

}  // namespace

int run_audit(const Options& options) {
  const Result<Config> config = effective_config(options);
  if (!config) return complain(config.error());
  const Result<Url> url = typed_url(options.url);
  if (!url) return complain(url.error());
  if (const Result<void> floor = check_floor(*config, *url); !floor) return complain(floor.error());
  const Result<std::vector<ReportFile>> formats = wanted_formats(options.formats);
  if (!formats) return complain(formats.error());
  const Result<Gate> gate = wanted_gate(options);
  if (!gate) return complain(gate.error());

  Progress progress(Progress::style_for_stderr(options.quiet), options.verbose);
  auto engine = Engine::open(*config, options.home, &progress);
  if (!engine) return complain(engine.error());
  const std::string site = (*engine)->rooms().suffixes.site(url->hostname());
  if (const std::optional<Error> soon = too_soon(**engine, options, site)) return complain(*soon);

  // Found out now, not after the site was read for nothing.
  const std::filesystem::path folder = report_folder(options, site);
  if (!options.record_only) {
    if (const Result<void> ready = ready_folder(folder); !ready) return complain(ready.error());
  }

  VisitId id = 0;
  const AuditUse use;
  const Result<VisitResult> visited = (*engine)->visit({*url, config->limits}, use, &id);
  progress.clear();
  if (!visited) return complain(visited.error());
  const OutcomeKind outcome = visited->outcome.kind;
  if (outcome == OutcomeKind::kAborted) {
    std::fputs("periplus: interrupted; nothing was recorded\n", stderr);
    return exit_code(outcome);
  }
  if (options.record_only) {
    std::fputs(fmt::format("{} pages recorded: {}\n", visited->pages, sentence(outcome)).c_str(),
               stderr);
    return exit_code(outcome);
  }

  const Result<Judgement> judgement = judge_visit(**engine, id);
  if (!judgement) return complain(judgement.error());
  if (const Result<void> kept =
          remember((*engine)->store(), id, *judgement, (*engine)->clock().now());
      !kept)
    return complain(kept.error());
  const auto written = write_reports(*judgement, folder, *formats);
  if (!written) return complain(written.error());
  std::error_code ignored;
  std::filesystem::create_directories(place_note(options, site).parent_path(), ignored);
  const std::string place = std::filesystem::absolute(written->front(), ignored).string();
  if (const Result<void> noted = write_whole(place_note(options, site).string(), place + "\n");
      !noted)
    return complain(noted.error());

  if (options.json) {
    std::puts(json_report(*judgement).c_str());
  } else {
    const bool color = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
    std::fputs(terminal_report(*judgement, color).c_str(), stdout);
    for (const std::string& path : *written) std::puts(fmt::format("  {}", path).c_str());
  }
  const int code = exit_code(outcome);
  if (code != kExitDone) return code;
  return passes(*gate, *judgement) ? kExitDone : kExitGate;
}

}  // namespace periplus
