// Errors as people and programs get them: a sentence, an object, an exit code.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/options.h"
#include "cli/values.h"

namespace periplus {
namespace {

bool in_json = false;

std::string_view name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return "usage";
    case ErrorKind::kInput:
      return "input";
    case ErrorKind::kConfig:
      return "config";
    case ErrorKind::kTooSoon:
      return "too-soon";
    case ErrorKind::kBusy:
      return "busy";
    case ErrorKind::kIo:
      return "io";
    case ErrorKind::kDatabase:
      return "database";
    case ErrorKind::kInternal:
      break;
  }
  return "internal";
}

}  // namespace

int exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
    case ErrorKind::kInput:
    case ErrorKind::kConfig:
    case ErrorKind::kIo:  // a folder that cannot be written, a full disk: theirs to mend
      return kExitUsage;
    case ErrorKind::kTooSoon:
    case ErrorKind::kBusy:
      return kExitTooSoon;
    case ErrorKind::kDatabase:
    case ErrorKind::kInternal:
      break;
  }
  return kExitInternal;
}

void complain_in_json(bool on) { in_json = on; }

int complain(const Error& error) {
  const std::string place = error.place.empty() ? "" : fmt::format(" ({})", error.place);
  std::fputs(fmt::format("periplus: {}{}\n", error.sentence, place).c_str(), stderr);
  const int code = exit_code_of(error.kind);
  if (in_json) {
    const nlohmann::ordered_json told = {{"kind", name(error.kind)},
                                         {"sentence", error.sentence},
                                         {"place", error.place},
                                         {"exit", code}};
    std::puts(dump({{"error", told}}).c_str());
    std::fflush(stdout);
  }
  return code;
}

}  // namespace periplus
