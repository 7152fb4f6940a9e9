// Values of the rooms as JSON, for --json answers: one shape for each value, wherever it is shown.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "html/page_facts.h"
#include "robots/robots_txt.h"
#include "url/url.h"
#include "visit/explain.h"

namespace periplus {

// {"allowed":bool,"line":N|null,"rule":"…"|null,"group":["…"],"crawl_delay":x|null,"sitemaps":[…]}
nlohmann::ordered_json robots_to_json(const RobotsTxt& text, const RobotsRules& rules,
                                      const RobotsVerdict& verdict);
nlohmann::ordered_json facts_to_json(const PageFacts& facts, const Url* base);
nlohmann::ordered_json explanation_to_json(const Explanation& explanation);

// One line; bytes that are no UTF-8 become U+FFFD.
std::string dump(const nlohmann::ordered_json& value);

}  // namespace periplus
