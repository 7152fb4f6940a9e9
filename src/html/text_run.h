// Text as a reader sees it: white space collapsed while it is gathered, one line for each block.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace periplus {

class TextRun {
 public:
  // Empties the run and makes room for `most` bytes: appending never looks for room again.
  void start(std::size_t most) {
    size_ = 0;
    gap_ = '\0';
    if (most > room_) {
      room_ = most;
      bytes_ = std::make_unique_for_overwrite<char[]>(room_);
    }
  }

  void append(std::string_view text) {
    const char* at = text.data();
    const char* end = at + text.size();
    char* to = bytes_.get() + size_;
    for (;;) {
      const char* from = at;
      while (at != end && static_cast<unsigned char>(*at) > ' ') ++at;
      if (at != from) {
        if (gap_ != '\0') {
          if (to != bytes_.get()) *to++ = gap_;
          gap_ = '\0';
        }
        std::memcpy(to, from, static_cast<std::size_t>(at - from));
        to += at - from;
      }
      if (at == end) break;
      // White space, or a control character, which is nothing to see.
      if (gap_ == '\0' && *at != '\0') gap_ = ' ';
      ++at;
    }
    size_ = static_cast<std::size_t>(to - bytes_.get());
  }
  void space() {
    if (gap_ == '\0') gap_ = ' ';
  }
  void line() { gap_ = '\n'; }

  std::size_t size() const { return size_; }
  std::string_view from(std::size_t start) const { return {bytes_.get() + start, size_ - start}; }
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t room_ = 0;
  std::size_t size_ = 0;
  char gap_ = '\0';  // what goes before the next character: nothing, ' ' or '\n'
};

}  // namespace periplus
