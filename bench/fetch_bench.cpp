// rooms: http url base
// Fetches the URLs of a list, over and over, N at a time, through the whole fetcher.
//   fetch_bench LIST BASE CONCURRENCY REQUESTS
// LIST: one path a line; BASE: "http://127.0.0.1:8080". Prints "requests/s", the CPU time of one
// request in microseconds and the octets of one body. bench/fetch.sh runs it beside wrk.
#include <sys/resource.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "http/fetcher.h"

namespace periplus {
namespace {

struct Work {
  std::vector<Url> urls;
  long left = 0;
  std::size_t next = 0;
  long failed = 0;
  std::uint64_t octets = 0;
};

Task<void> read_on(Fetcher& fetcher, Work& work) {
  while (work.left > 0) {
    --work.left;
    Request request;
    request.url = work.urls[work.next++ % work.urls.size()];
    request.max_bytes = 64UL * 1024 * 1024;
    const Exchange answer = co_await fetcher.fetch(std::move(request));
    work.octets += answer.body.size();
    if (!answer.ok()) ++work.failed;
  }
}

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

int run(const char* list, const std::string& base, int concurrency, long requests) {
  Work work;
  std::ifstream paths(list);
  for (std::string path; std::getline(paths, path);) {
    if (const auto url = Url::parse(base + path)) work.urls.push_back(*url);
  }
  if (work.urls.empty()) {
    std::fprintf(stderr, "no URL in %s\n", list);
    return 2;
  }
  Loop loop(1);
  const std::unique_ptr<Clock> clock = make_system_clock(loop);
  const std::unique_ptr<Resolver> resolver = make_resolver(loop, *clock, {});
  AddressGuard guard;
  guard.allow_private("*");
  const Identity identity;
  FetchOptions options;
  options.max_connections_per_host = 0;
  const std::unique_ptr<Fetcher> fetcher =
      make_fetcher(loop, *clock, *resolver, guard, identity, nullptr, options);
  work.left = requests;
  int running = concurrency;
  const double cpu = cpu_seconds();
  const auto begun = std::chrono::steady_clock::now();
  for (int i = 0; i < concurrency; ++i)
    start(loop, read_on(*fetcher, work), [&](std::exception_ptr) { --running; });
  while (running > 0 && loop.run_one() > 0) continue;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  const double used = cpu_seconds() - cpu;
  const auto count = static_cast<double>(requests);
  std::printf("%.0f requests/s, %.1f us CPU a request, %.0f octets a body, %ld failed\n",
              count / took.count(), used / count * 1e6, static_cast<double>(work.octets) / count,
              work.failed);
  return work.failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace periplus

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: fetch_bench LIST BASE CONCURRENCY REQUESTS\n");
    return 2;
  }
  return periplus::run(argv[1], argv[2], std::atoi(argv[3]), std::atol(argv[4]));
}
