// The basic URL parser (https://url.spec.whatwg.org/#concept-basic-url-parser), written by what an
// input can be rather than state by state: a scheme or none, an authority or none, a path, a query,
// a fragment.
#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "url/host_parser.h"
#include "url/percent_encode.h"
#include "url/plain_url.h"
#include "url/url.h"

namespace periplus {
namespace {

using Fault = std::expected<void, UrlFault>;

bool is_letter(char c) { return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct SpecialScheme {
  std::string_view name;
  std::int32_t port;
};
constexpr std::array<SpecialScheme, 6> kSpecial{
    {{"http", 80}, {"https", 443}, {"file", -1}, {"ftp", 21}, {"ws", 80}, {"wss", 443}}};

const SpecialScheme* special_scheme(std::string_view name) {
  const auto* found = std::ranges::find(kSpecial, name, &SpecialScheme::name);
  return found == kSpecial.end() ? nullptr : found;
}

// "." in any spelling, ".." in any spelling.
bool is_single_dot(std::string_view s) { return s == "." || equal_ignoring_case(s, "%2e"); }
bool is_double_dot(std::string_view s) {
  return s == ".." || equal_ignoring_case(s, ".%2e") || equal_ignoring_case(s, "%2e.") ||
         equal_ignoring_case(s, "%2e%2e");
}

bool is_drive_letter(std::string_view s) {
  return s.size() == 2 && is_letter(s[0]) && (s[1] == ':' || s[1] == '|');
}
bool starts_with_drive_letter(std::string_view s) {
  return s.size() >= 2 && is_drive_letter(s.substr(0, 2)) &&
         (s.size() == 2 || std::string_view("/\\?#").find(s[2]) != std::string_view::npos);
}

}  // namespace

class UrlParser {
 public:
  UrlParser(std::string_view input, const Url* base, Url* out)
      : in_(input), base_(base), out_(*out) {}

  Fault parse() {
    Fault fault = parse_parts();
    if (fault && written_.size() > kMaxUrlBytes) fault = std::unexpected(UrlFault::kTooLong);
    return fault;
  }

 private:
  Fault parse_parts() {
    std::size_t end = 0;
    if (!in_.empty() && is_letter(in_[0])) {
      end = 1;
      while (end < in_.size() && (is_letter(in_[end]) || is_digit(in_[end]) || in_[end] == '+' ||
                                  in_[end] == '-' || in_[end] == '.'))
        ++end;
    }
    if (end > 0 && end < in_.size() && in_[end] == ':') {
      const std::string scheme = to_ascii_lower(in_.substr(0, end));
      return with_scheme(scheme, in_.substr(end + 1));
    }
    if (base_ == nullptr) return std::unexpected(UrlFault::kNoScheme);
    if (base_->has_opaque_path()) {
      if (!in_.starts_with('#')) return std::unexpected(UrlFault::kOpaqueBase);
      set_scheme(std::string(base_->scheme()));
      path_ = base_->pathname();
      opaque_ = true;
      take_base_query();
      fragment_ = in_.substr(1);
      return serialise();
    }
    set_scheme(std::string(base_->scheme()));
    return is_file_ ? file(in_) : relative(in_);
  }

  void set_scheme(std::string scheme) {
    const SpecialScheme* special = special_scheme(scheme);
    special_ = special != nullptr;
    default_port_ = special_ ? special->port : -1;
    is_file_ = scheme == "file";
    scheme_ = std::move(scheme);
  }

  Fault with_scheme(const std::string& scheme, std::string_view rest) {
    set_scheme(scheme);
    const bool base_alike = base_ != nullptr && base_->scheme() == scheme;
    if (is_file_) {
      if (!base_alike) base_ = nullptr;
      return file(rest);
    }
    if (special_) {
      if (base_alike && !rest.starts_with("//")) return relative(rest);
      return authority(without_slashes(rest));
    }
    if (rest.starts_with("//")) return authority(rest.substr(2));
    if (rest.starts_with('/')) return path(rest);
    return opaque_path(rest);
  }

  static std::string_view without_slashes(std::string_view rest) {
    while (!rest.empty() && (rest[0] == '/' || rest[0] == '\\')) rest.remove_prefix(1);
    return rest;
  }
  bool is_slash(char c) const { return c == '/' || (special_ && c == '\\'); }

  Fault relative(std::string_view rest) {
    if (!rest.empty() && is_slash(rest[0])) {
      if (rest.size() > 1 && is_slash(rest[1])) {
        return authority(special_ ? without_slashes(rest) : rest.substr(2));
      }
      take_base_authority();
      return path(rest);
    }
    take_base_authority();
    path_ = base_->pathname();
    if (rest.empty() || rest[0] == '#') take_base_query();
    if (!rest.empty() && rest[0] != '?' && rest[0] != '#') {
      shorten();
      return path(rest);
    }
    return query_and_fragment(rest);
  }

