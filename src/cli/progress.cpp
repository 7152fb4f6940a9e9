#include "cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/text.h"

namespace periplus {
namespace {

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20) return 80;
  return size.ws_col;
}

// The first `columns` code points; near enough for addresses, which are ASCII.
std::string fitted(std::string_view text, std::size_t columns) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t used = 0; at < text.size() && used < columns; ++used)
    append_utf8(&out, next_code_point(text, &at));
  return out;
}

std::string clock_time(double seconds) {
  const auto whole = std::lround(seconds);
  return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                      : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

Progress::Style Progress::style_for_stderr(bool quiet) {
  if (quiet) return Style::kNone;
  const char* term = std::getenv("TERM");
  const bool dumb = term == nullptr || std::string_view(term) == "dumb";
  return isatty(STDERR_FILENO) != 0 && !dumb ? Style::kBar : Style::kLines;
}

Progress::Progress(Style style, bool verbose)
    : style_(style), verbose_(verbose), begun_(std::chrono::steady_clock::now()) {}
Progress::~Progress() { clear(); }

void Progress::clear() {
  if (!shown_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

void Progress::draw(const std::string& tail) {
  const std::size_t known = std::min(limit_, read_ + waiting_);
  const double share = known == 0 ? 0 : static_cast<double>(read_) / static_cast<double>(known);
  constexpr std::size_t kBarWidth = 24;
  const auto full = static_cast<std::size_t>(share * kBarWidth);
  std::string bar;
  for (std::size_t i = 0; i < kBarWidth; ++i) bar += i < full ? "━" : "─";
  const double elapsed =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  std::string left = "";
  if (read_ >= 3 && known > read_)
    left = ", " +
           clock_time(elapsed / static_cast<double>(read_) * static_cast<double>(known - read_)) +
           " left";
  const std::string head = fmt::format("{} {} of {} pages{}  ", bar, read_, known, left);
  std::fputs(("\r\x1b[K" + fitted(head + tail, terminal_width() - 1)).c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
}

void Progress::step(const std::string& what) {
  if (style_ == Style::kNone) return;
  clear();
  std::fputs(("  " + without_controls(what) + "\n").c_str(), stderr);
}

void Progress::waiting(const std::string& url, Millis wait, const std::string& reason) {
  const std::string why =
      fmt::format("waiting {:.3g} s: {}", static_cast<double>(wait.count()) / 1000, reason);
  if (style_ == Style::kBar) draw(why);
  if (style_ == Style::kLines && (verbose_ || wait >= Millis(10'000))) {
    std::fputs(fmt::format("  {} before {}\n", why, without_controls(url)).c_str(), stderr);
  }
}

void Progress::page(const std::string& url, int status, std::size_t read, std::size_t waiting,
                    std::size_t limit) {
  read_ = read;
  waiting_ = waiting;
  limit_ = limit;
  const std::string answer = status == 0 ? "---" : fmt::format("{}", status);
  if (style_ == Style::kBar) draw(answer + " " + without_controls(url));
  // Plain lines: every page when asked for, else the first and each tenth.
  if (style_ == Style::kLines && (verbose_ || read == 1 || read % 10 == 0)) {
    std::fputs(fmt::format("  {:>4} of {} pages: {} {}\n", read, std::min(limit, read + waiting),
                           answer, without_controls(url))
                   .c_str(),
               stderr);
  }
}

}  // namespace periplus
