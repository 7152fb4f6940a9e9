#include "base/text.h"

#include <gtest/gtest.h>

namespace periplus {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";

TEST(Text, CaseIsFoldedForAsciiLettersOnly) {
  EXPECT_EQ(to_ascii_lower("ÄBC-Z@["), "Äbc-z@[");
  EXPECT_TRUE(equal_ignoring_case("GZip", "gzIP"));
  EXPECT_FALSE(equal_ignoring_case("gzip", "gzi"));
  EXPECT_FALSE(equal_ignoring_case("@", "`"));  // differ in the case bit, are no letters
  EXPECT_TRUE(starts_with_ignoring_case("User-Agent: x", "user-agent"));
  EXPECT_FALSE(starts_with_ignoring_case("us", "user"));
  EXPECT_TRUE(contains_ignoring_case("a NoIndex b", "noindex"));
  EXPECT_TRUE(contains_ignoring_case("a", ""));
  EXPECT_FALSE(contains_ignoring_case("noinde", "noindex"));
}

TEST(Text, SpaceIsTrimmedAndCollapsedAsHtmlDoes) {
  EXPECT_EQ(trim(" \t\r\n\f a b \n"), "a b");
  EXPECT_EQ(trim(" \n "), "");
  EXPECT_EQ(collapse_space("\n a \t\r b\fc "), "a b c");
  EXPECT_EQ(collapse_space("a\u00A0b"), "a\u00A0b");  // no-break space is not ASCII white space
  EXPECT_EQ(collapse_space("  "), "");
}

TEST(Text, Utf8ValidityFollowsTheEncodingStandard) {
  EXPECT_TRUE(is_valid_utf8(""));
  EXPECT_TRUE(is_valid_utf8("plain, Grüße, 漢字, 🧭, \xF4\x8F\xBF\xBF"));
  EXPECT_FALSE(is_valid_utf8("\xC0\xAF"));          // overlong
  EXPECT_FALSE(is_valid_utf8("\xE0\x80\xAF"));      // overlong
  EXPECT_FALSE(is_valid_utf8("\xED\xA0\x80"));      // surrogate
  EXPECT_FALSE(is_valid_utf8("\xF4\x90\x80\x80"));  // above U+10FFFF
  EXPECT_FALSE(is_valid_utf8("12345678\xE2\x82"));  // cut short
  EXPECT_FALSE(is_valid_utf8("\x80"));
}

TEST(Text, MalformedUtf8IsReplacedByMaximalSubparts) {
  const std::string r = kReplacement;
  EXPECT_EQ(to_valid_utf8("abc Grüße 🧭"), "abc Grüße 🧭");
  EXPECT_EQ(to_valid_utf8("a\xE2\x82z"), "a" + r + "z");  // two bytes, one replacement
  EXPECT_EQ(to_valid_utf8("\xE2\x82"), r);                // at the end too
  EXPECT_EQ(to_valid_utf8("\xC0\xAF"), r + r);            // C0 never starts a sequence
  EXPECT_EQ(to_valid_utf8("\xED\xA0\x80"), r + r + r);    // a surrogate: three
  EXPECT_EQ(to_valid_utf8("\xF0\x9F\x98"
                          "A"),
            r + "A");  // three bytes of four
  EXPECT_EQ(to_valid_utf8("\xF5\x80"), r + r);
  EXPECT_EQ(to_valid_utf8("\xE2(\xA1"), r + "(" + r);
}

TEST(Text, RepairedTextIsValidAndStaysAsItIs) {
  for (unsigned seed = 1; seed < 400; ++seed) {
    std::string bytes;
    std::uint64_t state = seed;
    for (int i = 0; i < 60; ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      bytes.push_back(static_cast<char>(state >> 56U));
    }
    const std::string repaired = to_valid_utf8(bytes);
    EXPECT_TRUE(is_valid_utf8(repaired));
    EXPECT_EQ(to_valid_utf8(repaired), repaired);
    // The step-wise decoder tells the same story.
    std::string stepped;
    for (std::size_t at = 0; at < bytes.size();) append_utf8(&stepped, next_code_point(bytes, &at));
    EXPECT_EQ(stepped, repaired);
  }
}

TEST(Text, CodePointsAreDecodedAndEncoded) {
  const std::string text = "aß漢🧭";
  std::size_t at = 0;
  EXPECT_EQ(next_code_point(text, &at), U'a');
  EXPECT_EQ(next_code_point(text, &at), U'ß');
  EXPECT_EQ(next_code_point(text, &at), U'漢');
  EXPECT_EQ(next_code_point(text, &at), U'🧭');
  EXPECT_EQ(at, text.size());
  std::string out;
  for (const char32_t c : {U'a', U'ß', U'漢', U'🧭'}) append_utf8(&out, c);
  EXPECT_EQ(out, text);
  out.clear();
  append_utf8(&out, 0xD800);
  append_utf8(&out, 0x110000);
  EXPECT_EQ(out, std::string(kReplacement) + kReplacement);
}

TEST(Text, TextOfASiteCannotMoveTheCursorOrReorderALine) {
  const std::string r = kReplacement;
  EXPECT_EQ(without_controls("a\x1b[2Jb"), "a" + r + "[2Jb");
  EXPECT_EQ(without_controls("a\r\nb\tc\x7f"), "a" + r + r + "b" + r + "c" + r);
  EXPECT_EQ(without_controls("\xC2\x9B"
                             "31m"),
            r + "31m");  // C1: one-byte CSI
  EXPECT_EQ(without_controls("a\u202Eb\u2066c\u2069\u200F"), "a" + r + "b" + r + "c" + r + r);
  EXPECT_EQ(without_controls("\x9B"), r);  // the same as a raw byte
  EXPECT_EQ(without_controls("Grüße 漢字 🧭"), "Grüße 漢字 🧭");
  EXPECT_EQ(without_controls(std::string_view("\0", 1)), r);
}

TEST(Text, HtmlSpecialCharactersAreEscaped) {
  EXPECT_EQ(escape_html("<a href=\"x\" b='y'>&amp;ü"),
            "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;ü");
}

// Published values of XXH3: a change here would orphan every stored key.
TEST(Text, StoredHashIsXxh3) {
  EXPECT_EQ(hash64(""), 0x2D06800538D394C2U);
  EXPECT_EQ(hash64("a"), 0xE6C632B61E964E1FU);
  EXPECT_EQ(hash64("abc"), 0x78AF5F94892F3950U);
  EXPECT_EQ(hash64(std::string(1000, 'x'), 1), 0x91720B7C9DD4E0D1U);
  EXPECT_NE(hash64("a"), hash64("b"));
  EXPECT_NE(hash64("a", 1), hash64("a", 2));
  EXPECT_EQ(hash64("a", 0), hash64("a"));
  EXPECT_EQ(hash64("https://example.org/"), hash64(std::string("https://") + "example.org/"));
}

}  // namespace
}  // namespace periplus
