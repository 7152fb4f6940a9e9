#include "http/curl_loop.h"

#include <curl/curl.h>
#include <sys/epoll.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <vector>

namespace periplus {
namespace {

using boost::asio::posix::stream_descriptor;
using SteadyTime = std::chrono::steady_clock::time_point;

constexpr int kEventsAtOnce = 128;

struct CurlLibrary {
  CurlLibrary() {
    curl_global_init(CURL_GLOBAL_DEFAULT);
    // OpenSSL writes to sockets that the peer may have closed, and a curl that is to leave signals
    // alone does not shut this one out.
    struct sigaction now{};
    if (sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == SIG_DFL)
      std::signal(SIGPIPE, SIG_IGN);
  }
};

}  // namespace

// curl's sockets are in an epoll set of their own, which the loop watches as one descriptor: a
// connection that is used again stays registered and costs no system call but its own reads and
// writes.
struct CurlLoop::Inside : std::enable_shared_from_this<CurlLoop::Inside> {
  struct Socket {
    std::uint32_t registered = 0;  // events in the set; 0: not in it
    std::uint32_t wanted = 0;      // what curl waits for; 0: it is idle
    bool ours = false;             // opened through opened(): may stay registered when idle
  };

  Inside(Loop& on, std::function<void(void*, int)> then)
      : loop(on),
        ended(std::move(then)),
        timer(on),
        set(epoll_create1(EPOLL_CLOEXEC)),
        poller(on, set) {}

  static int on_socket(CURL*, curl_socket_t fd, int what, void* self, void*) {
    static_cast<Inside*>(self)->want(fd, what);
    return 0;
  }
  static int on_timer(CURLM*, long millis, void* self) {
    static_cast<Inside*>(self)->arm(millis);
    return 0;
  }

  void want(curl_socket_t fd, int what) {
    Socket& socket = at(fd);
    std::uint32_t wanted = 0;
    if (what != CURL_POLL_REMOVE) {
      if ((what & CURL_POLL_IN) != 0) wanted |= EPOLLIN;
      if ((what & CURL_POLL_OUT) != 0) wanted |= EPOLLOUT;
    }
    if ((socket.wanted == 0) != (wanted == 0)) active += wanted != 0 ? 1 : -1;
    socket.wanted = wanted;
    if (wanted != 0) {
      enter(fd, &socket);
    } else if (!socket.ours) {
      leave(fd, &socket);
    }
    if (active > 0) {
      wait();
    } else {
      poller.cancel();  // nothing is in flight: the loop may come to its end
    }
  }

  Socket& at(curl_socket_t fd) {
    const auto index = static_cast<std::size_t>(fd);
    if (index >= sockets.size()) sockets.resize(index + 1);
    return sockets[index];
  }

  void enter(curl_socket_t fd, Socket* socket) {
    if (socket->registered == socket->wanted) return;
    epoll_event event{};
    event.events = socket->wanted;
    event.data.fd = fd;
    const int first = socket->registered == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
    const int second = socket->registered == 0 ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    if (epoll_ctl(set, first, fd, &event) != 0) epoll_ctl(set, second, fd, &event);
    socket->registered = socket->wanted;
  }
  void leave(curl_socket_t fd, Socket* socket) {
    if (socket->registered != 0) epoll_ctl(set, EPOLL_CTL_DEL, fd, nullptr);
    socket->registered = 0;
  }

  void wait() {
    if (waiting) return;
    waiting = true;
    poller.async_wait(stream_descriptor::wait_read,
                      [self = shared_from_this()](const boost::system::error_code& fault) {
                        self->waiting = false;
                        if (self->multi == nullptr) return;
                        if (!fault) self->turn();
                        if (self->multi != nullptr && self->active > 0) self->wait();
                      });
  }

  void turn() {
    epoll_event events[kEventsAtOnce];
    const int ready = epoll_wait(set, events, kEventsAtOnce, 0);
    for (int i = 0; i < ready && multi != nullptr; ++i) {
      const curl_socket_t fd = events[i].data.fd;
      Socket& socket = at(fd);
      if (socket.wanted == 0) {  // closed or talked to while idle: curl finds out when it needs it
        leave(fd, &socket);
        continue;
      }
      const std::uint32_t came = events[i].events;
      int what = 0;
      if ((came & EPOLLIN) != 0) what |= CURL_CSELECT_IN;
      if ((came & EPOLLOUT) != 0) what |= CURL_CSELECT_OUT;
      if ((came & (EPOLLERR | EPOLLHUP)) != 0) {
        what |= (socket.wanted & EPOLLIN) != 0 ? CURL_CSELECT_IN : 0;
        what |= (socket.wanted & EPOLLOUT) != 0 ? CURL_CSELECT_OUT : 0;
      }
      act(fd, what);
    }
  }

