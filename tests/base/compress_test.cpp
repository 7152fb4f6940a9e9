#include "base/compress.h"

#include <brotli/encode.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdlib>

namespace periplus {
namespace {

std::string deflated(std::string_view raw, int window_bits, int level = 6) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, raw.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(raw.data()));
  stream.avail_in = static_cast<uInt>(raw.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}
std::string gzip(std::string_view raw) { return deflated(raw, 15 + 16); }
std::string zlib_wrapped(std::string_view raw) { return deflated(raw, 15); }
std::string bare_deflate(std::string_view raw) { return deflated(raw, -15); }

std::string brotli(std::string_view raw) {
  std::size_t size = BrotliEncoderMaxCompressedSize(raw.size()) + 64;
  std::string out(size, '\0');
  EXPECT_TRUE(BrotliEncoderCompress(5, 22, BROTLI_MODE_TEXT, raw.size(),
                                    reinterpret_cast<const std::uint8_t*>(raw.data()), &size,
                                    reinterpret_cast<std::uint8_t*>(out.data())));
  out.resize(size);
  return out;
}

std::string zstd(std::string_view raw) {
  std::string out(ZSTD_compressBound(raw.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), raw.data(), raw.size(), 3));
  return out;
}

// Text that shrinks about as HTML does.
std::string page(std::size_t size) {
  std::string text;
  std::uint64_t state = 7;
  while (text.size() < size) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    text += "<p class=\"note\">" + std::to_string(state >> 20U) + "</p>\n";
  }
  text.resize(size);
  return text;
}

struct Encoder {
  const char* name;
  Coding coding;
  std::string (*encode)(std::string_view);
};
const Encoder kEncoders[] = {{"gzip", Coding::kGzip, gzip},
                             {"zlib", Coding::kDeflate, zlib_wrapped},
                             {"bare", Coding::kDeflate, bare_deflate},
                             {"brotli", Coding::kBrotli, brotli},
                             {"zstd", Coding::kZstd, zstd}};

