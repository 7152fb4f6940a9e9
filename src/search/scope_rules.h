// What a scope.toml says, ready to judge by. Only the files scope*.cpp see it.
#pragma once

#include <re2/re2.h>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "search/gazetteer.h"
#include "search/scope.h"

namespace periplus {

// Where a rule looks; bits, in the order in which a page's fields are read.
enum ScopeField : std::uint8_t {
  kFieldUrl = 1,  // host and path, percent-decoded
  kFieldTitle = 2,
  kFieldHeadings = 4,
  kFieldDescription = 8,
  kFieldText = 16,
  kFieldLinks = 32,  // words of links towards the page
};
inline constexpr unsigned kFieldsOfPage =
    kFieldTitle | kFieldHeadings | kFieldDescription | kFieldText;
std::string_view name(ScopeField field);  // "url", "title", …

struct ScopeRule {
  std::string id;
  double points = 0;
  unsigned fields = kFieldsOfPage;
  std::vector<std::unique_ptr<RE2>> patterns;
  std::vector<std::string> words;
  std::uint32_t at_least = 1;    // distinct matches
  bool each = false;             // points for every distinct match, up to `most`
  double most = 0;               // bound of |points| when `each`
  std::uint32_t near_names = 0;  // a match counts this many words from a name; 0: anywhere
  bool hides = false;            // words it matches are seen by no other rule and no name
  int group = -1;                // index into groups, or none
};

struct ScopeGroup {
  std::string id;
  double most = 0;             // bound of the sum
  std::uint32_t at_least = 1;  // rules of the group that must match for any to count
};

struct SearchScope::Rules {
  // Of the judging itself: raised when the same file would be judged otherwise.
  static constexpr std::uint64_t kJudge = 1;

  std::string name;
  std::vector<Url> seeds;
  double in = 6, unsure = 3;
  ScopeLimits limits;

  std::vector<std::string> always, never;  // ASCII domains; hosts under them count too

  struct Suffix {
    std::vector<std::string> suffixes;  // ".mt"
    double points = 0;
  } domain;
  struct TextLanguage {
    std::string code;
    double points = 0;
    int least_share = 20;               // percent
    std::uint32_t least_letters = 200;  // of the text, whatever their language
  };
  std::vector<TextLanguage> languages;
  struct Declared {
    std::vector<std::string> languages, countries;  // lower case
    double points = 0;
  } declared;
  std::vector<ScopeGroup> groups;
  std::vector<ScopeRule> rules;
  struct Names {
    std::vector<GazetteerName> names;
    double most = 6;
    double alone = 1;           // a name of fewer points counts beside one of at least so many
    std::uint32_t every = 400;  // a name counts in full once in so many words, else by `thin`
    double thin = 0.5;
  } gazetteer;
  struct Links {
    double points = 0;
    std::uint32_t at_least = 3;  // judged links
    double word_points = 0;      // for link words that hold a name
  } links;

  // Names by their index, words of rules by kRuleWord and the rule's.
  static constexpr std::uint32_t kRuleWord = 0x8000'0000U;
  PhraseSet phrases;
  std::uint64_t fingerprint = 0;
};

}  // namespace periplus
