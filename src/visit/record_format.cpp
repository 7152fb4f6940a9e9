#include "visit/record_format.h"

#include <nlohmann/json.hpp>

namespace periplus {
namespace {

using nlohmann::json;

// Bytes from a site may be no UTF-8; JSON must be.
std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::int64_t millis(Instant at) { return at.time_since_epoch().count(); }
Instant instant(const json& value) { return Instant(Millis(value.get<std::int64_t>())); }

json to_value(const Timings& t) {
  return {t.resolve.count(),    t.connect.count(), t.tls.count(),
          t.first_byte.count(), t.total.count(),   t.wait.count()};
}
Timings timings_from(const json& v) {
  const auto at = [&](std::size_t i) { return Millis(v.at(i).get<std::int64_t>()); };
  return {at(0), at(1), at(2), at(3), at(4), at(5)};
}

template <class T>
T optional_member(const json& object, const char* key, T otherwise) {
  const auto found = object.find(key);
  return found == object.end() ? otherwise : found->get<T>();
}

// nlohmann throws on any surprise; a damaged column is an error value here.
template <class Read>
auto reading(std::string_view text, Read read) -> Result<decltype(read(json()))> {
  try {
    return read(json::parse(text));
  } catch (const json::exception& fault) {
    return fail(ErrorKind::kDatabase,
                std::string("a record of the store is damaged: ") + fault.what());
  }
}

template <class Enum>
std::optional<Enum> by_name(std::string_view wanted, int count) {
  for (int i = 0; i < count; ++i) {
    if (name(static_cast<Enum>(i)) == wanted) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

std::optional<NotFetchedReason> not_fetched_reason(std::string_view wanted) {
  return by_name<NotFetchedReason>(wanted, 10);
}
std::optional<TrapKind> trap_kind(std::string_view wanted) { return by_name<TrapKind>(wanted, 5); }
std::optional<BotWallKind> bot_wall_kind(std::string_view wanted) {
  return by_name<BotWallKind>(wanted, 3);
}

StoredChain stored_chain(const Chain& chain, int attempts, const std::optional<BotWall>& wall) {
  StoredChain out;
  out.hops = chain.hops;
  const Exchange& last = chain.last;
  out.notes = {attempts,
               chain.cookie_retry,
               last.body_damaged,
               last.wire_bytes,
               last.http_version,
               last.address,
               last.timings,
               last.tls,
               wall,
               false,
               {}};
  return out;
}

std::string to_json(const StoredChain& chain) {
  json hops = json::array();
  for (const Hop& hop : chain.hops) {
    hops.push_back({{"url", hop.url},
                    {"status", hop.status},
                    {"location", hop.location},
                    {"address", hop.address},
                    {"ms", to_value(hop.timings)}});
  }
  const AnswerNotes& n = chain.notes;
  json out = {{"hops", std::move(hops)},
              {"wire", n.wire_bytes},
              {"http", n.http_version},
              {"address", n.address},
              {"ms", to_value(n.timings)}};
  if (n.attempts != 1) out["attempts"] = n.attempts;
  if (n.cookie_retry) out["cookie_retry"] = true;
  if (n.body_damaged) out["body_damaged"] = true;
  if (n.wall)
    out["wall"] = {
        {"vendor", n.wall->vendor}, {"kind", name(n.wall->kind)}, {"signal", n.wall->signal}};
  if (n.tls.used) {
    json tls = {{"version", n.tls.version}, {"issuer", n.tls.issuer}, {"subject", n.tls.subject}};
    if (n.tls.not_before) tls["not_before"] = millis(*n.tls.not_before);
    if (n.tls.not_after) tls["not_after"] = millis(*n.tls.not_after);
    out["tls"] = std::move(tls);
  }
  if (n.from_last_good) out["copy_at"] = millis(n.copy_at);
  return dump(out);
}

Result<StoredChain> chain_from_json(std::string_view text) {
  return reading(text, [](const json& in) {
    StoredChain chain;
    for (const json& hop : in.at("hops")) {
      chain.hops.push_back({hop.at("url"), hop.at("status"), hop.at("location"), hop.at("address"),
                            timings_from(hop.at("ms"))});
    }
    AnswerNotes& n = chain.notes;
    n.attempts = optional_member(in, "attempts", 1);
    n.cookie_retry = optional_member(in, "cookie_retry", false);
    n.body_damaged = optional_member(in, "body_damaged", false);
    n.wire_bytes = in.at("wire");
    n.http_version = in.at("http");
    n.address = in.at("address");
    n.timings = timings_from(in.at("ms"));
    if (const auto wall = in.find("wall"); wall != in.end()) {
      n.wall = BotWall{
          wall->at("vendor"),
          bot_wall_kind(wall->at("kind").get<std::string>()).value_or(BotWallKind::kChallenge),
          wall->at("signal")};
    }
    if (const auto tls = in.find("tls"); tls != in.end()) {
      n.tls.used = true;
      n.tls.version = tls->at("version");
      n.tls.issuer = tls->at("issuer");
      n.tls.subject = tls->at("subject");
      if (tls->contains("not_before")) n.tls.not_before = instant(tls->at("not_before"));
      if (tls->contains("not_after")) n.tls.not_after = instant(tls->at("not_after"));
    }
    if (const auto copy = in.find("copy_at"); copy != in.end()) {
      n.from_last_good = true;
      n.copy_at = instant(*copy);
    }
    return chain;
  });
}

std::string to_json(const VisitNotes& notes) {
  json traps = json::array();
  for (const Trap& t : notes.traps) {
    traps.push_back({{"kind", name(t.kind)},
                     {"pattern", t.pattern},
                     {"example", t.example},
                     {"found_on", t.found_on},
                     {"pages", t.pages},
                     {"refused", t.refused}});
  }
  json counts = json::object();
  for (const auto& [reason, count] : notes.not_fetched_counts)
    counts[std::string(name(reason))] = count;
  return dump({{"home", notes.home},
               {"owner", notes.owner},
               {"traps", std::move(traps)},
               {"not_fetched", std::move(counts)},
               {"waited_seconds", notes.waited_seconds},
               {"retry_at", millis(notes.retry_at)}});
}

Result<VisitNotes> visit_notes_from_json(std::string_view text) {
  return reading(text, [](const json& in) {
    VisitNotes notes;
    notes.home = in.at("home");
    notes.owner = in.at("owner");
    for (const json& t : in.at("traps")) {
      notes.traps.push_back(
          {trap_kind(t.at("kind").get<std::string>()).value_or(TrapKind::kNoNewText),
           t.at("pattern"), t.at("example"), t.at("found_on"), t.at("pages"), t.at("refused")});
    }
    for (const auto& [key, count] : in.at("not_fetched").items()) {
      if (const auto reason = not_fetched_reason(key))
        notes.not_fetched_counts.emplace_back(*reason, count.get<std::uint64_t>());
    }
    notes.waited_seconds = in.at("waited_seconds");
    notes.retry_at = instant(in.at("retry_at"));
    return notes;
  });
}

std::string to_json(const std::vector<NotFetched>& list) {
  json out = json::array();
  for (const NotFetched& item : list) out.push_back({item.url, name(item.reason), item.found_from});
  return dump(out);
}

Result<std::vector<NotFetched>> not_fetched_from_json(std::string_view text) {
  return reading(text, [](const json& in) {
    std::vector<NotFetched> list;
    for (const json& item : in) {
      list.push_back({item.at(0),
                      not_fetched_reason(item.at(1).get<std::string>())
                          .value_or(NotFetchedReason::kVisitEnded),
                      item.at(2)});
    }
    return list;
  });
}

}  // namespace periplus
