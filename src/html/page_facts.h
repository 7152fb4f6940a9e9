// html: bytes of a page in, facts out. Encoding detection, a streaming tokenizer that follows the
// WHATWG HTML Standard, and the page reader. Nobody downstream of PageFacts sees markup.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace periplus {

// Where something stands in the source: both from 1; a column counts code points of the decoded
// text.
struct SourcePlace {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

// The part of the page by its nearest sectioning ancestor (HTML elements and ARIA landmark roles).
enum class Region : std::uint8_t { kBody, kMain, kNavigation, kHeader, kFooter, kAside };

enum RelFlag : std::uint16_t {  // of a rel attribute; others are kept only as text in LinkRel
  kRelNofollow = 1,
  kRelUgc = 2,
  kRelSponsored = 4,
  kRelExternal = 8,
  kRelNext = 16,
  kRelPrev = 32,
  kRelNoopener = 64,
};

enum class LinkKind : std::uint8_t { kAnchor, kArea, kFrame, kIframe };

struct Link {  // <a href>, <area href>, <frame src>, <iframe src>
  LinkKind kind = LinkKind::kAnchor;
  std::string_view
      href;  // as written, character references decoded, ASCII white space trimmed at the ends
  std::string_view words;  // its accessible name's text: visible text, else alt of an image inside,
                           // else aria-label, else title (white space collapsed)
  std::uint16_t rel = 0;   // RelFlag bits
  Region region = Region::kBody;
  bool has_href =
      true;  // false: <a> without href (kept when it has a name attribute or an onclick)
  bool image_only = false;  // the words come from an image's alt
  bool hidden = false;  // hidden attribute, aria-hidden, or display:none in a style attribute (own
                        // or ancestor's)
  std::string_view aria_label;
  SourcePlace place;
};

// A heading's text and a link's words are cut at 8 KiB.
struct Heading {
  std::uint8_t level = 1;  // 1..6
  std::string_view text;   // alt of images inside counts as text
  bool hidden = false;
  Region region = Region::kBody;
  SourcePlace place;
};

struct Meta {             // <meta name|property|http-equiv|charset content>
  std::string_view name;  // lower-cased; of name, else property, else http-equiv, else "charset"
  std::string_view content;
  bool http_equiv = false;
  bool property = false;
  bool in_head = true;  // false: in the body, because a body tag or a body-only element came first;
                        // what stands between </head> and the body lands in the head
  SourcePlace place;
};

struct LinkRel {         // <link rel href …>
  std::string_view rel;  // as written, lower-cased
  std::string_view href;
  std::string_view hreflang;
  std::string_view type;
  std::string_view media;
  bool in_head = true;
  SourcePlace place;
};

struct Title {            // every <title> in the HTML namespace
  std::string_view text;  // white space collapsed
  bool in_head = true;
  SourcePlace place;
};

struct Image {
  std::string_view src;  // src, else the first candidate of srcset
  std::string_view alt;
  bool has_alt = false;
  bool decorative = false;  // alt="" or role=presentation|none or aria-hidden (own or ancestor's)
  bool has_size = false;    // width and height
  SourcePlace place;
};

// A resource that the browser fetches or sends to, for the mixed-content and form rules.
enum class ResourceKind : std::uint8_t {
  kScript,
  kStylesheet,
  kIframe,
  kObject,
  kEmbed,
  kImage,
  kAudio,
  kVideo,
  kSource,
  kTrack,
  kFormAction,  // <form action> as written, and formaction of a button or input
};
struct Resource {
  ResourceKind kind = ResourceKind::kScript;
  std::string_view url;
  SourcePlace place;
};

struct Control {  // input, select, textarea, button, iframe, unless hidden (by type or otherwise)
  std::string_view element;  // "input"
  std::string_view type;     // lower-cased type attribute
  std::string_view
      name;  // accessible name: label (for or wrapping), aria-label, aria-labelledby (text
             // unresolved: the ids), title, value of a button, its text, placeholder last
  bool named = false;
  SourcePlace place;
};

struct JsonLd {           // <script type="application/ld+json">
  std::string_view text;  // exactly as written
  SourcePlace place;
};

struct Id {
  std::string_view value;
  bool anchor_name = false;  // <a name=…> rather than id=…
  SourcePlace place;
};

struct Alternate {  // <link rel=alternate hreflang=… href=…>
  std::string_view lang;
  std::string_view href;
  bool in_head = true;
  SourcePlace place;
};

// How the source departs from a well-formed page; the first place of each.
enum class StructureFault : std::uint8_t {
  kQuirksMode,  // no doctype, or one that gives quirks or limited-quirks mode
  kSecondHtml,
  kSecondHead,
  kSecondBody,  // the same start tag again
  kUnclosedTitle,
  kUnclosedTextarea,
  kUnclosedScript,
  kUnclosedStyle,
  kUnclosedComment,
  kUnclosedTag,         // the file ends inside a tag
  kHeadEndedByElement,  // a body-only element ended the head before its end tag; see head_ended_by
  kNullCharacters,
};
struct StructureFinding {
  StructureFault fault;
  SourcePlace place;
};

// Everything we know of one page. Views point into `memory` (or the buffer read) and live as long
// as this value; a PageFacts can be moved, not copied, and reused for the next page by the reader.
struct PageFacts {
  PageFacts();
  PageFacts(PageFacts&&) noexcept;
  PageFacts& operator=(PageFacts&&) noexcept;
  ~PageFacts();
  void clear();  // empty again, memory kept

