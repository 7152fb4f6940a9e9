#include "visit/record_format.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace periplus {
namespace {

using nlohmann::json;

// Bytes from a site may be no UTF-8; JSON must be.
std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::int64_t millis(Instant at) { return at.time_since_epoch().count(); }
Instant instant(const json& value) { return Instant(Millis(value.get<std::int64_t>())); }

// A JSON string. Bytes from a site may be no UTF-8; JSON must be.
void append_text(std::string* out, std::string_view text) {
  *out += '"';
  const auto plain = [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\';
  };
  std::string mended;
  if (!is_valid_utf8(text)) text = mended = to_valid_utf8(text);
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && plain(text[end])) ++end;
    out->append(text.substr(at, end - at));
    if (end == text.size()) break;
    fmt::format_to(std::back_inserter(*out), "\\u{:04x}", static_cast<unsigned>(text[end]));
    at = end + 1;
  }
  *out += '"';
}

void append_member(std::string* out, std::string_view key, std::string_view value) {
  out->append(",\"").append(key).append("\":");
  append_text(out, value);
}
void append_member(std::string* out, std::string_view key, std::int64_t value) {
  out->append(",\"").append(key).append("\":").append(fmt::format_int(value).c_str());
}
void append_member(std::string* out, std::string_view key, const Timings& t) {
  out->append(",\"").append(key).append("\":");
  char before = '[';
  for (const Millis phase : {t.resolve, t.connect, t.tls, t.first_byte, t.total, t.wait}) {
    *out += before;
    out->append(fmt::format_int(phase.count()).c_str());
    before = ',';
  }
  *out += ']';
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

// By hand, not through nlohmann: one for every page.
std::string to_json(const StoredChain& chain) {
  std::string out = R"({"hops":[)";
  for (const Hop& hop : chain.hops) {
    out += out.back() == '[' ? R"({"url":)" : R"(,{"url":)";
    append_text(&out, hop.url);
    append_member(&out, "status", hop.status);
    append_member(&out, "location", hop.location);
    append_member(&out, "address", hop.address);
    append_member(&out, "ms", hop.timings);
    out += '}';
  }
  const AnswerNotes& n = chain.notes;
  out += ']';
  append_member(&out, "wire", static_cast<std::int64_t>(n.wire_bytes));
  append_member(&out, "http", n.http_version);
  append_member(&out, "address", n.address);
  append_member(&out, "ms", n.timings);
  if (n.attempts != 1) append_member(&out, "attempts", n.attempts);
  if (n.cookie_retry) out += R"(,"cookie_retry":true)";
  if (n.body_damaged) out += R"(,"body_damaged":true)";
  if (n.wall) {
    out += R"(,"wall":{"vendor":)";
    append_text(&out, n.wall->vendor);
    append_member(&out, "kind", name(n.wall->kind));
    append_member(&out, "signal", n.wall->signal);
    out += '}';
  }
  if (n.tls.used) {
    out += R"(,"tls":{"version":)";
    append_text(&out, n.tls.version);
    append_member(&out, "issuer", n.tls.issuer);
    append_member(&out, "subject", n.tls.subject);
    if (n.tls.not_before) append_member(&out, "not_before", millis(*n.tls.not_before));
    if (n.tls.not_after) append_member(&out, "not_after", millis(*n.tls.not_after));
    out += '}';
  }
  if (n.from_last_good) append_member(&out, "copy_at", millis(n.copy_at));
  out += '}';
  return out;
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
