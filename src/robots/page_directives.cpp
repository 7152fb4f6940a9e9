#include "robots/page_directives.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/text.h"
#include "robots/feed_date.h"

namespace periplus {
namespace {

struct Flag {
  std::string_view name;
  bool PageDirectives::* set;
};
constexpr Flag kFlags[] = {
    {"noindex", &PageDirectives::noindex},
    {"nofollow", &PageDirectives::nofollow},
    {"noarchive", &PageDirectives::noarchive},
    {"nosnippet", &PageDirectives::nosnippet},
    {"nocache", &PageDirectives::nocache},
    {"noai", &PageDirectives::noai},
    {"noimageai", &PageDirectives::noai},
    {"notranslate", &PageDirectives::notranslate},
    {"noimageindex", &PageDirectives::noimageindex},
    {"indexifembedded", &PageDirectives::indexifembedded},
};
// Names that take a value behind a colon; any other name before a colon is a crawler's.
constexpr std::string_view kValued[] = {"max-snippet", "max-image-preview", "max-video-preview",
                                        "unavailable_after"};

std::optional<Instant> parse_date(std::string_view text) {
  if (const auto at = parse_w3c_date(text)) return at;
  return parse_feed_date(text, MissingZone::kMeansUtc);
}

void take_snippet(std::string_view value, PageDirectives* out) {
  std::int32_t length = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
  if (error != std::errc() || end != value.data() + value.size() || length < -1) return;
  // -1 is no limit, so the least restrictive.
  if (!out->max_snippet || *out->max_snippet == -1 || (length != -1 && length < *out->max_snippet))
    out->max_snippet = length;
}

// Takes one order off the front of *text: up to a comma, but a date keeps the commas it has.
std::string_view next_order(std::string_view* text) {
  const std::string_view whole = trim(*text);
  std::size_t end = std::min(whole.find(','), whole.size());
  if (starts_with_ignoring_case(whole, "unavailable_after") && end < whole.size()) {
    const std::size_t colon = std::min(whole.find(':'), whole.size() - 1);
    // "Sunday, 06-Nov-94 …": the comma behind a week day belongs to the date.
    while (end < whole.size() && !parse_date(trim(whole.substr(colon + 1, end - colon - 1)))) {
      end = std::min(whole.find(',', end + 1), whole.size());
    }
    if (!parse_date(trim(whole.substr(colon + 1, end - colon - 1))))
      end = std::min(whole.find(','), whole.size());
  }
  const std::string_view order = trim(whole.substr(0, end));
  *text = whole.substr(std::min(end + 1, whole.size()));
  return order;
}

void take_order(std::string_view order, PageDirectives* out) {
  const std::size_t colon = order.find(':');
  const std::string_view name = trim(order.substr(0, colon));
  const std::string_view value =
      colon == std::string_view::npos ? std::string_view() : trim(order.substr(colon + 1));
  if (equal_ignoring_case(name, "none")) out->noindex = out->nofollow = true;
  if (equal_ignoring_case(name, "max-snippet")) take_snippet(value, out);
  if (equal_ignoring_case(name, "unavailable_after")) {
    const std::optional<Instant> at = parse_date(value);
    if (at && (!out->unavailable_after || *at < *out->unavailable_after))
      out->unavailable_after = at;
  }
  for (const Flag& flag : kFlags) {
    if (equal_ignoring_case(name, flag.name)) out->*flag.set = true;
  }
}

void take_orders(std::string_view text, std::string_view source, PageDirectives* out) {
  while (!trim(text).empty()) {
    const std::string_view order = next_order(&text);
    if (order.empty()) continue;
    take_order(order, out);
    out->sources.push_back(std::string(source) + ": " + std::string(order));
  }
}

bool is_ours(std::string_view name, std::string_view our_token) {
  return equal_ignoring_case(name, "robots") || equal_ignoring_case(name, "*") ||
         (!our_token.empty() && equal_ignoring_case(name, our_token));
}

}  // namespace

void add_meta_robots(std::string_view name, std::string_view content, std::string_view our_token,
                     PageDirectives* directives) {
  name = trim(name);
  if (!is_ours(name, our_token)) return;
  take_orders(content, "meta " + to_ascii_lower(name), directives);
}

void add_x_robots_tag(std::string_view value, std::string_view our_token,
                      PageDirectives* directives) {
  // A crawler's name binds all orders up to the next name: a proxy may have joined several header
  // lines into one.
  bool ours = true;
  for (value = trim(value); !value.empty(); value = trim(value)) {
    const std::size_t mark = value.find_first_of(":,");
    if (mark != std::string_view::npos && value[mark] == ':') {
      const std::string_view name = trim(value.substr(0, mark));
      const bool valued = std::any_of(std::begin(kValued), std::end(kValued),
                                      [&](auto known) { return equal_ignoring_case(known, name); });
      if (!valued) {
        ours = is_ours(name, our_token);
        value.remove_prefix(mark + 1);
        continue;
      }
    }
    const std::string_view order = next_order(&value);
    if (!ours || order.empty()) continue;
    take_order(order, directives);
    directives->sources.push_back("x-robots-tag: " + std::string(order));
  }
}

}  // namespace periplus
