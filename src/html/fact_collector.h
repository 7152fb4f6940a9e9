// What the tree model sees, turned into the facts of a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "html/arena.h"
#include "html/open_elements.h"
#include "html/page_facts.h"
#include "html/places.h"
#include "html/text_run.h"
#include "html/tokenizer.h"

namespace periplus {

// The attributes of one start tag that facts need, found once and decoded when asked for.
class AttributeView {
 public:
  // They lie in the page, behind which FactCollector::kPadding octets may be read.
  void read(const std::vector<RawAttribute>& attributes, Arena* arena);
  bool has(Attribute attribute) const { return (present_ & bit(attribute)) != 0; }
  bool none() const { return present_ == 0; }
  template <class... Attributes>
  bool any(Attributes... attributes) const {
    return (present_ & (bit(attributes) | ...)) != 0;
  }
  // Decoded and trimmed of white space at the ends; empty when the attribute is absent.
  std::string_view value(Attribute attribute) const;
  std::string_view raw(Attribute attribute) const;

 private:
  static constexpr std::uint64_t bit(Attribute attribute) {
    return std::uint64_t{1} << static_cast<unsigned>(attribute);
  }
  const std::vector<RawAttribute>* attributes_ = nullptr;
  Arena* arena_ = nullptr;
  std::uint64_t present_ = 0;
  std::uint32_t at_[static_cast<std::size_t>(Attribute::kCount)];
};

class FactCollector {
 public:
  void start(PageFacts* facts, Arena* arena, TextRun* shown, TextRun* hidden, std::string_view page,
             bool links_only);

  // Octets that must be readable behind the page given to start().
  static constexpr std::size_t kPadding = 32;

  // Element `*element` was opened by `token`; its flags and region are its parent's. `in_head`: it
  // stands in the head.
  void opened(OpenElement* element, const Token& token, bool in_head);
  void opened_without_tag(OpenElement* element);
  // A copy of a formatting element that the standard reopens: a link goes on as another link.
  void reopened(OpenElement* element, const OpenElement& original);
  void closed(const OpenElement& element);
  void text(std::string_view text, const OpenElement& in);
  // The text of title, script and the like.
  void raw_text(std::string_view text, const OpenElement& in);

  void doctype(const Token& token, bool quirks);
  void no_doctype();
  void head_ended_by(const Token& token);
  void again(StructureFault fault, const Token& token);
  void html_again(const Token& token);
  void body_dropped();  // a frameset took the body's place
  void fault(StructureFault which, std::size_t at);
  void unfinished_text(Tag tag);  // the input ended in this element's raw text
  // Sets the names of controls, the texts and their words.
  void finish();

 private:
  enum class CaptureKind : std::uint8_t {
    kLink,
    kHeading,
    kLabel,
    kButton,
    kTitle,
    kJsonLd,
    kAppRoot,
    kNoSnippet,
    kAsidePart
  };
  struct Capture {  // text that is being gathered while an element is open
    CaptureKind kind = CaptureKind::kLink;
    bool from_hidden = false;
    bool has_alt = false;
    std::uint32_t index = 0;  // of the fact in its vector
    std::size_t start = 0;    // in the run
    std::size_t at = 0;       // of its tag in the page
    std::string_view alt;     // of the first image inside
    std::string_view label;   // aria-label, for a link; for, for a label
    std::string_view title;
    std::uint32_t next = 0;  // second capture of the same element
  };
  static constexpr std::size_t kMostName = 8 * 1024;  // octets of a name or a heading

  struct AltText {
    std::size_t at;
    std::string_view alt;
  };
  struct ControlNames {
    std::string_view id, aria_label, labelled_by, title, value, text, alt, placeholder;
    std::uint32_t label = 0;  // 1 + index in labels_ of the label around it
    bool named_by_default = false;
  };
  struct Label {
    std::string_view for_id;
    std::string_view text;
  };
  struct Range {
    std::size_t from, to;
  };

  SourcePlace place(std::size_t at) { return links_only_ ? SourcePlace{} : places_.at(at); }
  std::uint32_t add_capture(OpenElement* element, CaptureKind kind, std::size_t at,
                            std::uint32_t index);
  static std::string_view trim_blank(std::string_view text);
  static std::string_view cut_name(std::string_view text);
  std::string_view gathered(const Capture& capture) const;
  std::string_view captured(const Capture& capture);
  std::string_view captured_with_alts(const Capture& capture);
  std::string_view one_line(std::string_view text);
  std::string_view joined_lines(std::string_view text);
  void close_capture(const Capture& capture);
  void close_link(const Capture& capture);
  void inherit(OpenElement* element);
  void head_element(const Token& token, Tag tag, bool in_head);
  void meta(std::size_t at, bool in_head);
  void link(std::size_t at, bool in_head);
  void anchor(OpenElement* element, const Token& token);
  void body_element(OpenElement* element, const Token& token);
  void frame_link(const OpenElement& element, const Token& token, LinkKind kind);
  void image(const OpenElement& element, const Token& token);
  void control(OpenElement* element, const Token& token);
  void resource(ResourceKind kind, Attribute attribute, std::size_t at);
  void common_attributes(OpenElement* element, const Token& token);
  void resolve_controls();
  void resolve_text();
  std::uint32_t count_main_words() const;

  // A piece of the page, not of a character reference.
  bool is_padded(std::string_view text) const {
    return text.data() >= page_.data() && text.data() < page_.data() + page_.size();
  }

  PageFacts* facts_ = nullptr;
  std::string_view page_;
  Arena* arena_ = nullptr;
  TextRun* shown_ = nullptr;
  TextRun* hidden_ = nullptr;
  bool links_only_ = false;
  PlaceFinder places_;
  AttributeView attributes_;
  std::vector<Capture> captures_;  // [0] is none
  std::vector<std::uint32_t> open_captures_;
  std::vector<AltText> alts_;
  std::vector<ControlNames> control_names_;
  std::vector<Label> labels_;
  std::vector<Range> outside_main_;
  std::vector<Range> no_snippet_;
  std::string raw_;
  const char* raw_begin_ = nullptr;  // of a script's text in the page
  std::size_t raw_size_ = 0;
  std::size_t raw_at_ = 0;  // of the last start tag that raw text follows
  bool base_seen_ = false;
  std::uint32_t open_headings_ = 0;
  std::uint32_t open_label_ = 0;
};

}  // namespace periplus
