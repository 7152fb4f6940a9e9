#include "base/compress.h"

#include <zstd.h>

#include <utility>

#include "base/text.h"

namespace periplus {
namespace {

// HTML shrinks to about a fifth at this level, at several hundred MB a second.
constexpr int kPackLevel = -3;

struct FreeCCtx {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
struct FreeDCtx {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

ZSTD_CCtx* pack_context() {
  thread_local const std::unique_ptr<ZSTD_CCtx, FreeCCtx> context = [] {
    std::unique_ptr<ZSTD_CCtx, FreeCCtx> made(ZSTD_createCCtx());
    ZSTD_CCtx_setParameter(made.get(), ZSTD_c_compressionLevel, kPackLevel);
    ZSTD_CCtx_setParameter(made.get(), ZSTD_c_checksumFlag, 0);
    ZSTD_CCtx_setParameter(made.get(), ZSTD_c_contentSizeFlag, 1);
    return made;
  }();
  return context.get();
}

ZSTD_DCtx* unpack_context() {
  thread_local const std::unique_ptr<ZSTD_DCtx, FreeDCtx> context(ZSTD_createDCtx());
  return context.get();
}

}  // namespace

bool coding_from_token(std::string_view token, Coding* out) {
  constexpr std::pair<std::string_view, Coding> kTokens[] = {
      {"identity", Coding::kIdentity}, {"gzip", Coding::kGzip}, {"x-gzip", Coding::kGzip},
      {"deflate", Coding::kDeflate},   {"br", Coding::kBrotli}, {"zstd", Coding::kZstd}};
  for (const auto& [name, coding] : kTokens) {
    if (!equal_ignoring_case(token, name)) continue;
    *out = coding;
    return true;
  }
  return false;
}

std::string expand(Coding coding, std::string_view in, ExpandLimits limits, ExpandStatus* status) {
  std::string out;
  const std::unique_ptr<Expander> expander = make_expander(coding, limits);
  expander->feed(in, &out);
  *status = expander->finish();
  return out;
}

bool looks_like_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string pack(std::string_view bytes) {
  std::string packed;
  packed.resize_and_overwrite(ZSTD_compressBound(bytes.size()), [&](char* to, std::size_t room) {
    return ZSTD_compress2(pack_context(), to, room, bytes.data(), bytes.size());
  });
  return packed;
}

Result<std::string> unpack(std::string_view packed, std::size_t max_bytes) {
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN ||
      ZSTD_findFrameCompressedSize(packed.data(), packed.size()) != packed.size()) {
    return fail(ErrorKind::kDatabase, "a packed record is damaged");
  }
  if (size > max_bytes) {
    return fail(ErrorKind::kDatabase, "a packed record holds " + std::to_string(size) +
                                          " bytes, more than the " + std::to_string(max_bytes) +
                                          " allowed here");
  }
  std::size_t written = 0;
  std::string out;
  out.resize_and_overwrite(size, [&](char* to, std::size_t room) {
    written = ZSTD_decompressDCtx(unpack_context(), to, room, packed.data(), packed.size());
    return ZSTD_isError(written) ? 0 : written;
  });
  if (ZSTD_isError(written) || written != size) {
    return fail(ErrorKind::kDatabase, "a packed record is damaged");
  }
  return out;
}

}  // namespace periplus
