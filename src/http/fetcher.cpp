#include "http/fetcher.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <unordered_map>
#include <vector>

#include "http/curl_loop.h"
#include "http/signature.h"
#include "http/transfer.h"

namespace periplus {
namespace {

constexpr std::size_t kTlsHosts = 10'000;  // whose certificate facts are remembered

// A look-up under way. The resolver's word and abort_all() both end it; the first counts.
struct LookUp {
  bool done = false;
  bool aborted = false;  // the fetcher may be gone
  Resolution resolution;
  Event event;
  void end(Resolution with) {
    if (done) return;
    done = true;
    resolution = std::move(with);
    event.notify();
  }
};

Task<void> look_up(Resolver& resolver, std::string host, std::shared_ptr<LookUp> look) {
  Resolution resolution = co_await resolver.resolve(std::move(host));
  look->end(std::move(resolution));
}

class CurlFetcher final : public Fetcher {
 public:
  CurlFetcher(Loop& loop, Clock& clock, Resolver& resolver, const AddressGuard& guard,
              const Identity& identity, const RequestSigner* signer, FetchOptions options)
      : loop_(loop),
        clock_(clock),
        resolver_(resolver),
        guard_(guard),
        identity_(identity),
        signer_(signer),
        options_(std::move(options)),
        curl_(loop, {options_.max_connections, options_.max_connections_per_host},
              [this](void* easy, int code) { ended(easy, code); }),
        rate_timer_(loop) {}

  ~CurlFetcher() override {
    abort_all();
    for (void* easy : idle_) curl_easy_cleanup(easy);
    for (void* list : plain_headers_) curl_slist_free_all(static_cast<curl_slist*>(list));
  }

  // After each wait this fetcher may be gone.
  Task<Exchange> fetch(Request request) override {
    auto transfer = std::make_shared<Transfer>(std::move(request), options_, guard_);
    Exchange& exchange = transfer->exchange;
    exchange.at = clock_.now();
    exchange.failure = refuse(exchange.url);
    if (exchange.failure) co_return std::move(exchange);
    Resolution resolution;
    if (options_.proxy.empty()) {
      std::optional<Resolution> known = resolver_.at_once(exchange.url.hostname());
      if (known) {
        resolution = std::move(*known);
      } else {
        const std::shared_ptr<LookUp> look = begin_look_up(std::string(exchange.url.hostname()));
        while (!look->done) co_await look->event.wait();
        if (!look->aborted) std::erase(look_ups_, look);
        resolution = std::move(look->resolution);
        exchange.failure = resolution.failure;
        exchange.timings.resolve = exchange.timings.total = resolution.took;
        if (exchange.failure) co_return std::move(exchange);
      }
    }
    if (begin(transfer, resolution)) {
      while (!transfer->done) co_await transfer->event.wait();
    }
    co_return std::move(exchange);
  }

  void abort_all() override {
    aborted_ = true;
    for (const std::shared_ptr<LookUp>& look : look_ups_) {
      look->aborted = true;
      Resolution ended;
      ended.failure = Failure{FailureKind::kAborted, {}};
      look->end(std::move(ended));
    }
    look_ups_.clear();
    for (const auto& transfer : all_running()) stop(*transfer, FailureKind::kAborted, {});
  }

 private:
  std::optional<Failure> refuse(const Url& url) const {
    if (aborted_) return Failure{FailureKind::kAborted, {}};
    if (!url.is_http()) return Failure{FailureKind::kBadUrl, url.href()};
    return guard_.judge_port(url.hostname(), url.effective_port());
  }

  std::shared_ptr<LookUp> begin_look_up(std::string host) {
    auto look = std::make_shared<LookUp>();
    look_ups_.push_back(look);
    start(loop_, look_up(resolver_, std::move(host), look),
          [look](const std::exception_ptr& fault) {
            Resolution failed;
            failed.failure = Failure{FailureKind::kInternal, "the look-up failed"};
            if (fault) look->end(std::move(failed));
          });
    return look;
  }

  // False when it ended before it began.
  bool begin(const std::shared_ptr<Transfer>& transfer, const Resolution& resolution) {
    Exchange& exchange = transfer->exchange;
    const Url& url = exchange.url;
    exchange.failure = resolution.failure;
    for (const Address& address : resolution.addresses) {
      if (!exchange.failure) exchange.failure = guard_.judge(url.hostname(), address);
    }
    Transfer::Course course;
    course.time_left = transfer->time_allowed() - resolution.took;
    if (!exchange.failure && course.time_left <= Millis(0))
      exchange.failure = Failure{FailureKind::kTimeout, "the look-up took the time allowed"};
    if (exchange.failure) return false;
    course.resolve = resolve_entry(url, resolution);
    if (signer_ != nullptr) course.signature = signer_->sign(url, clock_.now());
    course.plain_headers = plain_headers_[transfer->keeps_encoded() ? 1 : 0];
    if (exchange.url.scheme() == "https") {
      if (const auto known = tls_.find(url.host()); known != tls_.end())
        transfer->known_tls = known->second;
    }
    void* easy = idle_handle();
    transfer->prepare(easy, curl_, course);
    if (!curl_.add(easy)) {
      transfer->give_up(FailureKind::kInternal, "curl refused the transfer");
      transfer->part();
      curl_easy_cleanup(easy);
      return false;
    }
    running_.emplace(transfer.get(), transfer);
    if (running_.size() == 1) watch_rates();
    return true;
  }

