// Script data, with its escaped and double escaped states (sections 13.2.5.4 and 13.2.5.15-31).
#include "base/text.h"
#include "html/scan.h"
#include "html/tokenizer.h"

namespace periplus {
namespace {

bool ends_name(char c) { return is_html_space(c) || c == '/' || c == '>'; }

// [at, end) starts with "script" and an octet that ends the name.
bool is_script_name(const char* at, const char* end, bool* cut) {
  constexpr std::string_view kScript = "script";
  for (std::size_t i = 0; i <= kScript.size(); ++i) {
    if (at + i == end) {
      *cut = true;
      return false;
    }
    if (i == kScript.size()) return ends_name(at[i]);
    if (ascii_lower(at[i]) != kScript[i]) return false;
  }
  return false;
}

}  // namespace

bool Tokenizer::next_in_script() {
  const char c = *pos_;
  if (!plain_text_ && (c == '\r' || c == '\0')) {
    dashes_ = 0;
    return special_octet(pos_, true);
  }
  if (c == '<') {
    dashes_ = 0;
    bool cut = end_ - pos_ < 2;
    if (!cut && script_level_ != 2 && pos_[1] == '/' && appropriate_end_tag(pos_ + 2, &cut)) {
      return tag(pos_, true);
    }
    if (!cut && script_level_ == 0 && pos_[1] == '!') {
      const auto left = end_ - pos_;
      if (left >= 4 && pos_[2] == '-' && pos_[3] == '-') {
        script_level_ = 1;
        dashes_ = 2;
        return text_until(pos_ + 4);
      }
      cut = left == 2 || (left == 3 && pos_[2] == '-');
    } else if (!cut && script_level_ == 1 && is_script_name(pos_ + 1, end_, &cut)) {
      script_level_ = 2;
      return text_until(pos_ + 8);
    } else if (!cut && script_level_ == 2 && pos_[1] == '/' &&
               is_script_name(pos_ + 2, end_, &cut)) {
      script_level_ = 1;
      return text_until(pos_ + 9);
    }
    if (cut && !final_) return false;
    return text_until(pos_ + 1);
  }
  if (script_level_ != 0) {
    if (c == '-') {
      if (dashes_ < 2) ++dashes_;
      return text_until(pos_ + 1);
    }
    if (c == '>' && dashes_ == 2) {
      script_level_ = dashes_ = 0;
      return text_until(pos_ + 1);
    }
    dashes_ = 0;
    if (plain_text_) return text_until(find_any<'<', '-'>(pos_ + 1, end_));
    return text_until(find_any<'<', '-', '\r', '\0'>(pos_ + 1, end_));
  }
  if (plain_text_) return text_until(find_any<'<'>(pos_ + 1, end_));
  return text_until(find_any<'<', '\r', '\0'>(pos_ + 1, end_));
}

}  // namespace periplus
