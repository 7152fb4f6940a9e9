// The facts that single elements give.
#include <algorithm>

#include "base/text.h"
#include "html/fact_collector.h"
#include "html/scan.h"

namespace periplus {
namespace {

constexpr std::string_view kAppRoots[] = {
    "root", "app", "__next", "__nuxt", "___gatsby", "svelte", "app-root", "react-root", "main-app"};

// The tokens of a space-separated attribute.
template <class Each>
void each_word(std::string_view list, Each each) {
  std::size_t at = 0;
  while (at < list.size()) {
    while (at < list.size() && is_html_space(list[at])) ++at;
    const std::size_t from = at;
    while (at < list.size() && !is_html_space(list[at])) ++at;
    if (at != from) each(list.substr(from, at - from));
  }
}

std::uint16_t rel_flags(std::string_view rel) {
  struct Row {
    std::string_view word;
    RelFlag flag;
  };
  static constexpr Row kRows[] = {{"nofollow", kRelNofollow},   {"ugc", kRelUgc},
                                  {"sponsored", kRelSponsored}, {"external", kRelExternal},
                                  {"next", kRelNext},           {"prev", kRelPrev},
                                  {"previous", kRelPrev},       {"noopener", kRelNoopener}};
  std::uint16_t flags = 0;
  each_word(rel, [&](std::string_view word) {
    for (const Row& row : kRows) {
      if (equal_ignoring_case(word, row.word)) flags |= row.flag;
    }
  });
  return flags;
}

bool has_word(std::string_view list, std::string_view wanted) {
  bool found = false;
  each_word(list,
            [&](std::string_view word) { found = found || equal_ignoring_case(word, wanted); });
  return found;
}

// "author" or "byline" somewhere in a class or itemprop. `text` lies in the page, behind which
// FactCollector::kPadding octets may be read.
bool names_an_author(std::string_view text) {
  if (text.size() < 6) return false;
#if defined(__SSE2__)
  if (text.size() <= 17) {
    // Most are as short as this and hold neither word's second letter.
    const __m128i octets = _mm_or_si128(
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + 1)), _mm_set1_epi8(0x20));
    const __m128i found = _mm_or_si128(_mm_cmpeq_epi8(octets, _mm_set1_epi8('u')),
                                       _mm_cmpeq_epi8(octets, _mm_set1_epi8('y')));
    const std::uint32_t wanted = (1U << (text.size() - 5)) - 1;
    if ((static_cast<std::uint32_t>(_mm_movemask_epi8(found)) & wanted) == 0) return false;
  }
#endif
  for (std::size_t i = 1; i + 5 <= text.size(); ++i) {
    const char c = static_cast<char>(text[i] | 0x20);
    if ((c == 'u' && equal_ignoring_case(text.substr(i - 1, 6), "author")) ||
        (c == 'y' && equal_ignoring_case(text.substr(i - 1, 6), "byline"))) {
      return true;
    }
  }
  return false;
}

std::string_view first_candidate(std::string_view srcset) {
  std::string_view first;
  each_word(srcset, [&](std::string_view word) {
    if (first.empty()) first = word;
  });
  while (first.ends_with(',')) first.remove_suffix(1);
  return first;
}

}  // namespace

void FactCollector::resource(ResourceKind kind, Attribute attribute, std::size_t at) {
  if (links_only_ || !attributes_.has(attribute)) return;
  const std::string_view url = attributes_.value(attribute);
  if (!url.empty()) facts_->resources.push_back({kind, url, place(at)});
}

