// What "<" may open: tags, comments, DOCTYPE, CDATA (sections 13.2.5.6 and 13.2.5.41-68).
#include <cstring>

#include "base/text.h"
#include "html/scan.h"
#include "html/tokenizer.h"

namespace periplus {
namespace {

// [at, end) starts with `word`, any letter case; `*cut` when it may once more input follows.
bool starts_with_word(const char* at, const char* end, std::string_view word, bool* cut) {
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (at + i == end) {
      *cut = true;
      return false;
    }
    if (ascii_lower(at[i]) != word[i]) return false;
  }
  return true;
}

// The end of a comment's data whose text starts at `from`; `*behind` is set behind its ">".
const char* comment_end(const char* from, const char* end, const char** behind) {
  if (from != end && *from == '>') {
    *behind = from + 1;
    return from;
  }
  if (end - from >= 2 && from[0] == '-' && from[1] == '>') {
    *behind = from + 2;
    return from;
  }
  const char* at = from;
  while (at != end) {
    at = find_any<'-'>(at, end);
    if (end - at < 3) return nullptr;
    if (at[1] == '-') {
      if (at[2] == '>') {
        *behind = at + 3;
        return at;
      }
      if (at[2] == '!' && end - at >= 4 && at[3] == '>') {
        *behind = at + 4;
        return at;
      }
    }
    ++at;
  }
  return nullptr;
}

void append_normal(std::string* to, char c) {
  if (c == '\0') {
    to->append("\xEF\xBF\xBD");
  } else {
    to->push_back(ascii_lower(c));
  }
}

}  // namespace

bool Tokenizer::markup(const char* less_than) {
  const char* at = less_than + 1;
  if (at == end_) return final_ && text_until(end_);
  if (is_ascii_alpha(*at)) return tag(less_than, false);
  if (*at == '/') {
    ++at;
    if (at == end_) return final_ && text_until(end_);
    if (is_ascii_alpha(*at)) return tag(less_than, true);
    if (*at == '>') {
      pos_ = at + 1;
      return false;
    }
    return bogus_comment(less_than, at);
  }
  if (*at == '!') return declaration(less_than);
  if (*at == '?') return bogus_comment(less_than, at);
  return text_until(at);
}

bool Tokenizer::declaration(const char* less_than) {
  const char* at = less_than + 2;
  bool cut = false;
  if (starts_with_word(at, end_, "--", &cut)) return comment(less_than);
  if (starts_with_word(at, end_, "doctype", &cut)) return doctype(less_than);
  if (cdata_allowed_ && starts_with_word(at, end_, "[cdata[", &cut) &&
      std::memcmp(at, "[CDATA[", 7) == 0) {
    pos_ = at + 7;
    mode_ = TextMode::kCdata;
    return false;
  }
  if (cut && !final_) return false;
  return bogus_comment(less_than, at);
}

bool Tokenizer::comment(const char* less_than) {
  const char* from = less_than + 4;
  const char* behind = end_;
  const char* stop = comment_end(from, end_, &behind);
  if (stop == nullptr) {
    if (!cut_at_end(Unfinished::kComment)) return false;
    stop = end_;
    const std::string_view all(from, stop);
    if (all.ends_with("--!")) {
      stop -= 3;
    } else if (all.ends_with("--")) {
      stop -= 2;
    } else if (all.ends_with("-")) {
      stop -= 1;
    }
  }
  token_.kind = TokenKind::kComment;
  token_.at = offset(less_than);
  token_.text = {from, stop};
  pos_ = behind;
  return true;
}

bool Tokenizer::bogus_comment(const char* less_than, const char* from) {
  const char* stop = find_any<'>'>(from, end_);
  if (stop == end_ && !final_) return false;
  token_.kind = TokenKind::kComment;
  token_.at = offset(less_than);
  token_.text = {from, stop};
  pos_ = stop == end_ ? end_ : stop + 1;
  return true;
}

bool Tokenizer::doctype(const char* less_than) {
  const char* at = less_than + 9;
  Token& token = token_;
  token.has_name = token.has_public = token.has_system = token.force_quirks = false;
  token.name.clear();
  token.public_id.clear();
  token.system_id.clear();
  const auto skip_space = [&] {
    while (at != end_ && is_html_space(*at)) ++at;
  };
  const auto done = [&] {
    token.kind = TokenKind::kDoctype;
    token.at = offset(less_than);
    pos_ = at;
    return true;
  };
  const auto ended = [&] {  // the input ended inside
    if (!cut_at_end(Unfinished::kDoctype)) return false;
    token.force_quirks = true;
    at = end_;
    return done();
  };
  const auto bogus = [&] {  // everything up to ">" is passed over
    at = find_any<'>'>(at, end_);
    if (at == end_) {
      if (!cut_at_end(Unfinished::kDoctype)) return false;
      return done();
    }
    ++at;
    return done();
  };
  const auto abrupt = [&] {  // ">" where more was due
    token.force_quirks = true;
    ++at;
    return done();
  };
  enum class Quoted : std::uint8_t { kClosed, kAbrupt, kEnded };
  const auto quoted = [&](std::string* to) {
    const char quote = *at++;
    for (; at != end_; ++at) {
      if (*at == quote) {
        ++at;
        return Quoted::kClosed;
      }
      if (*at == '>') return Quoted::kAbrupt;
      if (*at == '\0') {
        to->append("\xEF\xBF\xBD");
      } else if (*at == '\r') {
        to->push_back('\n');
        if (at + 1 != end_ && at[1] == '\n') ++at;
      } else {
        to->push_back(*at);
      }
    }
    return Quoted::kEnded;
  };

  skip_space();
  if (at == end_) return ended();
  if (*at == '>') return abrupt();
  token.has_name = true;
  while (at != end_ && !is_html_space(*at) && *at != '>') append_normal(&token.name, *at++);
  skip_space();
  if (at == end_) return ended();
  if (*at == '>') {
    ++at;
    return done();
  }
  bool cut = false;
  const bool is_public = starts_with_word(at, end_, "public", &cut);
  const bool is_system = !is_public && starts_with_word(at, end_, "system", &cut);
  if (!is_public && !is_system) {
    if (cut && !final_) return false;
    token.force_quirks = true;
    return bogus();
  }
  at += 6;
  skip_space();
  if (at == end_) return ended();
  if (is_public) {
    if (*at == '>') return abrupt();
    if (*at != '"' && *at != '\'') {
      token.force_quirks = true;
      return bogus();
    }
    token.has_public = true;
    const Quoted how = quoted(&token.public_id);
    if (how == Quoted::kAbrupt) return abrupt();
    if (how == Quoted::kEnded) return ended();
    skip_space();
    if (at == end_) return ended();
    if (*at == '>') {
      ++at;
      return done();
    }
  } else if (*at == '>') {
    return abrupt();
  }
  if (*at != '"' && *at != '\'') {
    token.force_quirks = true;
    return bogus();
  }
  token.has_system = true;
  const Quoted how = quoted(&token.system_id);
  if (how == Quoted::kAbrupt) return abrupt();
  if (how == Quoted::kEnded) return ended();
  skip_space();
  if (at == end_) return ended();
  if (*at != '>') return bogus();
  ++at;
  return done();
}

}  // namespace periplus