  void* idle_handle() {
    void* easy = nullptr;
    if (idle_.empty()) {
      easy = curl_easy_init();
      Transfer::set_up(easy, curl_, identity_, options_);
    } else {
      easy = idle_.back();
      idle_.pop_back();
    }
    return easy;
  }

  std::vector<std::shared_ptr<Transfer>> all_running() const {
    std::vector<std::shared_ptr<Transfer>> all;
    for (const auto& [transfer, owner] : running_) all.push_back(owner);
    return all;
  }

  // "host:port:address,address": curl connects to these and asks no resolver of its own.
  static std::string resolve_entry(const Url& url, const Resolution& resolution) {
    if (resolution.addresses.empty()) return {};
    const std::string_view host = url.hostname();
    if (host.starts_with('[') || Address::from_text(host)) return {};  // nothing to resolve
    std::string entry = fmt::format("+{}:{}:", host, url.effective_port());
    for (std::size_t i = 0; i < resolution.addresses.size(); ++i) {
      const Address& address = resolution.addresses[i];
      entry += i == 0 ? "" : ",";
      entry += address.v6 ? "[" + address.to_text() + "]" : address.to_text();
    }
    return entry;
  }

  // curl's word that a transfer is over.
  void ended(void* easy, int code) {
    Transfer* transfer = nullptr;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
    const std::shared_ptr<Transfer> keep = running_.at(transfer);
    transfer->conclude(code);
    release(*transfer);
  }

  void stop(Transfer& transfer, FailureKind kind, std::string detail) {
    curl_.remove(transfer.easy);
    transfer.give_up(kind, std::move(detail));
    release(transfer);
  }

  void release(Transfer& transfer) {
    const Exchange& exchange = transfer.exchange;
    if (exchange.tls.used && !exchange.tls.version.empty() && !exchange.reused_connection)
      remember_tls(exchange.url, exchange.tls);
    idle_.push_back(transfer.easy);
    transfer.part();
    transfer.event.notify();
    running_.erase(&transfer);
    if (running_.empty()) rate_timer_.cancel();
  }

  void watch_rates() {
    rate_timer_.expires_after(std::min<Millis>(Millis(1000), options_.rate_window / 4));
    rate_timer_.async_wait(
        [this, here = std::weak_ptr<bool>(here_)](const boost::system::error_code& fault) {
          if (fault || here.expired() || running_.empty()) return;
          judge_rates();
          if (!running_.empty()) watch_rates();
        });
  }

  void judge_rates() {
    const auto now = std::chrono::steady_clock::now();
    const auto least =
        options_.min_rate * static_cast<std::uint64_t>(options_.rate_window.count()) / 1000;
    for (const auto& transfer : all_running()) {
      if (transfer->octets() == 0 || now - transfer->window < options_.rate_window) continue;
      const std::uint64_t got = transfer->octets() - transfer->window_octets;
      transfer->window = now;
      transfer->window_octets = transfer->octets();
      if (!transfer->grace && got < least) {
        stop(*transfer, FailureKind::kTooSlow,
             fmt::format("{} octets in {} ms", got, options_.rate_window.count()));
      }
      transfer->grace = false;
    }
  }

  void remember_tls(const Url& url, const TlsFacts& facts) {
    if (tls_.size() >= kTlsHosts) tls_.clear();
    tls_[std::string(url.host())] = facts;
  }

  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  Loop& loop_;
  Clock& clock_;
  Resolver& resolver_;
  const AddressGuard& guard_;
  const Identity& identity_;
  const RequestSigner* signer_;
  FetchOptions options_;
  CurlLoop curl_;
  boost::asio::steady_timer rate_timer_;
  std::unordered_map<Transfer*, std::shared_ptr<Transfer>>
      running_;  // outlive a coroutine that is gone
  std::vector<std::shared_ptr<LookUp>> look_ups_;
  std::vector<void*> idle_;  // easy handles to use again
  // Header lines of a plain request: compressed answers welcome, and not.
  const std::array<void*, 2> plain_headers_{Transfer::plain_headers(false),
                                            Transfer::plain_headers(true)};
  std::shared_ptr<bool> here_ = std::make_shared<bool>(true);
  std::unordered_map<std::string, TlsFacts, TextHash, std::equal_to<>> tls_;
  bool aborted_ = false;
};

}  // namespace

std::unique_ptr<Fetcher> make_fetcher(Loop& loop, Clock& clock, Resolver& resolver,
                                      const AddressGuard& guard, const Identity& identity,
                                      const RequestSigner* signer, FetchOptions options) {
  return std::make_unique<CurlFetcher>(loop, clock, resolver, guard, identity, signer,
                                       std::move(options));
}

}  // namespace periplus
