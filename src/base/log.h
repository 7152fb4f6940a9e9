// What the program tells the person who runs it while it works: one line an event, on stderr.
//
//   2026-12-01T03:46:53Z warn  visit.backed-off site=example.org until="Tue 4 pm"
//
// Results go to stdout and never through here.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace periplus {

enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarn, kError, kOff };

// Events below `level` are not written; kOff writes nothing at all. Starts at kWarn.
void set_log_level(LogLevel level);
bool logs(LogLevel level);

// A name and its value. The value may come from a site: it is stripped of control characters and
// quoted where that is needed to read it back.
struct LogField {
  LogField(std::string_view field, std::string_view text) : key(field), value(text) {}
  LogField(std::string_view field, const char* text) : key(field), value(text) {}
  LogField(std::string_view field, const std::string& text) : key(field), value(text) {}
  LogField(std::string_view field, bool yes) : key(field), value(yes ? "true" : "false") {}
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  LogField(std::string_view field, T number) : key(field), value(std::to_string(number)) {}

  std::string_view key;
  std::string value;
};

// `event` is a stable dotted name of ours ("visit.done"). Safe from any thread.
void log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields = {});

}  // namespace periplus
