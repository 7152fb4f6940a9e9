// The element and attribute names that the reader knows, as numbers.
#pragma once

#include <cstdint>
#include <string_view>

namespace periplus {

// What the tree model must know of an element (HTML Standard section 13.2.4.2 and 13.2.6).
enum TagFlag : std::uint32_t {
  kSpecial = 1U << 0,
  kFormatting = 1U << 1,
  kScopeEnd = 1U << 2,      // ends the default scope
  kImpliedEnd = 1U << 3,    // "generate implied end tags"
  kVoid = 1U << 4,          // never has contents
  kBlock = 1U << 5,         // stands on lines of its own
  kCell = 1U << 6,          // its text is apart from its neighbour's
  kUnseen = 1U << 7,        // its text is not shown
  kBreakout = 1U << 8,      // ends foreign content
  kHeadingTag = 1U << 9,    // h1 … h6
  kClosesP = 1U << 10,      // start tag closes a p in button scope and nothing more
  kEndsBlock = 1U << 11,    // end tag handled as that of a block
  kThoroughEnd = 1U << 12,  // "generate all implied end tags thoroughly", beyond kImpliedEnd
  kMarksInside = 1U << 13,  // says something of everything inside: region, not shown …
  kInline = 1U << 14,       // no rule of "in body" names it but those for formatting elements
};

// X(name, flags): every element the rules name. Kept sorted for people, not for the program.
#define PERIPLUS_TAGS(X)                                                \
  X(a, kFormatting)                                                     \
  X(address, kSpecial | kBlock | kClosesP | kEndsBlock)                 \
  X(applet, kSpecial | kScopeEnd)                                       \
  X(area, kSpecial | kVoid)                                             \
  X(article, kSpecial | kBlock | kClosesP | kEndsBlock | kMarksInside)  \
  X(aside, kSpecial | kBlock | kClosesP | kEndsBlock | kMarksInside)    \
  X(audio, kUnseen | kMarksInside)                                      \
  X(b, kFormatting | kBreakout | kInline)                               \
  X(base, kSpecial | kVoid)                                             \
  X(basefont, kSpecial | kVoid)                                         \
  X(bgsound, kSpecial | kVoid)                                          \
  X(big, kFormatting | kBreakout | kInline)                             \
  X(blockquote, kSpecial | kBlock | kBreakout | kClosesP | kEndsBlock)  \
  X(body, kSpecial | kBlock | kBreakout | kMarksInside)                 \
  X(br, kSpecial | kVoid | kBlock | kBreakout)                          \
  X(button, kSpecial | kEndsBlock)                                      \
  X(canvas, kUnseen | kMarksInside)                                     \
  X(caption, kSpecial | kScopeEnd | kBlock | kThoroughEnd)              \
  X(center, kSpecial | kBlock | kBreakout | kClosesP | kEndsBlock)      \
  X(code, kFormatting | kBreakout | kInline)                            \
  X(col, kSpecial | kVoid)                                              \
  X(colgroup, kSpecial | kThoroughEnd)                                  \
  X(datalist, kUnseen | kMarksInside)                                   \
  X(dd, kSpecial | kImpliedEnd | kBlock | kBreakout)                    \
  X(details, kSpecial | kBlock | kClosesP | kEndsBlock)                 \
  X(dialog, kBlock | kClosesP | kEndsBlock)                             \
  X(dir, kSpecial | kBlock | kClosesP | kEndsBlock)                     \
  X(div, kSpecial | kBlock | kBreakout | kClosesP | kEndsBlock)         \
  X(dl, kSpecial | kBlock | kBreakout | kClosesP | kEndsBlock)          \
  X(dt, kSpecial | kImpliedEnd | kBlock | kBreakout)                    \
  X(em, kFormatting | kBreakout | kInline)                              \
  X(embed, kSpecial | kVoid | kBreakout)                                \
  X(fieldset, kSpecial | kBlock | kClosesP | kEndsBlock)                \
  X(figcaption, kSpecial | kBlock | kClosesP | kEndsBlock)              \
  X(figure, kSpecial | kBlock | kClosesP | kEndsBlock)                  \
  X(font, kFormatting | kInline)                                        \
  X(footer, kSpecial | kBlock | kClosesP | kEndsBlock | kMarksInside)   \
  X(form, kSpecial | kBlock)                                            \
  X(frame, kSpecial | kVoid)                                            \
  X(frameset, kSpecial)                                                 \
  X(h1, kSpecial | kHeadingTag | kBlock | kBreakout)                    \
  X(h2, kSpecial | kHeadingTag | kBlock | kBreakout)                    \
  X(h3, kSpecial | kHeadingTag | kBlock | kBreakout)                    \
  X(h4, kSpecial | kHeadingTag | kBlock | kBreakout)                    \
  X(h5, kSpecial | kHeadingTag | kBlock | kBreakout)                    \
  X(h6, kSpecial | kHeadingTag | kBlock | kBreakout)                    \
  X(head, kSpecial | kBreakout | kMarksInside)                          \
  X(header, kSpecial | kBlock | kClosesP | kEndsBlock | kMarksInside)   \
  X(hgroup, kSpecial | kBlock | kClosesP | kEndsBlock)                  \
  X(hr, kSpecial | kVoid | kBlock | kBreakout)                          \
  X(html, kSpecial | kScopeEnd | kBlock)                                \
  X(i, kFormatting | kBreakout | kInline)                               \
  X(iframe, kSpecial | kUnseen | kMarksInside)                          \
  X(image, 0)                                                           \
  X(img, kSpecial | kVoid | kBreakout)                                  \
  X(input, kSpecial | kVoid)                                            \
  X(keygen, kSpecial | kVoid)                                           \
  X(label, 0)                                                           \
  X(legend, kBlock)                                                     \
  X(li, kSpecial | kImpliedEnd | kBlock | kBreakout)                    \
  X(link, kSpecial | kVoid)                                             \
  X(listing, kSpecial | kBlock | kBreakout | kEndsBlock)                \
  X(main, kSpecial | kBlock | kClosesP | kEndsBlock | kMarksInside)     \
  X(marquee, kSpecial | kScopeEnd)                                      \
  X(menu, kSpecial | kBlock | kBreakout | kClosesP | kEndsBlock)        \
  X(meta, kSpecial | kVoid | kBreakout)                                 \
  X(nav, kSpecial | kBlock | kClosesP | kEndsBlock | kMarksInside)      \
  X(nobr, kFormatting | kBreakout)                                      \
  X(noembed, kSpecial | kUnseen | kMarksInside)                         \
  X(noframes, kSpecial | kUnseen | kMarksInside)                        \
  X(noscript, kSpecial | kUnseen | kMarksInside)                        \
  X(object, kSpecial | kScopeEnd)                                       \
  X(ol, kSpecial | kBlock | kBreakout | kClosesP | kEndsBlock)          \
  X(optgroup, kImpliedEnd | kBlock)                                     \
  X(option, kImpliedEnd | kBlock | kMarksInside)                        \
  X(p, kSpecial | kImpliedEnd | kBlock | kBreakout | kClosesP)          \
  X(param, kSpecial | kVoid)                                            \
  X(plaintext, kSpecial | kBlock)                                       \
  X(pre, kSpecial | kBlock | kBreakout | kEndsBlock)                    \
  X(rb, kImpliedEnd)                                                    \
  X(rp, kImpliedEnd | kUnseen | kMarksInside)                           \
  X(rt, kImpliedEnd)                                                    \
  X(rtc, kImpliedEnd)                                                   \
  X(ruby, kBreakout)                                                    \
  X(s, kFormatting | kBreakout | kInline)                               \
  X(script, kSpecial | kUnseen | kMarksInside)                          \
  X(search, kSpecial | kBlock | kClosesP | kEndsBlock)                  \
  X(section, kSpecial | kBlock | kClosesP | kEndsBlock | kMarksInside)  \
  X(select, kSpecial | kScopeEnd | kUnseen | kMarksInside | kEndsBlock) \
  X(small, kFormatting | kBreakout | kInline)                           \
  X(source, kSpecial | kVoid)                                           \
  X(span, kBreakout | kInline)                                          \
  X(strike, kFormatting | kBreakout | kInline)                          \
  X(strong, kFormatting | kBreakout | kInline)                          \
  X(style, kSpecial | kUnseen | kMarksInside)                           \
  X(sub, kBreakout | kInline)                                           \
  X(summary, kSpecial | kBlock | kClosesP | kEndsBlock)                 \
  X(sup, kBreakout | kInline)                                           \
  X(table, kSpecial | kScopeEnd | kBlock | kBreakout)                   \
  X(tbody, kSpecial | kBlock | kThoroughEnd)                            \
  X(td, kSpecial | kScopeEnd | kCell | kThoroughEnd)                    \
  X(template, kSpecial | kScopeEnd | kUnseen | kMarksInside)            \
  X(textarea, kSpecial | kUnseen | kMarksInside)                        \
  X(tfoot, kSpecial | kBlock | kThoroughEnd)                            \
  X(th, kSpecial | kScopeEnd | kCell | kThoroughEnd)                    \
  X(thead, kSpecial | kBlock | kThoroughEnd)                            \
  X(time, 0)                                                            \
  X(title, kSpecial | kUnseen | kMarksInside)                           \
  X(tr, kSpecial | kBlock | kThoroughEnd)                               \
  X(track, kSpecial | kVoid)                                            \
  X(tt, kFormatting | kBreakout | kInline)                              \
  X(u, kFormatting | kBreakout | kInline)                               \
  X(ul, kSpecial | kBlock | kBreakout | kClosesP | kEndsBlock)          \
  X(var, kBreakout | kInline)                                           \
  X(video, kUnseen | kMarksInside)                                      \
  X(wbr, kSpecial | kVoid)                                              \
  X(xmp, kSpecial | kBlock)                                             \
  X(math, 0)                                                            \
  X(svg, 0)                                                             \
  X(mi, 0)                                                              \
  X(mo, 0)                                                              \
  X(mn, 0)                                                              \
  X(ms, 0)                                                              \
  X(mtext, 0)                                                           \
  X(mglyph, 0)                                                          \
  X(malignmark, 0)                                                      \
  X(annotation_xml, 0)                                                  \
  X(foreignobject, 0)                                                   \
  X(desc, 0)

enum class Tag : std::uint8_t {
  kOther,
#define X(name, flags) k_##name,
  PERIPLUS_TAGS(X)
#undef X
      kCount
};

inline constexpr std::uint32_t kTagFlags[] = {0,
#define X(name, flags) static_cast<std::uint32_t>(flags),
                                              PERIPLUS_TAGS(X)
#undef X
};

constexpr std::uint32_t tag_flags(Tag tag) { return kTagFlags[static_cast<std::size_t>(tag)]; }

// The name as it is written in a page ("annotation-xml"); empty for kOther.
std::string_view tag_name(Tag tag);
// Any letter case; kOther for a name that no rule mentions.
Tag find_tag(std::string_view name);
// The same, faster: at least eight octets may be read from name.data() on.
Tag find_tag_padded(std::string_view name);

// clang-format off
#define PERIPLUS_ATTRIBUTES(X) \
  X(action) X(alt) X(aria_controls) X(aria_describedby) X(aria_hidden) X(aria_label) \
  X(aria_labelledby) X(charset) X(class_) X(color) X(content) X(data) X(data_nosnippet) \
  X(datetime) X(encoding) X(face) X(for_) X(formaction) X(height) X(hidden) X(href) X(hreflang) \
  X(http_equiv) X(id) X(itemprop) X(lang) X(media) X(name) X(onclick) X(placeholder) \
  X(property) X(rel) X(role) X(size) X(src) X(srcset) X(style) X(title) X(type) X(value) \
  X(width)
// clang-format on

enum class Attribute : std::uint8_t {
  kOther,
#define X(name) k_##name,
  PERIPLUS_ATTRIBUTES(X)
#undef X
      kCount
};

// Any letter case; kOther for a name that no fact needs.
Attribute find_attribute(std::string_view name);
// The same, faster: at least eight octets may be read from name.data() on.
Attribute find_attribute_padded(std::string_view name);

}  // namespace periplus
