// How a visit ended: a closed list, written to the store and shown to people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/exchange.h"

namespace periplus {

enum class OutcomeKind : std::uint8_t {
  kComplete,      // every page that links and sitemap led to, and that we may read, was read
  kPageLimit,     // the page budget was used up before that
  kTimeLimit,     // the visit's time was used up before that
  kKeptOut,       // robots.txt closes the start page to us: only robots.txt was read
  kRobotsClosed,  // robots.txt could not be had (5xx, time-out, …): closed for now
  kUnreachable,   // no answer from the start page: failure tells
  kHomeError,     // the start page answered with an error status
  kBotWall,       // bot protection stopped us
  kBackedOff,     // 429 or 503: the site asked for a pause longer than the visit may last
  kTrap,          // endless new pages without new text: the visit was ended by its trap budget
  kAborted,       // we were shut down
};
std::string_view name(OutcomeKind kind);      // "complete": stable, for JSON and the store
std::string_view sentence(OutcomeKind kind);  // for people
std::optional<OutcomeKind> outcome_kind(std::string_view name);

struct Outcome {
  OutcomeKind kind = OutcomeKind::kAborted;
  std::optional<Failure> failure;  // with kUnreachable, kRobotsClosed
  std::string detail;  // the deciding robots line, the wall's vendor, the trap's pattern
  // True only for kComplete: nothing we may read was left unread, so claims about the whole can be
  // made.
  bool complete() const { return kind == OutcomeKind::kComplete; }
};

// Why a known address was not fetched.
enum class NotFetchedReason : std::uint8_t {
  kRobots,
  kPageLimit,
  kTimeLimit,
  kOtherSite,
  kNotHttp,
  kTrap,
  kNofollow,
  kNotPage,
  kVisitEnded,
  kTooDeep,
};
std::string_view name(NotFetchedReason reason);
std::string_view sentence(NotFetchedReason reason);
// Of what was still in line when a visit ended so.
NotFetchedReason left_because(OutcomeKind ended);

// How an address became known.
enum class FoundVia : std::uint8_t { kStart, kLink, kSitemap, kRedirect, kCanonical };
std::string_view name(FoundVia via);
std::optional<FoundVia> found_via(std::string_view name);

}  // namespace periplus
