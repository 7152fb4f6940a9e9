// The signing keys of a home: one PEM file each, in a folder that only its owner may change.
//
// The newest key signs; the older ones stay in the key directory until they are dropped, so that
// verifiers which still hold an old copy, or have not yet fetched the new one, are not lost.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "http/signature.h"

namespace periplus {

class KeyRing {
 public:
  struct Entry {
    SigningKey key;
    std::string file;     // its name in the folder
    std::string created;  // RFC 3339, as written in the file; empty when it does not say
  };

  // Reads every *.pem in `folder`; a folder that does not exist is an empty ring. Fails with
  // kConfig, naming the file, when a key can be read by group or others, when others may write to
  // the folder, and when a file is no Ed25519 key; with kIo when the system refuses.
  static Result<KeyRing> open(std::string folder);

  bool empty() const { return entries_.empty(); }
  const std::vector<Entry>& entries() const { return entries_; }  // newest first
  // The key to sign with; null when there is none.
  const SigningKey* current() const { return entries_.empty() ? nullptr : &entries_[0].key; }
  std::vector<SigningKey> keys() const;  // newest first: the key directory

  // Makes a key, writes it (mode 0600; the file appears whole or not at all, and is on the disk
  // when this returns), and makes it the current one. Creates the folder (0700) when needed.
  Result<void> add_new(Instant now);
  // Removes the key with that thumbprint, or a beginning of it that fits one key only. The current
  // key can only be dropped when it is the last one.
  Result<void> drop(std::string_view thumbprint);

 private:
  explicit KeyRing(std::string folder) : folder_(std::move(folder)) {}
  std::string folder_;
  std::vector<Entry> entries_;
};

}  // namespace periplus
