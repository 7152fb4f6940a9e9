// base: what every room needs and no room owns (errors, tasks, time, text, compression, logging).
//
// Errors are values. A Result<T> carries either the value or an Error with a sentence that the
// person at the keyboard can act on. Exceptions are for broken invariants and stay inside library
// edges.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace periplus {

// What went wrong, in the terms of the one who must act on it. Failures of a fetch have their own
// closed list (http/exchange.h): they are findings about a site, not errors of ours.
enum class ErrorKind : std::uint8_t {
  kUsage,     // the command line is wrong                          exit 2
  kInput,     // a URL, file or document handed to us is wrong      exit 2
  kConfig,    // periplus.toml or another file of the home is wrong exit 2
  kTooSoon,   // asked again before the wait was over               exit 6
  kBusy,      // another process holds what we need                 exit 6
  kIo,        // the operating system refused: a full disk, no access exit 2
  kDatabase,  // the store refused or is damaged                    exit 70
  kInternal,  // a fault of ours                                    exit 70
};

struct Error {
  ErrorKind kind = ErrorKind::kInternal;
  std::string sentence;  // one line, no full stop needed, names the expected form
  std::string place;     // "file:line", an option, a URL; empty when there is none
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(ErrorKind kind, std::string sentence, std::string place = {}) {
  return std::unexpected(Error{kind, std::move(sentence), std::move(place)});
}

}  // namespace periplus
