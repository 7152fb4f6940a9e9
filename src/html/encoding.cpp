#include "html/encoding.h"

#include <uchardet/uchardet.h>

#include <algorithm>
#include <memory>

#include "base/text.h"
#include "html/scan.h"

namespace periplus {
namespace {

constexpr std::size_t kLatePrescanBytes = 64 * 1024;  // as far as a head reaches

std::string_view skip_spaces(std::string_view text) {
  while (!text.empty() && is_html_space(text.front())) text.remove_prefix(1);
  return text;
}

// "Extracting a character encoding from a meta element": the label in a content attribute.
std::string_view charset_in_content(std::string_view content) {
  constexpr std::string_view kWord = "charset";
  std::size_t at = 0;
  for (; at + kWord.size() <= content.size(); ++at) {
    if (!equal_ignoring_case(content.substr(at, kWord.size()), kWord)) continue;
    std::string_view rest = skip_spaces(content.substr(at + kWord.size()));
    if (rest.empty()) return {};
    if (rest.front() != '=') continue;
    rest = skip_spaces(rest.substr(1));
    if (rest.empty()) return {};
    if (rest.front() == '"' || rest.front() == '\'') {
      const std::size_t close = rest.find(rest.front(), 1);
      return close == std::string_view::npos ? std::string_view{} : rest.substr(1, close - 1);
    }
    std::size_t size = 0;
    while (size < rest.size() && !is_html_space(rest[size]) && rest[size] != ';') ++size;
    return rest.substr(0, size);
  }
  return {};
}

// The prescan's own reading of tags: not the tokenizer's, on purpose (section 13.2.3.2).
class Prescanner {
 public:
  explicit Prescanner(std::string_view bytes) : bytes_(bytes) {}

  Prescan run() {
    while (at_ < bytes_.size()) {
      const std::string_view rest = bytes_.substr(at_);
      if (rest.starts_with("<!--")) {
        const std::size_t close = bytes_.find("-->", at_ + 2);
        if (close == std::string_view::npos) return {};
        at_ = close + 3;
        continue;
      }
      if (rest.size() > 5 && starts_with_ignoring_case(rest, "<meta") &&
          (is_html_space(rest[5]) || rest[5] == '/')) {
        at_ += 5;
        const Prescan found = meta();
        if (!found.encoding.empty() || cut_) return cut_ ? Prescan{} : found;
      } else if (opens_tag(rest)) {
        while (at_ < bytes_.size() && !is_html_space(bytes_[at_]) && bytes_[at_] != '>') ++at_;
        Pair pair;
        while (attribute(&pair)) {
        }
        if (cut_) return {};
      } else if (rest.starts_with("<!") || rest.starts_with("</") || rest.starts_with("<?")) {
        at_ = bytes_.find('>', at_);
        if (at_ == std::string_view::npos) return {};
      }
      ++at_;
    }
    return {};
  }

 private:
  struct Pair {
    std::string_view name;
    std::string_view value;
  };

  static bool opens_tag(std::string_view rest) {
    if (rest.front() != '<') return false;
    rest.remove_prefix(rest.size() > 1 && rest[1] == '/' ? 2 : 1);
    return !rest.empty() && is_ascii_alpha(rest.front());
  }

  bool at_end() {
    cut_ = at_ >= bytes_.size();
    return cut_;
  }

  // "Get an attribute"; false when there is none or the octets end.
  bool attribute(Pair* out) {
    while (at_ < bytes_.size() && (is_html_space(bytes_[at_]) || bytes_[at_] == '/')) ++at_;
    if (at_end() || bytes_[at_] == '>') return false;
    const std::size_t name = at_;
    while (!at_end() && !(bytes_[at_] == '=' && at_ != name) && !is_html_space(bytes_[at_]) &&
           bytes_[at_] != '/' && bytes_[at_] != '>') {
      ++at_;
    }
    out->name = bytes_.substr(name, at_ - name);
    out->value = {};
    while (!at_end() && is_html_space(bytes_[at_])) ++at_;
    if (cut_) return false;
    if (bytes_[at_] != '=') return true;
    ++at_;
    while (!at_end() && is_html_space(bytes_[at_])) ++at_;
    if (cut_) return false;
    const char first = bytes_[at_];
    if (first == '"' || first == '\'') {
      const std::size_t close = bytes_.find(first, at_ + 1);
      cut_ = close == std::string_view::npos;
      if (cut_) return false;
      out->value = bytes_.substr(at_ + 1, close - at_ - 1);
      at_ = close + 1;
      return true;
    }
    const std::size_t value = at_;
    while (!at_end() && !is_html_space(bytes_[at_]) && bytes_[at_] != '>') ++at_;
    if (cut_) return false;
    out->value = bytes_.substr(value, at_ - value);
    return true;
  }

