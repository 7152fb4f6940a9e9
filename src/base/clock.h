// Where time comes from, and waiting for it on the event loop.
#pragma once

#include <memory>

#include "base/task.h"
#include "base/time.h"

namespace periplus {

// One per loop; tests hand in a SimulatedClock.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant now() const = 0;
  // Returns once now() >= at; at once when that is already so.
  virtual Task<void> sleep_until(Instant at) = 0;
};

// The system's clock, its waits on `loop`.
std::unique_ptr<Clock> make_system_clock(Loop& loop);

// A clock that jumps: when everything waits, the earliest sleeper is woken and now() moves to its
// time. Call advance() to move time by hand. For tests of pace and schedule, never in the product.
class SimulatedClock final : public Clock {
 public:
  SimulatedClock(Loop& loop, Instant start);
  ~SimulatedClock() override;
  Instant now() const override;
  Task<void> sleep_until(Instant at) override;
  void advance(Millis by);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace periplus
