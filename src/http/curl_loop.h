// libcurl's multi handle on the event loop: its sockets are watched together, its time-outs by a
// timer. Nothing of curl shows here, so that whoever includes this compiles quickly.
#pragma once

#include <functional>
#include <memory>

#include "base/task.h"

namespace periplus {

struct CurlLoopLimits {
  long max_connections = 1024;
  long max_connections_per_host = 0;  // 0: no limit
};

class CurlLoop {
 public:
  // `ended(easy, code)` is called on the loop, outside every curl callback, once the transfer of
  // that easy handle (a CURL*) is over and taken out of the multi handle; `code` is a CURLcode.
  CurlLoop(Loop& loop, CurlLoopLimits limits, std::function<void(void*, int)> ended);
  ~CurlLoop();
  CurlLoop(const CurlLoop&) = delete;
  CurlLoop& operator=(const CurlLoop&) = delete;

  // False when curl refuses the handle.
  bool add(void* easy);
  // Takes a running transfer out; `ended` is not called for it. Not to be used inside a curl
  // callback.
  void remove(void* easy);
  // Tells of a socket just made for curl (CURLOPT_OPENSOCKETFUNCTION): it may stay watched while
  // its connection is idle.
  void opened(int fd);
  // TLS sessions are shared by every handle that was given this (a CURLSH*).
  void* share() const;

 private:
  struct Inside;
  std::shared_ptr<Inside> inside_;  // handlers on their way hold it too
};

}  // namespace periplus