  Prescan meta() {
    enum class Pragma : std::uint8_t { kUnknown, kNeeded, kNotNeeded };
    Pragma need = Pragma::kUnknown;
    bool got_pragma = false;
    bool seen_pragma = false;
    bool seen_content = false;
    bool seen_charset = false;
    Prescan found;
    Pair pair;
    while (attribute(&pair)) {
      if (equal_ignoring_case(pair.name, "http-equiv") && !seen_pragma) {
        seen_pragma = true;
        got_pragma = equal_ignoring_case(pair.value, "content-type");
      } else if (equal_ignoring_case(pair.name, "content") && !seen_content) {
        seen_content = true;
        const std::string_view label = charset_in_content(pair.value);
        const std::string_view name = encoding_of_label(label);
        if (!name.empty() && need == Pragma::kUnknown) {
          found = {name, label};
          need = Pragma::kNeeded;
        }
      } else if (equal_ignoring_case(pair.name, "charset") && !seen_charset) {
        seen_charset = true;
        found = {encoding_of_label(pair.value), pair.value};
        need = Pragma::kNotNeeded;
      }
    }
    if (need == Pragma::kUnknown || (need == Pragma::kNeeded && !got_pragma)) return {};
    if (found.encoding.starts_with("utf-16")) found.encoding = "utf-8";
    if (found.encoding == "x-user-defined") found.encoding = "windows-1252";
    return found;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  bool cut_ = false;
};

std::string_view detected(std::string_view bytes) {
  constexpr std::size_t kEnough = 256 * 1024;
  const std::unique_ptr<uchardet, void (*)(uchardet_t)> detector(uchardet_new(), uchardet_delete);
  if (detector == nullptr) return {};
  const std::string_view sample = bytes.substr(0, kEnough);
  if (uchardet_handle_data(detector.get(), sample.data(), sample.size()) != 0) return {};
  uchardet_data_end(detector.get());
  const std::string_view name = encoding_of_label(uchardet_get_charset(detector.get()));
  // The octets are known not to be UTF-8, and UTF-16 without a mark is a guess too bold.
  if (name == "utf-8" || name.starts_with("utf-16") || name == "replacement") return {};
  return name;
}

}  // namespace

Prescan prescan_meta(std::string_view bytes, std::size_t octets) {
  return Prescanner(bytes.substr(0, octets)).run();
}

std::string_view charset_parameter(std::string_view content_type) {
  std::size_t at = content_type.find(';');
  while (at != std::string_view::npos) {
    const std::string_view rest = skip_spaces(content_type.substr(at + 1));
    if (starts_with_ignoring_case(rest, "charset")) {
      const std::string_view value = skip_spaces(rest.substr(7));
      if (!value.empty() && value.front() == '=') {
        std::string_view label = skip_spaces(value.substr(1));
        if (!label.empty() && (label.front() == '"' || label.front() == '\'')) {
          const char quote = label.front();
          label.remove_prefix(1);
          return trim(label.substr(0, label.find(quote)));
        }
        return trim(label.substr(0, label.find_first_of(";,")));
      }
    }
    at = content_type.find(';', at + 1);
  }
  return {};
}

EncodingChoice choose_encoding(std::string_view bytes, std::string_view content_type) {
  EncodingChoice choice;
  choice.header_label = charset_parameter(content_type);
  const Prescan meta = prescan_meta(bytes);
  choice.meta_label = meta.label;
  const auto chosen = [&](std::string_view name, std::string_view source, std::size_t bom = 0) {
    choice.name = name;
    choice.source = source;
    choice.bom = bom;
    return choice;
  };
  if (bytes.starts_with("\xEF\xBB\xBF")) return chosen("utf-8", "bom", 3);
  if (bytes.starts_with("\xFE\xFF")) return chosen("utf-16be", "bom", 2);
  if (bytes.starts_with("\xFF\xFE")) return chosen("utf-16le", "bom", 2);
  const std::string_view header = encoding_of_label(choice.header_label);
  if (!header.empty()) return chosen(header, "header");
  if (!meta.encoding.empty()) return chosen(meta.encoding, "meta");
  const std::size_t body = bytes.substr(0, kLatePrescanBytes).find("<body");
  const Prescan late = prescan_meta(bytes, std::min(body, kLatePrescanBytes));
  if (!late.encoding.empty()) return chosen(late.encoding, "meta");
  if (!has_non_ascii(bytes.data(), bytes.data() + bytes.size())) {
    return chosen("utf-8", "default");
  }
  if (is_valid_utf8(bytes)) return chosen("utf-8", "detector");
  const std::string_view guess = detected(bytes);
  if (!guess.empty()) return chosen(guess, "detector");
  return chosen("windows-1252", "default");
}

}  // namespace periplus
