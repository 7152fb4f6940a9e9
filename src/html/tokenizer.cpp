// Text states: data, RCDATA, RAWTEXT, PLAINTEXT, CDATA section.
#include "html/tokenizer.h"

#include <cstring>

#include "base/text.h"
#include "html/scan.h"

namespace periplus {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

}  // namespace

void Tokenizer::restart() {
  begin_ = pos_ = end_ = nullptr;
  base_ = retry_at_ = 0;
  final_ = cdata_allowed_ = false;
  mode_ = TextMode::kData;
  script_level_ = dashes_ = 0;
  unfinished_ = Unfinished::kNothing;
  carry_.clear();
  last_name_.clear();
}

void Tokenizer::feed(std::string_view piece) {
  const auto waiting = static_cast<std::size_t>(end_ - pos_);
  base_ += static_cast<std::size_t>(pos_ - begin_);
  if (waiting == 0) {
    begin_ = pos_ = piece.data();
    end_ = begin_ + piece.size();
    return;
  }
  if (begin_ == carry_.data()) {
    carry_.erase(0, static_cast<std::size_t>(pos_ - begin_));
  } else {
    carry_.assign(pos_, waiting);
  }
  carry_.append(piece);
  begin_ = pos_ = carry_.data();
  end_ = begin_ + carry_.size();
}

void Tokenizer::switch_to(TextMode mode, std::string_view last_start_tag) {
  mode_ = mode;
  script_level_ = dashes_ = 0;
  last_name_ = to_ascii_lower(last_start_tag);
}

const Token& Tokenizer::next() {
  const auto waiting = static_cast<std::size_t>(end_ - pos_);
  if (waiting == 0 || (!final_ && waiting < retry_at_)) {
    token_.kind = final_ && waiting == 0 ? TokenKind::kEnd : TokenKind::kMore;
    return token_;
  }
  bool made = mode_ == TextMode::kData && next_in_data();
  while (!made) {
    if (pos_ == end_) {
      token_.kind = final_ ? TokenKind::kEnd : TokenKind::kMore;
      retry_at_ = 0;
      return token_;
    }
    const char* before = pos_;
    switch (mode_) {
      case TextMode::kData:
        made = next_in_data();
        break;
      case TextMode::kRcdata:
      case TextMode::kRawtext:
        made = next_in_raw_text();
        break;
      case TextMode::kScriptData:
        made = next_in_script();
        break;
      case TextMode::kPlaintext:
        made = next_plaintext();
        break;
      case TextMode::kCdata:
        made = next_in_cdata();
        break;
    }
    if (!made && pos_ == before) {
      // A cut token: wait for as much again, so that many small pieces cost linear time.
      token_.kind = TokenKind::kMore;
      retry_at_ = static_cast<std::size_t>(end_ - pos_) * 2;
      if (retry_at_ < 64) retry_at_ = 0;
      return token_;
    }
  }
  retry_at_ = 0;
  return token_;
}

bool Tokenizer::text_until(const char* stop) { return text_as(pos_, stop, {pos_, stop}); }

bool Tokenizer::text_as(const char* from, const char* to, std::string_view text) {
  token_.kind = TokenKind::kText;
  token_.at = offset(from);
  token_.text = text;
  pos_ = to;
  return true;
}

bool Tokenizer::text_reference(const char* ampersand) {
  read_reference(ampersand + 1, end_, false, &reference_);
  if (reference_.cut && !final_) return false;
  if (reference_.consumed == 0) return text_until(ampersand + 1);
  return text_as(ampersand, ampersand + 1 + reference_.consumed, reference_.text);
}

// A CR or NUL at pos_.
bool Tokenizer::special_octet(const char* at, bool replace_nul) {
  if (*at == '\0') return text_as(at, at + 1, replace_nul ? kReplacement : std::string_view(at, 1));
  if (at + 1 == end_ && !final_) return false;
  const bool pair = at + 1 != end_ && at[1] == '\n';
  return text_as(at, at + (pair ? 2 : 1), "\n");
}

