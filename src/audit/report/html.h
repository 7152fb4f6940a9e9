// One self-contained HTML file.
#pragma once

#include <string>

#include "audit/judge.h"

namespace periplus {

std::string html_report(const Judgement& judgement);

}  // namespace periplus
