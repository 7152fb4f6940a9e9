// The desk: what people ask of a search engine and what its operator decides. Bans, removals and
// proofs are in force from the moment they are written: results are masked by them, not only later
// builds. Nothing here is ever changed in silence: every action is one line of an append-only log.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/store.h"

namespace periplus {

struct Submission {
  std::int64_t id = 0;
  Instant at{};
  std::string url, site;
  std::string from;    // keyed hash of the sender's address, or "cli"
  std::string answer;  // what was said
};

struct ProblemReport {
  std::int64_t id = 0;
  Instant at{};
  std::string url, site, query;
  std::string kind;  // "differs", "offensive", "wrong", "illegal", "other"
  std::string words;
  std::string from;
  std::string state = "open";  // "open", "closed"
  std::string decision;        // of the operator, with "closed"
};

struct Ban {
  std::int64_t id = 0;
  std::string site, url;  // url empty: the whole site
  std::string reason;
  std::string evidence;  // JSON
  Instant since{}, until{};
  std::string by;
  std::string state = "active";  // "active", "lifted"
  std::string appeal;            // words of the owner, empty: none
  Instant appeal_at{};
  std::string appeal_answer;
};

struct Removal {
  std::int64_t id = 0;
  std::string site, url;  // url empty: the whole site
  std::string what;       // "search", "copies", "audit", "map"
  Instant since{};
  std::string by;  // the proof's method, or the operator's name
  bool active = true;
};

// A token that the owner of a site publishes to prove that it is his.
struct OwnershipProof {
  std::string site, token;
  Instant asked{};
  std::string method;  // "dns", "file", "meta"; empty while not proved
  Instant proved{};
};

struct DeskAction {
  std::int64_t id = 0;
  Instant at{};
  std::string who, what, subject, details;
};

class Desk {
 public:
  explicit Desk(Store& store) : store_(store) {}

  Result<std::int64_t> add(const Submission& submission);
  // Submissions of one sender since then.
  Result<std::uint64_t> submissions_of(const std::string& from, Instant since);
  Result<std::vector<Submission>> submissions(std::size_t most);  // newest first

  Result<std::int64_t> add(const ProblemReport& report);
  Result<std::vector<ProblemReport>> reports(bool open_only, std::size_t most);
  Result<void> close_report(std::int64_t id, const std::string& decision);

  Result<std::int64_t> add(const Ban& ban);
  Result<void> lift_ban(std::int64_t id);
  Result<void> appeal(std::int64_t id, const std::string& words, Instant at);
  Result<void> answer_appeal(std::int64_t id, const std::string& answer);
  Result<std::optional<Ban>> ban(std::int64_t id);
  // In force at `now`: active and not run out.
  Result<std::vector<Ban>> bans(Instant now);
  Result<std::vector<Ban>> bans_of(const std::string& site);  // all, newest first

  Result<std::int64_t> add(const Removal& removal);
  Result<void> end_removal(std::int64_t id);
  Result<std::vector<Removal>> removals(const std::string& site);  // active; site empty: of all

  // The token of a site, made when it has none.
  Result<OwnershipProof> ask_proof(const std::string& site, Instant now);
  Result<void> note_proof(const std::string& site, const std::string& method, Instant at);
  Result<std::optional<OwnershipProof>> proof(const std::string& site);

  // The append-only log; `id` is given by it.
  Result<void> log_action(const DeskAction& action);
  Result<std::vector<DeskAction>> actions(std::size_t most);  // newest first

 private:
  Store& store_;
};

}  // namespace periplus
