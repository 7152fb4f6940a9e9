#include "audit/audit_use.h"

#include "url/idna.h"

namespace periplus {

std::vector<ExtraDocument> AuditUse::extra_documents(const Url& start, const Url& home) const {
  std::vector<ExtraDocument> out;
  const auto add = [&](std::string_view kind, const std::string& address) {
    if (const auto url = Url::parse(address)) out.push_back({std::string(kind), *url});
  };
  const std::string host(home.hostname());
  // On another port than the usual there is no http to leave.
  if (home.scheme() == "https" && home.port().empty() && start.scheme() == "https")
    add(kHttpsUpgrade, "http://" + host + "/");
  if (home.port().empty() && !is_ip_literal(host) && host.find('.') != std::string::npos) {
    const std::string twin = host.starts_with("www.") ? host.substr(4) : "www." + host;
    if (twin.find('.') != std::string::npos)
      add(kOneHost, std::string(home.protocol()) + "//" + twin + "/");
  }
  add(kLlmsTxt, home.origin() + "/llms.txt");
  return out;
}

}  // namespace periplus
