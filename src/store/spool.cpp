#include "store/spool.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace periplus {
namespace {

constexpr std::size_t kBlock = 256 * 1024;  // written, and read, at once

// A page as bytes: eleven numbers of eight bytes, then the texts, each behind its length. The file
// never outlives its process, so the machine's own byte order serves.
constexpr auto kTexts = std::to_array<std::string StoredPage::*>(
    {&StoredPage::url, &StoredPage::final_url, &StoredPage::found_from, &StoredPage::via,
     &StoredPage::failure, &StoredPage::failure_detail, &StoredPage::content_type,
     &StoredPage::title, &StoredPage::notes, &StoredPage::headers, &StoredPage::chain,
     &StoredPage::packed_body, &StoredPage::packed_targets, &StoredPage::packed_text,
     &StoredPage::failed_rules});

struct Numbers {
  std::uint64_t size;  // of the whole record, this struct included
  std::uint64_t text_hash, body_bytes;
  std::int64_t fetched_at;
  std::uint32_t depth, words, links;
  std::int32_t status;
  std::uint32_t cut;
  std::array<std::uint32_t, kTexts.size()> lengths;
};

Error io_error(const char* what) {
  const int code = errno;
  std::string reason = code == ENOSPC ? "the disk is full" : std::strerror(code);
  return {ErrorKind::kIo, std::string(what) + ": " + reason, {}};
}

int open_nameless(const std::string& folder) {
  const int direct = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (direct >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return direct;
  // Some file systems cannot do that: a name that lives for a moment.
  std::string name = folder + "/.periplus-spool-XXXXXX";
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

}  // namespace

struct Spool::Inside {
  explicit Inside(int opened) : file(opened) {}
  ~Inside() { close(file); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  const int file;
  std::string tail;           // appended, not yet in the file
  std::uint64_t written = 0;  // bytes in the file; the tail begins there
  std::uint64_t count = 0;    // pages
  std::uint64_t cursor = 0;   // where next() goes on
  std::string window;         // of the file, from window_at on
  std::uint64_t window_at = 0;

  std::uint64_t end() const { return written + tail.size(); }

  Result<void> flush() {
    std::size_t done = 0;
    while (done < tail.size()) {
      const ssize_t put =
          pwrite(file, tail.data() + done, tail.size() - done, static_cast<off_t>(written + done));
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) return std::unexpected(io_error("a page cannot be put on disk"));
      done += static_cast<std::size_t>(put);
    }
    written += tail.size();
    tail.clear();
    return {};
  }

  // Bytes [place, place + size), valid until the next call.
  Result<std::string_view> bytes(std::uint64_t place, std::size_t size) {
    if (place + size > end()) {
      return fail(ErrorKind::kInternal, "a page was asked for that was never put on disk");
    }
    if (place >= written) return std::string_view(tail).substr(place - written, size);
    if (place + size > written) {
      const Result<void> flushed = flush();
      if (!flushed) return std::unexpected(flushed.error());
    }
    if (place < window_at || place + size > window_at + window.size()) {
      const Result<void> read = fill(place, size);
      if (!read) return std::unexpected(read.error());
    }
    return std::string_view(window).substr(place - window_at, size);
  }

  Result<void> fill(std::uint64_t place, std::size_t size) {
    const std::size_t wanted = std::min<std::uint64_t>(std::max(size, kBlock), written - place);
    window_at = place;
    window.resize(wanted);
    std::size_t done = 0;
    while (done < wanted) {
      const ssize_t got =
          pread(file, window.data() + done, wanted - done, static_cast<off_t>(place + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) {
        window.clear();
        return std::unexpected(io_error("a page cannot be read back from disk"));
      }
      done += static_cast<std::size_t>(got);
    }
    return {};
  }

  // Gives the size of the record.
  Result<std::uint64_t> read(std::uint64_t place, StoredPage* page) {
    const Result<std::string_view> head = bytes(place, sizeof(Numbers));
    if (!head) return std::unexpected(head.error());
    Numbers numbers;
    std::memcpy(&numbers, head->data(), sizeof numbers);
    const Result<std::string_view> record = bytes(place, numbers.size);
    if (!record) return std::unexpected(record.error());
    page->text_hash = numbers.text_hash;
    page->body_bytes = numbers.body_bytes;
    page->fetched_at = Instant(Millis(numbers.fetched_at));
    page->depth = numbers.depth;
    page->words = numbers.words;
    page->links = numbers.links;
    page->status = numbers.status;
    page->cut = numbers.cut != 0;
    std::size_t at = sizeof numbers;
    for (std::size_t i = 0; i < kTexts.size(); ++i) {
      (page->*kTexts[i]).assign(record->substr(at, numbers.lengths[i]));
      at += numbers.lengths[i];
    }
    return numbers.size;
  }
};

Spool::Spool(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Spool::~Spool() = default;

Result<std::unique_ptr<Spool>> Spool::create(const std::string& folder) {
  const int file = open_nameless(folder);
  if (file < 0) {
    Error error = io_error("no temporary file can be made");
    error.place = folder;
    return std::unexpected(error);
  }
  return std::unique_ptr<Spool>(new Spool(std::make_unique<Inside>(file)));
}

Result<std::uint64_t> Spool::append(const StoredPage& page) {
  Inside& in = *inside_;
  const std::uint64_t place = in.end();
  Numbers numbers{};
  numbers.size = sizeof numbers;
  for (std::size_t i = 0; i < kTexts.size(); ++i) {
    numbers.lengths[i] = static_cast<std::uint32_t>((page.*kTexts[i]).size());
    numbers.size += numbers.lengths[i];
  }
  numbers.text_hash = page.text_hash;
  numbers.body_bytes = page.body_bytes;
  numbers.fetched_at = page.fetched_at.time_since_epoch().count();
  numbers.depth = page.depth;
  numbers.words = page.words;
  numbers.links = page.links;
  numbers.status = page.status;
  numbers.cut = page.cut ? 1 : 0;
  const std::size_t before = in.tail.size();
  in.tail.append(reinterpret_cast<const char*>(&numbers), sizeof numbers);
  for (const auto text : kTexts) in.tail.append(page.*text);
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

void Spool::rewind() { inside_->cursor = 0; }
std::uint64_t Spool::pages() const { return inside_->count; }
std::uint64_t Spool::bytes() const { return inside_->end(); }

}  // namespace periplus
