// Why a read gets no score.
#pragma once

#include <string>

#include "audit/score.h"
#include "audit/site_facts.h"

namespace periplus {

// A sentence for people when nothing of the site, or too little, could be judged; empty when there
// is a score. `sheet` is the score as the rules give it.
std::string why_no_score(const SiteFacts& site, const ScoreSheet& sheet);

}  // namespace periplus