  Fault file(std::string_view rest) {
    host_.emplace();
    const bool from_base = base_ != nullptr && base_->scheme() == "file";
    if (!rest.empty() && is_slash(rest[0])) {
      if (rest.size() > 1 && is_slash(rest[1])) return file_host(rest.substr(2));
      if (from_base) {
        host_ = base_->hostname();
        const std::string_view first = base_->pathname().substr(0, 3);
        const bool base_drive = first.size() == 3 && is_drive_letter(first.substr(1)) &&
                                first[2] == ':' &&
                                (base_->pathname().size() == 3 || base_->pathname()[3] == '/');
        if (base_drive && !starts_with_drive_letter(rest.substr(1))) path_ = first;
      }
      return path(rest);
    }
    if (!from_base) return path(rest);
    host_ = base_->hostname();
    path_ = base_->pathname();
    if (rest.empty() || rest[0] == '#') take_base_query();
    if (!rest.empty() && rest[0] != '?' && rest[0] != '#') {
      if (starts_with_drive_letter(rest))
        path_.clear();
      else
        shorten();
      return path(rest);
    }
    return query_and_fragment(rest);
  }

  Fault file_host(std::string_view rest) {
    const std::size_t end = std::min(rest.find_first_of("/\\?#"), rest.size());
    const std::string_view host = rest.substr(0, end);
    if (is_drive_letter(host)) return path(rest);
    if (!host.empty()) {
      if (const Fault parsed = parse_host(host, true, &*host_); !parsed) return parsed;
      if (*host_ == "localhost") host_->clear();
    }
    return path(rest.substr(end));
  }

  Fault authority(std::string_view rest) {
    const std::size_t end = std::min(rest.find_first_of(special_ ? "/\\?#" : "/?#"), rest.size());
    std::string_view host = rest.substr(0, end);
    rest.remove_prefix(end);
    if (const std::size_t at = host.rfind('@'); at != std::string_view::npos) {
      const std::string_view credentials = host.substr(0, at);
      const std::size_t colon = credentials.find(':');
      append_encoded(&username_, credentials.substr(0, colon), kUserinfoSet);
      if (colon != std::string_view::npos)
        append_encoded(&password_, credentials.substr(colon + 1), kUserinfoSet);
      host.remove_prefix(at + 1);
      if (host.empty()) return std::unexpected(UrlFault::kHostMissing);
    }
    // The colon before the port is the first one outside brackets.
    std::size_t colon = std::string_view::npos;
    bool inside = false;
    for (std::size_t i = 0; i < host.size() && colon == std::string_view::npos; ++i) {
      if (host[i] == '[') inside = true;
      if (host[i] == ']') inside = false;
      if (host[i] == ':' && !inside) colon = i;
    }
    const std::string_view name = host.substr(0, colon);
    if (name.empty() && (special_ || colon != std::string_view::npos))
      return std::unexpected(UrlFault::kHostMissing);
    host_.emplace();
    if (!name.empty()) {
      if (const Fault parsed = parse_host(name, special_, &*host_); !parsed) return parsed;
    }
    if (colon != std::string_view::npos) {
      const std::string_view digits = host.substr(colon + 1);
      std::int32_t port = digits.empty() ? -1 : 0;
      for (const char c : digits) {
        if (!is_digit(c)) return std::unexpected(UrlFault::kPortInvalid);
        port = port * 10 + (c - '0');
        if (port > 65535) return std::unexpected(UrlFault::kPortInvalid);
      }
      port_ = port == default_port_ ? -1 : port;
    }
    return path(rest);
  }

  void take_base_authority() {
    username_ = base_->username();
    password_ = base_->password();
    if (base_->has_host_) host_ = base_->hostname();
    port_ = base_->port_;
  }
  void take_base_query() {
    if (base_->search_start_ == base_->hash_start_) return;
    query_ = base_->href_.substr(base_->search_start_ + 1,
                                 base_->hash_start_ - base_->search_start_ - 1);
    query_is_encoded_ = true;
  }

  // Takes the last segment away, but never a file's drive letter.
  void shorten() {
    if (is_file_ && path_.size() == 3 && path_[2] == ':' && is_letter(path_[1])) return;
    if (!path_.empty()) path_.resize(path_.rfind('/'));
  }