// id, class and the like, which any element may have.
void FactCollector::common_attributes(OpenElement* element, const Token& token) {
  if (attributes_.has(Attribute::k_id)) {
    const std::string_view id = attributes_.value(Attribute::k_id);
    if (!id.empty()) {
      facts_->ids.push_back({id, false, place(token.at)});
      if (facts_->app_root.empty() && element->space == Space::kHtml &&
          std::find(std::begin(kAppRoots), std::end(kAppRoots), id) != std::end(kAppRoots)) {
        captures_[add_capture(element, CaptureKind::kAppRoot, token.at, 0)].label = id;
      }
    }
  }
  if (attributes_.any(Attribute::k_for_, Attribute::k_aria_labelledby,
                      Attribute::k_aria_describedby, Attribute::k_aria_controls)) {
    for (const Attribute attribute : {Attribute::k_for_, Attribute::k_aria_labelledby,
                                      Attribute::k_aria_describedby, Attribute::k_aria_controls}) {
      each_word(attributes_.value(attribute),
                [&](std::string_view id) { facts_->label_refs.push_back(id); });
    }
  }
  if (!facts_->byline &&
      attributes_.any(Attribute::k_class_, Attribute::k_itemprop, Attribute::k_rel)) {
    for (const Attribute attribute : {Attribute::k_class_, Attribute::k_itemprop}) {
      if (!attributes_.has(attribute)) continue;
      facts_->byline = facts_->byline || names_an_author(attributes_.raw(attribute));
    }
    if (attributes_.has(Attribute::k_rel)) {
      facts_->byline = facts_->byline || has_word(attributes_.value(Attribute::k_rel), "author");
    }
  }
}

void FactCollector::meta(std::size_t at, bool in_head) {
  Meta meta;
  std::string_view name;
  if (attributes_.has(Attribute::k_name)) {
    name = attributes_.value(Attribute::k_name);
  } else if (attributes_.has(Attribute::k_property)) {
    name = attributes_.value(Attribute::k_property);
    meta.property = true;
  } else if (attributes_.has(Attribute::k_http_equiv)) {
    name = attributes_.value(Attribute::k_http_equiv);
    meta.http_equiv = true;
  } else if (attributes_.has(Attribute::k_charset)) {
    meta.name = "charset";
    meta.content = attributes_.value(Attribute::k_charset);
  } else {
    return;
  }
  if (meta.name.empty()) {
    meta.name = name_text(name, arena_);
    meta.content = attributes_.value(Attribute::k_content);
  }
  meta.in_head = in_head;
  meta.place = place(at);
  facts_->metas.push_back(meta);
}

void FactCollector::link(std::size_t at, bool in_head) {
  LinkRel link;
  link.rel = name_text(attributes_.value(Attribute::k_rel), arena_);
  link.href = attributes_.value(Attribute::k_href);
  link.hreflang = attributes_.value(Attribute::k_hreflang);
  link.type = attributes_.value(Attribute::k_type);
  link.media = attributes_.value(Attribute::k_media);
  link.in_head = in_head;
  link.place = place(at);
  facts_->link_rels.push_back(link);
  if (attributes_.has(Attribute::k_hreflang) && has_word(link.rel, "alternate")) {
    facts_->alternates.push_back({link.hreflang, link.href, in_head, link.place});
  }
  if (has_word(link.rel, "stylesheet")) resource(ResourceKind::kStylesheet, Attribute::k_href, at);
}

void FactCollector::head_element(const Token& token, Tag tag, bool in_head) {
  switch (tag) {
    case Tag::k_base:
      if (!base_seen_ && attributes_.has(Attribute::k_href)) {
        base_seen_ = true;
        facts_->base_href = attributes_.value(Attribute::k_href);
      }
      return;
    case Tag::k_meta:
      meta(token.at, in_head);
      return;
    case Tag::k_link:
      link(token.at, in_head);
      return;
    case Tag::k_title:
      facts_->titles.push_back({{}, in_head, place(token.at)});
      return;
    case Tag::k_script:
      resource(ResourceKind::kScript, Attribute::k_src, token.at);
      return;
    default:
      return;
  }
}

