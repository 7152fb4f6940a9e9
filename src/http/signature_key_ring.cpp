#include "http/signature_key_ring.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace periplus {
namespace {

constexpr std::string_view kCreated = "Created: ";
constexpr std::size_t kMostOctets = 64 * 1024;

std::unexpected<Error> refused(const std::string& what, const std::string& path) {
  return fail(ErrorKind::kIo, what + ": " + std::strerror(errno), path);
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  bool good() const { return fd_ >= 0; }

 private:
  int fd_;
};

std::string octal(mode_t mode) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "%04o", static_cast<unsigned>(mode & 07777U));
  return text.data();
}

Result<std::string> read_private_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.good()) return refused("cannot read the key", path);
  struct stat facts{};
  if (::fstat(file.get(), &facts) != 0) return refused("cannot read the key", path);
  if (!S_ISREG(facts.st_mode)) return fail(ErrorKind::kConfig, "expected a file with a key", path);
  if ((facts.st_mode & 077U) != 0) {
    return fail(ErrorKind::kConfig,
                "others than its owner may use this private key (mode " + octal(facts.st_mode) +
                    "); expected mode 0600: chmod 600 and, if it was copied, make a new key",
                path);
  }
  std::string text(kMostOctets, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = ::read(file.get(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return refused("cannot read the key", path);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  return text;
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(fd, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

bool sync_folder(const std::string& folder) {
  const Descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return fd.good() && ::fsync(fd.get()) == 0;
}

// "key-000042.pem": 42; 0 for any other name.
unsigned number_of(std::string_view name) {
  unsigned number = 0;
  if (!name.starts_with("key-")) return 0;
  for (char c : name.substr(4, 6)) {
    if (c < '0' || c > '9') return 0;
    number = number * 10 + static_cast<unsigned>(c - '0');
  }
  return number;
}

Result<std::vector<std::string>> pem_files(const std::string& folder) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> dir(::opendir(folder.c_str()), &::closedir);
  if (!dir) {
    if (errno == ENOENT) return names;
    return refused("cannot read the folder of keys", folder);
  }
  struct stat facts{};
  const int fd = ::dirfd(dir.get());
  if (fd < 0 || ::fstat(fd, &facts) != 0) return refused("cannot read the folder", folder);
  if ((facts.st_mode & 022U) != 0) {
    return fail(ErrorKind::kConfig,
                "others than its owner may change this folder of keys (mode " +
                    octal(facts.st_mode) + "); expected mode 0700: chmod 700",
                folder);
  }
  while (const dirent* entry = ::readdir(dir.get())) {
    const std::string_view name = entry->d_name;
    if (name.ends_with(".pem") && !name.starts_with(".")) names.emplace_back(name);
  }
  // The newest comes first; a file that somebody put there under another name, last.
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return std::pair(number_of(a), std::string_view(a)) >
           std::pair(number_of(b), std::string_view(b));
  });
  return names;
}

std::string created_line(std::string_view pem) {
  const std::size_t begin = pem.find("-----BEGIN");
  const std::size_t at = pem.find(kCreated);
  if (at == std::string_view::npos || begin == std::string_view::npos || at > begin) return {};
  pem.remove_prefix(at + kCreated.size());
  return std::string(pem.substr(0, std::min(pem.find_first_of("\r\n"), std::size_t{40})));
}

std::string file_name(unsigned number) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "key-%06u.pem", number);
  return text.data();
}

