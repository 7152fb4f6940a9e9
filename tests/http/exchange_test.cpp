#include "http/exchange.h"

#include <gtest/gtest.h>

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
