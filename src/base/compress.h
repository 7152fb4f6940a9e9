// Compression of foreign bytes, always with limits, and of our own for the store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace periplus {

enum class Coding : std::uint8_t { kIdentity, kGzip, kDeflate, kBrotli, kZstd };

// The content coding that an HTTP Content-Encoding token names (RFC 9110 section 8.4.1; "x-gzip"
// too), any letter case; nothing for a token we do not know.
bool coding_from_token(std::string_view token, Coding* out);

struct ExpandLimits {
  std::size_t max_bytes = 1024 * 1024;  // decoded bytes kept; the rest is cut
  double max_ratio = 100.0;  // decoded : encoded, judged once more than min_bytes came out
  std::size_t min_bytes = 64 * 1024;
};

enum class ExpandStatus : std::uint8_t {
  kGoing,    // wants more input
  kDone,     // the stream ended by its own mark
  kCut,      // max_bytes reached: what is in `out` is good, the rest was not decoded
  kBomb,     // max_ratio passed: a decompression bomb
  kDamaged,  // not a valid stream; what came before the fault is in `out` (of a small zstd frame
             // that came in one piece, nothing)
};

// A streaming decoder of one coding. Memory is bounded whatever the input says (zstd windows over
// 8 MiB are refused as damaged). Junk after the end of a gzip stream is ignored, and concatenated
// gzip members are read on.
class Expander {
 public:
  virtual ~Expander() = default;
  // Decodes `in`, appends to `*out`. After anything but kGoing further calls change nothing.
  virtual ExpandStatus feed(std::string_view in, std::string* out) = 0;
  // Call at the end of input: kDone when complete, else what was wrong (a stream cut short is
  // kDamaged).
  virtual ExpandStatus finish() = 0;
};

std::unique_ptr<Expander> make_expander(Coding coding, ExpandLimits limits);

// All of `in` at once. `*status` says how it ended; the returned bytes are good up to there.
std::string expand(Coding coding, std::string_view in, ExpandLimits limits, ExpandStatus* status);

// True when `bytes` start with the gzip magic number (RFC 1952 section 2.3.1).
bool looks_like_gzip(std::string_view bytes);

// Our own records, of less than 2 GiB: LZ4. pack never fails; unpack fails on damage or when the
// result would be larger than max_bytes.
std::string pack(std::string_view bytes);
// The same into `*packed`, whose memory is used again.
void pack_into(std::string_view bytes, std::string* packed);
Result<std::string> unpack(std::string_view packed, std::size_t max_bytes);

}  // namespace periplus
