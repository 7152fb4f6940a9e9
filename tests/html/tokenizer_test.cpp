// The tokenizer against html5lib-tests/tokenizer: every token comparison, whole, one octet at a
// time, and cut in two at each position.
#include "html/tokenizer.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.h"
#include "testdata.h"

namespace periplus {
namespace {

using Json = nlohmann::json;

void add_characters(std::string_view text, Json* tokens) {
  if (!tokens->empty() && tokens->back()[0] == "Character") {
    tokens->back()[1] = tokens->back()[1].get<std::string>() + std::string(text);
  } else {
    tokens->push_back({"Character", text});
  }
}

void add_token(const Token& token, Json* tokens) {
  Arena arena;
  switch (token.kind) {
    case TokenKind::kText:
      add_characters(token.text, tokens);
      break;
    case TokenKind::kComment:
      tokens->push_back({"Comment", comment_text(token.text, &arena)});
      break;
    case TokenKind::kDoctype: {
      Json one = {"DOCTYPE", nullptr, nullptr, nullptr, !token.force_quirks};
      if (token.has_name) one[1] = token.name;
      if (token.has_public) one[2] = token.public_id;
      if (token.has_system) one[3] = token.system_id;
      tokens->push_back(one);
      break;
    }
    case TokenKind::kStartTag: {
      Json attributes = Json::object();
      for (const RawAttribute& raw : token.attributes) {
        const std::string name(name_text(raw.name, &arena));
        if (!attributes.contains(name)) attributes[name] = attribute_value(raw.value, &arena);
      }
      Json one = {"StartTag", name_text(token.text, &arena), attributes};
      if (token.self_closing) one.push_back(true);
      tokens->push_back(one);
      break;
    }
    case TokenKind::kEndTag:
      tokens->push_back({"EndTag", name_text(token.text, &arena)});
      break;
    case TokenKind::kMore:
    case TokenKind::kEnd:
      break;
  }
}

// The standard's tokenizer alone never changes its state at a tag; ours, too, only when told.
Json tokens_of(const std::vector<std::string_view>& pieces, TextMode mode,
               const std::string& last_start_tag) {
  Json tokens = Json::array();
  Tokenizer tokenizer;
  tokenizer.switch_to(mode, last_start_tag);
  const auto drain = [&] {
    for (;;) {
      const Token& token = tokenizer.next();
      if (token.kind == TokenKind::kMore || token.kind == TokenKind::kEnd) return token.kind;
      add_token(token, &tokens);
    }
  };
  for (const std::string_view piece : pieces) {
    tokenizer.feed(piece);
    drain();
  }
  tokenizer.finish();
  EXPECT_EQ(drain(), TokenKind::kEnd);
  return tokens;
}

TextMode mode_named(const std::string& name) {
  static const std::map<std::string, TextMode> kModes = {
      {"Data state", TextMode::kData},
      {"PLAINTEXT state", TextMode::kPlaintext},
      {"RCDATA state", TextMode::kRcdata},
      {"RAWTEXT state", TextMode::kRawtext},
      {"Script data state", TextMode::kScriptData},
      {"CDATA section state", TextMode::kCdata}};
  return kModes.at(name);
}

// "\uD800" and the like once more unescaped; false when a surrogate stands alone (UTF-8 has none).
bool unescape(const std::string& text, std::string* out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "\\u") != 0) {
      out->push_back(text[i]);
      continue;
    }
    const auto code = static_cast<char32_t>(std::stoul(text.substr(i + 2, 4), nullptr, 16));
    if (code >= 0xD800 && code <= 0xDFFF) return false;
    append_utf8(out, code);
    i += 5;
  }
  return true;
}

bool unescape_all(Json* value) {
  if (value->is_string()) {
    std::string plain;
    if (!unescape(value->get<std::string>(), &plain)) return false;
    *value = plain;
  } else if (value->is_array()) {
    for (Json& item : *value) {
      if (!unescape_all(&item)) return false;
    }
  } else if (value->is_object()) {
    Json copy = Json::object();
    for (auto& [name, item] : value->items()) {
      std::string plain;
      if (!unescape(name, &plain) || !unescape_all(&item)) return false;
      copy[plain] = item;
    }
    *value = copy;
  }
  return true;
}

