// Opening, closing, text; what is gathered while an element is open.
#include "html/fact_collector.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "html/scan.h"
#include "html/word_count.h"

namespace periplus {
namespace {

bool outside_main(Region region) {
  return region == Region::kNavigation || region == Region::kHeader || region == Region::kFooter ||
         region == Region::kAside;
}

// Elements that are a fact by themselves, whatever their attributes: those that opened() and
// body_element() name.
constexpr auto kFactTags = [] {
  std::array<bool, static_cast<std::size_t>(Tag::kCount)> table{};
  for (const Tag tag :
       {Tag::k_html,   Tag::k_base,  Tag::k_link,   Tag::k_meta,     Tag::k_title,  Tag::k_script,
        Tag::k_style,  Tag::k_a,     Tag::k_area,   Tag::k_frame,    Tag::k_iframe, Tag::k_img,
        Tag::k_h1,     Tag::k_h2,    Tag::k_h3,     Tag::k_h4,       Tag::k_h5,     Tag::k_h6,
        Tag::k_label,  Tag::k_input, Tag::k_select, Tag::k_textarea, Tag::k_button, Tag::k_form,
        Tag::k_object, Tag::k_embed, Tag::k_audio,  Tag::k_video,    Tag::k_source, Tag::k_track,
        Tag::k_time}) {
    table[static_cast<std::size_t>(tag)] = true;
  }
  return table;
}();

// "display: none" in a style attribute.
bool hides(std::string_view style) {
  std::size_t at = 0;
  while (at + 7 <= style.size()) {
    if (!equal_ignoring_case(style.substr(at, 7), "display")) {
      ++at;
      continue;
    }
    std::string_view rest = trim(style.substr(at + 7));
    if (rest.starts_with(':') && starts_with_ignoring_case(trim(rest.substr(1)), "none")) {
      return true;
    }
    at += 7;
  }
  return false;
}

}  // namespace

void FactCollector::start(PageFacts* facts, Arena* arena, TextRun* shown, TextRun* hidden,
                          std::string_view page, bool links_only) {
  facts_ = facts;
  arena_ = arena;
  shown_ = shown;
  hidden_ = hidden;
  links_only_ = links_only;
  page_ = page;
  places_ = PlaceFinder(page);
  captures_.assign(1, {});
  open_captures_.clear();
  alts_.clear();
  control_names_.clear();
  labels_.clear();
  outside_main_.clear();
  no_snippet_.clear();
  raw_.clear();
  raw_begin_ = nullptr;
  raw_size_ = 0;
  open_headings_ = open_label_ = 0;
  base_seen_ = false;
  raw_at_ = 0;
}

std::uint32_t FactCollector::add_capture(OpenElement* element, CaptureKind kind, std::size_t at,
                                         std::uint32_t index) {
  Capture capture;
  capture.kind = kind;
  capture.from_hidden = (element->flags & (kHidden | kNotShown)) != 0;
  capture.start = capture.from_hidden ? hidden_->size() : shown_->size();
  capture.index = index;
  capture.at = at;
  capture.next = element->capture;
  if (capture.from_hidden) hidden_->line();
  const auto number = static_cast<std::uint32_t>(captures_.size());
  captures_.push_back(capture);
  element->capture = number;
  if (kind == CaptureKind::kLink || kind == CaptureKind::kHeading || kind == CaptureKind::kLabel ||
      kind == CaptureKind::kButton) {
    open_captures_.push_back(number);
  }
  return number;
}

// White space is folded to single spaces; a copy only where there is something to fold.
std::string_view FactCollector::one_line(std::string_view text) {
  text = trim_blank(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool odd = static_cast<unsigned char>(text[i]) < ' ';
    if (odd || (text[i] == ' ' && text[i - 1] == ' ')) return arena_->keep(collapse_space(text));
  }
  return text;
}

// No-break and zero-width spaces at the ends are nothing to read either: "&nbsp;" is an empty name.
std::string_view FactCollector::trim_blank(std::string_view text) {
  constexpr std::string_view kBlanks[] = {"\xC2\xA0", "\xE2\x80\x8B", "\xEF\xBB\xBF"};
  for (bool more = true; more;) {
    text = trim(text);
    more = false;
    for (const std::string_view blank : kBlanks) {
      if (text.starts_with(blank)) {
        text.remove_prefix(blank.size());
        more = true;
      }
      if (text.ends_with(blank)) {
        text.remove_suffix(blank.size());
        more = true;
      }
    }
  }
  return text;
}

// The same for text that is folded already, save for breaks between blocks.
std::string_view FactCollector::joined_lines(std::string_view text) {
  text = trim_blank(text);
  if (find_any<'\n'>(text) == text.data() + text.size()) return text;
  char* to = arena_->take(text.size());
  std::transform(text.begin(), text.end(), to, [](char c) { return c == '\n' ? ' ' : c; });
  return {to, text.size()};
}

// What was gathered, cut where no name or heading goes on: nested elements would otherwise hold
// the same text hundreds of times.
std::string_view FactCollector::gathered(const Capture& capture) const {
  return cut_name((capture.from_hidden ? hidden_ : shown_)->from(capture.start));
}

std::string_view FactCollector::cut_name(std::string_view text) {
  if (text.size() <= kMostName) return text;
  std::size_t size = kMostName;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

std::string_view FactCollector::captured(const Capture& capture) {
  return joined_lines(gathered(capture));
}

// The alternative texts of images stand where the images are.
std::string_view FactCollector::captured_with_alts(const Capture& capture) {
  const std::string_view all = gathered(capture);
  if (!capture.has_alt) return joined_lines(all);
  if (capture.from_hidden) {  // places of images are known in the text that is shown
    const std::string_view text = joined_lines(all);
    return text.empty() ? capture.alt : text;
  }
  std::string joined;
  std::size_t done = 0;
  auto alt = std::lower_bound(alts_.begin(), alts_.end(), capture.start,
                              [](const AltText& one, std::size_t at) { return one.at < at; });
  for (; alt != alts_.end() && joined.size() < kMostName; ++alt) {
    const std::size_t at = std::min(alt->at - capture.start, all.size());
    joined.append(all.substr(done, at - done)).append(" ");
    joined.append(alt->alt).append(" ");
    done = at;
  }
  joined.append(all.substr(done));
  return arena_->keep(collapse_space(joined));
}

void FactCollector::inherit(OpenElement* element) {
  const Tag tag = element->tag;
  if (!attributes_.any(Attribute::k_hidden, Attribute::k_aria_hidden, Attribute::k_style,
                       Attribute::k_role, Attribute::k_data_nosnippet) &&
      element->space == Space::kHtml && (tag_flags(tag) & kMarksInside) == 0) {
    return;
  }
  std::uint16_t flags = element->flags;
  if (!attributes_.none()) {
    const bool hidden_attribute =
        attributes_.has(Attribute::k_hidden) &&
        !equal_ignoring_case(attributes_.raw(Attribute::k_hidden), "until-found");
    if (hidden_attribute ||
        (attributes_.has(Attribute::k_aria_hidden) &&
         equal_ignoring_case(attributes_.value(Attribute::k_aria_hidden), "true")) ||
        (attributes_.has(Attribute::k_style) && hides(attributes_.raw(Attribute::k_style)))) {
      flags |= kHidden;
    }
  }
  if (element->space != Space::kHtml) {
    if (tag == Tag::k_title || tag == Tag::k_desc || tag == Tag::k_style || tag == Tag::k_script) {
      flags |= kNotShown;
    }
    element->flags = flags;
    return;
  }
  const std::uint32_t known = tag_flags(tag);
  if ((known & kUnseen) != 0 || tag == Tag::k_option || tag == Tag::k_head) flags |= kNotShown;
  if (tag == Tag::k_body) flags &= static_cast<std::uint16_t>(~kNotShown);
  if (tag == Tag::k_template) flags |= kInTemplate;
  if (tag == Tag::k_noscript) flags |= kInNoscript;

  Region region = element->region;
  std::string_view role;
  if (attributes_.has(Attribute::k_role)) role = attributes_.value(Attribute::k_role);
  const bool sectioned = (flags & kInSectioning) != 0;
  switch (tag) {
    case Tag::k_main:
      region = Region::kMain;
      break;
    case Tag::k_nav:
      region = Region::kNavigation;
      break;
    case Tag::k_aside:
      region = Region::kAside;
      break;
    case Tag::k_header:
      if (!sectioned) region = Region::kHeader;
      break;
    case Tag::k_footer:
      if (!sectioned) region = Region::kFooter;
      break;
    default:
      break;
  }
  bool landmark = false;
  if (!role.empty()) {
    landmark = true;
    if (equal_ignoring_case(role, "main")) {
      region = Region::kMain;
    } else if (equal_ignoring_case(role, "navigation")) {
      region = Region::kNavigation;
    } else if (equal_ignoring_case(role, "banner")) {
      region = Region::kHeader;
    } else if (equal_ignoring_case(role, "contentinfo")) {
      region = Region::kFooter;
    } else if (equal_ignoring_case(role, "complementary")) {
      region = Region::kAside;
    } else {
      landmark = false;
    }
  }
  if (landmark || tag == Tag::k_main || tag == Tag::k_nav || tag == Tag::k_aside ||
      tag == Tag::k_article || tag == Tag::k_section) {
    flags |= kInSectioning;
  }
  const bool is_main = tag == Tag::k_main || (landmark && region == Region::kMain);
  if (is_main && !links_only_ && (flags & (kHidden | kNotShown)) == 0) ++facts_->visible_mains;
  const bool enters = outside_main(region) && !outside_main(element->region);
  element->region = region;
  element->flags = flags;
  if (enters) add_capture(element, CaptureKind::kAsidePart, 0, 0);
  if (attributes_.has(Attribute::k_data_nosnippet) && (flags & kNoSnippet) == 0) {
    element->flags |= kNoSnippet;
    add_capture(element, CaptureKind::kNoSnippet, 0, 0);
  }
}

void FactCollector::opened_without_tag(OpenElement* element) {
  if (element->tag == Tag::k_head) element->flags |= kNotShown;
  const std::uint32_t known = tag_flags(element->tag);
  if ((known & kBlock) != 0) {
    shown_->line();
  } else if ((known & kCell) != 0) {
    shown_->space();
  }
}

void FactCollector::opened(OpenElement* element, const Token& token, bool in_head) {
  attributes_.read(token.attributes, arena_);
  if ((element->flags & kInTemplate) != 0) return;
  inherit(element);
  const std::uint32_t known = tag_flags(element->tag);
  if (element->space == Space::kHtml && (element->flags & kHidden) == 0) {
    if ((known & kBlock) != 0) {
      shown_->line();
    } else if ((known & kCell) != 0) {
      shown_->space();
    }
  }
  if (!attributes_.none() && !links_only_) common_attributes(element, token);
  if (element->space != Space::kHtml || !kFactTags[static_cast<std::size_t>(element->tag)]) return;
  switch (element->tag) {
    case Tag::k_html:
      facts_->has_lang = attributes_.has(Attribute::k_lang);
      facts_->html_lang = attributes_.value(Attribute::k_lang);
      return;
    case Tag::k_base:
    case Tag::k_link:
    case Tag::k_meta:
    case Tag::k_title:
    case Tag::k_script:
      raw_at_ = token.at;
      head_element(token, element->tag, in_head);
      if (element->tag == Tag::k_title) {
        raw_.clear();
        add_capture(element, CaptureKind::kTitle, token.at,
                    static_cast<std::uint32_t>(facts_->titles.size() - 1));
      } else if (element->tag == Tag::k_script && !links_only_ &&
                 starts_with_ignoring_case(attributes_.value(Attribute::k_type),
                                           "application/ld+json")) {
        raw_size_ = 0;
        facts_->json_ld.push_back({{}, place(token.at)});
        add_capture(element, CaptureKind::kJsonLd, token.at,
                    static_cast<std::uint32_t>(facts_->json_ld.size() - 1));
      }
      return;
    case Tag::k_style:
    case Tag::k_textarea:
      raw_at_ = token.at;
      break;
    case Tag::k_a:
      anchor(element, token);
      return;
    default:
      break;
  }
  body_element(element, token);
}

void FactCollector::reopened(OpenElement* copy, const OpenElement& original) {
  if ((copy->flags & kInTemplate) != 0) return;
  for (std::uint32_t i = original.capture; i != 0; i = captures_[i].next) {
    if (captures_[i].kind != CaptureKind::kLink) continue;
    const Capture before = captures_[i];
    if (before.index >= facts_->links.size()) return;
    Link link = facts_->links[before.index];
    link.words = {};
    link.image_only = false;
    facts_->links.push_back(link);
    const std::uint32_t number = add_capture(copy, CaptureKind::kLink, before.at,
                                             static_cast<std::uint32_t>(facts_->links.size() - 1));
    captures_[number].label = before.label;
    captures_[number].title = before.title;
    return;
  }
}

void FactCollector::closed(const OpenElement& element) {
  if (element.space == Space::kHtml && (element.flags & (kHidden | kInTemplate)) == 0) {
    const std::uint32_t known = tag_flags(element.tag);
    if ((known & kBlock) != 0) {
      shown_->line();
    } else if ((known & kCell) != 0) {
      shown_->space();
    }
  }
  for (std::uint32_t i = element.capture; i != 0; i = captures_[i].next) {
    const auto open = std::find(open_captures_.rbegin(), open_captures_.rend(), i);
    if (open != open_captures_.rend()) open_captures_.erase(std::next(open).base());
    close_capture(captures_[i]);
  }
}

void FactCollector::close_capture(const Capture& capture) {
  switch (capture.kind) {
    case CaptureKind::kLink:
      close_link(capture);
      return;
    case CaptureKind::kHeading:
      facts_->headings[capture.index].text = captured_with_alts(capture);
      if (--open_headings_ == 0) alts_.clear();
      return;
    case CaptureKind::kLabel:
      labels_[capture.index].text = captured(capture);
      open_label_ = 0;
      return;
    case CaptureKind::kButton:
      control_names_[capture.index].text =
          capture.has_alt && captured(capture).empty() ? capture.alt : captured(capture);
      return;
    case CaptureKind::kTitle: {
      Title& title = facts_->titles[capture.index];
      title.text = arena_->keep(collapse_space(raw_));
      if (title.in_head && facts_->title.empty()) facts_->title = title.text;
      return;
    }
    case CaptureKind::kJsonLd:
      facts_->json_ld[capture.index].text = {raw_begin_, raw_size_};
      return;
    case CaptureKind::kAppRoot:
      if (trim(gathered(capture)).empty() && facts_->app_root.empty()) {
        facts_->app_root = capture.label;
      }
      return;
    case CaptureKind::kNoSnippet:
      if (!capture.from_hidden) no_snippet_.push_back({capture.start, shown_->size()});
      return;
    case CaptureKind::kAsidePart:
      if (!capture.from_hidden) outside_main_.push_back({capture.start, shown_->size()});
      return;
  }
}

void FactCollector::close_link(const Capture& capture) {
  Link& link = facts_->links[capture.index];
  link.words = captured(capture);
  if (!link.words.empty()) return;
  if (!capture.alt.empty()) {
    link.words = capture.alt;
    link.image_only = true;
  } else if (!capture.label.empty()) {
    link.words = one_line(capture.label);
  } else {
    link.words = one_line(capture.title);
  }
}

void FactCollector::text(std::string_view text, const OpenElement& in) {
  if ((in.flags & (kHidden | kNotShown | kInTemplate)) == 0) {
    shown_->append(text, is_padded(text));
    return;
  }
  if ((in.flags & kInTemplate) != 0) return;
  if ((in.flags & kInNoscript) != 0 && !facts_->asks_for_script && !links_only_) {
    facts_->asks_for_script = contains_ignoring_case(text, "javascript");
  }
  if (open_captures_.empty()) return;
  hidden_->append(text);
  if (in.space == Space::kSvg && in.tag == Tag::k_title) {
    for (const std::uint32_t i : open_captures_) {
      Capture& capture = captures_[i];
      if (capture.alt.empty()) capture.alt = trim(text);
      capture.has_alt = capture.has_alt || !capture.alt.empty();
    }
  }
}

void FactCollector::raw_text(std::string_view text, const OpenElement& in) {
  if ((in.flags & kInTemplate) != 0) return;
  if (in.tag == Tag::k_title) {
    raw_.append(text);
  } else if (in.tag == Tag::k_script && in.capture != 0) {
    // Pieces of one script lie behind each other in the page.
    if (raw_size_ == 0) raw_begin_ = text.data();
    raw_size_ += text.size();
  }
}

}  // namespace periplus
