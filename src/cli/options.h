// cli: the `periplus` command. parse.cpp turns words into Options (the only file that knows CLI11);
// each command has a small file of its own that takes Options and gives an exit code.
//
// Exit codes are a contract: 0 done · 1 gate failed · 2 usage, config or input · 3 site unreachable
// · 4 kept out by robots.txt · 5 stopped by bot protection · 6 too soon (says when) · 70 internal
// fault.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace periplus {

enum ExitCode : int {
  kExitDone = 0,
  kExitGate = 1,
  kExitUsage = 2,
  kExitUnreachable = 3,
  kExitKeptOut = 4,
  kExitBotWall = 5,
  kExitTooSoon = 6,
  kExitInternal = 70,
};

struct Options {
  std::string command;  // "audit", "robots", …; "keys new" for nested ones
  // Global
  std::string home;    // --home, $PERIPLUS_HOME, else ./periplus-home
  std::string config;  // --config; else HOME/periplus.toml if it exists
  std::vector<std::string> allow_private;
  std::string psl;
  std::string ca_file;
  std::vector<std::string> dns;
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  // Of commands
  std::string url;   // the URL, FILE or RULE a command is about
  std::string base;  // url --base
  std::optional<std::uint32_t> pages;
  std::optional<std::string> floor;
  std::optional<std::string> lanes;
  std::string out;      // audit --out
  std::string formats;  // audit --format
  std::optional<double> fail_under;
  std::vector<std::string> fail_on;
  bool record_only = false;  // audit --record-only
  std::string agent;         // robots --agent
  std::string file;          // robots --file
  bool body = false;         // fetch --body
  std::string content_type;  // read --content-type
  std::string page_url;      // read --url, scope explain --url
  std::string scope;         // scope --scope; empty: HOME/scope.toml
  std::string half;          // scope test --half
  std::string old_scope;     // scope diff OLD NEW
  std::string new_scope;
};

// What the words mean, or the exit code to leave with (help was printed, or a complaint).
struct ParseOutcome {
  Options options;
  std::optional<int> exit_code;
};
ParseOutcome parse_command_line(int argc, char** argv);

int exit_code_of(ErrorKind kind);
// "periplus: sentence (place)" on stderr; gives the exit code. With --json also
// {"error":{"kind":"…","sentence":"…","place":"…","exit":N}} on stdout.
int complain(const Error& error);
// Whether complaints are said in JSON too.
void complain_in_json(bool on);

// The commands.
int run_audit(const Options& options);
int run_robots(const Options& options);
int run_url(const Options& options);
int run_fetch(const Options& options);
int run_explain(const Options& options);
int run_read(const Options& options);
int run_rules(const Options& options);
int run_keys(const Options& options);
int run_scope(const Options& options);
int run_init(const Options& options);
int run_doctor(const Options& options);

}  // namespace periplus