  // Encoding
  std::string_view encoding;            // WHATWG name, lower-cased: "utf-8", "shift_jis"
  std::string_view encoding_source;     // "bom", "header", "meta", "detector", "default"
  std::string_view header_charset;      // label as declared in Content-Type; empty if none
  std::string_view meta_charset;        // label as declared in the first 1,024 bytes; empty if none
  std::uint32_t undecodable = 0;        // sequences that are not valid in `encoding`
  std::uint32_t replacement_chars = 0;  // U+FFFD in visible text
  std::uint32_t double_utf8_runs = 0;   // runs in visible text that look like UTF-8 decoded twice

  // Head
  std::vector<Title>
      titles;              // in document order, in and out of head; SVG titles are not among them
  std::string_view title;  // the first in head with its text; empty when there is none
  std::vector<Meta> metas;
  std::vector<LinkRel> link_rels;
  std::vector<Alternate> alternates;  // hreflang
  std::string_view base_href;         // first <base href>; empty when there is none
  std::string_view html_lang;
  bool has_lang = false;
  std::string_view
      head_ended_by;  // name of the element that ended the head, if none closed it properly
  bool doctype = false;

  // Body
  std::vector<Heading> headings;
  std::vector<Link> links;
  std::vector<Image> images;
  std::vector<Resource> resources;
  std::vector<Control> controls;
  std::vector<Id> ids;
  std::vector<std::string_view>
      label_refs;  // values of for, aria-labelledby, aria-describedby, aria-controls
  std::vector<JsonLd> json_ld;
  std::uint32_t visible_mains = 0;      // <main> or role=main that is not hidden
  std::vector<std::string_view> times;  // datetime attributes of <time>
  bool byline = false;                  // rel=author, or class/itemprop containing author or byline
  std::string_view app_root;            // "root", "app", "__next", …: an empty element with that id
  bool asks_for_script = false;         // a noscript text that asks to enable JavaScript
  std::vector<StructureFinding> faults;

  // Text (UTF-8, white space collapsed, one space between words, '\n' between blocks)
  std::string_view text;  // what a reader sees: no script, style, template, noscript, hidden parts
  std::string_view main_text;  // the same without navigation, header, footer and aside
  std::uint32_t words = 0;  // of `text`: UAX #29-like words; two CJK characters count as one word
  std::uint32_t main_words = 0;
  std::uint32_t nosnippet_words = 0;  // words of main_text under data-nosnippet
  std::uint32_t source_bytes = 0;     // octets read

  struct Memory;
  std::unique_ptr<Memory> memory;
};

}  // namespace periplus
