#include "http/curl_loop.h"

#include <curl/curl.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <unordered_map>

namespace periplus {
namespace {

using boost::asio::posix::stream_descriptor;

struct CurlLibrary {
  CurlLibrary() { curl_global_init(CURL_GLOBAL_DEFAULT); }
};

}  // namespace

struct CurlLoop::Inside : std::enable_shared_from_this<CurlLoop::Inside> {
  struct Watched {
    Watched(Loop& loop, curl_socket_t fd) : descriptor(loop, fd) {}
    stream_descriptor descriptor;
    int wanted = 0;                         // CURL_POLL_IN | CURL_POLL_OUT
    bool reading = false, writing = false;  // being waited for
  };

  Inside(Loop& on, std::function<void(void*, int)> then)
      : loop(on), ended(std::move(then)), timer(on) {}

  ~Inside() {
    for (auto& [fd, watched] : sockets) watched->descriptor.release();
  }

  static int on_socket(CURL*, curl_socket_t fd, int what, void* self, void*) {
    static_cast<Inside*>(self)->watch(fd, what);
    return 0;
  }
  static int on_timer(CURLM*, long millis, void* self) {
    static_cast<Inside*>(self)->arm(millis);
    return 0;
  }

  void watch(curl_socket_t fd, int what) {
    auto found = sockets.find(fd);
    if (what == CURL_POLL_REMOVE) {
      if (found == sockets.end()) return;
      found->second->descriptor.release();  // curl owns the socket
      sockets.erase(found);
      return;
    }
    if (found == sockets.end())
      found = sockets.emplace(fd, std::make_shared<Watched>(loop, fd)).first;
    found->second->wanted = what;
    wait_on(fd, found->second);
  }

  void wait_on(curl_socket_t fd, const std::shared_ptr<Watched>& watched) {
    if ((watched->wanted & CURL_POLL_IN) != 0 && !watched->reading) {
      watched->reading = true;
      watched->descriptor.async_wait(
          stream_descriptor::wait_read,
          [self = shared_from_this(), fd, watched](const boost::system::error_code& fault) {
            watched->reading = false;
            self->ready(fd, watched, CURL_CSELECT_IN,
                        fault == boost::asio::error::operation_aborted);
          });
    }
    if ((watched->wanted & CURL_POLL_OUT) != 0 && !watched->writing) {
      watched->writing = true;
      watched->descriptor.async_wait(
          stream_descriptor::wait_write,
          [self = shared_from_this(), fd, watched](const boost::system::error_code& fault) {
            watched->writing = false;
            self->ready(fd, watched, CURL_CSELECT_OUT,
                        fault == boost::asio::error::operation_aborted);
          });
    }
  }

  void ready(curl_socket_t fd, const std::shared_ptr<Watched>& watched, int what, bool gone) {
    if (gone || multi == nullptr) return;
    const auto found = sockets.find(fd);
    if (found == sockets.end() || found->second != watched) return;
    if ((what == CURL_CSELECT_IN) !=
        ((watched->wanted & CURL_POLL_IN) != 0 && what == CURL_CSELECT_IN))
      return;
    act(fd, what);
    const auto still = sockets.find(fd);
    if (still != sockets.end() && still->second == watched) wait_on(fd, watched);
  }

  void arm(long millis) {
    if (millis < 0) {
      timer.cancel();
      return;
    }
    if (millis == 0) {  // at once, but not from inside curl; a post costs no system call
      timer.cancel();
      boost::asio::post(loop, [self = shared_from_this()] {
        if (self->multi != nullptr) self->act(CURL_SOCKET_TIMEOUT, 0);
      });
      return;
    }
    timer.expires_after(std::chrono::milliseconds(millis));
    timer.async_wait([self = shared_from_this()](const boost::system::error_code& fault) {
      if (!fault && self->multi != nullptr) self->act(CURL_SOCKET_TIMEOUT, 0);
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
  CURLM* multi = nullptr;
  CURLSH* share = nullptr;
  std::unordered_map<curl_socket_t, std::shared_ptr<Watched>> sockets;
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
}

bool CurlLoop::add(void* easy) { return curl_multi_add_handle(inside_->multi, easy) == CURLM_OK; }
void CurlLoop::remove(void* easy) { curl_multi_remove_handle(inside_->multi, easy); }
void* CurlLoop::share() const { return inside_->share; }

}  // namespace periplus
