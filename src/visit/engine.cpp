#include "visit/engine.h"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <filesystem>

#include "base/log.h"
#include "http/signature_key_ring.h"
#include "visit/recorder.h"

namespace periplus {
namespace {

constexpr std::chrono::minutes kLease{10};

Result<std::string> make_home(const std::string& home) {
  std::error_code fault;
  std::filesystem::create_directories(home, fault);
  if (fault) return fail(ErrorKind::kIo, "cannot make the home's folder: " + fault.message(), home);
  return home;
}

std::string store_path(const Config& config, const std::string& home) {
  const std::filesystem::path name = config.store_url.substr(std::string_view("sqlite:").size());
  return name.is_absolute() ? name.string() : (std::filesystem::path(home) / name).string();
}

}  // namespace

struct Engine::Inside {
  Config config;
  std::string home;
  Loop loop{1};
  std::unique_ptr<Clock> clock = make_system_clock(loop);
  std::unique_ptr<Store> store;
  std::unique_ptr<PublicSuffixes> suffixes;
  AddressGuard guard;
  std::unique_ptr<RequestSigner> signer;
  std::unique_ptr<Resolver> resolver;
  std::unique_ptr<Fetcher> fetcher;
  std::unique_ptr<StorePolitenessBook> politeness;
  std::unique_ptr<StoreRobotsBook> robots_book;
  std::unique_ptr<Pace> pace;
  VisitObserver silent;
  std::optional<Rooms> rooms;
};

Engine::Engine(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Engine::~Engine() = default;

Result<std::unique_ptr<Engine>> Engine::open(const Config& config, const std::string& home,
                                             VisitObserver* observer) {
  auto inside = std::make_unique<Inside>();
  inside->config = config;
  inside->home = home;
  // What can be wrong with the settings comes first: then nothing is made.
  auto suffixes = PublicSuffixes::load(config.network.psl_file);
  if (!suffixes) return std::unexpected(suffixes.error());
  inside->suffixes = std::move(*suffixes);
  if (const auto made = make_home(home); !made) return std::unexpected(made.error());

  auto store = Store::open(store_path(config, home), OpenMode::kReadWrite);
  // A store that cannot be opened is the home's fault, not ours.
  if (!store && store.error().kind == ErrorKind::kDatabase)
    return fail(ErrorKind::kConfig, store.error().sentence, store.error().place);
  if (!store) return std::unexpected(store.error());
  inside->store = std::move(*store);
  inside->store->read_texts_with(packed_text_of);

  for (const std::string& host : config.network.allow_private) {
    inside->guard.allow_private(host);
    log(LogLevel::kInfo, "guard.allow-private", {{"host", host}});
  }
  for (const std::uint16_t port : config.network.ports) inside->guard.allow_port(port);

  auto keys = KeyRing::open((std::filesystem::path(home) / "keys").string());
  if (!keys) return std::unexpected(keys.error());
  if (!keys->empty()) {
    inside->signer = std::make_unique<RequestSigner>(
        *keys->current(), config.identity.signature_agent, config.signature_form);
  }

  ResolverOptions dns;
  dns.servers = config.network.dns;
  inside->resolver = make_resolver(inside->loop, *inside->clock, dns);
  FetchOptions options;
  options.ca_file = config.network.ca_file;
  options.proxy = config.network.proxy;
  options.max_ratio = config.limits.expansion;
  options.min_rate = config.limits.min_rate;
  inside->fetcher = make_fetcher(inside->loop, *inside->clock, *inside->resolver, inside->guard,
                                 inside->config.identity, inside->signer.get(), options);
  inside->politeness = std::make_unique<StorePolitenessBook>(*inside->store);
  inside->robots_book =
      std::make_unique<StoreRobotsBook>(*inside->store, *inside->suffixes, *inside->clock);
  inside->pace = std::make_unique<Pace>(*inside->clock, config.pace, inside->politeness.get());
  inside->rooms.emplace(Rooms{inside->loop, *inside->clock, *inside->resolver, inside->guard,
                              *inside->fetcher, *inside->pace, *inside->suffixes,
                              inside->config.identity, *inside->robots_book,
                              observer != nullptr ? *observer : inside->silent});
  return std::unique_ptr<Engine>(new Engine(std::move(inside)));
}

Rooms& Engine::rooms() { return *inside_->rooms; }
Store& Engine::store() { return *inside_->store; }
Clock& Engine::clock() { return *inside_->clock; }
const Config& Engine::config() const { return inside_->config; }
const std::string& Engine::home() const { return inside_->home; }
bool Engine::signs() const { return inside_->signer != nullptr; }

Result<void> Engine::run(Task<void> task) {
  std::exception_ptr failure;
  boost::asio::signal_set signals(inside_->loop, SIGINT, SIGTERM);
  signals.async_wait([&](const boost::system::error_code& fault, int) {
    if (!fault) inside_->fetcher->abort_all();
  });
  start(inside_->loop, std::move(task), [&](const std::exception_ptr& error) {
    failure = error;
    signals.cancel();
    inside_->loop.stop();
  });
  inside_->loop.restart();
  inside_->loop.run();
  if (!failure) return {};
  try {
    std::rethrow_exception(failure);
  } catch (const StoreRefused& refused) {
    return std::unexpected(refused.error);
  } catch (const std::exception& fault) {
    return fail(ErrorKind::kInternal, fault.what());
  }
}

Result<VisitResult> Engine::visit(VisitPlan plan, const Use& use, VisitId* recorded) {
  const std::string site = inside_->suffixes->site(plan.start.hostname());
  const auto leased =
      inside_->store->lease(site, inside_->clock->now(), inside_->clock->now() + kLease);
  if (!leased) return std::unexpected(leased.error());
  auto recorder = StoreRecorder::create(*inside_->store, inside_->home, use.keep());
  if (!recorder) return std::unexpected(recorder.error());

  std::optional<VisitResult> result;
  const PageLimits limits = plan.limits;
  // Named functions, not lambdas: a coroutine must not outlive what it captured.
  struct Steps {
    static Task<void> read(VisitPlan plan_, Rooms& rooms, const Use& use_, VisitRecorder& to,
                           std::optional<VisitResult>* out) {
      VisitResult read_result = co_await visit_site(plan_, rooms, use_, to);
      *out = std::move(read_result);
    }
    static Task<void> renew(Store& store, Clock& clock, std::string site_) {
      for (;;) {
        const Instant next = clock.now() + kLease / 3;
        co_await clock.sleep_until(next);
        if (!store.lease(site_, clock.now(), clock.now() + kLease)) co_return;
      }
    }
  };
  start(inside_->loop, Steps::renew(*inside_->store, *inside_->clock, site),
        [](const std::exception_ptr& error) {
          if (error) log(LogLevel::kError, "visit.lease-not-renewed");
        });
  const Result<void> ran =
      run(Steps::read(std::move(plan), *inside_->rooms, use, **recorder, &result));
  Result<VisitId> id = fail(ErrorKind::kInternal, "the visit ended without a result");
  // A visit that was shut down is not recorded: whole or not at all.
  const bool whole = ran && result && result->outcome.kind != OutcomeKind::kAborted;
  if (whole)
    id = (*recorder)->record(*result, use.name(), inside_->config.identity.user_agent(), limits);
  const auto released = inside_->store->release(site);
  if (!ran) return std::unexpected(ran.error());
  if (!released) return std::unexpected(released.error());
  if (!whole) return std::move(*result);
  if (!id) return std::unexpected(id.error());
  *recorded = *id;
  return std::move(*result);
}

}  // namespace periplus
