#include "base/event.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace periplus {

// A timer that never fires serves as the condition; cancelling it wakes its waiter.
struct Event::Waiters {
  std::vector<std::shared_ptr<boost::asio::steady_timer>> timers;
};

Event::Event() : waiters_(std::make_unique<Waiters>()) {}
Event::~Event() = default;

Task<void> Event::wait() {
  const auto executor = co_await boost::asio::this_coro::executor;
  const auto never = boost::asio::steady_timer::time_point::max();
  const auto timer = std::make_shared<boost::asio::steady_timer>(executor, never);
  waiters_->timers.push_back(timer);
  const auto token = boost::asio::as_tuple(boost::asio::use_awaitable);
  co_await timer->async_wait(token);
}

void Event::notify() {
  for (const auto& timer : waiters_->timers) timer->cancel();
  waiters_->timers.clear();
}

}  // namespace periplus
