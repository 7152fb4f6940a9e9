#include "store/process.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>

namespace periplus {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

struct Standing {
  bool ended = false;  // a zombie: it only waits for its parent to take note
  std::int64_t started = 0;
};

// Fields 3 (state) and 22 (start, in clock ticks since boot) of /proc/PID/stat, see proc(5). The
// second field is the program's name in parentheses and may hold anything.
std::optional<Standing> standing_of(std::int64_t process) {
  const std::string line = first_line("/proc/" + std::to_string(process) + "/stat");
  std::size_t at = line.rfind(')');
  if (at == std::string::npos || at + 2 >= line.size()) return std::nullopt;
  Standing standing;
  standing.ended = line[at + 2] == 'Z' || line[at + 2] == 'X';
  for (int field = 2; field < 22; ++field) {
    at = line.find(' ', at + 1);
    if (at == std::string::npos) return std::nullopt;
  }
  const char* begin = line.data() + at + 1;
  if (std::from_chars(begin, line.data() + line.size(), standing.started).ec != std::errc()) {
    return std::nullopt;
  }
  return standing;
}

std::string this_machine() {
  std::string machine = first_line("/proc/sys/kernel/random/boot_id");
  std::array<char, 64> space{};
  const ssize_t size = readlink("/proc/self/ns/pid", space.data(), space.size());
  if (machine.empty() || size <= 0) return {};
  return machine + " " + std::string(space.data(), static_cast<std::size_t>(size));
}

}  // namespace

ProcessMark this_process() {
  const std::int64_t process = getpid();
  return {this_machine(), process, standing_of(process).value_or(Standing{}).started};
}

bool is_gone(const ProcessMark& mark) {
  if (mark.machine.empty() || mark.machine != this_machine()) return false;
  if (kill(static_cast<pid_t>(mark.process), 0) != 0) return errno == ESRCH;
  const std::optional<Standing> standing = standing_of(mark.process);
  return standing && (standing->ended || (mark.started != 0 && standing->started != mark.started));
}

}  // namespace periplus
