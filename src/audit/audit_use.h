// The audit as a use of the visit: keeps addresses, HTML and text, reads sitemaps, and asks for
// three documents beside the pages.
#pragma once

#include "visit/use.h"

namespace periplus {

// Names of ExtraDocument::kind.
inline constexpr std::string_view kHttpsUpgrade =
    "https-upgrade";  // the http start page: does it lead to https?
inline constexpr std::string_view kOneHost =
    "one-host";  // the www twin of an apex, or the other way round
inline constexpr std::string_view kLlmsTxt = "llms.txt";

class AuditUse final : public Use {
 public:
  std::string_view name() const override { return "audit"; }
  Keep keep() const override { return {.addresses = true, .html = true, .text = true}; }
  bool reads_sitemaps() const override { return true; }
  std::vector<ExtraDocument> extra_documents(const Url& start, const Url& home) const override;
};

}  // namespace periplus
