#include "base/clock.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <map>
#include <utility>

namespace periplus {

namespace asio = boost::asio;

namespace {

// The wall clock may be set while we wait, so no single wait is longer than this.
constexpr Millis kLongestWait = std::chrono::minutes(1);

class SystemClock final : public Clock {
 public:
  explicit SystemClock(Loop& loop) : loop_(loop) {}

  Instant now() const override {
    return std::chrono::floor<Millis>(std::chrono::system_clock::now());
  }

  Task<void> sleep_until(Instant at) override {
    asio::steady_timer timer(loop_);
    for (Millis left = at - now(); left > Millis::zero(); left = at - now()) {
      timer.expires_after(std::min(left, kLongestWait));
      co_await timer.async_wait(asio::use_awaitable);
    }
  }

 private:
  Loop& loop_;
};

}  // namespace

std::unique_ptr<Clock> make_system_clock(Loop& loop) { return std::make_unique<SystemClock>(loop); }

struct SimulatedClock::State {
  State(Loop& on, Instant start) : loop(on), now(start) {}

  Loop& loop;
  Instant now;
  std::multimap<Instant, std::shared_ptr<asio::steady_timer>> sleepers;
  bool watching = false;                                          // an idle check is posted
  std::shared_ptr<State*> self = std::make_shared<State*>(this);  // expires with the clock

  void wake_due() {
    const auto end = sleepers.upper_bound(now);
    for (auto it = sleepers.begin(); it != end; ++it) it->second->cancel();
    sleepers.erase(sleepers.begin(), end);
  }

  // Runs everything that is ready, then lets time jump to the earliest sleeper.
  void watch() {
    if (watching || sleepers.empty()) return;
    watching = true;
    asio::post(loop, [weak = std::weak_ptr<State*>(self)] {
      std::shared_ptr<State*> alive = weak.lock();
      if (!alive) return;
      Loop& running = (*alive)->loop;
      alive.reset();
      while (running.poll_one() != 0) {
      }
      alive = weak.lock();
      if (!alive) return;
      State& state = **alive;
      state.watching = false;
      if (!state.sleepers.empty()) {
        state.now = std::max(state.now, state.sleepers.begin()->first);
        state.wake_due();
      }
      state.watch();
    });
  }
};

SimulatedClock::SimulatedClock(Loop& loop, Instant start)
    : state_(std::make_unique<State>(loop, start)) {}
SimulatedClock::~SimulatedClock() = default;

Instant SimulatedClock::now() const { return state_->now; }

Task<void> SimulatedClock::sleep_until(Instant at) {
  if (at <= state_->now) co_return;
  auto timer =
      std::make_shared<asio::steady_timer>(state_->loop, asio::steady_timer::time_point::max());
  const auto place = state_->sleepers.emplace(at, timer);
  state_->watch();
  boost::system::error_code woken;
  auto token = asio::redirect_error(asio::use_awaitable, woken);
  co_await timer->async_wait(token);
  if (state_->now < at) {  // the task was cancelled, not woken
    state_->sleepers.erase(place);
    throw boost::system::system_error(woken);
  }
}

void SimulatedClock::advance(Millis by) {
  state_->now += by;
  state_->wake_due();
}

}  // namespace periplus
