// The report for people: one HTML file that needs nothing else.
#pragma once

#include <string>

#include "audit/judge.h"

namespace periplus {

// A whole document. It asks for nothing from anywhere, works without script, and holds whatever the
// site wrote as text only.
std::string html_report(const Judgement& judgement);

}  // namespace periplus
