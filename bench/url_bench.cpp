// rooms: url
// pkgs: libcurl
// Resolving links against their page's address and serialising them, beside libcurl's URL API doing
// the same: plain relative links as documentation has them, and absolute ones. Nanoseconds a link,
// medians of seven rounds that alternate, and the ratio. Usage: url_bench
#include <curl/curl.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "url/url.h"

namespace {

constexpr int kRounds = 7;
constexpr int kLinks = 200'000;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Figure {
  std::vector<double> rounds;
  double median() {
    std::ranges::sort(rounds);
    return rounds[rounds.size() / 2];
  }
};

double nanoseconds_a_link(const std::vector<std::string>& links,
                          const std::function<std::size_t(const std::string&)>& resolve,
                          std::size_t* octets) {
  const double begun = cpu_seconds();
  for (int i = 0; i < kLinks; ++i)
    *octets += resolve(links[static_cast<std::size_t>(i) % links.size()]);
  return (cpu_seconds() - begun) * 1e9 / kLinks;
}

void compare(const char* name, const std::string& page, const std::vector<std::string>& links) {
  const auto base = periplus::Url::parse(page);
  periplus::Url out;
  const auto ours = [&](const std::string& link) -> std::size_t {
    if (!periplus::Url::parse_into(link, &*base, &out)) return 0;
    return out.href().size();
  };
  CURLU* parsed = curl_url();
  curl_url_set(parsed, CURLUPART_URL, page.c_str(), 0);
  const auto curls = [&](const std::string& link) -> std::size_t {
    CURLU* copy = curl_url_dup(parsed);
    char* text = nullptr;
    std::size_t size = 0;
    if (curl_url_set(copy, CURLUPART_URL, link.c_str(), 0) == CURLUE_OK &&
        curl_url_get(copy, CURLUPART_URL, &text, 0) == CURLUE_OK) {
      size = std::string_view(text).size();
    }
    curl_free(text);
    curl_url_cleanup(copy);
    return size;
  };
  Figure our_time;
  Figure curl_time;
  std::size_t our_octets = 0;
  std::size_t curl_octets = 0;
  for (int round = 0; round < kRounds; ++round) {
    our_time.rounds.push_back(nanoseconds_a_link(links, ours, &our_octets));
    curl_time.rounds.push_back(nanoseconds_a_link(links, curls, &curl_octets));
  }
  curl_url_cleanup(parsed);
  const double mine = our_time.median();
  const double theirs = curl_time.median();
  std::printf("%-18s %6.0f ns a link (%.0f-%.0f), libcurl %6.0f (%.0f-%.0f): %.1f x%s\n", name,
              mine, our_time.rounds.front(), our_time.rounds.back(), theirs,
              curl_time.rounds.front(), curl_time.rounds.back(), theirs / mine,
              our_octets == curl_octets ? "" : "; the results differ in length");
}

}  // namespace

int main() {
  const std::string page = "https://docs.example.org/library/std/collections/index.html";
  std::vector<std::string> relative;
  std::vector<std::string> absolute;
  for (int i = 0; i < 500; ++i) {
    const std::string n = std::to_string(i);
    switch (i % 5) {
      case 0:
        relative.push_back("struct.HashMap" + n + ".html");
        break;
      case 1:
        relative.push_back("../vec/struct.Vec" + n + ".html#method.push");
        break;
      case 2:
        relative.push_back("hash_map/enum.Entry" + n + ".html");
        break;
      case 3:
        relative.push_back("../../core/iter/trait.Iterator" + n + ".html");
        break;
      default:
        relative.push_back("/library/alloc/index" + n + ".html");
    }
    absolute.push_back("https://www.example.com/articles/2026/part-" + n + "?page=" + n);
  }
  compare("plain name", page, {"struct.HashMap.html"});
  compare("relative links", page, relative);
  compare("absolute links", page, absolute);
}
