// The streaming decoders behind make_expander.
#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>

#include "base/compress.h"

namespace periplus {
namespace {

constexpr std::size_t kStep = 32 * 1024;  // decoded between two looks at the limits
constexpr std::size_t kLongestMark = 4;   // of the bytes that tell a stream's start
constexpr int kZstdWindowLog = 23;        // 8 MiB, the most RFC 8878 asks a decoder to support

// What one call of a library's decoder did.
struct Step {
  enum class End : std::uint8_t { kMore, kStreamEnd, kFault };
  std::size_t consumed = 0;
  std::size_t produced = 0;
  End end = End::kMore;
};

enum class Likeness : std::uint8_t { kNo, kSoFar, kYes };

// The limits, and what may follow a finished stream; the codings differ only in the four
// functions at the end.
class LimitedExpander : public Expander {
 public:
  explicit LimitedExpander(ExpandLimits limits) : limits_(limits) {}

  ExpandStatus feed(std::string_view in, std::string* out) final {
    if (status_ != ExpandStatus::kGoing || in.empty()) return status_;
    fed_ = true;
    if (!held_.empty() || !streaming_) {
      held_.append(in);
      if (!streaming_ && !open_stream()) return status_;
      const std::string whole = std::exchange(held_, {});
      return run(whole, out);
    }
    return run(in, out);
  }

  // No bytes at all count as a complete stream: servers send empty bodies under any coding.
  ExpandStatus finish() final {
    if (status_ != ExpandStatus::kGoing) return status_;
    const bool complete = !fed_ || between_ || needs_no_end();
    status_ = complete ? ExpandStatus::kDone : ExpandStatus::kDamaged;
    return status_;
  }

 protected:
  // Does `prefix` start a stream of this coding? Asked at the start and after each stream's end.
  virtual Likeness starts_stream(std::string_view prefix, bool first) const = 0;
  // Ready for a stream whose first bytes are `prefix`.
  virtual bool reset(std::string_view prefix) = 0;
  virtual Step step(std::string_view in, char* to, std::size_t room) = 0;
  virtual bool needs_no_end() const { return false; }

 private:
  bool open_stream() {
    switch (starts_stream(held_, !between_)) {
      case Likeness::kSoFar:
        return false;
      case Likeness::kNo:
        // Behind a complete stream anything else is junk to be ignored.
        status_ = between_ ? ExpandStatus::kDone : ExpandStatus::kDamaged;
        return false;
      case Likeness::kYes:
        break;
    }
    between_ = false;
    streaming_ = reset(held_);
    if (!streaming_) status_ = ExpandStatus::kDamaged;
    return streaming_;
  }

  ExpandStatus run(std::string_view in, std::string* out) {
    while (status_ == ExpandStatus::kGoing) {
      const std::size_t before = out->size();
      // One byte more than may be kept: so a stream that ends exactly at the limit is not cut.
      const std::size_t room = std::min(kStep, limits_.max_bytes - produced_ + 1);
      Step did;
      out->resize_and_overwrite(before + room, [&](char* data, std::size_t) {
        did = step(in, data + before, room);
        return before + did.produced;
      });
      in.remove_prefix(did.consumed);
      consumed_ += did.consumed;
      produced_ += did.produced;
      if (produced_ > limits_.max_bytes) {
        out->pop_back();
        produced_ = limits_.max_bytes;
        status_ = ExpandStatus::kCut;
      }
      const bool stands_still = did.consumed == 0 && did.produced == 0 && !in.empty();
      if (expands_too_much()) {
        status_ = ExpandStatus::kBomb;
      }
      if (status_ != ExpandStatus::kGoing) break;
      if (did.end == Step::End::kFault || (did.end == Step::End::kMore && stands_still)) {
        status_ = ExpandStatus::kDamaged;
      } else if (did.end == Step::End::kStreamEnd) {
        streaming_ = false;
        between_ = true;
        held_.assign(in.substr(0, kLongestMark));
        if (held_.empty() || !open_stream()) break;
        held_.clear();
      } else if (in.empty() && did.produced < room) {
        break;  // nothing is left inside the decoder either
      }
    }
    return status_;
  }

  bool expands_too_much() const {
    return ratio_counts() && produced_ > limits_.min_bytes &&
           static_cast<double>(produced_) > limits_.max_ratio * static_cast<double>(consumed_);
  }
  virtual bool ratio_counts() const { return true; }

  const ExpandLimits limits_;
  std::size_t consumed_ = 0, produced_ = 0;
  ExpandStatus status_ = ExpandStatus::kGoing;
  bool fed_ = false;
  bool streaming_ = false;  // a stream is open
  bool between_ = false;    // at least one stream is complete, none is open
  std::string held_;        // bytes that may start a stream, until that is certain
};

class IdentityExpander final : public LimitedExpander {
 public:
  using LimitedExpander::LimitedExpander;

 private:
  Likeness starts_stream(std::string_view, bool) const override { return Likeness::kYes; }
  bool reset(std::string_view) override { return true; }
  Step step(std::string_view in, char* to, std::size_t room) override {
    const std::size_t count = std::min(in.size(), room);
    in.copy(to, count);
    return {count, count, Step::End::kMore};
  }
  bool ratio_counts() const override { return false; }
  bool needs_no_end() const override { return true; }
};

// gzip (RFC 1952), and "deflate" as zlib (RFC 1950) or, as some servers send it, bare (RFC 1951).
class InflateExpander final : public LimitedExpander {
 public:
  InflateExpander(ExpandLimits limits, bool gzip) : LimitedExpander(limits), gzip_(gzip) {}
  ~InflateExpander() override {
    if (open_) inflateEnd(&stream_);
  }
  InflateExpander(const InflateExpander&) = delete;
  InflateExpander& operator=(const InflateExpander&) = delete;

