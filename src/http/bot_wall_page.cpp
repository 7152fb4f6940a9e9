#include "http/bot_wall_page.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace periplus {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
bool is_letter(char c) {
  c = ascii_lower(c);
  return c >= 'a' && c <= 'z';
}

struct Reference {
  std::string_view name;
  char value;
};
constexpr std::array<Reference, 9> kReferences = {{{"amp;", '&'},
                                                   {"lt;", '<'},
                                                   {"gt;", '>'},
                                                   {"quot;", '"'},
                                                   {"apos;", '\''},
                                                   {"nbsp;", ' '},
                                                   {"rsquo;", '\''},
                                                   {"colon;", ':'},
                                                   {"num;", '#'}}};

// The ASCII stand-in of a code point that our marks may hold; 0 for any other.
char plain(unsigned code_point) {
  if (code_point == 0xA0) return ' ';
  if (code_point == 0x2018 || code_point == 0x2019) return '\'';
  return code_point < 0x80 ? static_cast<char>(code_point) : '\0';
}

// Reads the reference behind the '&' at text[at]: its ASCII value and length, or length 0.
std::size_t read_reference(std::string_view text, std::size_t at, char* value) {
  const std::string_view rest = text.substr(at + 1, 10);
  if (!rest.starts_with('#')) {
    for (const Reference& reference : kReferences) {
      if (starts_with_ignoring_case(rest, reference.name)) {
        *value = reference.value;
        return reference.name.size() + 1;
      }
    }
    return 0;
  }
  const bool hex = rest.size() > 1 && ascii_lower(rest[1]) == 'x';
  unsigned code_point = 0;
  std::size_t i = hex ? 2 : 1;
  const std::size_t digits_at = i;
  for (; i < rest.size(); ++i) {
    const char c = ascii_lower(rest[i]);
    unsigned digit = 16;
    if (c >= '0' && c <= '9') digit = static_cast<unsigned>(c - '0');
    if (hex && c >= 'a' && c <= 'f') digit = static_cast<unsigned>(c - 'a' + 10);
    if (digit == 16) break;
    code_point = code_point * (hex ? 16U : 10U) + digit;
  }
  if (i == digits_at) return 0;
  *value = plain(code_point);
  if (i < rest.size() && rest[i] == ';') ++i;
  return *value == '\0' ? 0 : i + 1;
}

// Appends shown text: one space for any white space, none doubled.
void append_text(std::string* out, std::string_view raw) {
  for (std::size_t i = 0; i < raw.size(); ++i) {
    char c = raw[i];
    if (c == '&') {
      const std::size_t length = read_reference(raw, i, &c);
      if (length > 0) i += length - 1;
    } else if (c == '\xe2' &&
               (raw.substr(i, 3) == "\xe2\x80\x99" || raw.substr(i, 3) == "\xe2\x80\x98")) {
      c = '\'';
      i += 2;
    } else if (c == '\xe2' && raw.substr(i, 3) == "\xe2\x80\xa6") {
      out->append("...");
      i += 2;
      continue;
    } else if (c == '\xc2' && raw.substr(i, 2) == "\xc2\xa0") {
      c = ' ';
      i += 1;
    }
    if (is_space(c)) {
      if (out->back() != ' ' && out->back() != '^') out->push_back(' ');
    } else {
      out->push_back(ascii_lower(c));
    }
  }
}

void append_markup(std::string* out, std::string_view raw) {
  const std::size_t before = out->size();
  out->resize(before + raw.size());
  char* to = out->data() + before;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    char c = raw[i];
    if (c == '&') {
      const std::size_t length = read_reference(raw, i, &c);
      if (length > 0) i += length - 1;
    }
    if (is_space(c) || c == '"' || c == '\'' || c == '`' || c == '\\') continue;
    *to++ = ascii_lower(c);
  }
  out->resize(static_cast<std::size_t>(to - out->data()));
}

// A tag that begins at text[at] ("<" and a letter, or "</"): where it ends, behind its '>'.
std::size_t tag_end(std::string_view text, std::size_t at) {
  // Nearly always the first '>' it is: no quotation is open there.
  const std::size_t close = text.find('>', at);
  if (close == std::string_view::npos) return text.size();
  const std::string_view tag = text.substr(at, close - at);
  if (tag.find('\'') == std::string_view::npos && std::ranges::count(tag, '"') % 2 == 0) {
    return close + 1;
  }
  char quote = '\0';
  char before = '\0';  // the last octet that was not white space
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if ((c == '"' || c == '\'') && before == '=') {
      quote = c;
    } else if (c == '>') {
      return i + 1;
    }
    if (!is_space(c)) before = c;
  }
  return text.size();
}

