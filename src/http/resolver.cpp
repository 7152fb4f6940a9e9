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
  if (host.ends_with('.')) host.remove_suffix(1);
  return host == "localhost" || host.ends_with(".localhost");
}

// DNS limits, checked before the query: 253 octets in all, labels of 1 to 63.
bool fits_dns(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  if (host.empty() || host.size() > 253) return false;
  for (std::size_t start = 0; start <= host.size();) {
    const std::size_t end = std::min(host.find('.', start), host.size());
    if (end == start || end - start > 63) return false;
    start = end + 1;
  }
  return true;
}

// One c-ares channel on the loop: its sockets are watched by Asio, its time-outs by a timer.
// Handlers and look-ups on their way hold it, so that the resolver may go before they come.
struct Channel : std::enable_shared_from_this<Channel> {
  struct Query {
    Channel* channel = nullptr;
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

  Channel(Loop& on, Clock& by, ResolverOptions given)
      : loop(on), clock(by), options(std::move(given)), timer(on) {
    static const AresLibrary library;
    ares_options wanted{};
    // The second try waits twice as long as the first.
    wanted.timeout = static_cast<int>(std::max<std::int64_t>(options.timeout.count() / 3, 1));
    wanted.tries = 2;
    wanted.sock_state_cb = [](void* self, ares_socket_t socket, int readable, int writable) {
      static_cast<Channel*>(self)->watch(socket, readable != 0, writable != 0);
    };
    wanted.sock_state_cb_data = this;
    wanted.ndomains = 0;
    char lookups[] = "fb";
    char dns_only[] = "b";
    // With servers of its own, a closed web must not be mixed with this machine's hosts file.
    wanted.lookups = options.servers.empty() ? lookups : dns_only;
    const int mask = ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_SOCK_STATE_CB |
                     ARES_OPT_DOMAINS | ARES_OPT_LOOKUPS;
    usable = ares_init_options(&ares, &wanted, mask) == ARES_SUCCESS;
    if (usable && !options.servers.empty()) {
      usable =
          ares_set_servers_ports_csv(
              ares, fmt::format("{}", fmt::join(options.servers, ",")).c_str()) == ARES_SUCCESS;
    }
  }

  // Every look-up under way ends with kAborted.
  void close() {
    closing = true;
    if (ares != nullptr) ares_destroy(ares);
    ares = nullptr;
    for (auto& [socket, watched] : sockets) watched->descriptor.release();
    sockets.clear();
    timer.cancel();
  }

  // Literals, localhost (RFC 6761 section 6.3: never asked of a server) and what is known.
  std::optional<Resolution> at_once(std::string_view host) {
    Resolution out;
    if (host.size() > 2 && host.front() == '[' && host.back() == ']')
      host = host.substr(1, host.size() - 2);
    if (const std::optional<Address> literal = Address::from_text(host)) {
      out.addresses.push_back(*literal);
      return out;
    }
    if (is_localhost(host)) {
      out.addresses = {*Address::from_text("127.0.0.1"), *Address::from_text("::1")};
      return out;
    }
    const auto known = cache.find(host);
    if (known == cache.end()) return std::nullopt;
    if (known->second.until <= clock.now()) {
      cache.erase(known);
      return std::nullopt;
    }
    out = known->second.resolution;
    out.from_cache = true;
    return out;
  }

  // Look-ups of the same name at the same time are one.
  std::shared_ptr<Query> query_for(const std::string& host) {
    std::shared_ptr<Query>& slot = queries[host];
    if (slot) return slot;
    slot = std::make_shared<Query>();
    std::shared_ptr<Query> query = slot;
    query->channel = this;
    query->host = host;
    query->self = query;
    if (closing || !usable || !fits_dns(host)) {
      query->resolution.failure =
          closing ? Failure{FailureKind::kAborted, {}}
          : usable
              ? Failure{FailureKind::kNameNotFound, "not a name that DNS can hold"}
              : Failure{FailureKind::kNameServerFailed, "the name server addresses are not usable"};
      finish(query, std::chrono::seconds(0));
      return query;
    }
    ares_addrinfo_hints hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = ARES_AI_NOSORT;
    ares_getaddrinfo(
        ares, host.c_str(), nullptr, &hints,
        [](void* argument, int status, int, ares_addrinfo* found) {
          auto* answered = static_cast<Query*>(argument);
          answered->channel->answer(answered->self, status, found);
          if (found != nullptr) ares_freeaddrinfo(found);
        },
        query.get());
    arm();
    return query;
  }

