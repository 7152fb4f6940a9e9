#include "http/resolver.h"

#include <ares.h>
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstring>
#include <list>
#include <unordered_map>

#include "base/event.h"

namespace periplus {
namespace {

using boost::asio::posix::stream_descriptor;

struct AresLibrary {
  AresLibrary() { ares_library_init(ARES_LIB_INIT_ALL); }
};

std::optional<Address> from_sockaddr(const sockaddr* from) {
  Address out;
  if (from->sa_family == AF_INET) {
    std::memcpy(out.octets, &reinterpret_cast<const sockaddr_in*>(from)->sin_addr, 4);
    return out;
  }
  if (from->sa_family != AF_INET6) return std::nullopt;
  out.v6 = true;
  std::memcpy(out.octets, &reinterpret_cast<const sockaddr_in6*>(from)->sin6_addr, 16);
  return out;
}

bool is_localhost(std::string_view host) {
  return host == "localhost" || host.ends_with(".localhost");
}

// One c-ares channel on the loop: its sockets are watched by Asio, its time-outs by a timer.
class AresResolver final : public Resolver {
 public:
  AresResolver(Loop& loop, Clock& clock, ResolverOptions options)
      : loop_(loop), clock_(clock), options_(std::move(options)), timer_(loop) {
    static const AresLibrary library;
    ares_options ares{};
    ares.timeout = static_cast<int>(std::max<std::int64_t>(options_.timeout.count() / 2, 100));
    ares.tries = 2;
    ares.sock_state_cb = [](void* self, ares_socket_t socket, int readable, int writable) {
      static_cast<AresResolver*>(self)->watch(socket, readable != 0, writable != 0);
    };
    ares.sock_state_cb_data = this;
    ares.ndomains = 0;
    char lookups[] = "fb";
    char dns_only[] = "b";
    // With servers of its own, a closed web must not be mixed with this machine's hosts file.
    ares.lookups = options_.servers.empty() ? lookups : dns_only;
    const int mask = ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_SOCK_STATE_CB |
                     ARES_OPT_DOMAINS | ARES_OPT_LOOKUPS;
    usable_ = ares_init_options(&channel_, &ares, mask) == ARES_SUCCESS;
    if (usable_ && !options_.servers.empty()) {
      usable_ = ares_set_servers_ports_csv(
                    channel_, fmt::format("{}", fmt::join(options_.servers, ",")).c_str()) ==
                ARES_SUCCESS;
    }
  }

  ~AresResolver() override {
    closing_ = true;
    if (channel_ != nullptr) ares_destroy(channel_);
    for (auto& [socket, watched] : sockets_) watched->descriptor.release();
  }

  Task<Resolution> resolve(std::string host) override {
    Resolution out;
    if (host.size() > 2 && host.front() == '[' && host.back() == ']')
      host = host.substr(1, host.size() - 2);
    if (const std::optional<Address> literal = Address::from_text(host)) {
      out.addresses.push_back(*literal);
      co_return out;
    }
    if (is_localhost(host)) {  // RFC 6761 section 6.3: never asked of a server
      out.addresses = {*Address::from_text("127.0.0.1"), *Address::from_text("::1")};
      co_return out;
    }
    const Instant asked = clock_.now();
    if (const auto known = cache_.find(host); known != cache_.end()) {
      if (known->second.until > asked) {
        out = known->second.resolution;
        out.from_cache = true;
        out.took = Millis(0);
        co_return out;
      }
      cache_.erase(known);
    }
    std::shared_ptr<Query> query = query_for(host);
    while (!query->done) co_await query->event.wait();
    out = query->resolution;
    out.took = clock_.now() - asked;
    co_return out;
  }

 private:
  struct Query {
    AresResolver* resolver = nullptr;
    std::string host;
    bool done = false;
    Resolution resolution;
    Event event;
    std::shared_ptr<Query> self;  // keeps it while c-ares holds the pointer
  };
  struct Known {
    Resolution resolution;
    Instant until{};
  };
  struct Watched {
    explicit Watched(Loop& loop, int socket) : descriptor(loop, socket) {}
    stream_descriptor descriptor;
    bool readable = false, writable = false;  // wanted
    bool reading = false, writing = false;    // being waited for
  };

  // Look-ups of the same name at the same time are one.
  std::shared_ptr<Query> query_for(const std::string& host) {
    std::shared_ptr<Query>& slot = queries_[host];
    if (slot) return slot;
    slot = std::make_shared<Query>();
    std::shared_ptr<Query> query = slot;
    query->resolver = this;
    query->host = host;
    query->self = query;
    // DNS limits, checked before the query: 253 octets in all, labels of 1 to 63.
    if (!usable_ || !fits_dns(host)) {
      query->resolution.failure = Failure{
          usable_ ? FailureKind::kNameNotFound : FailureKind::kNameServerFailed,
          usable_ ? "not a name that DNS can hold" : "the name server addresses are not usable"};
      finish(query, std::chrono::seconds(0));
      return query;
    }
    ares_addrinfo_hints hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = ARES_AI_NOSORT;
    ares_getaddrinfo(
        channel_, host.c_str(), nullptr, &hints,
        [](void* argument, int status, int, ares_addrinfo* found) {
          auto* answered = static_cast<Query*>(argument);
          answered->resolver->answer(answered->self, status, found);
          if (found != nullptr) ares_freeaddrinfo(found);
        },
        query.get());
    arm();
    return query;
  }