  // Path start and path states: `rest` begins with the path, a query, a fragment, or is empty.
  Fault path(std::string_view rest) {
    std::size_t at = 0;
    const bool starts_path = !rest.empty() && rest[0] != '?' && rest[0] != '#';
    if (!starts_path && !special_) return query_and_fragment(rest);
    if (starts_path && is_slash(rest[0])) at = 1;
    for (;;) {
      std::size_t end = at;
      while (end < rest.size() && !is_slash(rest[end]) && rest[end] != '?' && rest[end] != '#')
        ++end;
      const std::string_view segment = rest.substr(at, end - at);
      const bool more = end < rest.size() && is_slash(rest[end]);
      if (is_double_dot(segment)) {
        shorten();
        if (!more) path_ += '/';
      } else if (is_single_dot(segment)) {
        if (!more) path_ += '/';
      } else {
        const bool drive = is_file_ && path_.empty() && is_drive_letter(segment);
        path_ += '/';
        append_encoded(&path_, segment, kPathSet);
        if (drive) path_.back() = ':';
      }
      at = end + 1;
      if (!more) return query_and_fragment(rest.substr(std::min(end, rest.size())));
    }
  }

  Fault opaque_path(std::string_view rest) {
    opaque_ = true;
    const std::size_t end = std::min(rest.find_first_of("?#"), rest.size());
    std::string_view text = rest.substr(0, end);
    // A blank at the end would be lost when the query or fragment goes away.
    const bool guard_blank = end < rest.size() && text.ends_with(' ');
    if (guard_blank) text.remove_suffix(1);
    append_encoded(&path_, text, kC0Set);
    if (guard_blank) path_ += "%20";
    return query_and_fragment(rest.substr(end));
  }

  Fault query_and_fragment(std::string_view rest) {
    const std::size_t hash = rest.find('#');
    if (rest.starts_with('?')) {
      query_ = rest.substr(1, hash == std::string_view::npos ? hash : hash - 1);
      query_is_encoded_ = false;
    }
    if (hash != std::string_view::npos) fragment_ = rest.substr(hash + 1);
    return serialise();
  }

  // https://url.spec.whatwg.org/#concept-url-serializer, noting where the parts begin.
  Fault serialise() {
    const auto here = [this] { return static_cast<std::uint32_t>(written_.size()); };
    written_ = scheme_;
    written_ += ':';
    Url url;
    url.protocol_end_ = url.user_end_ = url.host_start_ = url.host_end_ = here();
    url.special_ = special_;
    url.opaque_path_ = opaque_;
    url.has_host_ = host_.has_value();
    if (host_) {
      written_ += "//";
      written_ += username_;
      url.user_end_ = here();
      if (!password_.empty()) {
        written_ += ':';
        written_ += password_;
      }
      if (!username_.empty() || !password_.empty()) written_ += '@';
      url.host_start_ = here();
      written_ += *host_;
      url.host_end_ = here();
      if (port_ >= 0) {
        url.port_ = port_;
        written_ += ':';
        written_ += std::to_string(port_);
      }
    } else if (!opaque_ && path_.starts_with("//")) {
      written_ += "/.";
    }
    url.path_start_ = here();
    written_ += path_;
    url.search_start_ = here();
    if (query_) {
      written_ += '?';
      if (query_is_encoded_)
        written_ += *query_;
      else
        append_encoded(&written_, *query_, special_ ? kSpecialQuerySet : kQuerySet);
    }
    url.hash_start_ = here();
    if (fragment_) {
      written_ += '#';
      append_encoded(&written_, *fragment_, kFragmentSet);
    }
    url.href_ = std::move(out_.href_);
    url.href_.assign(written_);
    out_ = std::move(url);
    return {};
  }

  std::string_view in_;
  const Url* base_;
  Url& out_;
  std::string scheme_, username_, password_, path_, written_;
  std::optional<std::string> host_, query_, fragment_;
  std::int32_t port_ = -1;
  std::int32_t default_port_ = -1;
  bool special_ = false;
  bool is_file_ = false;
  bool opaque_ = false;
  bool query_is_encoded_ = false;
};

std::expected<void, UrlFault> Url::parse_into(std::string_view input, const Url* base, Url* out) {
  if (PlainUrl::absolute(input, out)) return {};
  if (base == out && base != nullptr) {
    const Url kept = *base;  // the result is written over the base
    return parse_into(input, &kept, out);
  }
  if (base != nullptr && PlainUrl::relative(input, *base, out)) return {};
  if (input.size() > kMaxUrlBytes) return std::unexpected(UrlFault::kTooLong);
  const auto is_c0_or_space = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
  while (!input.empty() && is_c0_or_space(input.front())) input.remove_prefix(1);
  while (!input.empty() && is_c0_or_space(input.back())) input.remove_suffix(1);
  std::string cleaned;
  if (input.find_first_of("\t\n\r") != std::string_view::npos) {
    cleaned = input;
    std::erase_if(cleaned, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
    input = cleaned;
  }
  if (!is_valid_utf8(input)) {
    cleaned = to_valid_utf8(input);
    input = cleaned;
  }
  return UrlParser(input, base, out).parse();
}

std::expected<Url, UrlFault> Url::parse(std::string_view input, const Url* base) {
  Url url;
  if (const auto parsed = parse_into(input, base, &url); !parsed)
    return std::unexpected(parsed.error());
  return url;
}

}  // namespace periplus
