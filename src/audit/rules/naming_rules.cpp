// Names for those who do not see: of images and links.
#include <fmt/format.h>

#include <map>

#include "audit/check.h"
#include "base/text.h"

namespace periplus {
namespace {

Judged img_alt(const PageInHand& in, FindingList& findings) {
  if (in.facts->images.empty()) return not_applicable("the page has no images");
  for (const Image& image : in.facts->images) {
    if (image.has_alt || image.decorative) continue;
    findings.add(fmt::format("The image {} has no alt attribute.", quote_of(image.src)),
                 in.source(image.place, image.src), image.place);
  }
  return findings.verdict();
}

// A destination is named when one link to it is: a picture may stand beside its heading.
Judged link_name(const PageInHand& in, FindingList& findings) {
  struct Target {
    const ResolvedLink* first = nullptr;
    bool named = false;
  };
  std::map<std::string_view, Target> targets;
  for (const ResolvedLink& link : in.links) {
    if (link.link->hidden ||
        (link.link->kind != LinkKind::kAnchor && link.link->kind != LinkKind::kArea))
      continue;
    Target& target = targets[link.parsed ? std::string_view(link.url.href()) : link.link->href];
    if (target.first == nullptr) target.first = &link;
    target.named =
        target.named || !trim(link.link->words).empty() || !trim(link.link->aria_label).empty();
  }
  if (targets.empty()) return not_applicable("the page has no links");
  for (const ResolvedLink& link : in.links) {  // in the order of the page
    const auto found =
        targets.find(link.parsed ? std::string_view(link.url.href()) : link.link->href);
    if (found == targets.end() || found->second.named || found->second.first != &link) continue;
    findings.add(
        fmt::format("No link to {} has a name: neither text, alt, aria-label nor title.",
                    quote_of(link.parsed ? std::string_view(link.url.href()) : link.link->href)),
        in.source(link.link->place, link.link->href), link.link->place);
  }
  return findings.verdict();
}

constexpr RuleEntry kRules[] = {
    {.rule = {.id = "img-alt",
              .title = "Every image has an alt attribute",
              .stage = Stage::kReadable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHtml,
              .why =
                  "Without it a screen reader reads the file's name, and search knows nothing of "
                  "the picture.",
              .fix = "Describe what the image tells; write alt=\"\" where it only decorates.",
              .source = "HTML Standard section 4.8.4.4; WCAG 2.2 criterion 1.1.1",
              .false_positives = ""},
     .page = img_alt},
    {.rule = {.id = "link-name",
              .title = "Every link's destination has a name",
              .stage = Stage::kReadable,
              .severity = Severity::kMinor,
              .scope = RuleScope::kPage,
              .needs = kNeedsHtml,
              .why = "A link without words is announced as \"link\", and tells search nothing.",
              .fix = "Put text into the link, alt on its image, or an aria-label.",
              .source = "WCAG 2.2 criterion 2.4.4; WAI-ARIA accessible names",
              .false_positives = "Names that a script adds."},
     .page = link_name},
};

}  // namespace

std::span<const RuleEntry> naming_rules() { return kRules; }

}  // namespace periplus
