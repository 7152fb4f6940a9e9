// The pages of a running visit, on disk: an append-only file without a name. It goes with its
// process, so an interrupted visit leaves nothing behind, and memory stays flat. Store::record
// gives the file its name in the store, so that pages are written once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/error.h"
#include "store/store.h"

namespace periplus {

class Spool final : public PageSource {
 public:
  // `folder` should be on the disk of the store: the home.
  static Result<std::unique_ptr<Spool>> create(const std::string& folder);
  ~Spool() override;
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  // Appends a page and gives its place, for at(). kIo when the disk is full.
  Result<std::uint64_t> append(const StoredPage& page);
  Result<void> at(std::uint64_t place, StoredPage* page);

  // The next page in the order of appending; begins again after rewind().
  Result<bool> next(StoredPage* page) override;
  // Where next() goes on.
  std::uint64_t place() const;
  void rewind();

  std::uint64_t pages() const;
  std::uint64_t bytes() const;

  // For Store: waits until the disk has everything, so that keep_as() need not.
  Result<void> settle();
  // For Store: gives what is on disk the name `path`, for good, replacing what is there.
  Result<void> keep_as(const std::string& path);

 private:
  struct Inside;
  explicit Spool(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace periplus
