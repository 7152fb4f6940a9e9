#include "store/spool.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "store/page_records.h"

namespace periplus {
namespace {

constexpr std::size_t kBlock = 256 * 1024;  // written at once

int open_nameless(const std::string& folder) {
  const int direct = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0644);
  if (direct >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return direct;
  // Some file systems cannot do that: a name that lives for a moment.
  std::string name = folder + "/.periplus-spool-XXXXXX";
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

bool write_all(int file, std::string_view bytes, std::uint64_t place) {
  while (!bytes.empty()) {
    const ssize_t put = pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(put));
    place += static_cast<std::uint64_t>(put);
  }
  return true;
}

// For a file that cannot be given a name (again): copies `size` bytes of it to `path`.
bool copy_to(int from, std::uint64_t size, const std::string& path) {
  const int to = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (to < 0) return false;
  std::string block(kBlock, '\0');
  bool good = true;
  for (std::uint64_t at = 0; good && at < size;) {
    const ssize_t got = pread(from, block.data(), block.size(), static_cast<off_t>(at));
    good = got > 0 &&
           write_all(to, std::string_view(block).substr(0, static_cast<std::size_t>(got)), at);
    at += good ? static_cast<std::uint64_t>(got) : 0;
  }
  good = good && fdatasync(to) == 0;
  if (!good) unlink(path.c_str());
  close(to);
  return good;
}

}  // namespace

struct Spool::Inside {
  explicit Inside(int opened) : file(opened), reader(opened) { tail = kRecordsMagic; }
  ~Inside() { close(file); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  const int file;
  RecordReader reader;
  std::string tail;                             // appended, not yet in the file
  std::uint64_t written = 0;                    // bytes in the file; the tail begins there
  std::uint64_t count = 0;                      // pages
  std::uint64_t cursor = kRecordsMagic.size();  // where next() goes on

  std::uint64_t end() const { return written + tail.size(); }

  Result<void> flush() {
    if (!write_all(file, tail, written)) {
      return std::unexpected(io_error("a page cannot be put on disk", {}));
    }
    written += tail.size();
    tail.clear();
    return {};
  }

  Result<std::uint64_t> read(std::uint64_t place, StoredPage* page) {
    if (place < written) return reader.read(place, written, page);
    return parse_record(std::string_view(tail).substr(std::min(place - written, tail.size())),
                        page);
  }
};

Spool::Spool(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Spool::~Spool() = default;

Result<std::unique_ptr<Spool>> Spool::create(const std::string& folder) {
  const int file = open_nameless(folder);
  if (file < 0) return std::unexpected(io_error("no temporary file can be made", folder));
  return std::unique_ptr<Spool>(new Spool(std::make_unique<Inside>(file)));
}

Result<std::uint64_t> Spool::append(const StoredPage& page) {
  Inside& in = *inside_;
  const std::uint64_t place = in.end();
  const std::size_t before = in.tail.size();
  append_record(page, &in.tail);
  if (in.tail.size() >= kBlock) {
    const Result<void> flushed = in.flush();
    if (!flushed) {
      in.tail.resize(before);  // as if it had never been appended
      return std::unexpected(flushed.error());
    }
  }
  ++in.count;
  return place;
}

Result<void> Spool::at(std::uint64_t place, StoredPage* page) {
  const Result<std::uint64_t> size = inside_->read(place, page);
  if (!size) return std::unexpected(size.error());
  return {};
}

Result<bool> Spool::next(StoredPage* page) {
  if (inside_->cursor == inside_->end()) return false;
  const Result<std::uint64_t> size = inside_->read(inside_->cursor, page);
  if (!size) return std::unexpected(size.error());
  inside_->cursor += *size;
  return true;
}

std::uint64_t Spool::place() const { return inside_->cursor; }
void Spool::rewind() { inside_->cursor = kRecordsMagic.size(); }
std::uint64_t Spool::pages() const { return inside_->count; }
std::uint64_t Spool::bytes() const { return inside_->end(); }

Result<void> Spool::settle() {
  const Result<void> flushed = inside_->flush();
  if (!flushed) return flushed;
  if (fdatasync(inside_->file) != 0) {
    return std::unexpected(io_error("the pages of the visit cannot be put on disk", {}));
  }
  return {};
}

Result<void> Spool::keep_as(const std::string& path) {
  const Result<void> settled = settle();
  if (!settled) return settled;
  const auto refused = [&] {
    return std::unexpected(io_error("the pages of the visit cannot be kept", path));
  };
  if (unlink(path.c_str()) != 0 && errno != ENOENT) return refused();
  const std::string self = "/proc/self/fd/" + std::to_string(inside_->file);
  if (linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) != 0 &&
      !copy_to(inside_->file, inside_->end(), path)) {
    return refused();
  }
  if (!sync_folder_of(path)) return refused();
  return {};
}

}  // namespace periplus
