#include "base/task.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace periplus {

namespace asio = boost::asio;

void start(Loop& loop, Task<void> task, std::function<void(std::exception_ptr)> ended) {
  asio::co_spawn(loop, std::move(task), [ended = std::move(ended)](std::exception_ptr failure) {
    ended(std::move(failure));
  });
}

Task<void> yield_to_loop() { co_await asio::post(asio::use_awaitable); }

}  // namespace periplus
