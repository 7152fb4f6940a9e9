#include "store/page_records.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/text.h"

namespace periplus {
namespace {

constexpr std::size_t kBlock = 256 * 1024;  // read at once

constexpr auto kTexts = std::to_array<std::string StoredPage::*>(
    {&StoredPage::url, &StoredPage::final_url, &StoredPage::found_from, &StoredPage::via,
     &StoredPage::failure, &StoredPage::failure_detail, &StoredPage::content_type,
     &StoredPage::title, &StoredPage::notes, &StoredPage::headers, &StoredPage::chain,
     &StoredPage::packed_body, &StoredPage::packed_targets, &StoredPage::packed_text,
     &StoredPage::failed_rules});

// The fixed part of a record; the texts follow, one behind the other.
struct Head {
  std::uint64_t size;  // of the whole record, this struct included
  std::uint64_t hash;  // of everything behind this field
  std::uint64_t text_hash, body_bytes, fetched_at;
  std::array<std::uint32_t, 5> facts;  // depth, words, links, status, cut
  std::array<std::uint32_t, kTexts.size()> lengths;
};
constexpr std::size_t kHashed = 2 * sizeof(std::uint64_t);
static_assert(sizeof(Head) == 5 * 8 + 20 * 4, "no padding: it is written as it is");

template <class T>
T little_endian(T number) {
  if constexpr (std::endian::native == std::endian::big) return std::byteswap(number);
  return number;
}
Head little_endian(Head head) {
  for (std::uint64_t* number :
       {&head.size, &head.hash, &head.text_hash, &head.body_bytes, &head.fetched_at}) {
    *number = little_endian(*number);
  }
  for (std::uint32_t& number : head.facts) number = little_endian(number);
  for (std::uint32_t& number : head.lengths) number = little_endian(number);
  return head;
}

std::unexpected<Error> damaged() {
  return fail(ErrorKind::kDatabase,
              "a page's record is damaged; periplus doctor tells what is left");
}

}  // namespace

void append_record(const StoredPage& page, std::string* out) {
  Head head{};
  head.size = sizeof head;
  for (std::size_t i = 0; i < kTexts.size(); ++i) {
    head.lengths[i] = static_cast<std::uint32_t>((page.*kTexts[i]).size());
    head.size += head.lengths[i];
  }
  head.text_hash = page.text_hash;
  head.body_bytes = page.body_bytes;
  head.fetched_at = static_cast<std::uint64_t>(page.fetched_at.time_since_epoch().count());
  head.facts = {page.depth, page.words, page.links, static_cast<std::uint32_t>(page.status),
                page.cut ? 1U : 0U};
  const std::size_t begin = out->size();
  const Head written = little_endian(head);
  out->append(reinterpret_cast<const char*>(&written), sizeof written);
  for (const auto text : kTexts) out->append(page.*text);
  const std::uint64_t hash = little_endian(hash64(std::string_view(*out).substr(begin + kHashed)));
  std::memcpy(out->data() + begin + offsetof(Head, hash), &hash, sizeof hash);
}

Result<std::uint64_t> parse_record(std::string_view bytes, StoredPage* page) {
  Head head;
  if (bytes.size() < sizeof head) return damaged();
  std::memcpy(&head, bytes.data(), sizeof head);
  head = little_endian(head);
  if (head.size < sizeof head || head.size > bytes.size()) return damaged();
  const std::string_view record = bytes.substr(0, head.size);
  if (hash64(record.substr(kHashed)) != head.hash) return damaged();

  page->text_hash = head.text_hash;
  page->body_bytes = head.body_bytes;
  page->fetched_at = Instant(Millis(static_cast<std::int64_t>(head.fetched_at)));
  page->depth = head.facts[0];
  page->words = head.facts[1];
  page->links = head.facts[2];
  page->status = static_cast<int>(head.facts[3]);
  page->cut = head.facts[4] != 0;
  std::size_t at = sizeof head;
  for (std::size_t i = 0; i < kTexts.size(); ++i) {
    if (head.lengths[i] > head.size - at) return damaged();
    (page->*kTexts[i]).assign(record.substr(at, head.lengths[i]));
    at += head.lengths[i];
  }
  return head.size;
}

Result<std::uint64_t> RecordReader::read(std::uint64_t place, std::uint64_t end, StoredPage* page) {
  std::uint64_t size = sizeof(Head);
  const Result<std::string_view> front = bytes(place, size, end);
  if (!front) return std::unexpected(front.error());
  std::memcpy(&size, front->data(), sizeof size);
  const Result<std::string_view> record = bytes(place, little_endian(size), end);
  if (!record) return std::unexpected(record.error());
  return parse_record(*record, page);
}

Result<std::string_view> RecordReader::bytes(std::uint64_t place, std::size_t size,
                                             std::uint64_t end) {
  if (place > end || size > end - place) return damaged();
  if (place < window_at_ || place + size > window_at_ + window_.size()) {
    const std::size_t wanted = std::min<std::uint64_t>(std::max(size, kBlock), end - place);
    window_at_ = place;
    window_.resize(wanted);
    std::size_t done = 0;
    while (done < wanted) {
      const ssize_t got =
          pread(file_, window_.data() + done, wanted - done, static_cast<off_t>(place + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) {
        window_.clear();
        if (got == 0) return damaged();  // the file is shorter than it was
        return std::unexpected(io_error("a page cannot be read back from disk", {}));
      }
      done += static_cast<std::size_t>(got);
    }
  }
  return std::string_view(window_).substr(place - window_at_, size);
}

Result<KeptPages> KeptPages::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    if (errno == ENOENT) {
      return fail(ErrorKind::kDatabase, "the pages of a recorded visit are missing", path);
    }
    return std::unexpected(io_error("the pages of a visit cannot be opened", path));
  }
  std::array<char, kRecordsMagic.size()> magic{};
  struct stat facts{};
  const bool good = fstat(file, &facts) == 0 &&
                    pread(file, magic.data(), magic.size(), 0) == std::ssize(magic) &&
                    std::string_view(magic.data(), magic.size()) == kRecordsMagic;
  if (!good) {
    close(file);
    return fail(ErrorKind::kDatabase, "the file does not hold pages of a visit", path);
  }
  return KeptPages(file, static_cast<std::uint64_t>(facts.st_size));
}

KeptPages::KeptPages(KeptPages&& other) noexcept
    : file_(std::exchange(other.file_, -1)), end_(other.end_), reader_(std::move(other.reader_)) {}

KeptPages::~KeptPages() {
  if (file_ >= 0) close(file_);
}

Result<void> KeptPages::read(std::uint64_t place, StoredPage* page) {
  const Result<std::uint64_t> size = reader_.read(place, end_, page);
  if (!size) return std::unexpected(size.error());
  return {};
}

bool sync_folder_of(const std::string& path) {
  const std::string folder = path.substr(0, path.rfind('/'));
  const int opened = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return false;
  const bool good = fsync(opened) == 0;
  close(opened);
  return good;
}

Error io_error(std::string_view what, const std::string& place) {
  const int code = errno;
  const std::string reason = code == ENOSPC ? "the disk is full" : std::strerror(code);
  return {ErrorKind::kIo, std::string(what) + ": " + reason, place};
}

}  // namespace periplus
