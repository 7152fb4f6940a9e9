// Which process holds a lease, and whether it still lives.
#pragma once

#include <cstdint>
#include <string>

namespace periplus {

// A process as others can check it. Process ids mean something only on one boot of one machine, in
// one id namespace: `machine` names all three. `started` tells a process from a later one with its
// id.
struct ProcessMark {
  std::string machine;
  std::int64_t process = 0;
  std::int64_t started = 0;
};

ProcessMark this_process();

// True only when it is certain that the process has ended.
bool is_gone(const ProcessMark& mark);

}  // namespace periplus
