// The second look at the best candidates: what the engine's weights cannot see. Inside this room
// only.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "search/query.h"
#include "search/xapian_index.h"

namespace periplus {

struct Candidate {
  std::uint32_t document = 0;
  double score = 0;
  bool all_words = false;       // has every word of the query
  std::uint32_t collapsed = 0;  // further pages of its site, a lower bound
  std::string data;             // see DataPart
};

// Places of a stem in a document, ascending.
using Places =
    std::function<std::vector<std::uint32_t>(std::uint32_t document, const std::string& stem)>;

// Adds to the scores of `candidates` and sorts them. `unit`: weight of an average word.
void rank_again(const ParsedQuery& query, double unit, const Ranking& ranking, StemBook& stems,
                const Places& places, std::vector<Candidate>* candidates);

}  // namespace periplus
