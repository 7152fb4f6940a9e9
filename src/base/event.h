// A condition on the event loop: many may wait, notify() wakes them all.
#pragma once

#include <memory>
#include <vector>

#include "base/task.h"

namespace periplus {

class Event {
 public:
  Event();
  ~Event();
  // Returns after the next notify().
  Task<void> wait();
  void notify();

 private:
  struct Waiters;
  std::unique_ptr<Waiters> waiters_;
};

}  // namespace periplus
