#include "http/structured_field.h"

#include <optional>
#include <unordered_map>

#include "base/text.h"

namespace periplus {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_alpha(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }
bool is_key_start(char c) { return is_lower(c) || c == '*'; }
bool is_key_char(char c) {
  return is_key_start(c) || is_digit(c) || c == '_' || c == '-' || c == '.';
}
bool is_token_start(char c) { return is_alpha(c) || c == '*'; }
bool is_token_char(char c) {
  return is_alpha(c) || is_digit(c) ||
         std::string_view("!#$%&'*+-.^_`|~:/").find(c) != std::string_view::npos;
}
int lower_hex(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// Keys in order of their first occurrence, with the last value (sections 4.2.2 and 4.2.3.2). Long
// lists are looked up by hash, so that a hostile field costs no more than its length.
template <class Value>
class KeyedList {
 public:
  void put(std::string key, Value value) {
    if (Value* known = find(key)) {
      *known = std::move(value);
      return;
    }
    if (list_.size() >= kLinear) {
      if (index_.empty()) {
        for (std::size_t i = 0; i < list_.size(); ++i) index_.emplace(list_[i].first, i);
      }
      index_.emplace(key, list_.size());
    }
    list_.emplace_back(std::move(key), std::move(value));
  }
  std::vector<std::pair<std::string, Value>> take() { return std::move(list_); }

 private:
  static constexpr std::size_t kLinear = 24;
  Value* find(const std::string& key) {
    if (!index_.empty()) {
      auto at = index_.find(key);
      return at == index_.end() ? nullptr : &list_[at->second].second;
    }
    for (auto& [known, value] : list_) {
      if (known == key) return &value;
    }
    return nullptr;
  }
  std::vector<std::pair<std::string, Value>> list_;
  std::unordered_map<std::string, std::size_t> index_;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<SfItem> item_field() {
    skip_spaces();
    std::optional<SfItem> item = parse_item();
    if (item) end();
    return finish(std::move(item));
  }

  Result<SfList> list_field() {
    skip_spaces();
    SfList list;
    while (!failed() && !at_end()) {
      std::optional<SfMember> member = parse_member();
      if (!member) break;
      list.push_back(std::move(*member));
      if (!next_member()) break;
    }
    return finish(std::optional(std::move(list)));
  }

  Result<SfDictionary> dictionary_field() {
    skip_spaces();
    KeyedList<SfMember> dictionary;
    while (!failed() && !at_end()) {
      std::optional<std::string> key = parse_key();
      if (!key) break;
      std::optional<SfMember> member;
      if (take('=')) {
        member = parse_member();
      } else {
        std::optional<SfParameters> parameters = parse_parameters();
        if (parameters) member = SfItem{true, std::move(*parameters)};
      }
      if (!member) break;
      dictionary.put(std::move(*key), std::move(*member));
      if (!next_member()) break;
    }
    return finish(std::optional(dictionary.take()));
  }

 private:
  bool at_end() const { return at_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool next_is(bool (*is)(char)) const { return !at_end() && is(text_[at_]); }
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool failed() const { return expected_ != nullptr; }
  std::nullopt_t expect(const char* what) {
    if (!failed()) expected_ = what;
    return std::nullopt;
  }
  template <class T>
  Result<T> finish(std::optional<T> value) {
    if (failed() || !value) {
      return fail(ErrorKind::kInput, std::string("structured field: expected ") + expected_,
                  "octet " + std::to_string(at_ + 1));
    }
    return std::move(*value);
  }

  void skip_spaces() {
    while (take(' ')) {
    }
  }
  void skip_optional_white_space() {
    while (take(' ') || take('\t')) {
    }
  }
  void end() {
    skip_spaces();
    if (!at_end()) expect("the end of the field");
  }

  // Behind a member of a list or dictionary: true when another one must follow.
  bool next_member() {
    skip_optional_white_space();
    if (at_end()) return false;
    if (!take(',')) {
      expect("a comma");
      return false;
    }
    skip_optional_white_space();
    if (at_end()) {
      expect("a member behind the comma");
      return false;
    }
    return true;
  }

  std::optional<SfMember> parse_member() {
    if (peek() == '(') {
      std::optional<SfInnerList> list = parse_inner_list();
      if (!list) return std::nullopt;
      return SfMember(std::move(*list));
    }
    std::optional<SfItem> item = parse_item();
    if (!item) return std::nullopt;
    return SfMember(std::move(*item));
  }

  std::optional<SfInnerList> parse_inner_list() {
    take('(');
    SfInnerList list;
    while (true) {
      skip_spaces();
      if (take(')')) break;
      if (at_end()) return expect("a closing parenthesis");
      std::optional<SfItem> item = parse_item();
      if (!item) return std::nullopt;
      list.items.push_back(std::move(*item));
      if (peek() != ' ' && peek() != ')') return expect("a space or a closing parenthesis");
    }
    std::optional<SfParameters> parameters = parse_parameters();
    if (!parameters) return std::nullopt;
    list.parameters = std::move(*parameters);
    return list;
  }

  std::optional<SfItem> parse_item() {
    std::optional<SfBareItem> value = parse_bare_item();
    if (!value) return std::nullopt;
    std::optional<SfParameters> parameters = parse_parameters();
    if (!parameters) return std::nullopt;
    return SfItem{std::move(*value), std::move(*parameters)};
  }

  std::optional<SfParameters> parse_parameters() {
    if (peek() != ';') return SfParameters{};
    KeyedList<SfBareItem> parameters;
    while (take(';')) {
      skip_spaces();
      std::optional<std::string> key = parse_key();
      if (!key) return std::nullopt;
      std::optional<SfBareItem> value = SfBareItem(true);
      if (take('=')) value = parse_bare_item();
      if (!value) return std::nullopt;
      parameters.put(std::move(*key), std::move(*value));
    }
    return parameters.take();
  }

  std::optional<std::string> parse_key() {
    if (!next_is(is_key_start)) return expect("a key (a lower-case letter or *)");
    const std::size_t start = at_;
    while (next_is(is_key_char)) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  std::optional<SfBareItem> parse_bare_item() {
    const char c = peek();
    if (c == '-' || is_digit(c)) return parse_number();
    if (c == '"') return parse_string();
    if (is_token_start(c)) {
      const std::size_t start = at_;
      while (next_is(is_token_char)) ++at_;
      return SfBareItem(SfToken{std::string(text_.substr(start, at_ - start))});
    }
    if (c == ':') return parse_bytes();
    if (c == '?') {
      ++at_;
      if (take('1')) return SfBareItem(true);
      if (take('0')) return SfBareItem(false);
      return expect("?0 or ?1");
    }
    if (c == '@') {
      ++at_;
      std::optional<SfBareItem> number = parse_number();
      if (!number) return std::nullopt;
      const auto* seconds = std::get_if<std::int64_t>(&*number);
      if (seconds == nullptr) return expect("whole seconds in a date");
      return SfBareItem(SfDate{*seconds});
    }
    if (c == '%') return parse_display_string();
    return expect("an item");
  }

  std::optional<SfBareItem> parse_number() {
    const bool negative = take('-');
    if (!next_is(is_digit)) return expect("a digit");
    std::int64_t whole = 0;
    int digits = 0;
    while (next_is(is_digit)) {
      if (++digits > 15) return expect("at most 15 digits");
      whole = whole * 10 + (text_[at_++] - '0');
    }
    if (!take('.')) return SfBareItem(negative ? -whole : whole);
    if (digits > 12) return expect("at most 12 digits before the point");
    if (!next_is(is_digit)) return expect("a digit behind the point");
    std::int64_t unit = 1000;
    std::int64_t thousandths = whole * 1000;
    while (next_is(is_digit)) {
      unit /= 10;
      if (unit == 0) return expect("at most three digits behind the point");
      thousandths += (text_[at_++] - '0') * unit;
    }
    return SfBareItem(SfDecimal{negative ? -thousandths : thousandths});
  }

  std::optional<SfBareItem> parse_string() {
    ++at_;
    std::string value;
    while (!at_end()) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return SfBareItem(std::move(value));
      }
      if (c < 0x20 || c > 0x7e) return expect("printable ASCII in a string");
      if (c == '\\') {
        ++at_;
        if (peek() != '"' && peek() != '\\') return expect("\\\" or \\\\");
      }
      value.push_back(text_[at_++]);
    }
    return expect("a closing quotation mark");
  }

  std::optional<SfBareItem> parse_bytes() {
    const std::size_t close = text_.find(':', at_ + 1);
    if (close == std::string_view::npos) return expect("a closing colon");
    SfBytes bytes;
    if (!from_base64(text_.substr(at_ + 1, close - at_ - 1), &bytes.octets)) {
      return expect("Base64 between the colons");
    }
    at_ = close + 1;
    return SfBareItem(std::move(bytes));
  }

  std::optional<SfBareItem> parse_display_string() {
    ++at_;
    if (!take('"')) return expect("a quotation mark behind %");
    SfDisplayString value;
    while (!at_end()) {
      const char c = text_[at_];
      if (c < 0x20 || c > 0x7e) return expect("printable ASCII in a display string");
      ++at_;
      if (c == '"') {
        if (!is_valid_utf8(value.text)) return expect("UTF-8 in a display string");
        return SfBareItem(std::move(value));
      }
      if (c != '%') {
        value.text.push_back(c);
        continue;
      }
      const int high = at_ < text_.size() ? lower_hex(text_[at_]) : -1;
      const int low = at_ + 1 < text_.size() ? lower_hex(text_[at_ + 1]) : -1;
      if (high < 0 || low < 0) return expect("two lower-case hexadecimal digits");
      value.text.push_back(static_cast<char>(high * 16 + low));
      at_ += 2;
    }
    return expect("a closing quotation mark");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  const char* expected_ = nullptr;
};

}  // namespace

Result<SfItem> parse_sf_item(std::string_view field) { return Parser(field).item_field(); }
Result<SfList> parse_sf_list(std::string_view field) { return Parser(field).list_field(); }
Result<SfDictionary> parse_sf_dictionary(std::string_view field) {
  return Parser(field).dictionary_field();
}

const SfBareItem* find_sf(const SfParameters& parameters, std::string_view key) {
  for (const auto& [known, value] : parameters) {
    if (known == key) return &value;
  }
  return nullptr;
}

const SfMember* find_sf(const SfDictionary& dictionary, std::string_view key) {
  for (const auto& [known, member] : dictionary) {
    if (known == key) return &member;
  }
  return nullptr;
}

}  // namespace periplus
