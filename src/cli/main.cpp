#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <string_view>

#include "base/log.h"
#include "cli/options.h"

namespace {

struct Command {
  std::string_view name;
  int (*run)(const periplus::Options&);
};
constexpr std::array kCommands{
    Command{"audit", periplus::run_audit},         Command{"rules", periplus::run_rules},
    Command{"robots", periplus::run_robots},       Command{"explain", periplus::run_explain},
    Command{"fetch", periplus::run_fetch},         Command{"url", periplus::run_url},
    Command{"read", periplus::run_read},           Command{"keys new", periplus::run_keys},
    Command{"keys show", periplus::run_keys},      Command{"keys rotate", periplus::run_keys},
    Command{"scope explain", periplus::run_scope}, Command{"scope test", periplus::run_scope},
    Command{"scope diff", periplus::run_scope},    Command{"init", periplus::run_init},
    Command{"doctor", periplus::run_doctor},
};

}  // namespace

int main(int argc, char** argv) {
  // Known before the words are understood: not understanding them is an error too.
  periplus::complain_in_json(
      std::any_of(argv, argv + argc, [](std::string_view word) { return word == "--json"; }));
  try {
    const periplus::ParseOutcome parsed = periplus::parse_command_line(argc, argv);
    if (parsed.exit_code) return *parsed.exit_code;
    for (const Command& command : kCommands) {
      if (command.name != parsed.options.command) continue;
      const int code = command.run(parsed.options);
      // An answer that nobody got is no success.
      if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
      periplus::complain_in_json(false);
      return periplus::complain(
          {periplus::ErrorKind::kInternal, "cannot write to standard output", ""});
    }
  } catch (const std::exception& fault) {
    return periplus::complain(
        {periplus::ErrorKind::kInternal, std::string("internal fault: ") + fault.what(), ""});
  }
  return periplus::kExitInternal;
}
