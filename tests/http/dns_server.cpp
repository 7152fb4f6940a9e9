#include "http/dns_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace periplus {
namespace {

constexpr unsigned kA = 1, kCname = 5, kAaaa = 28;

void put16(std::string* out, unsigned value) {
  *out += static_cast<char>((value >> 8U) & 0xffU);
  *out += static_cast<char>(value & 0xffU);
}

std::string wire_name(const std::string& name) {
  std::string out;
  for (std::size_t start = 0; start < name.size();) {
    const std::size_t end = std::min(name.find('.', start), name.size());
    out += static_cast<char>(end - start);
    out += name.substr(start, end - start);
    start = end + 1;
  }
  return out + '\0';
}

void put_record(std::string* out, const std::string& name, unsigned type, unsigned ttl,
                const std::string& data) {
  *out += name;
  put16(out, type);
  put16(out, 1);
  put16(out, ttl >> 16U);
  put16(out, ttl & 0xffffU);
  put16(out, static_cast<unsigned>(data.size()));
  *out += data;
}

}  // namespace

DnsServer::DnsServer(Answer answer) : answer_(std::move(answer)) {
  socket_ = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  bind(socket_, reinterpret_cast<sockaddr*>(&at), sizeof at);
  socklen_t size = sizeof at;
  getsockname(socket_, reinterpret_cast<sockaddr*>(&at), &size);
  port_ = ntohs(at.sin_port);
  thread_ = std::thread([this] { serve(); });
}

DnsServer::~DnsServer() {
  stop_ = true;
  thread_.join();
  close(socket_);
}

void DnsServer::serve() {
  while (!stop_) {
    pollfd polled{socket_, POLLIN, 0};
    if (poll(&polled, 1, 10) <= 0) continue;
    char query[1500];
    sockaddr_in from{};
    socklen_t size = sizeof from;
    const ssize_t got =
        recvfrom(socket_, query, sizeof query, 0, reinterpret_cast<sockaddr*>(&from), &size);
    if (got < 17) continue;
    const std::string asked(query, static_cast<std::size_t>(got));
    std::string name;
    std::size_t at = 12;
    while (at < asked.size() && asked[at] != '\0') {
      const auto length = static_cast<unsigned char>(asked[at]);
      name += (name.empty() ? "" : ".") + asked.substr(at + 1, length);
      at += length + 1U;
    }
    const unsigned type = static_cast<unsigned char>(asked.at(at + 2));
    const bool v6 = type == kAaaa;
    ++(v6 ? asked_v6_ : asked_v4_);
    const DnsAnswer answer = answer_(name, v6);
    if (answer.silent) continue;

    std::string records;
    unsigned count = 0;
    std::string owner = wire_name(name);
    if (!answer.alias.empty()) {
      put_record(&records, owner, kCname, answer.ttl, wire_name(answer.alias));
      owner = wire_name(answer.alias);
      ++count;
    }
    for (const std::string& address : answer.addresses) {
      char octets[16];
      if (inet_pton(v6 ? AF_INET6 : AF_INET, address.c_str(), octets) != 1) continue;
      put_record(&records, owner, v6 ? kAaaa : kA, answer.ttl, std::string(octets, v6 ? 16 : 4));
      ++count;
    }
    std::string out = asked.substr(0, 2);
    put16(&out, 0x8180U | static_cast<unsigned>(answer.code));
    put16(&out, 1);
    put16(&out, count);
    put16(&out, 0);
    put16(&out, 0);
    out += asked.substr(12, at + 5 - 12) + records;
    sendto(socket_, out.data(), out.size(), 0, reinterpret_cast<sockaddr*>(&from), size);
  }
}

}  // namespace periplus
