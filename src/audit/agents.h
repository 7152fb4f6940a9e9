// Crawlers of search engines and AI products by the names they give themselves in robots.txt, as
// data with a date. Vendors change these; the list is looked through again with each release.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace periplus {

enum class AgentPurpose : std::uint8_t {
  kSearch,       // finds and cites: closing it leaves that product's answers
  kUserHonours,  // fetches when a person asks, and obeys robots.txt
  kUserIgnores,  // fetches when a person asks, and may not obey
  kTraining,     // the owner's choice
  kTokenOnly,    // a name in robots.txt that sends no requests of its own
  kNotAi,        // previews and ad checks, often swept in
  kRetired,      // no longer sent by anyone
};
std::string_view name(AgentPurpose purpose);      // "search"
std::string_view sentence(AgentPurpose purpose);  // what closing it does

struct Agent {
  std::string_view token;
  std::string_view vendor;
  AgentPurpose purpose = AgentPurpose::kTraining;
  std::string_view note;  // may be empty
};

inline constexpr std::string_view kAgentsDate = "2026-08-28";
std::span<const Agent> known_agents();

}  // namespace periplus