 private:
  Likeness starts_stream(std::string_view prefix, bool first) const override {
    if (!gzip_) {
      if (!first) return Likeness::kNo;
      return prefix.size() < 2 ? Likeness::kSoFar : Likeness::kYes;
    }
    if (first || looks_like_gzip(prefix)) return Likeness::kYes;
    return prefix == "\x1f" ? Likeness::kSoFar : Likeness::kNo;
  }

  bool reset(std::string_view prefix) override {
    constexpr int kGzip = 15 + 16, kZlib = 15, kBare = -15;
    if (open_) return inflateReset(&stream_) == Z_OK;
    const auto first = static_cast<unsigned char>(prefix[0]);
    const bool zlib = !gzip_ && (first & 0xFU) == Z_DEFLATED && (first >> 4U) <= 7 &&
                      (first * 256U + static_cast<unsigned char>(prefix[1])) % 31 == 0;
    open_ = inflateInit2(&stream_, gzip_ ? kGzip : zlib ? kZlib : kBare) == Z_OK;
    return open_;
  }

  Step step(std::string_view in, char* to, std::size_t room) override {
    const auto most = static_cast<uInt>(std::min<std::size_t>(in.size(), 1U << 30U));
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = most;
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(room);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    Step did{most - stream_.avail_in, room - stream_.avail_out, Step::End::kMore};
    if (result == Z_STREAM_END) {
      did.end = Step::End::kStreamEnd;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      did.end = Step::End::kFault;
    }
    return did;
  }

  z_stream stream_{};
  const bool gzip_;
  bool open_ = false;
};

// RFC 7932, without the large-window extension: at most 16 MiB of window.
class BrotliExpander final : public LimitedExpander {
 public:
  explicit BrotliExpander(ExpandLimits limits)
      : LimitedExpander(limits),
        state_(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr),
               &BrotliDecoderDestroyInstance) {}

 private:
  Likeness starts_stream(std::string_view, bool first) const override {
    return first ? Likeness::kYes : Likeness::kNo;
  }
  bool reset(std::string_view) override { return state_ != nullptr; }
  Step step(std::string_view in, char* to, std::size_t room) override {
    std::size_t avail_in = in.size(), avail_out = room;
    const auto* next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    auto* next_out = reinterpret_cast<std::uint8_t*>(to);
    const BrotliDecoderResult result = BrotliDecoderDecompressStream(
        state_.get(), &avail_in, &next_in, &avail_out, &next_out, nullptr);
    Step did{in.size() - avail_in, room - avail_out, Step::End::kMore};
    if (result == BROTLI_DECODER_RESULT_SUCCESS) did.end = Step::End::kStreamEnd;
    if (result == BROTLI_DECODER_RESULT_ERROR) did.end = Step::End::kFault;
    return did;
  }

  std::unique_ptr<BrotliDecoderState, decltype(&BrotliDecoderDestroyInstance)> state_;
};

// RFC 8878; further frames, skippable ones too, are read on.
class ZstdExpander final : public LimitedExpander {
 public:
  explicit ZstdExpander(ExpandLimits limits)
      : LimitedExpander(limits), context_(ZSTD_createDCtx(), &ZSTD_freeDCtx) {
    if (context_) ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kZstdWindowLog);
  }

 private:
  Likeness starts_stream(std::string_view prefix, bool) const override {
    constexpr std::string_view kFrame = "\x28\xB5\x2F\xFD", kSkippable = "\x2A\x4D\x18";
    const bool skippable = (static_cast<unsigned char>(prefix[0]) & 0xF0U) == 0x50;
    const std::string_view seen = skippable ? prefix.substr(1, 3) : prefix.substr(0, 4);
    const std::string_view wanted = skippable ? kSkippable : kFrame;
    if (!wanted.starts_with(seen)) return Likeness::kNo;
    return seen.size() == wanted.size() ? Likeness::kYes : Likeness::kSoFar;
  }
  bool reset(std::string_view) override { return context_ != nullptr; }
  Step step(std::string_view in, char* to, std::size_t room) override {
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer into{to, room, 0};
    const std::size_t left = ZSTD_decompressStream(context_.get(), &into, &from);
    Step did{from.pos, into.pos, Step::End::kMore};
    if (ZSTD_isError(left)) {
      did.end = Step::End::kFault;
    } else if (left == 0) {
      did.end = Step::End::kStreamEnd;
    }
    return did;
  }

  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context_;
};

}  // namespace

std::unique_ptr<Expander> make_expander(Coding coding, ExpandLimits limits) {
  switch (coding) {
    case Coding::kGzip:
      return std::make_unique<InflateExpander>(limits, true);
    case Coding::kDeflate:
      return std::make_unique<InflateExpander>(limits, false);
    case Coding::kBrotli:
      return std::make_unique<BrotliExpander>(limits);
    case Coding::kZstd:
      return std::make_unique<ZstdExpander>(limits);
    case Coding::kIdentity:
      break;
  }
  return std::make_unique<IdentityExpander>(limits);
}

}  // namespace periplus