  static bool fits_dns(std::string_view host) {
    if (host.ends_with('.')) host.remove_suffix(1);
    if (host.empty() || host.size() > 253) return false;
    for (std::size_t start = 0; start <= host.size();) {
      const std::size_t end = std::min(host.find('.', start), host.size());
      if (end == start || end - start > 63) return false;
      start = end + 1;
    }
    return true;
  }

  void answer(const std::shared_ptr<Query>& query, int status, const ares_addrinfo* found) {
    std::vector<Address> v6;
    std::chrono::seconds ttl = options_.max_ttl;
    if (status == ARES_SUCCESS && found != nullptr) {
      for (const ares_addrinfo_node* node = found->nodes; node != nullptr; node = node->ai_next) {
        const std::optional<Address> address = from_sockaddr(node->ai_addr);
        if (!address) continue;
        ttl = std::min(ttl, std::chrono::seconds(std::max(node->ai_ttl, 0)));
        std::vector<Address>& list = address->v6 ? v6 : query->resolution.addresses;
        if (std::ranges::find(list, *address) == list.end()) list.push_back(*address);
      }
    }
    std::vector<Address>& addresses = query->resolution.addresses;
    addresses.insert(addresses.end(), v6.begin(), v6.end());
    ttl = std::max(ttl, options_.min_ttl);
    if (addresses.empty()) {
      const bool absent = status == ARES_SUCCESS || status == ARES_ENOTFOUND ||
                          status == ARES_ENODATA || status == ARES_EBADNAME;
      query->resolution.failure =
          Failure{absent ? FailureKind::kNameNotFound : FailureKind::kNameServerFailed,
                  ares_strerror(status)};
      ttl = absent ? options_.negative_ttl : std::chrono::seconds(0);
    }
    finish(query, ttl);
  }

  void finish(const std::shared_ptr<Query>& query, std::chrono::seconds ttl) {
    const std::shared_ptr<Query> keep = query;
    if (!closing_ && ttl.count() > 0) {
      if (cache_.size() >= options_.max_entries) cache_.erase(cache_.begin());
      cache_[query->host] = {query->resolution, clock_.now() + ttl};
    }
    queries_.erase(keep->host);
    keep->done = true;
    keep->self.reset();
    if (!closing_) keep->event.notify();
  }

  void watch(ares_socket_t socket, bool readable, bool writable) {
    auto found = sockets_.find(socket);
    if (!readable && !writable) {
      if (found == sockets_.end()) return;
      found->second->descriptor.release();  // c-ares closes it
      sockets_.erase(found);
      return;
    }
    if (found == sockets_.end())
      found = sockets_.emplace(socket, std::make_shared<Watched>(loop_, socket)).first;
    found->second->readable = readable;
    found->second->writable = writable;
    wait_on(socket, found->second);
  }

  void wait_on(ares_socket_t socket, const std::shared_ptr<Watched>& watched) {
    if (watched->readable && !watched->reading) {
      watched->reading = true;
      watched->descriptor.async_wait(
          stream_descriptor::wait_read,
          [this, socket, watched](const boost::system::error_code& fault) {
            watched->reading = false;
            if (!fault) process(socket, watched, true);
          });
    }
    if (watched->writable && !watched->writing) {
      watched->writing = true;
      watched->descriptor.async_wait(
          stream_descriptor::wait_write,
          [this, socket, watched](const boost::system::error_code& fault) {
            watched->writing = false;
            if (!fault) process(socket, watched, false);
          });
    }
  }

  void process(ares_socket_t socket, const std::shared_ptr<Watched>& watched, bool readable) {
    ares_process_fd(channel_, readable ? socket : ARES_SOCKET_BAD,
                    readable ? ARES_SOCKET_BAD : socket);
    const auto found = sockets_.find(socket);
    if (found != sockets_.end() && found->second == watched) wait_on(socket, watched);
    arm();
  }

  void arm() {
    timeval next{};
    if (queries_.empty() || ares_timeout(channel_, nullptr, &next) == nullptr) {
      timer_.cancel();
      return;
    }
    timer_.expires_after(std::chrono::seconds(next.tv_sec) +
                         std::chrono::microseconds(next.tv_usec + 1000));
    timer_.async_wait([this](const boost::system::error_code& fault) {
      if (fault) return;
      ares_process_fd(channel_, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
      arm();
    });
  }

  Loop& loop_;
  Clock& clock_;
  ResolverOptions options_;
  boost::asio::steady_timer timer_;
  ares_channel channel_ = nullptr;
  bool usable_ = false;
  bool closing_ = false;
  std::unordered_map<ares_socket_t, std::shared_ptr<Watched>> sockets_;
  std::unordered_map<std::string, std::shared_ptr<Query>> queries_;
  std::unordered_map<std::string, Known> cache_;
};

}  // namespace

std::string Address::to_text() const {
  char text[INET6_ADDRSTRLEN];
  return inet_ntop(v6 ? AF_INET6 : AF_INET, octets, text, sizeof text);
}

std::optional<Address> Address::from_text(std::string_view text) {
  const std::string name(text);
  Address out;
  if (inet_pton(AF_INET, name.c_str(), out.octets) == 1) return out;
  out.v6 = true;
  if (inet_pton(AF_INET6, name.c_str(), out.octets) == 1) return out;
  return std::nullopt;
}

std::unique_ptr<Resolver> make_resolver(Loop& loop, Clock& clock, ResolverOptions options) {
  return std::make_unique<AresResolver>(loop, clock, std::move(options));
}

}  // namespace periplus