void FactCollector::anchor(OpenElement* element, const Token& token) {
  const bool has_href = attributes_.has(Attribute::k_href);
  const bool has_name = attributes_.has(Attribute::k_name);
  if (has_name && !links_only_) {
    const std::string_view name = attributes_.value(Attribute::k_name);
    if (!name.empty()) facts_->ids.push_back({name, true, place(token.at)});
  }
  if (!has_href && (links_only_ || (!has_name && !attributes_.has(Attribute::k_onclick)))) return;
  Link link;
  link.kind = LinkKind::kAnchor;
  link.has_href = has_href;
  link.href = attributes_.value(Attribute::k_href);
  if (attributes_.has(Attribute::k_rel)) link.rel = rel_flags(attributes_.value(Attribute::k_rel));
  link.region = element->region;
  link.hidden = (element->flags & kHidden) != 0;
  link.aria_label = attributes_.value(Attribute::k_aria_label);
  link.place = place(token.at);
  facts_->links.push_back(link);
  const std::string_view title = attributes_.value(Attribute::k_title);
  Capture& capture = captures_[add_capture(element, CaptureKind::kLink, token.at,
                                           static_cast<std::uint32_t>(facts_->links.size() - 1))];
  capture.label = link.aria_label;
  capture.title = title;
}

// area, frame and iframe: links whose name is an attribute.
void FactCollector::frame_link(const OpenElement& element, const Token& token, LinkKind kind) {
  const Attribute address = kind == LinkKind::kArea ? Attribute::k_href : Attribute::k_src;
  if (!attributes_.has(address)) return;
  Link link;
  link.kind = kind;
  link.href = attributes_.value(address);
  if (attributes_.has(Attribute::k_rel)) link.rel = rel_flags(attributes_.value(Attribute::k_rel));
  link.region = element.region;
  link.hidden = (element.flags & kHidden) != 0;
  link.aria_label = attributes_.value(Attribute::k_aria_label);
  link.place = place(token.at);
  const std::string_view alt = attributes_.value(Attribute::k_alt);
  if (kind == LinkKind::kArea && !alt.empty()) {
    link.words = one_line(alt);
    link.image_only = true;
  } else {
    link.words = one_line(!link.aria_label.empty() ? link.aria_label
                                                   : attributes_.value(Attribute::k_title));
  }
  facts_->links.push_back(link);
}

void FactCollector::image(const OpenElement& element, const Token& token) {
  Image image;
  image.has_alt = attributes_.has(Attribute::k_alt);
  image.alt = attributes_.value(Attribute::k_alt);
  std::string_view role;
  if (attributes_.has(Attribute::k_role)) role = attributes_.value(Attribute::k_role);
  const bool presentation =
      equal_ignoring_case(role, "presentation") || equal_ignoring_case(role, "none");
  image.decorative =
      (image.has_alt && image.alt.empty()) || presentation || (element.flags & kHidden) != 0;
  if (!image.decorative && !image.alt.empty()) {
    const std::string_view alt = one_line(image.alt);
    for (const std::uint32_t i : open_captures_) {
      Capture& capture = captures_[i];
      capture.has_alt = true;
      if (capture.alt.empty()) capture.alt = alt;
    }
    if (open_headings_ != 0) alts_.push_back({shown_->size(), cut_name(alt)});
  }
  if (links_only_) return;
  image.src = attributes_.value(Attribute::k_src);
  if (image.src.empty()) image.src = first_candidate(attributes_.value(Attribute::k_srcset));
  image.has_size = attributes_.has(Attribute::k_width) && attributes_.has(Attribute::k_height);
  image.place = place(token.at);
  facts_->images.push_back(image);
  if (!image.src.empty()) {
    facts_->resources.push_back({ResourceKind::kImage, image.src, image.place});
  }
}

