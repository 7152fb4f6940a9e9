#include "http/exchange.h"

#include <array>

#include "base/text.h"

namespace periplus {
namespace {

struct Words {
  FailureKind kind;
  std::string_view name, sentence;
};
constexpr auto kWords = std::to_array<Words>({
    {FailureKind::kBadUrl, "bad-url", "it is not an http or https address"},
    {FailureKind::kPortRefused, "port-refused", "only ports 80 and 443 are used"},
    {FailureKind::kAddressRefused, "address-refused", "its address is not a public one"},
    {FailureKind::kNameNotFound, "name-not-found",
     "the host name does not exist or has no address"},
    {FailureKind::kNameServerFailed, "name-server-failed", "the name servers did not answer"},
    {FailureKind::kConnectRefused, "connect-refused", "the server refused the connection"},
    {FailureKind::kConnectTimeout, "connect-timeout", "no connection came about in time"},
    {FailureKind::kUnreachable, "unreachable", "there is no route to the server"},
    {FailureKind::kConnectionLost, "connection-lost",
     "the connection broke before the answer was complete"},
    {FailureKind::kTlsUntrusted, "tls-untrusted", "the certificate's issuer is not trusted"},
    {FailureKind::kTlsExpired, "tls-expired", "the certificate is not valid now"},
    {FailureKind::kTlsWrongName, "tls-wrong-name", "the certificate is for another name"},
    {FailureKind::kTlsHandshake, "tls-handshake", "the TLS handshake failed"},
    {FailureKind::kTlsRevokedOrBad, "tls-bad-certificate", "the certificate is revoked or broken"},
    {FailureKind::kTimeout, "timeout", "the answer took too long"},
    {FailureKind::kTooSlow, "too-slow", "the answer came more slowly than we wait for"},
    {FailureKind::kHeadersTooLarge, "headers-too-large", "the header lines are over 64 KiB"},
    {FailureKind::kExpansionBomb, "expansion-bomb",
     "the answer decompresses to far more than it is"},
    {FailureKind::kBadEncoding, "bad-encoding", "the answer's compression is unknown or damaged"},
    {FailureKind::kBadResponse, "bad-response", "what came is not HTTP"},
    {FailureKind::kTooManyRedirects, "too-many-redirects",
     "it redirects more often than we follow"},
    {FailureKind::kRedirectLoop, "redirect-loop", "it redirects in a circle"},
    {FailureKind::kBadRedirect, "bad-redirect", "it redirects to no usable address"},
    {FailureKind::kRobotsDisallowed, "robots-disallowed", "robots.txt keeps us out"},
    {FailureKind::kOffSite, "off-site", "it leads to another site"},
    {FailureKind::kAborted, "aborted", "we stopped before it was done"},
    {FailureKind::kInternal, "internal", "a fault of ours"},
});

const Words& words(FailureKind kind) {
  for (const Words& entry : kWords) {
    if (entry.kind == kind) return entry;
  }
  return kWords.back();
}

}  // namespace

std::string_view name(FailureKind kind) { return words(kind).name; }
std::string_view sentence(FailureKind kind) { return words(kind).sentence; }

std::optional<FailureKind> failure_kind(std::string_view wanted) {
  for (const Words& entry : kWords) {
    if (entry.name == wanted) return entry.kind;
  }
  return std::nullopt;
}

std::string_view Headers::get(std::string_view wanted) const {
  for (const auto& [field, value] : lines) {
    if (equal_ignoring_case(field, wanted)) return trim(value);
  }
  return {};
}

bool Headers::has(std::string_view wanted) const {
  for (const auto& [field, value] : lines) {
    if (equal_ignoring_case(field, wanted)) return true;
  }
  return false;
}

std::vector<std::string_view> Headers::all(std::string_view wanted) const {
  std::vector<std::string_view> out;
  for (const auto& [field, value] : lines) {
    if (equal_ignoring_case(field, wanted)) out.push_back(trim(value));
  }
  return out;
}

void Headers::add(std::string field, std::string value) {
  lines.emplace_back(std::move(field), std::move(value));
}

std::string Headers::to_text() const {
  std::string out;
  for (const auto& [field, value] : lines) {
    out += field;
    out += ": ";
    out += value;
    out += "\r\n";
  }
  return out;
}

Headers Headers::from_text(std::string_view text) {
  Headers out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\r\n"), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 2, text.size()));
    const std::size_t colon = line.find(": ");
    if (colon != std::string_view::npos)
      out.add(std::string(line.substr(0, colon)), std::string(line.substr(colon + 2)));
  }
  return out;
}

}  // namespace periplus
