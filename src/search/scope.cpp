// The face of a scope: what is not reading the file (scope_file.cpp) or judging (scope_judge.cpp).
#include "search/scope.h"

#include "search/scope_rules.h"

namespace periplus {

std::string_view name(ScopeVerdict verdict) {
  switch (verdict) {
    case ScopeVerdict::kIn:
      return "in";
    case ScopeVerdict::kUnsure:
      return "unsure";
    case ScopeVerdict::kOut:
      return "out";
  }
  return "out";
}

std::string_view name(ScopeField field) {
  switch (field) {
    case kFieldUrl:
      return "url";
    case kFieldTitle:
      return "title";
    case kFieldHeadings:
      return "headings";
    case kFieldDescription:
      return "description";
    case kFieldText:
      return "text";
    case kFieldLinks:
      return "links";
  }
  return "text";
}

SearchScope::SearchScope(std::unique_ptr<Rules> rules) : rules_(std::move(rules)) {}
SearchScope::~SearchScope() = default;
SearchScope::SearchScope(SearchScope&&) noexcept = default;
SearchScope& SearchScope::operator=(SearchScope&&) noexcept = default;

const std::string& SearchScope::name() const { return rules_->name; }
const std::vector<Url>& SearchScope::seeds() const { return rules_->seeds; }
const ScopeLimits& SearchScope::limits() const { return rules_->limits; }
std::uint64_t SearchScope::fingerprint() const { return rules_->fingerprint; }

}  // namespace periplus