class EveryCoding : public testing::TestWithParam<Encoder> {
 protected:
  Coding coding() const { return GetParam().coding; }
  std::string encode(std::string_view raw) const { return GetParam().encode(raw); }
};
INSTANTIATE_TEST_SUITE_P(Compress, EveryCoding, testing::ValuesIn(kEncoders),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(EveryCoding, IsDecodedWhole) {
  for (const std::size_t size : {0U, 1U, 100U, 32768U, 65536U, 300000U}) {
    const std::string raw = page(size);
    ExpandStatus status{};
    EXPECT_EQ(expand(coding(), encode(raw), {}, &status), raw) << size;
    EXPECT_EQ(status, ExpandStatus::kDone) << size;
  }
}

TEST_P(EveryCoding, GivesTheSameHoweverTheBytesArrive) {
  const std::string raw = page(70000);
  const std::string encoded = encode(raw);
  for (const std::size_t piece : {1U, 2U, 3U, 7U, 1000U}) {
    const auto expander = make_expander(coding(), {});
    std::string out;
    for (std::size_t at = 0; at < encoded.size(); at += piece) {
      const ExpandStatus status = expander->feed(std::string_view(encoded).substr(at, piece), &out);
      ASSERT_TRUE(status == ExpandStatus::kGoing || status == ExpandStatus::kDone);
    }
    EXPECT_EQ(expander->finish(), ExpandStatus::kDone) << piece;
    EXPECT_EQ(out, raw) << piece;
  }
}

TEST_P(EveryCoding, StopsABomb) {
  const std::string bomb = encode(std::string(32U << 20U, '\0'));
  ExpandLimits limits;
  limits.max_bytes = 64U << 20U;
  ExpandStatus status{};
  const std::string out = expand(coding(), bomb, limits, &status);
  EXPECT_EQ(status, ExpandStatus::kBomb);
  EXPECT_LE(out.size(), limits.min_bytes + 256 * 1024);
}

TEST_P(EveryCoding, LetsALittlePageExpandAsItLikes) {
  const std::string raw(60 * 1024, ' ');
  ExpandStatus status{};
  EXPECT_EQ(expand(coding(), encode(raw), {}, &status), raw);
  EXPECT_EQ(status, ExpandStatus::kDone);
}

TEST_P(EveryCoding, IsCutAtTheSizeLimitAndNotBefore) {
  const std::string raw = page(100000);
  const std::string encoded = encode(raw);
  ExpandLimits limits;
  ExpandStatus status{};
  limits.max_bytes = raw.size();
  EXPECT_EQ(expand(coding(), encoded, limits, &status), raw);
  EXPECT_EQ(status, ExpandStatus::kDone);
  for (const std::size_t most : {0U, 1U, 40000U, 99999U}) {
    limits.max_bytes = most;
    EXPECT_EQ(expand(coding(), encoded, limits, &status), raw.substr(0, most)) << most;
    EXPECT_EQ(status, ExpandStatus::kCut) << most;
  }
}

TEST_P(EveryCoding, KeepsWhatCameBeforeATruncation) {
  const std::string raw = page(200000);
  const std::string encoded = encode(raw);
  ExpandStatus status{};
  const std::string out =
      expand(coding(), std::string_view(encoded).substr(0, encoded.size() * 2 / 3), {}, &status);
  EXPECT_EQ(status, ExpandStatus::kDamaged);
  EXPECT_GT(out.size(), 1000U);
  EXPECT_EQ(out, raw.substr(0, out.size()));
}

TEST_P(EveryCoding, MissingLastByteIsNoticed) {
  const std::string encoded = encode(page(5000));
  ExpandStatus status{};
  expand(coding(), std::string_view(encoded).substr(0, encoded.size() - 1), {}, &status);
  EXPECT_EQ(status, ExpandStatus::kDamaged);
}

TEST_P(EveryCoding, IgnoresJunkBehindItsEnd) {
  const std::string raw = page(5000);
  for (const std::string& junk :
       {std::string("x"), std::string(100, '\0'), std::string("\x1f"), std::string("\x1f\x01"),
        std::string("<html>"), std::string("\x28\xB5\x2F")}) {
    const std::string encoded = encode(raw) + junk;
    ExpandStatus status{};
    EXPECT_EQ(expand(coding(), encoded, {}, &status), raw);
    EXPECT_EQ(status, ExpandStatus::kDone);
    // Byte by byte, too.
    const auto expander = make_expander(coding(), {});
    std::string out;
    for (const char byte : encoded) expander->feed(std::string_view(&byte, 1), &out);
    EXPECT_EQ(expander->finish(), ExpandStatus::kDone);
    EXPECT_EQ(out, raw);
  }
}

TEST_P(EveryCoding, DamageEndsTheStreamForGood) {
  std::string encoded = encode(page(100000));
  for (std::size_t at = encoded.size() / 2; at < encoded.size() / 2 + 64; ++at) encoded[at] ^= 0x5A;
  // Bare deflate has no checksum: only its own grammar can be hurt (here by block type 3).
  if (GetParam().encode == bare_deflate) encoded[0] = 0x07;
  const auto expander = make_expander(coding(), {});
  std::string out;
  expander->feed(encoded, &out);
  EXPECT_EQ(expander->finish(), ExpandStatus::kDamaged);
  const std::size_t size = out.size();
  EXPECT_EQ(expander->feed("more", &out), ExpandStatus::kDamaged);
  EXPECT_EQ(out.size(), size);
}

TEST_P(EveryCoding, NoBytesAtAllAreAnEmptyBody) {
  ExpandStatus status{};
  EXPECT_EQ(expand(coding(), "", {}, &status), "");
  EXPECT_EQ(status, ExpandStatus::kDone);
}

TEST(Compress, PlainTextUnderAFalseCodingIsDamaged) {
  for (const Coding coding : {Coding::kGzip, Coding::kDeflate, Coding::kBrotli, Coding::kZstd}) {
    ExpandStatus status{};
    expand(coding, "<!doctype html><title>not compressed</title>", {}, &status);
    EXPECT_EQ(status, ExpandStatus::kDamaged) << static_cast<int>(coding);
  }
}

TEST(Compress, ConcatenatedMembersAreReadOn) {
  ExpandStatus status{};
  EXPECT_EQ(expand(Coding::kGzip, gzip("one ") + gzip("") + gzip("two"), {}, &status), "one two");
  EXPECT_EQ(status, ExpandStatus::kDone);
  EXPECT_EQ(expand(Coding::kZstd, zstd("one ") + zstd("two"), {}, &status), "one two");
  EXPECT_EQ(status, ExpandStatus::kDone);
  const std::string skippable("\x5A\x2A\x4D\x18\x03\0\0\0abc", 11);
  EXPECT_EQ(expand(Coding::kZstd, skippable + zstd("two"), {}, &status), "two");
  EXPECT_EQ(status, ExpandStatus::kDone);
}

TEST(Compress, AMemberCutShortIsDamagedThoughThoseBeforeItAreKept) {
  const std::string second = gzip(page(3000));
  ExpandStatus status{};
  const std::string out =
      expand(Coding::kGzip, gzip("one ") + second.substr(0, second.size() / 2), {}, &status);
  EXPECT_EQ(status, ExpandStatus::kDamaged);
  EXPECT_TRUE(out.starts_with("one "));
}

TEST(Compress, ManyMembersAreLimitedTogether) {
  std::string members;
  for (int i = 0; i < 64; ++i) members += gzip(page(1000));
  ExpandLimits limits;
  limits.max_bytes = 10500;
  ExpandStatus status{};
  EXPECT_EQ(expand(Coding::kGzip, members, limits, &status).size(), 10500U);
  EXPECT_EQ(status, ExpandStatus::kCut);
}

TEST(Compress, AHundredThousandEmptyMembersCostNoMoreThanTheirBytes) {
  const std::string empty = gzip("");
  std::string members;
  for (int i = 0; i < 100'000; ++i) members += empty;
  ExpandStatus status{};
  EXPECT_EQ(expand(Coding::kGzip, members + gzip("at last"), {}, &status), "at last");
  EXPECT_EQ(status, ExpandStatus::kDone);
}

TEST(Compress, ABombBehindAnHonestStartIsStopped) {
  std::string raw = page(20000) + std::string(16U << 20U, 'a');
  ExpandLimits limits;
  limits.max_bytes = 64U << 20U;
  ExpandStatus status{};
  const std::string out = expand(Coding::kGzip, gzip(raw), limits, &status);
  EXPECT_EQ(status, ExpandStatus::kBomb);
  EXPECT_LT(out.size(), 4U << 20U);
}

TEST(Compress, GzipChecksumIsVerified) {
  std::string encoded = gzip(page(3000));
  encoded[encoded.size() - 6] ^= 1;
  ExpandStatus status{};
  expand(Coding::kGzip, encoded, {}, &status);
  EXPECT_EQ(status, ExpandStatus::kDamaged);
}

TEST(Compress, ZstdWindowsOverEightMebibytesAreRefused) {
  const std::string raw = page(200000);
  for (const int window_log : {23, 24, 27}) {
    ZSTD_CCtx* context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
    std::string encoded(ZSTD_compressBound(raw.size()), '\0');
    ZSTD_inBuffer from{raw.data(), raw.size(), 0};
    ZSTD_outBuffer into{encoded.data(), encoded.size(), 0};
    // Streaming without a known size keeps the window as large as asked for.
    ASSERT_FALSE(ZSTD_isError(ZSTD_compressStream2(context, &into, &from, ZSTD_e_continue)));
    ASSERT_EQ(ZSTD_compressStream2(context, &into, &from, ZSTD_e_end), 0U);
    ZSTD_freeCCtx(context);
    encoded.resize(into.pos);
    ExpandStatus status{};
    const std::string out = expand(Coding::kZstd, encoded, {}, &status);
    EXPECT_EQ(status, window_log == 23 ? ExpandStatus::kDone : ExpandStatus::kDamaged)
        << window_log;
    EXPECT_EQ(out.size(), window_log == 23 ? raw.size() : 0U) << window_log;
  }
}

TEST(Compress, IdentityIsCopiedAndCut) {
  ExpandStatus status{};
  const std::string raw(200000, 'a');
  EXPECT_EQ(expand(Coding::kIdentity, raw, {}, &status), raw);
  EXPECT_EQ(status, ExpandStatus::kDone);
  ExpandLimits limits;
  limits.max_bytes = 3;
  EXPECT_EQ(expand(Coding::kIdentity, "abcd", limits, &status), "abc");
  EXPECT_EQ(status, ExpandStatus::kCut);
}

TEST(Compress, CodingTokensOfHttpAreKnown) {
  Coding coding{};
  EXPECT_TRUE(coding_from_token("GZIP", &coding));
  EXPECT_EQ(coding, Coding::kGzip);
  EXPECT_TRUE(coding_from_token("x-gzip", &coding));
  EXPECT_EQ(coding, Coding::kGzip);
  EXPECT_TRUE(coding_from_token("Br", &coding));
  EXPECT_EQ(coding, Coding::kBrotli);
  EXPECT_TRUE(coding_from_token("zstd", &coding));
  EXPECT_TRUE(coding_from_token("deflate", &coding));
  EXPECT_TRUE(coding_from_token("identity", &coding));
  EXPECT_EQ(coding, Coding::kIdentity);
  for (const char* token : {"", "compress", "gzip ", "gzip,br", "utf-8"}) {
    EXPECT_FALSE(coding_from_token(token, &coding)) << token;
  }
}

TEST(Compress, GzipIsKnownByItsMagicNumber) {
  EXPECT_TRUE(looks_like_gzip(gzip("x")));
  EXPECT_FALSE(looks_like_gzip(zlib_wrapped("x")));
  EXPECT_FALSE(looks_like_gzip("\x1f"));
  EXPECT_FALSE(looks_like_gzip(""));
}

TEST(Compress, PackedRecordsComeBack) {
  for (const std::size_t size : {0U, 1U, 50000U, 3000000U}) {
    const std::string raw = page(size);
    EXPECT_EQ(unpack(pack(raw), raw.size()).value_or("failed"), raw) << size;
  }
  const std::string raw = page(50000);
  EXPECT_LT(pack(raw).size(), raw.size() / 2);
}

TEST(Compress, UnpackingRefusesDamageAndTooMuch) {
  const std::string packed = pack(page(50000));
  EXPECT_EQ(unpack(packed, 49999).error().kind, ErrorKind::kDatabase);
  EXPECT_FALSE(unpack("", 10).has_value());
  EXPECT_FALSE(unpack("not packed at all", 100).has_value());
  EXPECT_FALSE(unpack(packed.substr(0, packed.size() - 1), 1U << 20U).has_value());
  EXPECT_FALSE(unpack(packed + "x", 1U << 20U).has_value());
  EXPECT_FALSE(unpack(packed + packed, 1U << 20U).has_value());
  EXPECT_NE(unpack(packed, 49999).error().sentence.find("50000"), std::string::npos);
}

}  // namespace
}  // namespace periplus
