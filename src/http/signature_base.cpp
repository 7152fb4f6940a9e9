#include "http/signature_base.h"

#include <array>
#include <unordered_set>
#include <vector>

#include "base/text.h"

namespace periplus {
namespace {

std::unexpected<Error> refuse(std::string sentence) {
  return fail(ErrorKind::kInput, "signature base: " + std::move(sentence));
}

struct ComponentParameters {
  bool sf = false, bs = false, tr = false, req = false;
  const std::string* key = nullptr;
  const std::string* name = nullptr;
};

Result<ComponentParameters> read_parameters(const SfItem& component) {
  ComponentParameters read;
  for (const auto& [name, value] : component.parameters) {
    bool* flag = nullptr;
    const std::string** text = nullptr;
    if (name == "sf") flag = &read.sf;
    if (name == "bs") flag = &read.bs;
    if (name == "tr") flag = &read.tr;
    if (name == "req") flag = &read.req;
    if (name == "key") text = &read.key;
    if (name == "name") text = &read.name;
    if (flag != nullptr) {
      const bool* set = std::get_if<bool>(&value);
      if (set == nullptr || !*set) return refuse("the parameter " + name + " takes no value");
      *flag = true;
    } else if (text != nullptr) {
      *text = std::get_if<std::string>(&value);
      if (*text == nullptr) return refuse("the parameter " + name + " takes a string");
    } else {
      return refuse("unknown parameter " + name);
    }
  }
  return read;
}

enum class FieldType { kItem, kList, kDictionary };

// The structured fields we know: sf asks for the type, which a field does not tell.
std::optional<FieldType> type_of_field(std::string_view name) {
  struct Known {
    std::string_view name;
    FieldType type;
  };
  static constexpr std::array<Known, 12> kKnown = {{
      {"accept-signature", FieldType::kDictionary},
      {"cache-status", FieldType::kList},
      {"client-cert", FieldType::kItem},
      {"client-cert-chain", FieldType::kList},
      {"content-digest", FieldType::kDictionary},
      {"priority", FieldType::kDictionary},
      {"proxy-status", FieldType::kList},
      {"repr-digest", FieldType::kDictionary},
      {"signature", FieldType::kDictionary},
      {"signature-agent", FieldType::kDictionary},
      {"signature-input", FieldType::kDictionary},
      {"want-content-digest", FieldType::kDictionary},
  }};
  for (const Known& known : kKnown) {
    if (known.name == name) return known.type;
  }
  return std::nullopt;
}

template <class Value>
Result<std::string> serialised_again(const Result<Value>& parsed) {
  if (!parsed) return std::unexpected(parsed.error());
  return serialise_sf(*parsed);
}

Result<std::string> serialised_strictly(std::string_view name, std::string_view value) {
  const std::optional<FieldType> type = type_of_field(name);
  if (!type) return refuse("the structure of " + std::string(name) + " is not known");
  switch (*type) {
    case FieldType::kItem:
      return serialised_again(parse_sf_item(value));
    case FieldType::kList:
      return serialised_again(parse_sf_list(value));
    case FieldType::kDictionary:
      return serialised_again(parse_sf_dictionary(value));
  }
  return refuse("the structure of the field is not known");
}

// Leading and trailing white space off, obsolete line folding to one space (section 2.1).
std::string field_line(std::string_view value) {
  std::string line;
  value = trim(value);
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] != '\r' && value[i] != '\n') {
      line += value[i];
      continue;
    }
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.pop_back();
    while (i + 1 < value.size() && trim(value.substr(i + 1, 1)).empty()) ++i;
    line += ' ';
  }
  return line;
}

Result<std::string> field_value(const SignedMessage& message, const std::string& name,
                                const ComponentParameters& parameters) {
  if (parameters.bs && (parameters.sf || parameters.key != nullptr)) {
    return refuse("bs goes with neither sf nor key");
  }
  const Headers& fields = parameters.tr ? message.trailers : message.headers;
  std::string joined;
  bool found = false;
  for (const auto& [line_name, line_value] : fields.lines) {
    if (!equal_ignoring_case(line_name, name)) continue;
    if (found) joined += ", ";
    found = true;
    std::string line = field_line(line_value);
    if (parameters.bs) line = ':' + to_base64(line) + ':';
    joined += line;
  }
  if (!found) return refuse("the message has no field " + name);
  if (parameters.key != nullptr) {
    const Result<SfDictionary> dictionary = parse_sf_dictionary(joined);
    if (!dictionary) return refuse(name + " is not a dictionary: " + dictionary.error().sentence);
    const SfMember* member = find_sf(*dictionary, *parameters.key);
    if (member == nullptr) return refuse(name + " has no member " + *parameters.key);
    return serialise_sf(*member);
  }
  if (parameters.sf) return serialised_strictly(name, joined);
  return joined;
}