// Neighbouring characters count as one token.
Json joined(const Json& tokens) {
  Json out = Json::array();
  for (const Json& token : tokens) {
    if (token[0] == "Character") {
      add_characters(token[1].get<std::string>(), &out);
    } else {
      out.push_back(token);
    }
  }
  return out;
}

std::vector<std::string_view> octets(std::string_view input) {
  std::vector<std::string_view> pieces;
  for (std::size_t i = 0; i < input.size(); ++i) pieces.push_back(input.substr(i, 1));
  return pieces;
}

constexpr const char* kFiles[] = {
    "contentModelFlags",      "domjs", "entities", "escapeFlag", "namedEntities", "numericEntities",
    "pendingSpecChanges",     "test1", "test2",    "test3",      "test4",         "unicodeChars",
    "unicodeCharsProblematic"};

TEST(Tokenizer, GivesTheTokensOfTheStandardForEveryWayOfCutting) {
  const std::string first = PERIPLUS_NEEDS_TESTDATA("html5lib-tests/tokenizer/test1.test");
  const std::string folder = first.substr(0, first.rfind('/') + 1);
  int tests = 0;
  int skipped = 0;
  for (const char* file : kFiles) {
    const Json suite = Json::parse(read_file(folder + file + ".test"));
    for (Json test : suite["tests"]) {
      ++tests;
      if (test.value("doubleEscaped", false) &&
          (!unescape_all(&test["input"]) || !unescape_all(&test["output"]))) {
        ++skipped;
        continue;
      }
      const auto input = test["input"].get<std::string>();
      const Json expected = joined(test["output"]);
      const auto last = test.value("lastStartTag", std::string());
      Json states = test.value("initialStates", Json::array({"Data state"}));
      for (const Json& state : states) {
        const TextMode mode = mode_named(state.get<std::string>());
        const std::string where = std::string(file) + ": " + test["description"].get<std::string>();
        EXPECT_EQ(tokens_of({input}, mode, last), expected) << where;
        EXPECT_EQ(tokens_of(octets(input), mode, last), expected) << where << " (octets)";
        for (std::size_t cut = 1; cut < input.size(); ++cut) {
          const std::string_view all(input);
          ASSERT_EQ(tokens_of({all.substr(0, cut), all.substr(cut)}, mode, last), expected)
              << where << " (cut at " << cut << ")";
        }
      }
    }
  }
  EXPECT_EQ(tests, 6806);
  EXPECT_LE(skipped, 10);  // lone surrogates, which UTF-8 cannot carry
}

TEST(Tokenizer, SaysWhatStoodOpenAtTheEnd) {
  const auto unfinished = [](std::string_view input) {
    Tokenizer tokenizer;
    tokenizer.feed(input);
    tokenizer.finish();
    while (tokenizer.next().kind != TokenKind::kEnd) {
    }
    return tokenizer.unfinished();
  };
  EXPECT_EQ(unfinished("<p>done</p>"), Unfinished::kNothing);
  EXPECT_EQ(unfinished("<p>x<a href='y"), Unfinished::kTag);
  EXPECT_EQ(unfinished("<p><!-- never"), Unfinished::kComment);
  EXPECT_EQ(unfinished("<!DOCTYPE html PUBLIC \"x"), Unfinished::kDoctype);
}

TEST(Tokenizer, CutTokensCostLinearTime) {
  // One comment of 200,000 octets in pieces of one: quadratic rescans would never end.
  Tokenizer tokenizer;
  const std::string comment = "<!--" + std::string(200'000, '-') + " -->";
  std::size_t size = 0;
  for (const char& c : comment) {
    tokenizer.feed({&c, 1});
    const Token& token = tokenizer.next();
    if (token.kind == TokenKind::kComment) size = token.text.size();
  }
  tokenizer.finish();
  for (;;) {
    const Token& token = tokenizer.next();
    if (token.kind == TokenKind::kEnd) break;
    if (token.kind == TokenKind::kComment) size = token.text.size();
  }
  EXPECT_EQ(size, 200'001U);
}

}  // namespace
}  // namespace periplus
