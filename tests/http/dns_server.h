// A name server for tests, over UDP on loopback, that answers as it is told.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace periplus {

struct DnsAnswer {
  int code = 0;                             // 0: no error, 2: SERVFAIL, 3: NXDOMAIN, 5: REFUSED
  std::vector<std::string> addresses = {};  // those of the family asked for are sent
  unsigned ttl = 60;
  bool silent = false;     // no answer at all
  std::string alias = {};  // a CNAME before the addresses
};

class DnsServer {
 public:
  using Answer = std::function<DnsAnswer(const std::string& name, bool v6)>;
  explicit DnsServer(Answer answer);
  ~DnsServer();
  DnsServer(const DnsServer&) = delete;
  DnsServer& operator=(const DnsServer&) = delete;

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  int asked(bool v6) const { return v6 ? asked_v6_ : asked_v4_; }
  int asked() const { return asked_v4_ + asked_v6_; }

 private:
  void serve();
  Answer answer_;
  int socket_ = -1;
  int port_ = 0;
  std::atomic<int> asked_v4_{0}, asked_v6_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace periplus