bool Tokenizer::next_in_data() {
  if (*pos_ == '<') return markup(pos_);
  if (*pos_ == '&') return text_reference(pos_);
  if (plain_text_) return text_until(find_any<'<', '&'>(pos_ + 1, end_));
  if (*pos_ == '\r' || *pos_ == '\0') return special_octet(pos_, false);
  return text_until(find_any<'<', '&', '\r', '\0'>(pos_ + 1, end_));
}

bool Tokenizer::next_plaintext() {
  if (plain_text_) return text_until(end_);
  if (*pos_ == '\r' || *pos_ == '\0') return special_octet(pos_, true);
  return text_until(find_any<'\r', '\0'>(pos_ + 1, end_));
}

// True when [name, end) starts with the name of the end tag that leaves this mode, and the octet
// behind it ends a name. `*cut`: it may be so, when more input follows.
bool Tokenizer::appropriate_end_tag(const char* name, bool* cut) const {
  const auto left = static_cast<std::size_t>(end_ - name);
  for (std::size_t i = 0; i < last_name_.size(); ++i) {
    if (i == left) {
      *cut = true;
      return false;
    }
    if (ascii_lower(name[i]) != last_name_[i]) return false;
  }
  if (left == last_name_.size()) {
    *cut = true;
    return false;
  }
  const char after = name[last_name_.size()];
  return !last_name_.empty() && (is_html_space(after) || after == '/' || after == '>');
}

bool Tokenizer::next_in_raw_text() {
  const bool references = mode_ == TextMode::kRcdata;
  if (*pos_ == '<') {
    bool cut = end_ - pos_ < 2;
    if (!cut && pos_[1] == '/' && appropriate_end_tag(pos_ + 2, &cut)) return tag(pos_, true);
    if (cut && !final_) return false;
    const char* from = pos_ + 1;
    if (references) {
      return text_until(find_any<'<', '&', '\r', '\0'>(from, end_));
    }
    return text_until(find_any<'<', '\r', '\0'>(from, end_));
  }
  if (references && *pos_ == '&') return text_reference(pos_);
  if (*pos_ == '\r' || *pos_ == '\0') {
    if (!plain_text_) return special_octet(pos_, true);
    return text_until(pos_ + 1);
  }
  if (references) return text_until(find_any<'<', '&', '\r', '\0'>(pos_ + 1, end_));
  return text_until(find_any<'<', '\r', '\0'>(pos_ + 1, end_));
}

bool Tokenizer::next_in_cdata() {
  if (*pos_ == ']') {
    const auto left = end_ - pos_;
    if (left >= 3 && pos_[1] == ']' && pos_[2] == '>') {
      pos_ += 3;
      mode_ = TextMode::kData;
      return false;
    }
    const bool cut = left == 1 || (left == 2 && pos_[1] == ']');
    if (cut && !final_) return false;
    return text_until(pos_ + 1);
  }
  if (!plain_text_ && (*pos_ == '\r' || *pos_ == '\0')) return special_octet(pos_, false);
  const char* stop =
      plain_text_ ? find_any<']'>(pos_ + 1, end_) : find_any<']', '\r', '\0'>(pos_ + 1, end_);
  if (final_ && stop == end_) unfinished_ = Unfinished::kCdata;
  return text_until(stop);
}

std::string_view comment_text(std::string_view raw, Arena* arena) {
  if (find_any<'\r', '\0'>(raw) == raw.data() + raw.size()) return raw;
  char* to = arena->take(raw.size() * 3);
  std::size_t size = 0;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '\0') {
      std::memcpy(to + size, kReplacement.data(), kReplacement.size());
      size += kReplacement.size();
    } else if (raw[i] == '\r') {
      to[size++] = '\n';
      if (i + 1 < raw.size() && raw[i + 1] == '\n') ++i;
    } else {
      to[size++] = raw[i];
    }
  }
  arena->give_back(raw.size() * 3 - size);
  return {to, size};
}

}  // namespace periplus