  // Timers are lazy: one that is due earlier than needed looks again when it fires.
  void arm(long millis) {
    if (millis < 0) {
      due = SteadyTime::max();
      timer.cancel();
      armed = SteadyTime::max();
      return;
    }
    if (millis == 0) {  // at once, but not from inside curl; a post costs no system call
      due = SteadyTime::max();
      if (posted) return;
      posted = true;
      boost::asio::post(loop, [self = shared_from_this()] {
        self->posted = false;
        if (self->multi != nullptr) self->act(CURL_SOCKET_TIMEOUT, 0);
      });
      return;
    }
    due = std::chrono::steady_clock::now() + std::chrono::milliseconds(millis);
    if (armed > due) set_timer();
  }

  void set_timer() {
    armed = due;
    timer.expires_at(due);
    timer.async_wait([self = shared_from_this()](const boost::system::error_code& fault) {
      if (fault || self->multi == nullptr) return;
      self->armed = SteadyTime::max();
      if (self->due == SteadyTime::max()) return;
      if (self->due > std::chrono::steady_clock::now()) {
        self->set_timer();
        return;
      }
      self->due = SteadyTime::max();
      self->act(CURL_SOCKET_TIMEOUT, 0);
    });
  }

  void act(curl_socket_t fd, int what) {
    int running = 0;
    curl_multi_socket_action(multi, fd, what, &running);
    drain();
  }

  void drain() {
    int left = 0;
    while (multi != nullptr) {
      const CURLMsg* message = curl_multi_info_read(multi, &left);
      if (message == nullptr) return;
      if (message->msg != CURLMSG_DONE) continue;
      CURL* easy = message->easy_handle;
      const CURLcode code = message->data.result;  // the message dies with the next call
      curl_multi_remove_handle(multi, easy);
      ended(easy, code);
    }
  }

  Loop& loop;
  std::function<void(void*, int)> ended;
  boost::asio::steady_timer timer;
  SteadyTime due = SteadyTime::max();    // when curl wants to be called
  SteadyTime armed = SteadyTime::max();  // when the timer fires
  bool posted = false;
  int set;  // the epoll set; `poller` closes it
  stream_descriptor poller;
  bool waiting = false;
  int active = 0;               // sockets that curl waits for
  std::vector<Socket> sockets;  // by number
  CURLM* multi = nullptr;
  CURLSH* share = nullptr;
};

CurlLoop::CurlLoop(Loop& loop, CurlLoopLimits limits, std::function<void(void*, int)> ended) {
  static const CurlLibrary library;
  inside_ = std::make_shared<Inside>(loop, std::move(ended));
  inside_->multi = curl_multi_init();
  curl_multi_setopt(inside_->multi, CURLMOPT_SOCKETFUNCTION, Inside::on_socket);
  curl_multi_setopt(inside_->multi, CURLMOPT_SOCKETDATA, inside_.get());
  curl_multi_setopt(inside_->multi, CURLMOPT_TIMERFUNCTION, Inside::on_timer);
  curl_multi_setopt(inside_->multi, CURLMOPT_TIMERDATA, inside_.get());
  curl_multi_setopt(inside_->multi, CURLMOPT_MAXCONNECTS, limits.max_connections);
  curl_multi_setopt(inside_->multi, CURLMOPT_MAX_HOST_CONNECTIONS, limits.max_connections_per_host);
  curl_multi_setopt(inside_->multi, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
  inside_->share = curl_share_init();
  curl_share_setopt(inside_->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
}

CurlLoop::~CurlLoop() {
  // Cleaning up calls back for every socket that is still open; then nobody may call in any more.
  curl_multi_cleanup(inside_->multi);
  inside_->multi = nullptr;
  curl_share_cleanup(inside_->share);
  inside_->timer.cancel();
  inside_->poller.cancel();
}

bool CurlLoop::add(void* easy) { return curl_multi_add_handle(inside_->multi, easy) == CURLM_OK; }
void CurlLoop::remove(void* easy) { curl_multi_remove_handle(inside_->multi, easy); }
void CurlLoop::opened(int fd) {
  Inside::Socket& socket = inside_->at(fd);
  if (socket.wanted != 0) --inside_->active;
  socket = {.ours = true};
}
void* CurlLoop::share() const { return inside_->share; }

}  // namespace periplus
