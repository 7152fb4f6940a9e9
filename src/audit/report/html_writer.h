// Writes HTML so that escaping cannot be forgotten: everything that is handed in is text, and only
// the writer makes markup of it.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace periplus {

struct HtmlAttribute {
  std::string_view name;  // empty: left out
  std::string_view value;
};
using HtmlAttributes = std::initializer_list<HtmlAttribute>;

// Tags and attribute names are constants of ours. Text and attribute values may be anything: they
// are escaped, and control and bidirectional control characters and malformed UTF-8 become U+FFFD.
class HtmlWriter {
 public:
  // Closes its element when it goes.
  class [[nodiscard]] Element {
   public:
    explicit Element(HtmlWriter& writer) : writer_(writer) {}
    Element(const Element&) = delete;
    Element& operator=(const Element&) = delete;
    ~Element() { writer_.close(); }

   private:
    HtmlWriter& writer_;
  };

  // Void elements (meta, input, …) are not opened any further.
  void open(std::string_view tag, HtmlAttributes attributes = {});
  void close();  // the innermost open element
  Element in(std::string_view tag, HtmlAttributes attributes = {}) {
    open(tag, attributes);
    return Element(*this);
  }
  void text(std::string_view text);
  // An element with nothing but text.
  void element(std::string_view tag, HtmlAttributes attributes, std::string_view text);
  void element(std::string_view tag, std::string_view text) { element(tag, {}, text); }
  // Text that comes from the site: in <bdi>, so that its direction stays its own.
  void foreign(std::string_view text);
  // An address from the site: a link when it is http or https, else only its text. `words` stands
  // for it when given.
  void address(std::string_view url, std::string_view words = {});
  // Style and script of ours, as they are.
  void verbatim(std::string_view constant) { out_.append(constant); }

  std::string take();  // closes what is open

 private:
  std::string out_;
  std::vector<std::string_view> tags_;
};

}  // namespace periplus
