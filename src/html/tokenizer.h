// The tokenizer of the HTML Standard, section 13.2.5, as a pull parser: feed octets (UTF-8), ask
// for tokens. A token that is cut by the end of a piece waits until more is fed, so tokens are
// the same for every way of cutting the input.
//
// Nothing is copied in the common case: names, values and text are views into the piece fed. What
// the standard normalises (letter case, character references, line ends, NUL) is done where a
// token's part is asked for: see tag_text(), attribute_value() and comment_text().
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "html/arena.h"
#include "html/entities.h"
#include "html/names.h"

namespace periplus {

enum class TokenKind : std::uint8_t {
  kMore,  // feed() more, or finish()
  kEnd,   // the input is over
  kText,
  kStartTag,
  kEndTag,
  kComment,
  kDoctype,
};

// The standard's tokenizer states in which a new token can begin.
enum class TextMode : std::uint8_t { kData, kRcdata, kRawtext, kScriptData, kPlaintext, kCdata };

struct RawAttribute {
  std::string_view name;   // as written
  std::string_view value;  // as written, without its quotes
};

struct Token {
  TokenKind kind = TokenKind::kMore;
  std::size_t at = 0;  // offset of its first octet in everything fed
  std::string_view
      text;  // kText: characters, final. Tags: the name as written. kComment: as written
  // Tags
  Tag tag = Tag::kOther;
  bool self_closing = false;
  std::vector<RawAttribute> attributes;  // as written; of equal names only the first counts
  // kDoctype; the strings are final
  bool has_name = false;
  bool has_public = false;
  bool has_system = false;
  bool force_quirks = false;
  std::string name;
  std::string public_id;
  std::string system_id;
};

// What stood open when the input ended.
enum class Unfinished : std::uint8_t { kNothing, kTag, kComment, kDoctype, kCdata };

class Tokenizer {
 public:
  // `plain_text`: text tokens keep CR and NUL as they are (for readers that fold white space
  // anyway); else line ends become LF and NUL what the standard says.
  explicit Tokenizer(bool plain_text = false) : plain_text_(plain_text) {}

  // Starts again with nothing fed.
  void restart();
  // `piece` must stay as it is until the next feed() or restart().
  void feed(std::string_view piece);
  // No more input comes.
  void finish() { final_ = true; }
  // The next token; valid until the next call.
  const Token& next();

  // The tree model's orders (section 13.2.6): the state in which the next token begins, with the
  // element whose end tag leaves it.
  void switch_to(TextMode mode, std::string_view last_start_tag);
  // True while "<![CDATA[" opens a section: the adjusted current node is foreign.
  void allow_cdata(bool allowed) { cdata_allowed_ = allowed; }

  Unfinished unfinished() const { return unfinished_; }

 private:
  bool next_in_data();
  bool next_in_raw_text();
  bool next_in_script();
  bool next_in_cdata();
  bool next_plaintext();
  bool text_until(const char* stop);
  bool text_reference(const char* ampersand);
  bool text_as(const char* from, const char* to, std::string_view text);
  bool special_octet(const char* at, bool replace_nul);
  bool markup(const char* less_than);
  bool declaration(const char* less_than);
  bool comment(const char* less_than);
  bool bogus_comment(const char* less_than, const char* from);
  bool doctype(const char* less_than);
  bool tag(const char* less_than, bool end_tag);
  bool appropriate_end_tag(const char* name, bool* cut) const;
  bool cut_at_end(Unfinished what);
  std::size_t offset(const char* at) const { return base_ + static_cast<std::size_t>(at - begin_); }

  Token token_;
  const char* begin_ = nullptr;
  const char* pos_ = nullptr;
  const char* end_ = nullptr;
  std::size_t base_ = 0;      // offset of begin_ in everything fed
  std::size_t retry_at_ = 0;  // octets that must wait before a cut token is tried again
  bool final_ = false;
  bool plain_text_;
  bool cdata_allowed_ = false;
  TextMode mode_ = TextMode::kData;
  std::uint8_t script_level_ = 0;  // 0 script data, 1 escaped, 2 double escaped
  std::uint8_t dashes_ = 0;        // of "-->" in an escaped script, seen at pos_
  Unfinished unfinished_ = Unfinished::kNothing;
  std::string carry_;      // the cut token and what came behind it
  std::string last_name_;  // lower-cased; its end tag leaves raw text
  Reference reference_;
};

// Lower-cased, NUL replaced: a tag's or an attribute's name.
std::string_view name_text(std::string_view raw, Arena* arena);
// References decoded, line ends LF, NUL replaced.
std::string_view attribute_value(std::string_view raw, Arena* arena);
// Line ends LF, NUL replaced: a comment's data.
std::string_view comment_text(std::string_view raw, Arena* arena);

}  // namespace periplus
