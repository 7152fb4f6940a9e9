// Memory for the text of one page: handed out in order, given back all at once, kept for the next.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace periplus {

class Arena {
 public:
  // `size` bytes, uninitialised, valid until clear().
  char* take(std::size_t size) {
    if (size > left_) next_block(size);
    char* got = at_;
    at_ += size;
    left_ -= size;
    return got;
  }
  // Gives the last `size` bytes of the latest take() back.
  void give_back(std::size_t size) {
    at_ -= size;
    left_ += size;
  }
  std::string_view keep(std::string_view text) {
    if (text.empty()) return {};
    char* to = take(text.size());
    std::memcpy(to, text.data(), text.size());
    return {to, text.size()};
  }
  void clear() {
    used_ = 0;
    at_ = nullptr;
    left_ = 0;
  }

 private:
  struct Block {
    std::unique_ptr<char[]> bytes;
    std::size_t size;
  };
  static constexpr std::size_t kBlockSize = 64 * 1024;

  void next_block(std::size_t size) {
    while (used_ < blocks_.size() && blocks_[used_].size < size) ++used_;
    if (used_ == blocks_.size()) {
      const std::size_t bytes = size > kBlockSize ? size : kBlockSize;
      blocks_.push_back({std::make_unique_for_overwrite<char[]>(bytes), bytes});
    }
    at_ = blocks_[used_].bytes.get();
    left_ = blocks_[used_].size;
    ++used_;
  }

  std::vector<Block> blocks_;
  std::size_t used_ = 0;
  char* at_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace periplus