  void answer(const std::shared_ptr<Query>& query, int status, const ares_addrinfo* found) {
    std::vector<Address> v6;
    std::chrono::seconds ttl = options.max_ttl;
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
    ttl = std::max(ttl, options.min_ttl);
    if (closing) {
      query->resolution.failure = Failure{FailureKind::kAborted, {}};
    } else if (addresses.empty()) {
      const bool absent = status == ARES_SUCCESS || status == ARES_ENOTFOUND ||
                          status == ARES_ENODATA || status == ARES_EBADNAME;
      query->resolution.failure =
          Failure{absent ? FailureKind::kNameNotFound : FailureKind::kNameServerFailed,
                  ares_strerror(status)};
      ttl = absent ? options.negative_ttl : std::chrono::seconds(0);
    }
    finish(query, ttl);
  }

  // By value: what the caller holds may be one of the places it is taken out of here.
  void finish(std::shared_ptr<Query> keep,  // NOLINT(performance-unnecessary-value-param)
              std::chrono::seconds ttl) {
    if (!closing && ttl.count() > 0) {
      if (cache.size() >= options.max_entries) cache.erase(cache.begin());
      cache[keep->host] = {keep->resolution, clock.now() + ttl};
    }
    queries.erase(keep->host);
    keep->done = true;
    keep->self.reset();
    keep->event.notify();
  }

  void watch(ares_socket_t socket, bool readable, bool writable) {
    auto found = sockets.find(socket);
    if (!readable && !writable) {
      if (found == sockets.end()) return;
      found->second->descriptor.release();  // c-ares closes it
      sockets.erase(found);
      return;
    }
    if (found == sockets.end())
      found = sockets.emplace(socket, std::make_shared<Watched>(loop, socket)).first;
    found->second->readable = readable;
    found->second->writable = writable;
    wait_on(socket, found->second);
  }

  void wait_on(ares_socket_t socket, const std::shared_ptr<Watched>& watched) {
    if (watched->readable && !watched->reading) {
      watched->reading = true;
      watched->descriptor.async_wait(
          stream_descriptor::wait_read,
          [self = shared_from_this(), socket, watched](const boost::system::error_code& fault) {
            watched->reading = false;
            if (!fault) self->process(socket, watched, true);
          });
    }
    if (watched->writable && !watched->writing) {
      watched->writing = true;
      watched->descriptor.async_wait(
          stream_descriptor::wait_write,
          [self = shared_from_this(), socket, watched](const boost::system::error_code& fault) {
            watched->writing = false;
            if (!fault) self->process(socket, watched, false);
          });
    }
  }

  void process(ares_socket_t socket, const std::shared_ptr<Watched>& watched, bool readable) {
    // A handler that was on its way when the socket went may find another of the same number.
    const auto same = [&] {
      const auto found = sockets.find(socket);
      return found != sockets.end() && found->second == watched;
    };
    if (closing || !same()) return;
    ares_process_fd(ares, readable ? socket : ARES_SOCKET_BAD, readable ? ARES_SOCKET_BAD : socket);
    if (same()) wait_on(socket, watched);
    arm();
  }

  void arm() {
    timeval next{};
    if (queries.empty() || ares_timeout(ares, nullptr, &next) == nullptr) {
      timer.cancel();
      return;
    }
    timer.expires_after(std::chrono::seconds(next.tv_sec) +
                        std::chrono::microseconds(next.tv_usec + 1000));
    timer.async_wait([self = shared_from_this()](const boost::system::error_code& fault) {
      if (fault || self->closing) return;
      ares_process_fd(self->ares, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
      self->arm();
    });
  }

  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  Loop& loop;
  Clock& clock;
  ResolverOptions options;
  boost::asio::steady_timer timer;
  ares_channel ares = nullptr;
  bool usable = false;
  bool closing = false;
  std::unordered_map<ares_socket_t, std::shared_ptr<Watched>> sockets;
  std::unordered_map<std::string, std::shared_ptr<Query>> queries;
  std::unordered_map<std::string, Known, TextHash, std::equal_to<>> cache;
};

Task<Resolution> look_up(std::shared_ptr<Channel> channel, std::string host) {
  std::optional<Resolution> known = channel->at_once(host);
  if (known) co_return std::move(*known);
  const Instant asked = channel->clock.now();
  const std::shared_ptr<Channel::Query> query = channel->query_for(host);
  while (!query->done) co_await query->event.wait();
  Resolution out = query->resolution;
  out.took = channel->clock.now() - asked;
  co_return out;
}

class AresResolver final : public Resolver {
 public:
  AresResolver(Loop& loop, Clock& clock, ResolverOptions options)
      : channel_(std::make_shared<Channel>(loop, clock, std::move(options))) {}
  ~AresResolver() override { channel_->close(); }

  Task<Resolution> resolve(std::string host) override { return look_up(channel_, std::move(host)); }
  std::optional<Resolution> at_once(std::string_view host) override {
    return channel_->at_once(host);
  }

 private:
  std::shared_ptr<Channel> channel_;
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