// 0, or the error number; EEXIST when there is a file of that name.
int rename_to_new(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  const int why = errno;
  if (why != EINVAL && why != ENOSYS) return why;
  // A file system that does not know the flag.
  if (::access(to.c_str(), F_OK) == 0) return EEXIST;
  return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

// Writes `text` as a new file of one of the numbers from `first` on, and gives its name. A name
// that another process took meanwhile is never overwritten.
Result<std::string> write_new_file(const std::string& folder, unsigned first,
                                   const std::string& text) {
  std::string temporary = folder + "/.new-XXXXXX";
  const Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!file.good()) return refused("cannot write a key into this folder", folder);
  if (::fchmod(file.get(), 0600) != 0 || !write_all(file.get(), text) || ::fsync(file.get()) != 0) {
    const auto error = refused("cannot write the key", temporary);
    ::unlink(temporary.c_str());
    return error;
  }
  int why = EEXIST;
  for (unsigned number = first; why == EEXIST && number < first + 1000; ++number) {
    std::string name = file_name(number);
    std::string path = folder;
    path.append("/").append(name);
    why = rename_to_new(temporary, path);
    if (why != 0) continue;
    if (!sync_folder(folder)) return refused("cannot write the folder of keys", folder);
    return name;
  }
  ::unlink(temporary.c_str());
  errno = why;
  return refused("cannot name the key", temporary);
}

}  // namespace

Result<KeyRing> KeyRing::open(std::string folder) {
  KeyRing ring(std::move(folder));
  const Result<std::vector<std::string>> names = pem_files(ring.folder_);
  if (!names) return std::unexpected(names.error());
  for (const std::string& name : *names) {
    const std::string path = ring.folder_ + "/" + name;
    const Result<std::string> pem = read_private_file(path);
    if (!pem) return std::unexpected(pem.error());
    Result<SigningKey> key = SigningKey::from_pem(*pem);
    if (!key) return fail(ErrorKind::kConfig, key.error().sentence, path);
    ring.entries_.push_back({std::move(*key), name, created_line(*pem)});
  }
  return ring;
}

std::vector<SigningKey> KeyRing::keys() const {
  std::vector<SigningKey> keys;
  keys.reserve(entries_.size());
  for (const Entry& entry : entries_) keys.push_back(entry.key);
  return keys;
}

Result<void> KeyRing::add_new(Instant now) {
  if (::mkdir(folder_.c_str(), 0700) == 0) {
    const std::size_t slash = folder_.find_last_not_of('/') == std::string::npos
                                  ? std::string::npos
                                  : folder_.rfind('/', folder_.find_last_not_of('/'));
    sync_folder(slash == std::string::npos ? "." : folder_.substr(0, slash + 1));
  } else if (errno != EEXIST) {
    return refused("cannot make the folder of keys", folder_);
  }
  Result<SigningKey> key = SigningKey::generate();
  if (!key) return std::unexpected(key.error());
  unsigned newest = 0;
  for (const Entry& entry : entries_) newest = std::max(newest, number_of(entry.file));
  const std::string created = to_rfc3339(now);
  std::string text = "Periplus signing key (Ed25519). Keep it secret.\n";
  text += std::string(kCreated) + created + "\nThumbprint: " + key->thumbprint() + "\n";
  const Result<std::string> name = write_new_file(folder_, newest + 1, text + key->to_pem());
  if (!name) return std::unexpected(name.error());
  entries_.insert(entries_.begin(), {std::move(*key), *name, created});
  return {};
}

Result<void> KeyRing::drop(std::string_view thumbprint) {
  std::size_t found = entries_.size();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (!entries_[i].key.thumbprint().starts_with(thumbprint)) continue;
    if (found < entries_.size()) {
      return fail(ErrorKind::kUsage, "more than one key begins so; give more of its thumbprint",
                  std::string(thumbprint));
    }
    found = i;
  }
  if (thumbprint.empty() || found == entries_.size()) {
    return fail(ErrorKind::kUsage, "no key with this thumbprint", std::string(thumbprint));
  }
  if (found == 0 && entries_.size() > 1) {
    return fail(ErrorKind::kUsage, "this is the key in use; make a new one first",
                std::string(thumbprint));
  }
  const std::string path = folder_ + "/" + entries_[found].file;
  if (::unlink(path.c_str()) != 0) return refused("cannot remove the key", path);
  if (!sync_folder(folder_)) return refused("cannot write the folder of keys", folder_);
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(found));
  return {};
}

}  // namespace periplus
