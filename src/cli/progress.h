// What a person watches while a site is read: a bar with counts and time left on a terminal, plain
// lines otherwise. All on stderr.
#pragma once

#include <chrono>
#include <string>

#include "visit/rooms.h"

namespace periplus {

class Progress final : public VisitObserver {
 public:
  enum class Style { kBar, kLines, kNone };
  // A bar when stderr is a terminal that can show one.
  static Style style_for_stderr(bool quiet);
  Progress(Style style, bool verbose);
  ~Progress() override;

  void step(const std::string& what) override;
  void waiting(const std::string& url, Millis wait, const std::string& reason) override;
  void page(const std::string& url, int status, std::size_t read, std::size_t waiting,
            std::size_t limit) override;
  // Takes the bar away.
  void clear();

 private:
  void draw(const std::string& tail);
  Style style_;
  bool verbose_;
  std::chrono::steady_clock::time_point begun_;
  std::size_t read_ = 0, waiting_ = 0, limit_ = 0;
  std::string note_;
  bool shown_ = false;
};

}  // namespace periplus
