// The serialiser of structured fields (RFC 9651 section 4.1), and Base64.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "http/structured_field.h"

namespace periplus {
namespace {

constexpr std::int64_t kLargest = 999'999'999'999'999;  // 15 digits

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_alpha(char c) { return is_lower(ascii_lower(c)); }

// Appends to `out`; false as soon as something cannot be expressed, with the reason in `fault`.
class Writer {
 public:
  std::string out;
  const char* fault = nullptr;

  void bare(const SfBareItem& value) {
    std::visit([this](const auto& v) { write(v); }, value);
  }
  void item(const SfItem& item) {
    bare(item.value);
    parameters(item.parameters);
  }
  void inner_list(const SfInnerList& list) {
    out += '(';
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      if (i > 0) out += ' ';
      item(list.items[i]);
    }
    out += ')';
    parameters(list.parameters);
  }
  void member(const SfMember& member) {
    if (const auto* list = std::get_if<SfInnerList>(&member)) {
      inner_list(*list);
    } else {
      item(std::get<SfItem>(member));
    }
  }
  void parameters(const SfParameters& parameters) {
    for (const auto& [name, value] : parameters) {
      out += ';';
      key(name);
      if (is_true(value)) continue;
      out += '=';
      bare(value);
    }
  }
  void key(std::string_view key) {
    if (key.empty() || (!is_lower(key[0]) && key[0] != '*')) return cannot("a key's first letter");
    for (char c : key) {
      if (!is_lower(c) && !is_digit(c) &&
          std::string_view("_-.*").find(c) == std::string_view::npos)
        return cannot("a letter of a key");
    }
    out += key;
  }
  static bool is_true(const SfBareItem& value) {
    const bool* flag = std::get_if<bool>(&value);
    return flag != nullptr && *flag;
  }
  Result<std::string> take() {
    if (fault != nullptr) {
      return fail(ErrorKind::kInput, std::string("a structured field cannot express ") + fault);
    }
    return std::move(out);
  }

 private:
  void cannot(const char* what) {
    if (fault == nullptr) fault = what;
  }
  void integer(std::int64_t value) {
    if (value > kLargest || value < -kLargest) return cannot("integers of more than 15 digits");
    out += std::to_string(value);
  }
  void write(std::int64_t value) { integer(value); }
  void write(const SfDecimal& value) {
    if (value.thousandths > kLargest || value.thousandths < -kLargest) {
      return cannot("decimals of more than 12 digits before the point");
    }
    const std::int64_t size = value.thousandths < 0 ? -value.thousandths : value.thousandths;
    if (value.thousandths < 0) out += '-';
    out += std::to_string(size / 1000);
    std::string digits = std::to_string(1000 + size % 1000).substr(1);
    while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
    out += '.';
    out += digits;
  }
  void write(const std::string& value) {
    out += '"';
    for (char c : value) {
      if (c < 0x20 || c > 0x7e) return cannot("a string outside printable ASCII");
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    out += '"';
  }
  void write(const SfToken& value) {
    if (value.text.empty() || (!is_alpha(value.text[0]) && value.text[0] != '*')) {
      return cannot("a token's first letter");
    }
    for (char c : value.text) {
      if (!is_alpha(c) && !is_digit(c) &&
          std::string_view("!#$%&'*+-.^_`|~:/").find(c) == std::string_view::npos)
        return cannot("a letter of a token");
    }
    out += value.text;
  }
  void write(const SfBytes& value) { out += ':' + to_base64(value.octets) + ':'; }
  void write(bool value) { out += value ? "?1" : "?0"; }
  void write(const SfDate& value) {
    out += '@';
    integer(value.seconds);
  }
  void write(const SfDisplayString& value) {
    if (!is_valid_utf8(value.text)) return cannot("a display string that is not UTF-8");
    constexpr std::string_view kHex = "0123456789abcdef";
    out += "%\"";
    for (char c : value.text) {
      const auto octet = static_cast<unsigned char>(c);
      if (c == '%' || c == '"' || octet < 0x20 || octet > 0x7e) {
        out += '%';
        out += kHex[octet >> 4];
        out += kHex[octet & 15];
      } else {
        out += c;
      }
    }
    out += '"';
  }
};

std::string encode_base64(std::string_view octets, std::string_view alphabet, bool pad) {
  std::string text;
  text.reserve((octets.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < octets.size(); i += 3) {
    std::uint32_t group = 0;
    const std::size_t count = std::min<std::size_t>(3, octets.size() - i);
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (k < count ? static_cast<unsigned char>(octets[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      if (k <= count) {
        text += alphabet[group >> (18 - 6 * k) & 63];
      } else if (pad) {
        text += '=';
      }
    }
  }
  return text;
}

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrlAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr std::array<std::int8_t, 256> base64_values() {
  std::array<std::int8_t, 256> values{};
  for (auto& value : values) value = -1;
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
  }
  return values;
}

}  // namespace

SfDecimal SfDecimal::from_double(double value) {
  const double scaled = std::nearbyint(value * 1000.0);
  // Beyond what can be written; kept in range so that the serialiser refuses it.
  constexpr double kLimit = 1e18;
  if (!(scaled > -kLimit)) return {-1'000'000'000'000'000'000};
  if (!(scaled < kLimit)) return {1'000'000'000'000'000'000};
  return {static_cast<std::int64_t>(scaled)};
}

Result<std::string> serialise_sf(const SfItem& item) {
  Writer writer;
  writer.item(item);
  return writer.take();
}

Result<std::string> serialise_sf(const SfInnerList& list) {
  Writer writer;
  writer.inner_list(list);
  return writer.take();
}

Result<std::string> serialise_sf(const SfMember& member) {
  Writer writer;
  writer.member(member);
  return writer.take();
}

Result<std::string> serialise_sf(const SfList& list) {
  Writer writer;
  for (const SfMember& member : list) {
    if (&member != &list.front()) writer.out += ", ";
    writer.member(member);
  }
  return writer.take();
}

Result<std::string> serialise_sf(const SfDictionary& dictionary) {
  Writer writer;
  for (const auto& entry : dictionary) {
    const SfMember& member = entry.second;
    if (&entry != &dictionary.front()) writer.out += ", ";
    writer.key(entry.first);
    const auto* item = std::get_if<SfItem>(&member);
    if (item != nullptr && Writer::is_true(item->value)) {
      writer.parameters(item->parameters);
    } else {
      writer.out += '=';
      writer.member(member);
    }
  }
  return writer.take();
}

std::string to_base64(std::string_view octets) { return encode_base64(octets, kAlphabet, true); }
std::string to_base64url(std::string_view octets) {
  return encode_base64(octets, kUrlAlphabet, false);
}

bool from_base64(std::string_view text, std::string* octets) {
  static constexpr std::array<std::int8_t, 256> kValues = base64_values();
  std::size_t padding = 0;
  while (padding < 2 && !text.empty() && text.back() == '=') {
    text.remove_suffix(1);
    ++padding;
  }
  if (text.size() % 4 == 1) return false;
  if (padding > 0 && (text.size() + padding) % 4 != 0) return false;
  octets->clear();
  octets->reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  int held = 0;
  for (char c : text) {
    const std::int8_t value = kValues[static_cast<unsigned char>(c)];
    if (value < 0) return false;
    bits = bits << 6 | static_cast<std::uint8_t>(value);
    held += 6;
    if (held >= 8) {
      held -= 8;
      octets->push_back(static_cast<char>(bits >> held & 255U));
    }
  }
  return true;
}

}  // namespace periplus