void FactCollector::control(OpenElement* element, const Token& token) {
  if (links_only_) return;
  Control control;
  control.element = tag_name(element->tag);
  control.type = name_text(attribute_value(attributes_.raw(Attribute::k_type), arena_), arena_);
  resource(ResourceKind::kFormAction, Attribute::k_formaction, token.at);
  const bool input = element->tag == Tag::k_input;
  if ((input && control.type == "hidden") || (element->flags & kHidden) != 0) return;
  control.place = place(token.at);
  ControlNames names;
  names.id = attributes_.value(Attribute::k_id);
  names.aria_label = attributes_.value(Attribute::k_aria_label);
  names.labelled_by = attributes_.value(Attribute::k_aria_labelledby);
  names.title = attributes_.value(Attribute::k_title);
  const bool button =
      input && (control.type == "submit" || control.type == "reset" || control.type == "button");
  if (button || element->tag == Tag::k_button) names.value = attributes_.value(Attribute::k_value);
  if (element->tag == Tag::k_button) names.value = {};  // its text is its name
  // A browser names these itself ("Submit", "Reset").
  names.named_by_default = input && !attributes_.has(Attribute::k_value) &&
                           (control.type == "submit" || control.type == "reset");
  if (input && control.type == "image") names.alt = attributes_.value(Attribute::k_alt);
  names.placeholder = attributes_.value(Attribute::k_placeholder);
  if (element->tag != Tag::k_iframe) names.label = open_label_;
  facts_->controls.push_back(control);
  control_names_.push_back(names);
  if (element->tag == Tag::k_button) {
    add_capture(element, CaptureKind::kButton, token.at,
                static_cast<std::uint32_t>(control_names_.size() - 1));
  }
}

void FactCollector::body_element(OpenElement* element, const Token& token) {
  switch (element->tag) {
    case Tag::k_area:
      frame_link(*element, token, LinkKind::kArea);
      return;
    case Tag::k_frame:
      frame_link(*element, token, LinkKind::kFrame);
      return;
    case Tag::k_iframe:
      frame_link(*element, token, LinkKind::kIframe);
      resource(ResourceKind::kIframe, Attribute::k_src, token.at);
      control(element, token);
      return;
    case Tag::k_img:
      image(*element, token);
      return;
    case Tag::k_h1:
    case Tag::k_h2:
    case Tag::k_h3:
    case Tag::k_h4:
    case Tag::k_h5:
    case Tag::k_h6: {
      if (links_only_) return;
      Heading heading;
      heading.level = static_cast<std::uint8_t>(1 + static_cast<int>(element->tag) -
                                                static_cast<int>(Tag::k_h1));
      heading.hidden = (element->flags & (kHidden | kNotShown)) != 0;
      heading.region = element->region;
      heading.place = place(token.at);
      facts_->headings.push_back(heading);
      ++open_headings_;
      add_capture(element, CaptureKind::kHeading, token.at,
                  static_cast<std::uint32_t>(facts_->headings.size() - 1));
      return;
    }
    case Tag::k_label:
      if (links_only_) return;
      labels_.push_back({attributes_.value(Attribute::k_for_), {}});
      open_label_ = static_cast<std::uint32_t>(labels_.size());
      add_capture(element, CaptureKind::kLabel, token.at, open_label_ - 1);
      return;
    case Tag::k_input:
    case Tag::k_select:
    case Tag::k_textarea:
    case Tag::k_button:
      control(element, token);
      return;
    case Tag::k_form:
      resource(ResourceKind::kFormAction, Attribute::k_action, token.at);
      return;
    case Tag::k_object:
      resource(ResourceKind::kObject, Attribute::k_data, token.at);
      return;
    case Tag::k_embed:
      resource(ResourceKind::kEmbed, Attribute::k_src, token.at);
      return;
    case Tag::k_audio:
      resource(ResourceKind::kAudio, Attribute::k_src, token.at);
      return;
    case Tag::k_video:
      resource(ResourceKind::kVideo, Attribute::k_src, token.at);
      return;
    case Tag::k_source:
      resource(ResourceKind::kSource, Attribute::k_src, token.at);
      return;
    case Tag::k_track:
      resource(ResourceKind::kTrack, Attribute::k_src, token.at);
      return;
    case Tag::k_time:
      if (!links_only_ && attributes_.has(Attribute::k_datetime)) {
        facts_->times.push_back(attributes_.value(Attribute::k_datetime));
      }
      return;
    default:
      return;
  }
}

}  // namespace periplus
