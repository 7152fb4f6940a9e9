#include "http/exchange.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <set>

#include "http/transfer.h"

namespace periplus {
namespace {

TEST(FailureKinds, EveryKindHasANameOfItsOwnThatReadsBack) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(FailureKind::kInternal); ++i) {
    const auto kind = static_cast<FailureKind>(i);
    EXPECT_TRUE(names.insert(name(kind)).second) << name(kind);
    EXPECT_EQ(failure_kind(name(kind)), kind);
    EXPECT_FALSE(sentence(kind).empty());
  }
  EXPECT_FALSE(failure_kind("no such kind"));
}

TEST(Headers, LinesAreKeptApartAndReadBackFromText) {
  Headers headers;
  headers.add("Link", " a ");
  headers.add("link", "b: c");
  EXPECT_EQ(headers.get("LINK"), "a");
  EXPECT_EQ(headers.all("link").size(), 2U);
  EXPECT_FALSE(headers.has("lin"));
  EXPECT_EQ(Headers::from_text(headers.to_text()).lines, headers.lines);
}

TEST(BodyDecoder, AtMostThreeKnownCodings) {
  EXPECT_TRUE(BodyDecoder().start("gzip, identity, br, zstd", 100, 100));
  EXPECT_FALSE(BodyDecoder().start("gzip, gzip, gzip, gzip", 100, 100));
  EXPECT_FALSE(BodyDecoder().start("gzip, rot13", 100, 100));
}

std::string gzip_of(std::string text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST(BodyDecoder, BombsAreToldInTheOuterAndTheInnerCoding) {
  const std::string bomb = gzip_of(std::string(10'000'000, 'a'));
  for (const auto& [coding, octets] :
       {std::pair("gzip", bomb), std::pair("gzip, gzip", gzip_of(bomb))}) {
    BodyDecoder decoder;
    std::string out;
    ASSERT_TRUE(decoder.start(coding, 20'000'000, 100));
    EXPECT_EQ(decoder.feed(octets, &out), ExpandStatus::kBomb) << coding;
  }
}

TEST(BodyDecoder, CodingsAreUndoneInReverseAndAShortStreamIsDamaged) {
  const std::string twice = gzip_of(gzip_of("hello"));
  BodyDecoder whole;
  std::string out;
  ASSERT_TRUE(whole.start("gzip, x-gzip", 1000, 100));
  whole.feed(twice, &out);
  EXPECT_EQ(out, "hello");
  EXPECT_EQ(whole.finish(), ExpandStatus::kDone);
  BodyDecoder part;
  ASSERT_TRUE(part.start("gzip", 1000, 100));
  out.clear();
  part.feed(std::string_view(twice).substr(0, twice.size() - 9), &out);
  EXPECT_EQ(part.finish(), ExpandStatus::kDamaged);
}

TEST(BodyDecoder, DamagedFromTheStartIsDamaged) {
  for (const char* coding : {"gzip", "zstd"}) {
    BodyDecoder decoder;
    std::string out;
    ASSERT_TRUE(decoder.start(coding, 1000, 100));
    EXPECT_EQ(decoder.feed("these are no compressed data", &out), ExpandStatus::kDamaged);
    EXPECT_TRUE(out.empty());
  }
}

}  // namespace
}  // namespace periplus
