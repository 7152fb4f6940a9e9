#include "html/encoding.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "testdata.h"

namespace periplus {
namespace {

struct EncodingCase {
  std::string data;
  std::string expected;
};

std::vector<EncodingCase> read_cases(const std::string& path) {
  const std::string all = read_file(path);
  std::vector<EncodingCase> cases;
  std::size_t at = 0;
  constexpr std::string_view kData = "#data\n";
  constexpr std::string_view kName = "\n#encoding\n";
  while ((at = all.find(kData, at)) != std::string::npos) {
    const std::size_t from = at + kData.size();
    const std::size_t name = all.find(kName, from - 1);
    const std::size_t end = all.find('\n', name + kName.size());
    const std::string data = name < from ? "" : all.substr(from, name - from);
    cases.push_back({data, all.substr(name + kName.size(), end - name - kName.size())});
    at = name + kName.size();
  }
  return cases;
}

TEST(Encoding, DeclarationsAreFoundAsTheStandardsTestsExpect) {
  const std::string first = PERIPLUS_NEEDS_TESTDATA("html5lib-tests/encoding/tests1.dat");
  const std::string folder = first.substr(0, first.rfind('/') + 1);
  std::size_t count = 0;
  for (const char* file : {"tests1.dat", "tests2.dat", "test-yahoo-jp.dat"}) {
    for (const EncodingCase& one : read_cases(folder + file)) {
      ++count;
      const EncodingChoice found = choose_encoding(one.data, "");
      const bool declared = found.source == "bom" || found.source == "meta";
      EXPECT_EQ(declared ? found.name : "windows-1252", encoding_of_label(one.expected))
          << file << ":\n"
          << one.data.substr(0, 200);
    }
  }
  EXPECT_EQ(count, 82U);
}

TEST(Encoding, LabelsAreFoundInAnyLetterCaseAndOnlyWhole) {
  EXPECT_EQ(encoding_of_label(" UTF8\n"), "utf-8");
  EXPECT_EQ(encoding_of_label("Latin1"), "windows-1252");
  EXPECT_EQ(encoding_of_label("x-sjis"), "shift_jis");
  EXPECT_EQ(encoding_of_label("iso-8859-9"), "windows-1254");
  EXPECT_EQ(encoding_of_label("utf"), "");
  EXPECT_EQ(encoding_of_label(""), "");
  EXPECT_EQ(encoding_of_label("utf-8 utf8"), "");
}

TEST(Encoding, CharsetOfAContentTypeHeader) {
  EXPECT_EQ(charset_parameter("text/html; charset=EUC-KR"), "EUC-KR");
  EXPECT_EQ(charset_parameter("text/html;boundary=x; Charset = \"utf-8\""), "utf-8");
  EXPECT_EQ(charset_parameter("text/html"), "");
}

TEST(Encoding, ByteOrderMarkBeatsHeaderBeatsMeta) {
  const std::string meta = "<meta charset=gbk>";
  EXPECT_EQ(choose_encoding("\xEF\xBB\xBF" + meta, "text/html; charset=koi8-r").name, "utf-8");
  EXPECT_EQ(choose_encoding("\xEF\xBB\xBF" + meta, "").source, "bom");
  EXPECT_EQ(choose_encoding(meta, "text/html; charset=koi8-r").name, "koi8-r");
  EXPECT_EQ(choose_encoding(meta, "text/html; charset=koi8-r").source, "header");
  EXPECT_EQ(choose_encoding(meta, "text/html; charset=nonsense").name, "gbk");
  EXPECT_EQ(choose_encoding(meta, "text/html").source, "meta");
  EXPECT_EQ(choose_encoding("\xFF\xFE<", "").name, "utf-16le");
}

TEST(Encoding, MetaThatSaysUtf16MeansUtf8) {
  EXPECT_EQ(prescan_meta("<meta charset=utf-16>").encoding, "utf-8");
  EXPECT_EQ(prescan_meta("<meta charset=x-user-defined>").encoding, "windows-1252");
}

TEST(Encoding, MetaCharsetShiftJisIsObeyed) {  // hard input 20
  const std::string page = "<html><head><meta charset=Shift_JIS><title>\x93\xFA\x96\x7B</title>";
  const EncodingChoice choice = choose_encoding(page, "text/html");
  EXPECT_EQ(choice.name, "shift_jis");
  EXPECT_EQ(choice.meta_label, "Shift_JIS");
  std::string text;
  EXPECT_EQ(decode_to_utf8(page, choice.name, &text), 0U);
  EXPECT_NE(text.find("<title>\u65E5\u672C"), std::string::npos);
}

TEST(Encoding, CharsetInAScriptAddressIsNotADeclaration) {  // hard input 20
  EXPECT_EQ(prescan_meta("<script src=\"/x.js?charset=gbk&bbc=1\"></script>").encoding, "");
  EXPECT_EQ(
      prescan_meta("<script src='a?charset=gbk&bbc=1'></script><meta charset=utf-8>").encoding,
      "utf-8");
}

TEST(Encoding, UndeclaredOctetsAreUtf8WhenValidElseDetected) {
  EXPECT_EQ(choose_encoding("<p>na\xC3\xAFve", "").name, "utf-8");
  EXPECT_EQ(choose_encoding("<p>na\xC3\xAFve", "").source, "detector");
  EXPECT_EQ(choose_encoding("<p>plain", "").source, "default");
  // "Съешь же ещё этих мягких французских булок" in windows-1251, three times.
  std::string russian;
  for (int i = 0; i < 3; ++i) {
    russian +=
        "\xD1\xFA\xE5\xF8\xFC \xE6\xE5 \xE5\xF9\xB8 \xFD\xF2\xE8\xF5 \xEC\xFF\xE3\xEA\xE8\xF5 "
        "\xF4\xF0\xE0\xED\xF6\xF3\xE7\xF1\xEA\xE8\xF5 \xE1\xF3\xEB\xEE\xEA. ";
  }
  EXPECT_EQ(choose_encoding(russian, "").name, "windows-1251");
}

TEST(Encoding, MalformedUtf8BecomesReplacementCharactersAndIsCounted) {
  std::string text;
  EXPECT_EQ(decode_to_utf8("a\xFF\xE2\x82z\xC0\x80", "utf-8", &text), 4U);
  EXPECT_EQ(text, "a\uFFFD\uFFFDz\uFFFD\uFFFD");
}

TEST(Encoding, EveryEncodingDecodesItsOwnOctets) {
  struct Sample {
    const char* encoding;
    const char* octets;
    const char* text;
  };
  const Sample samples[] = {
      {"windows-1252", "\x80 caf\xE9", "\u20AC caf\u00E9"},
      {"iso-8859-2", "\xB1", "\u0105"},
      {"iso-8859-16", "\xAA", "\u0218"},
      {"koi8-r", "\xC1", "\u0430"},
      {"koi8-u", "\xA4", "\u0454"},
      {"windows-1251", "\xC0", "\u0410"},
      {"windows-874", "\xA1", "\u0E01"},
      {"macintosh", "\x8E", "\u00E9"},
      {"x-mac-cyrillic", "\x80", "\u0410"},
      {"ibm866", "\x80", "\u0410"},
      {"gbk", "\xD6\xD0", "\u4E2D"},
      {"gb18030", "\x81\x30\x81\x30", "\u0080"},
      {"big5", "\xA4\xA4", "\u4E2D"},
      {"euc-jp", "\xC6\xFC", "\u65E5"},
      {"shift_jis", "\x93\xFA", "\u65E5"},
      {"iso-2022-jp", "\x1B$BF|\x1B(B", "\u65E5"},
      {"euc-kr", "\xC7\xD1", "\uD55C"},
      {"iso-8859-8-i", "\xE0", "\u05D0"},
      {"iso-8859-10", "\xA1", "\u0104"},
      {"iso-8859-13", "\xC0", "\u0104"},
      {"iso-8859-14", "\xA1", "\u1E02"},
      {"iso-8859-15", "\xA4", "\u20AC"},
      {"x-user-defined", "\x80", "\uF780"},
  };
  for (const Sample& sample : samples) {
    std::string text;
    EXPECT_EQ(decode_to_utf8(sample.octets, sample.encoding, &text), 0U) << sample.encoding;
    EXPECT_EQ(text, sample.text) << sample.encoding;
  }
  std::string text;
  EXPECT_EQ(decode_to_utf8({"\x3D\xD8\x00\xDE\x41\x00\x00\xD8", 8}, "utf-16le", &text), 1U);
  EXPECT_EQ(text, "\U0001F600A\uFFFD");
  text.clear();
  EXPECT_GT(decode_to_utf8("\xC7\xFF", "euc-kr", &text), 0U);
  EXPECT_TRUE(is_valid_utf8(text));
}

}  // namespace
}  // namespace periplus
