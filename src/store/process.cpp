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

// Field 22 of /proc/PID/stat (proc(5)): the start in clock ticks since boot. The second field is
// the program's name in parentheses and may hold anything.
std::optional<std::int64_t> start_of(std::int64_t process) {
  const std::string line = first_line("/proc/" + std::to_string(process) + "/stat");
  std::size_t at = line.rfind(')');
  if (at == std::string::npos) return std::nullopt;
  for (int field = 2; field < 22; ++field) {
    at = line.find(' ', at + 1);
    if (at == std::string::npos) return std::nullopt;
  }
  std::int64_t ticks = 0;
  const char* begin = line.data() + at + 1;
  if (std::from_chars(begin, line.data() + line.size(), ticks).ec != std::errc()) {
    return std::nullopt;
  }
  return ticks;
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
  return {this_machine(), process, start_of(process).value_or(0)};
}

bool is_gone(const ProcessMark& mark) {
  if (mark.machine.empty() || mark.machine != this_machine()) return false;
  if (kill(static_cast<pid_t>(mark.process), 0) != 0) return errno == ESRCH;
  const std::optional<std::int64_t> started = start_of(mark.process);
  return started && mark.started != 0 && *started != mark.started;
}

}  // namespace periplus
