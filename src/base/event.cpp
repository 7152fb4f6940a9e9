#include "base/event.h"

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace periplus {

struct Event::Waiters {
  struct Waiter {
    boost::asio::any_io_executor executor;
    boost::asio::any_completion_handler<void()> handler;
  };
  std::vector<Waiter> list;
};

Event::Event() : waiters_(std::make_unique<Waiters>()) {}
// Tasks that still wait go on, and see for themselves that nothing came of it: were their handlers
// dropped here, a task that owns the event would be destroyed from within its own destruction.
Event::~Event() { notify(); }

Task<void> Event::wait() {
  Waiters* const waiters = waiters_.get();
  const auto executor = co_await boost::asio::this_coro::executor;
  const auto enlist = [waiters, executor](auto handler) {
    waiters->list.push_back({executor, std::move(handler)});
  };
  const auto token = boost::asio::use_awaitable;
  co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void()>(enlist, token);
}

void Event::notify() {
  std::vector<Waiters::Waiter> woken;
  woken.swap(waiters_->list);
  // Posted, never called: the waker may be in the middle of something.
  for (Waiters::Waiter& waiter : woken)
    boost::asio::post(waiter.executor, std::move(waiter.handler));
}

}  // namespace periplus
