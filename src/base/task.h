// A Task<T> is a coroutine on the event loop: the one header of the project that shows Asio.
//
// House rule for g++ 12.2 (tools/check_coawait.py holds to it): co_await stands alone as a
// statement, initialises a named local, or follows co_return; its arguments are named on the lines
// before. Coroutines take values, and references only to rooms that outlive the loop; never a
// string_view.
#pragma once

#include <utility>  // awaitable.hpp needs it and does not say so

#include <boost/asio/awaitable.hpp>
#include <exception>
#include <functional>

namespace boost::asio {
class io_context;
}

namespace periplus {

using Loop = boost::asio::io_context;

template <class T>
using Task = boost::asio::awaitable<T>;

// Starts `task` on `loop` and returns at once. `ended` is called on the loop with the exception
// that left the task, or null. There is no way to start a task whose failure nobody hears of.
void start(Loop& loop, Task<void> task, std::function<void(std::exception_ptr)> ended);

// Lets every other task that is ready have its turn.
Task<void> yield_to_loop();

}  // namespace periplus
