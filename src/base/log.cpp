#include "base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <memory>

#include "base/text.h"

namespace periplus {
namespace {

std::atomic<LogLevel> lowest{LogLevel::kWarn};

spdlog::logger& sink() {
  static const std::unique_ptr<spdlog::logger> logger = [] {
    auto made = std::make_unique<spdlog::logger>("periplus",
                                                 std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_level(spdlog::level::trace);
    made->set_pattern("%Y-%m-%dT%H:%M:%SZ %-5!l %v", spdlog::pattern_time_type::utc);
    made->flush_on(spdlog::level::trace);
    return made;
  }();
  return *logger;
}

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarn:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
    case LogLevel::kOff:
      break;
  }
  return spdlog::level::off;
}

bool needs_quotes(std::string_view value) {
  return value.empty() || value.find_first_of(" \"=\\") != std::string_view::npos;
}

void append_value(std::string* line, std::string_view value) {
  if (!needs_quotes(value)) {
    line->append(value);
    return;
  }
  line->push_back('"');
  for (const char c : value) {
    if (c == '"' || c == '\\') line->push_back('\\');
    line->push_back(c);
  }
  line->push_back('"');
}

}  // namespace

void set_log_level(LogLevel level) { lowest = level; }

bool logs(LogLevel level) { return level != LogLevel::kOff && level >= lowest.load(); }

void log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
  if (!logs(level)) return;
  std::string line(event);
  for (const LogField& field : fields) {
    line += ' ';
    line += field.key;
    line += '=';
    append_value(&line, without_controls(field.value));
  }
  sink().log(spdlog_level(level), "{}", line);
}

}  // namespace periplus
