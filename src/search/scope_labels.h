// Measures a scope on pages that a person labelled: precision, recall, what went wrong; and what
// another scope would do to what a home knows already.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "search/scope.h"
#include "store/store.h"

namespace periplus {

struct LabelledPage {
  Url url;
  bool in = false;   // what a person says
  std::string html;  // the page, made from title, heading and text where it is not given
  std::string content_language;
  LinkEvidence links;
  std::string note;      // why a person says so; may be empty
  std::size_t line = 0;  // of the file, from 1
};

// JSON lines, one object each: "url", "label" ("in" or "out"), then "html", or any of "lang",
// "title", "description", "heading", "text" ('\n' parts paragraphs); beside that
// "content_language", "links" {"in", "in_scope", "words"}, "note". Empty lines and lines that start
// with '#' are skipped. Errors (kInput) name the line; an address may come once only.
Result<std::vector<LabelledPage>> parse_labelled(std::string_view text, std::string_view file);

// Which pages a score is of. The address alone decides: a scope is tuned on the one half and the
// other says how good it is.
enum class LabelledHalf : std::uint8_t { kBoth, kTune, kHeldOut };
bool is_held_out(std::string_view url);

ScopeJudgement judge_labelled(const SearchScope& scope, const LabelledPage& page);

struct ScopeScore {
  // [label][verdict]: label 0 out, 1 in; verdict as in ScopeVerdict.
  std::array<std::array<std::size_t, 3>, 2> confusion{};
  struct Mistake {
    const LabelledPage* page;
    ScopeJudgement judgement;
  };
  std::vector<Mistake> mistakes;  // not as labelled; unsure is a mistake too where "in" is right

  std::size_t pages() const;
  // Of the pages judged in, those that are; 1 when none is.
  double precision() const;
  // Of the pages that are in, those judged so (unsure is not); 1 when there is none.
  double recall() const;
};
ScopeScore score_scope(const SearchScope& scope, const std::vector<LabelledPage>& pages,
                       LabelledHalf half);

// Calls `each` for every page that the home keeps in the search use, by site and address, with what
// can be judged of it: the copy, or its text, or the address and link words alone. Views hold for
// the call. kDatabase, kIo or kBusy as of the store.
Result<void> each_known_page(Store& store, const std::function<void(const ScopeEvidence&)>& each);

}  // namespace periplus
