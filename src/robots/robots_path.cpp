#include "robots/robots_path.h"

#include <array>
#include <cstring>

namespace periplus {
namespace {

constexpr bool is_unreserved(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}
constexpr bool is_reserved(unsigned char c) {
  return std::string_view(":/?#[]@!$&'()*+,;=").find(static_cast<char>(c)) !=
         std::string_view::npos;
}
constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Octets of a request path that stand for themselves.
constexpr std::array<bool, 256> kStands = [] {
  std::array<bool, 256> table{};
  for (int c = 0; c < 256; ++c) {
    const auto octet = static_cast<unsigned char>(c);
    table[octet] = is_unreserved(octet) || (is_reserved(octet) && c != '$' && c != '*' && c != '#');
  }
  return table;
}();

void append_escaped(std::string* out, unsigned char octet) {
  constexpr char kHex[] = "0123456789ABCDEF";
  out->push_back('%');
  out->push_back(kHex[octet >> 4]);
  out->push_back(kHex[octet & 15]);
}

// Appends text[*at] (or the escape there) in normal form and moves *at behind it.
void append_normal(std::string_view text, std::size_t* at, std::string* out) {
  const auto octet = static_cast<unsigned char>(text[*at]);
  if (octet == '%' && *at + 2 < text.size()) {
    const int high = hex_value(text[*at + 1]), low = hex_value(text[*at + 2]);
    if (high >= 0 && low >= 0) {
      const auto value = static_cast<unsigned char>(high * 16 + low);
      if (is_unreserved(value)) {
        out->push_back(static_cast<char>(value));
      } else {
        append_escaped(out, value);
      }
      *at += 3;
      return;
    }
  }
  if (kStands[octet]) {  // a '%' that starts no escape becomes %25
    out->push_back(static_cast<char>(octet));
  } else {
    append_escaped(out, octet);
  }
  ++*at;
}

}  // namespace

bool is_normal_request_path(std::string_view path) {
  if (path.empty() || path.front() != '/') return false;
  for (const char c : path) {
    if (!kStands[static_cast<unsigned char>(c)]) return false;
  }
  return true;
}

std::string normal_request_path(std::string_view path) {
  path = path.substr(0, path.find('#'));
  std::string out;
  out.reserve(path.size() + 16);
  if (path.empty() || path.front() != '/') out.push_back('/');
  for (std::size_t at = 0; at < path.size();) append_normal(path, &at, &out);
  return out;
}

std::string normal_rule_path(std::string_view path) {
  std::string out;
  out.reserve(path.size());
  for (std::size_t at = 0; at < path.size();) {
    if (path[at] == '*' || (path[at] == '$' && at + 1 == path.size())) {
      out.push_back(path[at++]);
    } else {
      append_normal(path, &at, &out);
    }
  }
  return out;
}

RobotsPattern::RobotsPattern(std::string_view pattern) {
  if (pattern.ends_with('$')) {
    anchored_ = true;
    pattern.remove_suffix(1);
  }
  open_ = pattern.ends_with('*');
  const std::size_t star = pattern.find('*');
  prefix_ = pattern.substr(0, star);
  while (!pattern.empty()) {
    const std::size_t next = pattern.find('*');
    if (next == std::string_view::npos) break;
    pattern.remove_prefix(next + 1);
    const std::string_view piece = pattern.substr(0, pattern.find('*'));
    if (!piece.empty()) pieces_.emplace_back(piece);
  }
}

bool RobotsPattern::matches(std::string_view path) const {
  if (!path.starts_with(prefix_)) return false;
  path.remove_prefix(prefix_.size());
  if (pieces_.empty()) return !anchored_ || open_ || path.empty();
  // The leftmost place of each piece leaves the most room for the next, so no choice is ever taken
  // back. memmem is linear also for hostile pieces.
  const bool last_at_end = anchored_ && !open_;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const std::string& piece = pieces_[i];
    if (last_at_end && i + 1 == pieces_.size()) return path.ends_with(piece);
    const void* found = memmem(path.data(), path.size(), piece.data(), piece.size());
    if (found == nullptr) return false;
    const auto skipped =
        static_cast<std::size_t>(static_cast<const char*>(found) - path.data()) + piece.size();
    path.remove_prefix(skipped);
  }
  return true;
}

bool RobotsPattern::matches_everything() const {
  if (anchored_ && !open_) return false;
  const std::string_view prefix = prefix_;
  if (prefix == "/") return pieces_.empty();
  return prefix.empty() && (pieces_.empty() || (pieces_.size() == 1 && pieces_[0] == "/"));
}

}  // namespace periplus
