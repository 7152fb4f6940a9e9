// How a visit's values are written into the store's columns, and read back: the one place for both
// directions. Uses and reports read through here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/bot_wall.h"
#include "http/redirects.h"
#include "visit/origin_robots.h"
#include "visit/visit.h"

namespace periplus {

// Names of StoredDocument::kind beside those of ExtraDocument.
inline constexpr std::string_view kRobotsDocument = "robots";
inline constexpr std::string_view kSitemapDocument = "sitemap";
inline constexpr std::string_view kNotFetchedDocument = "not-fetched";

// What is known of one answer beside its hops, headers and body.
struct AnswerNotes {
  int attempts = 1;
  bool cookie_retry = false;
  bool body_damaged = false;
  std::uint64_t wire_bytes = 0;
  std::string http_version;
  std::string address;
  Timings timings;
  TlsFacts tls;
  std::optional<BotWall> wall;
  // Of a robots.txt only.
  bool from_last_good = false;
  Instant copy_at{};
};

// StoredPage::chain and StoredDocument::chain.
struct StoredChain {
  std::vector<Hop> hops;
  AnswerNotes notes;
};
std::string to_json(const StoredChain& chain);
Result<StoredChain> chain_from_json(std::string_view json);
StoredChain stored_chain(const Chain& chain, int attempts, const std::optional<BotWall>& wall);

// StoredVisit::notes.
struct VisitNotes {
  std::string home;
  std::string owner;
  std::vector<Trap> traps;
  std::vector<std::pair<NotFetchedReason, std::uint64_t>> not_fetched_counts;
  double waited_seconds = 0;
  Instant retry_at{};
};
std::string to_json(const VisitNotes& notes);
Result<VisitNotes> visit_notes_from_json(std::string_view json);

// The body of the not-fetched document.
std::string to_json(const std::vector<NotFetched>& list);
Result<std::vector<NotFetched>> not_fetched_from_json(std::string_view json);

std::optional<NotFetchedReason> not_fetched_reason(std::string_view name);
std::optional<TrapKind> trap_kind(std::string_view name);
std::optional<BotWallKind> bot_wall_kind(std::string_view name);

}  // namespace periplus