// Where "</name" stands from `at` on; the end of the text when nowhere.
std::size_t raw_text_end(std::string_view text, std::size_t at, std::string_view name) {
  while (true) {
    at = text.find("</", at);
    if (at == std::string_view::npos) return text.size();
    if (starts_with_ignoring_case(text.substr(at + 2), name)) return at;
    at += 2;
  }
}

std::string_view tag_name(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && end - at < 10 && is_letter(text[end])) ++end;
  return text.substr(at, end - at);
}

// Cuts a body into shown text, title and markup, and hands the pieces to `sink` (which may say
// stop by returning false from text()).
template <class Sink>
void cut(std::string_view body, Sink& sink) {
  bool title_seen = false;
  std::size_t at = 0;
  while (at < body.size()) {
    const std::size_t open = std::min(body.find('<', at), body.size());
    if (open > at && !sink.text(body.substr(at, open - at))) return;
    if (open + 1 >= body.size()) return;
    const char next = body[open + 1];
    if (body.substr(open, 4) == "<!--") {
      const std::size_t close = body.find("-->", open + 4);
      at = close == std::string_view::npos ? body.size() : close + 3;
      continue;
    }
    if (!is_letter(next) && next != '/' && next != '!' && next != '?') {
      if (!sink.text(body.substr(open, 1))) return;
      at = open + 1;
      continue;
    }
    at = tag_end(body, open);
    sink.markup(body.substr(open, at - open));
    const std::string_view name = tag_name(body, open + 1);
    const bool script = equal_ignoring_case(name, "script");
    const bool title = equal_ignoring_case(name, "title");
    if (!script && !title && !equal_ignoring_case(name, "style")) continue;
    const std::size_t end = raw_text_end(body, at, name);
    const std::string_view content = body.substr(at, end - at);
    if (script) sink.markup(content);
    if (title && !title_seen) sink.title(content);
    title_seen = title_seen || title;
    at = end;
  }
}

// First look: is there so much text that nothing else matters?
struct TextCounter {
  std::size_t shown = 0;
  bool text(std::string_view raw) {
    shown += static_cast<std::size_t>(std::count_if(
        raw.begin(), raw.end(), [](char c) { return static_cast<unsigned char>(c) > 0x20; }));
    return shown <= kWallTextBytes;
  }
  void title(std::string_view) {}
  void markup(std::string_view) {}
};

struct PageBuilder {
  WallPage* page;
  bool text(std::string_view raw) {
    // A tag parts words: "<b>Error</b><b>1020</b>" shows two.
    if (page->text.back() != ' ' && page->text.back() != '^') page->text.push_back(' ');
    append_text(&page->text, raw);
    return true;
  }
  void title(std::string_view raw) { append_text(&page->title, raw); }
  void markup(std::string_view raw) { append_markup(&page->markup, raw); }
};

void close_text(std::string* text) {
  while (text->back() == ' ') text->pop_back();
  text->push_back('$');
}

}  // namespace

WallPage read_wall_page(std::string_view body) {
  body = body.substr(0, kWallScanBytes);
  if (body.starts_with("\xef\xbb\xbf")) body.remove_prefix(3);
  WallPage page;
  page.title = "^";
  page.text = "^";
  const std::string_view start = trim(body.substr(0, 256));
  if (start.starts_with('{') || start.starts_with('[')) {  // JSON: data, and text in it
    page.long_text = body.size() > 4 * kWallTextBytes;
    if (!page.long_text) {
      append_text(&page.text, body);
      append_markup(&page.markup, body);
    }
  } else {
    TextCounter counter;
    cut(body, counter);
    page.long_text = counter.shown > kWallTextBytes;
    if (!page.long_text) {
      PageBuilder builder{&page};
      cut(body, builder);
    }
  }
  if (page.title == "^") page.title = "^(none)";
  close_text(&page.title);
  close_text(&page.text);
  return page;
}

}  // namespace periplus
