#include "http/fetcher.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <unordered_map>
#include <vector>

#include "http/curl_loop.h"
#include "http/signature.h"
#include "http/transfer.h"

namespace periplus {
namespace {

constexpr std::chrono::seconds kRateWindow{10};  // also the grace at the start
constexpr std::size_t kTlsHosts = 10'000;        // whose certificate facts are remembered

class CurlFetcher final : public Fetcher {
 public:
  CurlFetcher(Loop& loop, Clock& clock, Resolver& resolver, const AddressGuard& guard,
              const Identity& identity, const RequestSigner* signer, FetchOptions options)
      : clock_(clock),
        resolver_(resolver),
        guard_(guard),
        identity_(identity),
        signer_(signer),
        options_(std::move(options)),
        curl_(loop, {options_.max_connections, options_.max_connections_per_host},
              [this](void* easy, int code) { ended(easy, code); }),
        rate_timer_(loop) {}

  ~CurlFetcher() override {
    // Coroutines that still wait keep their Transfer; it just never ends.
    for (const auto& [transfer, owner] : running_) {
      curl_.remove(transfer->easy);
      curl_easy_cleanup(transfer->easy);
      transfer->easy = nullptr;
    }
    for (void* easy : idle_) curl_easy_cleanup(easy);
  }

  Task<Exchange> fetch(Request request) override {
    const Url url = request.url;
    const Millis time_allowed = request.timeout;
    auto transfer = std::make_shared<Transfer>(std::move(request), options_, guard_);
    transfer->exchange.at = clock_.now();
    std::optional<Failure> refused = refuse(url);
    if (refused) {
      transfer->exchange.failure = std::move(refused);
      co_return std::move(transfer->exchange);
    }
    const std::string host(url.hostname());
    Resolution resolution;
    if (options_.proxy.empty()) resolution = co_await resolver_.resolve(host);
    transfer->exchange.timings.resolve = resolution.took;
    refused = resolution.failure;
    for (const Address& address : resolution.addresses) {
      if (!refused) refused = guard_.judge(host, address);
    }
    if (aborted_ && !refused) refused = Failure{FailureKind::kAborted, {}};
    if (refused) {
      transfer->exchange.failure = std::move(refused);
      transfer->exchange.timings.total = resolution.took;
      co_return std::move(transfer->exchange);
    }

    begin(transfer, url, resolution, time_allowed - resolution.took);
    while (!transfer->done) co_await transfer->event.wait();
    if (transfer->exchange.tls.used && !transfer->exchange.tls.version.empty())
      remember_tls(url, transfer->exchange.tls);
    co_return std::move(transfer->exchange);
  }

  void abort_all() override {
    aborted_ = true;
    for (const auto& transfer : all_running()) stop(*transfer, FailureKind::kAborted, {});
  }

 private:
  std::optional<Failure> refuse(const Url& url) const {
    if (aborted_) return Failure{FailureKind::kAborted, {}};
    if (!url.is_http()) return Failure{FailureKind::kBadUrl, url.href()};
    return guard_.judge_port(url.hostname(), url.effective_port());
  }

  void begin(const std::shared_ptr<Transfer>& transfer, const Url& url,
             const Resolution& resolution, Millis time_left) {
    void* easy = nullptr;
    if (idle_.empty()) {
      easy = curl_easy_init();
    } else {
      easy = idle_.back();
      idle_.pop_back();
      curl_easy_reset(easy);
    }
    std::vector<std::pair<std::string, std::string>> signature;
    if (signer_ != nullptr) signature = signer_->sign(url, clock_.now());
    if (const auto known = tls_.find(url.host()); known != tls_.end())
      transfer->known_tls = known->second;
    transfer->prepare(easy, curl_.share(), identity_, resolve_entry(url, resolution), signature,
                      time_left);
    if (!curl_.add(easy)) {
      transfer->give_up(FailureKind::kInternal, "curl refused the transfer");
      curl_easy_cleanup(easy);
      transfer->easy = nullptr;
      return;
    }
    running_.emplace(transfer.get(), transfer);
    if (running_.size() == 1) watch_rates();
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
    running_.erase(&transfer);
    idle_.push_back(transfer.easy);
    transfer.easy = nullptr;
    transfer.event.notify();
    if (running_.empty()) rate_timer_.cancel();
  }

  // After a grace of ten seconds, each ten seconds must bring their share of octets.
  void watch_rates() {
    rate_timer_.expires_after(std::chrono::seconds(1));
    rate_timer_.async_wait([this](const boost::system::error_code& fault) {
      if (fault || running_.empty()) return;
      const auto now = std::chrono::steady_clock::now();
      for (const auto& transfer : all_running()) {
        if (now - transfer->window < kRateWindow) continue;
        const std::uint64_t got = transfer->octets() - transfer->window_octets;
        const bool grace = transfer->window == transfer->begun;
        transfer->window = now;
        transfer->window_octets = transfer->octets();
        if (!grace && got < options_.min_rate * static_cast<std::uint64_t>(kRateWindow.count())) {
          stop(*transfer, FailureKind::kTooSlow,
               fmt::format("{} octets in {} s", got, kRateWindow.count()));
        }
      }
      if (!running_.empty()) watch_rates();
    });
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

  Clock& clock_;
  Resolver& resolver_;
  const AddressGuard& guard_;
  const Identity& identity_;
  const RequestSigner* signer_;
  FetchOptions options_;
  CurlLoop curl_;
  boost::asio::steady_timer rate_timer_;
  std::unordered_map<Transfer*, std::shared_ptr<Transfer>>
      running_;              // outlive a coroutine that is gone
  std::vector<void*> idle_;  // easy handles to use again
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
