// rooms: robots
// Verdicts a second on a file of 60 rules (7 in 10 plain prefixes) and 2,000 paths, and the ratio
// to reading the file again for each verdict, which is what the common reference parser does.
// PERIPLUS_PEER_ROBOTS names a program that is given a robots.txt, a token and a file of paths, and
// prints its verdicts a second.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "robots/robots_txt.h"

namespace {

constexpr int kRuns = 7;

std::string make_robots() {
  std::string out = "User-agent: other\nDisallow: /\n\nUser-agent: *\n";
  for (int i = 0; i < 60; ++i) {
    const std::string n = std::to_string(i);
    const char* verb = i % 5 == 0 ? "Allow: " : "Disallow: ";
    if (i % 10 < 7) {
      out += verb + ("/section" + n + "/part/") + "\n";
    } else if (i % 10 == 7) {
      out += verb + ("/*/print" + n) + "\n";
    } else if (i % 10 == 8) {
      out += verb + ("/*.ext" + n + "$") + "\n";
    } else {
      out += verb + ("/shop" + n + "/*?sort=") + "\n";
    }
  }
  return out;
}

std::vector<std::string> make_paths() {
  std::vector<std::string> out;
  for (int i = 0; i < 2000; ++i) {
    const std::string n = std::to_string(i % 70), m = std::to_string(i);
    switch (i % 5) {
      case 0:
        out.push_back("/section" + n + "/part/page-" + m + ".html");
        break;
      case 1:
        out.push_back("/articles/2024/" + m + "/a-title-of-some-length");
        break;
      case 2:
        out.push_back("/shop" + n + "/item/" + m + "?sort=price&page=2");
        break;
      case 3:
        out.push_back("/files/" + m + "/name.ext" + n);
        break;
      default:
        out.push_back("/caf%c3%a9/" + m + "/print" + n);
        break;
    }
  }
  return out;
}

template <class Work>
double verdicts_per_second(std::size_t verdicts, Work work) {
  std::vector<double> rates;
  for (int run = 0; run < kRuns; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    rates.push_back(static_cast<double>(verdicts) / took.count());
  }
  std::sort(rates.begin(), rates.end());
  return rates[rates.size() / 2];
}

}  // namespace

int main() {
  using namespace periplus;
  const std::string robots = make_robots();
  const std::vector<std::string> paths = make_paths();
  const RobotsRules rules = RobotsTxt::parse(robots).rules_for("Periplus");
  std::size_t allowed = 0;
  const double ours = verdicts_per_second(paths.size() * 100, [&] {
    for (int i = 0; i < 100; ++i) {
      for (const std::string& path : paths) allowed += rules.allows(path) ? 1 : 0;
    }
  });
  const double again = verdicts_per_second(paths.size(), [&] {
    for (const std::string& path : paths) {
      allowed += RobotsTxt::parse(robots).rules_for("Periplus").allows(path) ? 1 : 0;
    }
  });
  std::printf("robots: %.0f verdicts/s compiled; %.0f parsing again; ratio %.1f (%zu allowed)\n",
              ours, again, ours / again, allowed);
  if (const char* peer = std::getenv("PERIPLUS_PEER_ROBOTS"); peer != nullptr && *peer != '\0') {
    std::ofstream("robots_bench.txt") << robots;
    std::ofstream list("robots_bench.paths");
    for (const std::string& path : paths) list << path << "\n";
    list.close();
    const std::string command = std::string(peer) + " robots_bench.txt Periplus robots_bench.paths";
    std::FILE* out = popen(command.c_str(), "r");
    double rate = 0;
    if (out == nullptr || std::fscanf(out, "%lf", &rate) != 1 || rate <= 0) {
      std::printf("peer: no answer\n");
    } else {
      std::printf("peer: %.0f verdicts/s; ratio %.1f\n", rate, ours / rate);
    }
    if (out != nullptr) pclose(out);
  }
}