// application/x-www-form-urlencoded, as the URL Standard decodes and then percent-encodes it
// (section 2.2.8).
std::string form_decoded(std::string_view text) {
  const auto hex = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c = ascii_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0) {
      decoded += static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2]));
      i += 2;
    } else {
      decoded += text[i] == '+' ? ' ' : text[i];
    }
  }
  return to_valid_utf8(decoded);
}

std::string form_encoded(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string encoded;
  for (char c : text) {
    const char lower = ascii_lower(c);
    if ((lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') ||
        std::string_view("*-._").find(c) != std::string_view::npos) {
      encoded += c;
    } else {
      const auto octet = static_cast<unsigned char>(c);
      encoded += {'%', kHex[octet >> 4], kHex[octet & 15]};
    }
  }
  return encoded;
}

Result<std::string> query_parameter(const SignedMessage& message, const std::string& name) {
  std::optional<std::string> found;
  std::string_view rest = message.query ? std::string_view(*message.query) : std::string_view();
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (pair.empty() || form_encoded(form_decoded(pair.substr(0, equals))) != name) continue;
    if (found) return refuse("the query parameter " + name + " stands twice in the query");
    found = form_encoded(form_decoded(pair.substr(std::min(equals + 1, pair.size()))));
  }
  if (!found) return refuse("the query has no parameter " + name);
  return *found;
}

Result<std::string> derived_value(const SignedMessage& message, const std::string& name,
                                  const ComponentParameters& parameters) {
  if (parameters.sf || parameters.bs || parameters.tr || parameters.key != nullptr) {
    return refuse(name + " takes no parameter of fields");
  }
  if (name == "@status") {
    if (message.status == 0) return refuse("a request has no @status");
    return std::to_string(message.status);
  }
  if (message.method.empty()) return refuse("a response has no " + name + " (use ;req)");
  std::string path = message.path.empty() ? "/" : message.path;
  const std::string query = message.query ? "?" + *message.query : "";
  if (name == "@method") return message.method;
  if (name == "@scheme") return to_ascii_lower(message.scheme);
  if (name == "@authority") return to_ascii_lower(message.authority);
  if (name == "@path") return path;
  if (name == "@query") return query.empty() ? "?" : query;
  if (name == "@request-target") return path + query;
  if (name == "@target-uri") return message.scheme + "://" + message.authority + path + query;
  if (name == "@query-param") {
    if (parameters.name == nullptr) return refuse("@query-param needs the parameter name");
    return query_parameter(message, *parameters.name);
  }
  return refuse("unknown component " + name);
}

bool is_field_name(std::string_view name) {
  for (char c : name) {
    if ((c < 'a' || c > 'z') && (c < '0' || c > '9') &&
        std::string_view("!#$%&'*+-.^_`|~").find(c) == std::string_view::npos) {
      return false;
    }
  }
  return !name.empty();
}

}  // namespace

SignedMessage get_request_of(const Url& url) {
  SignedMessage message;
  message.method = "GET";
  message.scheme = url.scheme();
  message.authority = url.host();
  message.path = url.pathname();
  // What is sent is what is signed: a lone '?' in front of an empty query is sent too.
  const std::string_view sent = url.path_and_query();
  if (sent.size() > message.path.size()) message.query = sent.substr(message.path.size() + 1);
  return message;
}

Result<std::string> component_value(const SignedMessage& message, const SfItem& component) {
  const auto* name = std::get_if<std::string>(&component.value);
  if (name == nullptr || name->empty()) return refuse("a component is named by a string");
  const Result<ComponentParameters> parameters = read_parameters(component);
  if (!parameters) return std::unexpected(parameters.error());
  const SignedMessage* from = &message;
  if (parameters->req) {
    if (message.request == nullptr) return refuse("req needs a response with its request");
    from = message.request;
  }
  if (name->front() == '@') return derived_value(*from, *name, *parameters);
  if (parameters->name != nullptr) return refuse("name goes with @query-param only");
  if (!is_field_name(*name)) return refuse("a field is named in lower case");
  return field_value(*from, *name, *parameters);
}

Result<std::string> signature_base(const SignedMessage& message, const SfInnerList& covered) {
  std::string base;
  std::unordered_set<std::string> seen;
  for (const SfItem& component : covered.items) {
    Result<std::string> identifier = serialise_sf(component);
    if (!identifier) return identifier;
    if (!seen.insert(*identifier).second) return refuse(*identifier + " is named twice");
    const Result<std::string> value = component_value(message, component);
    if (!value) return value;
    if (value->find_first_of("\r\n") != std::string::npos) {
      return refuse("a line break in the value of " + *identifier);
    }
    base += *identifier + ": " + *value + '\n';
  }
  const Result<std::string> parameters = serialise_sf(covered);
  if (!parameters) return parameters;
  return base + "\"@signature-params\": " + *parameters;
}

}  // namespace periplus
