// Pages as records of a file: written by the spool of a running visit, kept as they are once the
// visit is recorded, and read back from there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "store/store.h"

namespace periplus {

// A file of records starts with these bytes; a change of the format changes the number.
inline constexpr std::string_view kRecordsMagic = "periplus pages 1";

// Appends the record of `page`: all of its fields, behind their size and a hash of them. Numbers
// are little-endian.
void append_record(const StoredPage& page, std::string* out);

// Fills `*page` with the record that `bytes` begin with, and gives its size. kDatabase when it is
// not a record that append_record wrote, whole.
Result<std::uint64_t> parse_record(std::string_view bytes, StoredPage* page);

// Reads records out of a file, a block at a time.
class RecordReader {
 public:
  // The file stays the caller's.
  explicit RecordReader(int file) : file_(file) {}

  // Fills `*page` with the record at `place`, of a file that ends at `end`, and gives the record's
  // size. kDatabase when it is not the record that was written.
  Result<std::uint64_t> read(std::uint64_t place, std::uint64_t end, StoredPage* page);

 private:
  Result<std::string_view> bytes(std::uint64_t place, std::size_t size, std::uint64_t end);

  const int file_;
  std::string window_;  // the file's bytes from window_at_ on
  std::uint64_t window_at_ = 0;
};

// The pages of a recorded visit, on disk.
class KeptPages {
 public:
  static Result<KeptPages> open(const std::string& path);
  ~KeptPages();
  KeptPages(KeptPages&& other) noexcept;
  KeptPages& operator=(KeptPages&&) = delete;

  Result<void> read(std::uint64_t place, StoredPage* page);

 private:
  KeptPages(int file, std::uint64_t end) : file_(file), end_(end), reader_(file) {}
  int file_;
  std::uint64_t end_;
  RecordReader reader_;
};

// Makes the name of a new file or folder safe from a loss of power; false when that fails.
bool sync_folder_of(const std::string& path);

// An Error of the operating system's last refusal.
Error io_error(std::string_view what, const std::string& place);

}  // namespace periplus
