#include "html/word_count.h"

#include <gtest/gtest.h>

#include <random>

#include "html/text_run.h"

namespace periplus {
namespace {

TEST(WordCount, RunsOfLettersAndDigitsAreWords) {
  EXPECT_EQ(count_words(""), 0U);
  EXPECT_EQ(count_words("  . - , "), 0U);
  EXPECT_EQ(count_words("one two\nthree"), 3U);
  EXPECT_EQ(count_words("don't well-known it\u2019s"), 3U);
  EXPECT_EQ(count_words("1,234.5 and 3.14"), 3U);
  EXPECT_EQ(count_words("end.Next a,b"), 4U);
  EXPECT_EQ(count_words("x--y 'quoted'"), 3U);
  EXPECT_EQ(count_words("na\u00EFve caf\u00E9"), 2U);
  EXPECT_EQ(count_words("\u041F\u0440\u0438\u0432\u0435\u0442 \u043C\u0438\u0440"), 2U);
  EXPECT_EQ(count_words("\u0645\u0631\u062D\u0628\u0627 \u0628\u0643"), 2U);
}

TEST(WordCount, TwoHanOrKanaCharactersAreOneWord) {
  EXPECT_EQ(count_words("\u65E5"), 1U);
  EXPECT_EQ(count_words("\u65E5\u672C\u8A9E"), 2U);
  EXPECT_EQ(count_words("\u65E5\u672C\u3001\u8A9E"), 2U);
  EXPECT_EQ(count_words("\u3072\u3089\u304C\u306A"), 2U);
  EXPECT_EQ(count_words("\u65E5\u672Cabc\u8A9E"), 3U);
}

TEST(WordCount, HangulWordsAreSeparatedBySpaces) {
  EXPECT_EQ(count_words("\uC548\uB155 \uC138\uACC4"), 2U);
}

TEST(WordCount, FiveThaiCharactersAreOneWord) {
  EXPECT_EQ(count_words("\u0E2A\u0E27\u0E31\u0E2A\u0E14\u0E35"), 2U);
}

// The rules once more, one octet at a time and for ASCII only.
std::uint32_t count_plainly(std::string_view text) {
  const auto digit = [&](std::size_t i) { return text[i] >= '0' && text[i] <= '9'; };
  const auto letter = [&](std::size_t i) {
    return digit(i) || text[i] == '_' || (text[i] >= 'a' && text[i] <= 'z');
  };
  std::uint32_t words = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!letter(i) || (i > 0 && letter(i - 1))) continue;
    const bool joined = i > 1 && letter(i - 2) &&
                        (text[i - 1] == '\'' || text[i - 1] == '-' ||
                         ((text[i - 1] == '.' || text[i - 1] == ',') && digit(i - 2) && digit(i)));
    words += joined ? 0 : 1;
  }
  return words;
}

TEST(WordCount, BlocksCountAsSingleOctetsDo) {
  std::mt19937 random(7);
  const std::string_view alphabet = "ab1_ '-.,\n(";
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    const std::size_t size = random() % 80;
    for (std::size_t i = 0; i < size; ++i) text.push_back(alphabet[random() % alphabet.size()]);
    const std::uint32_t words = count_plainly(text);
    EXPECT_EQ(count_words(text), words) << text;
    EXPECT_EQ(count_words(text + " \u00E9"), words + 1) << text;
    EXPECT_EQ(count_words("\u00E9 " + text), words + 1) << text;
    EXPECT_EQ(count_words("\u00E9 " + text + "\u3001" + text), 2 * words + 1) << text;
  }
}

TEST(WordCount, ReplacementsAndDoubleUtf8) {
  EXPECT_EQ(count_replacements("a\uFFFDb\uFFFD\uFFFD"), 3U);
  EXPECT_EQ(count_double_utf8("caf\u00C3\u00A9 and \u00C3\u00BC\u00C3\u00A4"), 2U);
  EXPECT_EQ(count_double_utf8("caf\u00E9, \u00C3 alone, \u201Cquoted\u201D"), 0U);
}

TEST(TextRun, FoldsWhiteSpaceWhereverItFalls) {
  std::mt19937 random(11);
  const std::string_view alphabet = "abcdefgh  \n\t";
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    const std::size_t size = random() % 70;
    for (std::size_t i = 0; i < size; ++i) text.push_back(alphabet[random() % alphabet.size()]);
    std::string expected;
    bool gap = false;
    for (const char c : text) {
      if (c == ' ' || c == '\n' || c == '\t') {
        gap = true;
        continue;
      }
      if (gap && !expected.empty()) expected.push_back(' ');
      gap = false;
      expected.push_back(c);
    }
    TextRun run;
    run.start(text.size() + 1);
    const std::size_t cut = text.empty() ? 0 : random() % text.size();
    run.append(std::string_view(text).substr(0, cut));
    run.append(std::string_view(text).substr(cut));
    EXPECT_EQ(run.view(), expected) << text;
  }
}

}  // namespace
}  // namespace periplus
