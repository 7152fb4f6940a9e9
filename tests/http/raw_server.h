// A server for tests that answers with the very octets it was given, on loopback.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace periplus {

class RawServer {
 public:
  // `answer` gets the head of each request and gives what is written. An answer that ends in
  // kClose closes the connection; others keep it.
  using Answer = std::function<std::string(const std::string& head)>;
  static constexpr std::string_view kClose =
      "\x01"
      "close";
  static constexpr std::string_view kHold =
      "\x01"
      "hold";  // says nothing more, stays open

  static constexpr std::string_view kDrip =
      "\x01"
      "drip";  // then "X: y" and a line end, an octet every 20 ms, for ever
  static constexpr std::string_view kEndless =
      "\x01"
      "endless";  // then one chunk of 1 KiB after the other, until the client hangs up

  explicit RawServer(Answer answer) : answer_(std::move(answer)) {
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bind(listener_, reinterpret_cast<sockaddr*>(&at), sizeof at);
    listen(listener_, 16);
    socklen_t size = sizeof at;
    getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &size);
    port = ntohs(at.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~RawServer() {
    stop_ = true;
    thread_.join();
    close(listener_);
  }
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;

  int port = 0;
  std::atomic<int> connections{0}, requests{0}, closed{0};

 private:
  struct Peer {
    int fd;
    std::string read;
    bool dripping = false;
    std::size_t dripped = 0;
  };
  void serve() {
    std::vector<Peer> peers;
    while (!stop_) {
      std::vector<pollfd> polled{{listener_, POLLIN, 0}};
      for (const Peer& peer : peers) polled.push_back({peer.fd, POLLIN, 0});
      const int ready = poll(polled.data(), polled.size(), 20);
      for (Peer& peer : peers) {
        constexpr std::string_view kOctets = "X: y\r\n";
        if (peer.dripping) send(peer.fd, &kOctets[peer.dripped++ % 6], 1, MSG_NOSIGNAL);
      }
      if (ready <= 0) continue;
      for (std::size_t i = polled.size(); i-- > 1;) {
        if (polled[i].revents != 0 && !turn(&peers[i - 1])) {
          close(peers[i - 1].fd);
          ++closed;
          peers.erase(peers.begin() + static_cast<std::ptrdiff_t>(i) - 1);
        }
      }
      if ((polled[0].revents & POLLIN) != 0) {
        peers.push_back({.fd = accept(listener_, nullptr, nullptr), .read = {}});
        ++connections;
      }
    }
    for (const Peer& peer : peers) close(peer.fd);
  }
  bool turn(Peer* peer) {
    char buffer[4096];
    const ssize_t got = recv(peer->fd, buffer, sizeof buffer, 0);
    if (got <= 0) return false;
    peer->read.append(buffer, static_cast<std::size_t>(got));
    const std::size_t end = peer->read.find("\r\n\r\n");
    if (end == std::string::npos) return true;
    const std::string head = peer->read.substr(0, end + 4);
    peer->read.erase(0, end + 4);
    ++requests;
    std::string_view out;
    const std::string answer = answer_(head);
    out = answer;
    const bool closes = out.ends_with(kClose);
    if (closes) out.remove_suffix(kClose.size());
    if (out.ends_with(kHold)) out.remove_suffix(kHold.size());
    peer->dripping = out.ends_with(kDrip);
    if (peer->dripping) out.remove_suffix(kDrip.size());
    const bool endless = out.ends_with(kEndless);
    if (endless) out.remove_suffix(kEndless.size());
    if (!write_all(peer->fd, out)) return false;
    const std::string chunk = "400\r\n" + std::string(1024, 'x') + "\r\n";
    while (endless && write_all(peer->fd, chunk)) continue;
    return !closes && !endless;
  }
  static bool write_all(int fd, std::string_view out) {
    while (!out.empty()) {
      const ssize_t sent = send(fd, out.data(), out.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      out.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  Answer answer_;
  int listener_ = -1;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace periplus
