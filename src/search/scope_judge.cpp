// Judges one page, or one site, by what scope.toml says.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.h"
#include "search/language.h"
#include "search/scope_rules.h"
#include "url/percent_encode.h"

namespace periplus {
namespace {

// Of a page's text as much is looked at; what a page is about does not change behind it.
constexpr std::size_t kMostText = 256 * 1024;
constexpr std::size_t kShownMatches = 6;
constexpr std::size_t kShownBytes = 60;

bool is_under(std::string_view host, std::string_view domain) {
  return host == domain || (host.size() > domain.size() && host.ends_with(domain) &&
                            host[host.size() - domain.size() - 1] == '.');
}

const std::string* listed(const std::vector<std::string>& domains, std::string_view host) {
  const auto at =
      std::ranges::find_if(domains, [&](const std::string& d) { return is_under(host, d); });
  return at == domains.end() ? nullptr : &*at;
}

std::string_view prefix(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0U) == 0x80) --most;
  return text.substr(0, most);
}

std::string shown(std::string_view text) {
  const std::string_view part = prefix(text, kShownBytes);
  return collapse_space(part) + (part.size() < text.size() ? "…" : "");
}

// "mt" of "mt-MT", "MT; q=1".
std::string_view primary_language(std::string_view tag) {
  tag = trim(tag);
  return tag.substr(0, tag.find_first_of("-_;, "));
}

// The values of addressCountry in schema.org data, however deep.
class CountryFinder : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::set<std::string> countries;  // lower case

  bool key(string_t& key) override {
    key_ = key;
    return true;
  }
  bool string(string_t& value) override {
    if (key_ == "addressCountry" || (country_depth_ == depth_ && depth_ > 0 && key_ == "name"))
      countries.insert(to_ascii_lower(trim(value)));
    return true;
  }
  bool start_object(std::size_t /*size*/) override {
    ++depth_;
    if (key_ == "addressCountry") country_depth_ = depth_;
    key_.clear();
    return true;
  }
  bool end_object() override {
    if (country_depth_ == depth_) country_depth_ = 0;
    --depth_;
    key_.clear();
    return true;
  }
  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t /*value*/) override { return true; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool start_array(std::size_t /*size*/) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t /*at*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*fault*/) override {
    return false;  // what stood before the fault was read
  }

 private:
  std::string key_;
  std::size_t depth_ = 0;
  std::size_t country_depth_ = 0;
};

// The fields of a page in one text, one behind the other, and its words.
class Fields {
 public:
  struct Part {
    ScopeField field;
    std::size_t begin, end;             // octets
    std::size_t first_word, last_word;  // words [first, last)
  };

  explicit Fields(const ScopeEvidence& evidence) {
    if (evidence.url != nullptr) {
      const std::string path = percent_decode(evidence.url->pathname());
      put(kFieldUrl, fmt::format("{} {}", evidence.url->hostname(), to_valid_utf8(path)));
    }
    if (evidence.facts != nullptr) {
      const PageFacts& facts = *evidence.facts;
      put(kFieldTitle, facts.title);
      for (const Heading& heading : facts.headings)
        if (!heading.hidden) put(kFieldHeadings, heading.text);
      for (const Meta& meta : facts.metas)
        if (meta.name == "description") put(kFieldDescription, meta.content);
      put(kFieldText, prefix(facts.text, kMostText));
    }
    for (const std::string& words : evidence.links.words) put(kFieldLinks, words);
    words_.emplace(text_);
    std::size_t word = 0;
    for (Part& part : parts_) {
      while (word < words_->size() && words_->place(word).source_begin < part.begin) ++word;
      part.first_word = word;
      while (word < words_->size() && words_->place(word).source_begin < part.end) ++word;
      part.last_word = word;
    }
  }

  const std::vector<Part>& parts() const { return parts_; }
  const FoldedWords& words() const { return *words_; }
  std::string_view text(const Part& part) const {
    return std::string_view(text_).substr(part.begin, part.end - part.begin);
  }
  std::string_view source(std::size_t begin_word, std::size_t end_word) const {
    const std::size_t begin = words_->place(begin_word).source_begin;
    return std::string_view(text_).substr(begin, words_->place(end_word - 1).source_end - begin);
  }
  // The part that holds all of the words, or null where they reach over an end.
  const Part* part_of(std::size_t begin_word, std::size_t end_word) const {
    auto at = std::ranges::upper_bound(parts_, begin_word, {}, &Part::first_word);
    if (at == parts_.begin()) return nullptr;
    --at;
    return begin_word < at->last_word && end_word <= at->last_word ? &*at : nullptr;
  }
  // The words that octets [begin, end) touch.
  std::pair<std::size_t, std::size_t> words_at(std::size_t begin, std::size_t end) const {
    std::size_t low = 0;
    std::size_t high = words_->size();
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (words_->place(middle).source_end <= begin)
        low = middle + 1;
      else
        high = middle;
    }
    std::size_t last = low;
    while (last < words_->size() && words_->place(last).source_begin < end) ++last;
    return {low, last};
  }

 private:
  void put(ScopeField field, std::string_view text) {
    if (text.empty()) return;
    parts_.push_back({field, text_.size(), text_.size() + text.size(), 0, 0});
    text_ += text;
    text_ += '\n';
  }

  std::string text_;
  std::vector<Part> parts_;
  std::optional<FoldedWords> words_;
};

struct Match {
  std::size_t begin = 0, end = 0;  // words
  std::string_view source;
  ScopeField field = kFieldText;
};

using Rules = SearchScope::Rules;

ScopeVerdict verdict_of(const Rules& rules, double points) {
  if (points >= rules.in) return ScopeVerdict::kIn;
  return points >= rules.unsure ? ScopeVerdict::kUnsure : ScopeVerdict::kOut;
}

// One judgement on its way.
class Judge {
 public:
  Judge(const Rules& rules, const ScopeEvidence& evidence)
      : rules_(rules), evidence_(evidence), fields_(evidence) {}

  ScopeJudgement run() {
    if (by_list()) return std::move(out_);
    by_domain();
    by_language();
    by_declaration();
    find_matches();
    by_rules();
    by_names();
    by_links();
    for (const ScopePoint& point : out_.why) out_.points += point.points;
    out_.verdict = verdict_of(rules_, out_.points);
    return std::move(out_);
  }

 private:
  void say(double points, std::string rule, std::string why) {
    if (points != 0) out_.why.push_back({points, std::move(rule), std::move(why)});
  }
  std::string_view host() const {
    return evidence_.url == nullptr ? std::string_view() : evidence_.url->hostname();
  }

  bool by_list() {
    if (const std::string* domain = listed(rules_.never, host())) {
      out_ = {
          ScopeVerdict::kOut, 0, {{0, "never", fmt::format("{} is on the never list", *domain)}}};
      return true;
    }
    if (const std::string* domain = listed(rules_.always, host())) {
      out_ = {ScopeVerdict::kIn,
              rules_.in,
              {{rules_.in, "always", fmt::format("{} is on the always list", *domain)}}};
      return true;
    }
    return false;
  }

  void by_domain() {
    for (const std::string& suffix : rules_.domain.suffixes) {
      if (!host().ends_with(suffix)) continue;
      say(rules_.domain.points, "domain", fmt::format("the host ends in {}", suffix));
      return;
    }
  }

  void by_language() {
    if (rules_.languages.empty() || evidence_.facts == nullptr) return;
    const PageFacts& facts = *evidence_.facts;
    const LanguageReading reading =
        read_language(facts.main_text.empty() ? facts.text : facts.main_text);
    for (const Rules::TextLanguage& wanted : rules_.languages) {
      if (reading.letters < wanted.least_letters) continue;
      for (const LanguageShare& share : reading.shares) {
        if (share.code == wanted.code && share.percent >= wanted.least_share)
          say(wanted.points, "language",
              fmt::format("language {}, {} % of {} letters", share.code, share.percent,
                          reading.letters));
      }
    }
  }

  void by_declaration() {
    const Rules::Declared& declared = rules_.declared;
    if (declared.points == 0) return;
    std::vector<std::string> claims;
    const auto claim = [&](std::string_view tag, std::string_view how) {
      const std::string language = to_ascii_lower(primary_language(tag));
      if (!language.empty() &&
          std::ranges::find(declared.languages, language) != declared.languages.end())
        claims.push_back(fmt::format("{} says {}", how, shown(tag)));
    };
    if (evidence_.facts != nullptr) {
      claim(evidence_.facts->html_lang, "lang");
      CountryFinder finder;
      for (const JsonLd& data : evidence_.facts->json_ld)
        nlohmann::json::sax_parse(data.text.begin(), data.text.end(), &finder);
      for (const std::string& country : declared.countries)
        if (finder.countries.contains(country))
          claims.push_back(fmt::format("addressCountry says {}", country));
    }
    claim(evidence_.content_language, "Content-Language");
    if (!claims.empty())
      say(declared.points, "declared", fmt::format("{}", fmt::join(claims, ", ")));
  }

  void find_matches() {
    of_rule_.resize(rules_.rules.size());
    rules_.phrases.find(fields_.words(), [&](std::size_t begin, std::size_t end, std::uint32_t n) {
      const Fields::Part* part = fields_.part_of(begin, end);
      if (part == nullptr) return;
      const Match match{begin, end, fields_.source(begin, end), part->field};
      if ((n & Rules::kRuleWord) == 0)
        names_.push_back({n, match});
      else if (const std::uint32_t rule = n & ~Rules::kRuleWord;
               (rules_.rules[rule].fields & part->field) != 0)
        of_rule_[rule].push_back(match);
    });
    for (std::size_t i = 0; i < rules_.rules.size(); ++i)
      find_patterns(rules_.rules[i], &of_rule_[i]);
    hide();
    // Of names that overlap the longest counts: "Victoria Gozo" is not also Gozo.
    std::ranges::sort(names_, {}, [](const Named& named) {
      return std::tuple(named.match.begin, ~named.match.end, named.name);
    });
    std::size_t end = 0;
    std::erase_if(names_, [&](const Named& named) {
      if (named.match.begin < end) return true;
      end = named.match.end;
      return false;
    });
  }

  void find_patterns(const ScopeRule& rule, std::vector<Match>* matches) const {
    for (const Fields::Part& part : fields_.parts()) {
      if ((rule.fields & part.field) == 0) continue;
      const std::string_view text = fields_.text(part);
      for (const auto& pattern : rule.patterns) {
        re2::StringPiece found;
        for (std::size_t at = 0;
             at < text.size() && pattern->Match({text.data(), text.size()}, at, text.size(),
                                                RE2::UNANCHORED, &found, 1);) {
          const auto begin = static_cast<std::size_t>(found.data() - text.data());
          const auto [first, last] =
              fields_.words_at(part.begin + begin, part.begin + begin + found.size());
          matches->push_back({first, last, text.substr(begin, found.size()), part.field});
          at = begin + std::max<std::size_t>(found.size(), 1);
        }
      }
    }
  }

  void hide() {
    std::vector<int> hidden_by(fields_.words().size(), -1);
    bool any = false;
    for (std::size_t i = 0; i < rules_.rules.size(); ++i) {
      if (!rules_.rules[i].hides) continue;
      for (const Match& match : of_rule_[i]) {
        any = true;
        for (std::size_t w = match.begin; w < match.end; ++w)
          if (hidden_by[w] < 0) hidden_by[w] = static_cast<int>(i);
      }
    }
    if (!any) return;
    const auto seen = [&](const Match& match, int rule) {
      for (std::size_t w = match.begin; w < match.end; ++w)
        if (hidden_by[w] >= 0 && hidden_by[w] != rule) return false;
      return true;
    };
    for (std::size_t i = 0; i < of_rule_.size(); ++i) {
      if (rules_.rules[i].hides) continue;  // two that hide may share words
      std::erase_if(of_rule_[i], [&](const Match& m) { return !seen(m, static_cast<int>(i)); });
    }
    std::erase_if(names_, [&](const Named& named) { return !seen(named.match, -1); });
  }

  bool near_a_name(const Match& match, std::size_t words) const {
    return std::ranges::any_of(names_, [&](const Named& named) {
      const std::size_t gap = named.match.begin >= match.end   ? named.match.begin - match.end
                              : match.begin >= named.match.end ? match.begin - named.match.end
                                                               : 0;
      return gap <= words;
    });
  }

  void by_rules() {
    std::vector<std::pair<double, std::uint32_t>> groups(rules_.groups.size());  // points, rules
    std::vector<std::pair<const ScopeRule*, ScopePoint>> hits;
    for (std::size_t i = 0; i < rules_.rules.size(); ++i) {
      const ScopeRule& rule = rules_.rules[i];
      std::vector<std::string> different;
      std::set<std::string> known;
      for (const Match& match : of_rule_[i]) {
        if (rule.near_names != 0 && !near_a_name(match, rule.near_names)) continue;
        if (known.insert(key_of(match)).second) different.push_back(shown(match.source));
      }
      if (different.empty() || different.size() < rule.at_least) continue;
      double points = rule.points;
      if (rule.each) {
        const double all = std::abs(rule.points) * static_cast<double>(different.size());
        points = std::copysign(std::min(all, rule.most), rule.points);
      }
      hits.emplace_back(&rule, ScopePoint{points, rule.id, list("has", different)});
      if (rule.group < 0) continue;
      ++groups[static_cast<std::size_t>(rule.group)].second;
    }
    for (auto& [rule, point] : hits) {
      if (rule->group >= 0) {
        auto& [spent, count] = groups[static_cast<std::size_t>(rule->group)];
        const ScopeGroup& group = rules_.groups[static_cast<std::size_t>(rule->group)];
        if (count < group.at_least) continue;
        point.points = std::min(point.points, group.most - spent);
        spent += point.points;
      }
      say(point.points, std::move(point.rule), std::move(point.why));
    }
  }

  // Matches that differ in case or spaces only are one.
  static std::string key_of(const Match& match) {
    return to_ascii_lower(collapse_space(match.source));
  }

  static std::string list(std::string_view verb, const std::vector<std::string>& items) {
    const std::size_t shown_items = std::min(items.size(), kShownMatches);
    std::string out = fmt::format(
        "{} {}", verb,
        fmt::join(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(shown_items), ", "));
    if (items.size() > shown_items) out += fmt::format(" and {} more", items.size() - shown_items);
    return out;
  }

  void by_names() {
    struct Count {
      std::uint32_t times = 0;
      bool prominent = false;
    };
    std::map<std::uint32_t, Count> counts;
    for (const Named& named : names_) {
      if (named.match.field == kFieldLinks) continue;
      Count& count = counts[named.name];
      if (named.match.field == kFieldText)
        ++count.times;
      else
        count.prominent = true;
    }
    const Rules::Names& gazetteer = rules_.gazetteer;
    const bool company = std::ranges::any_of(
        counts, [&](const auto& c) { return gazetteer.names[c.first].points >= gazetteer.alone; });
    std::vector<std::pair<double, std::string>> found;
    const std::size_t full_from = 1 + fields_.words().size() / gazetteer.every;
    for (const auto& [index, count] : counts) {
      const GazetteerName& name = gazetteer.names[index];
      if (!company && name.points < gazetteer.alone) continue;
      const bool full = count.prominent || count.times >= full_from;
      found.emplace_back(name.points * (full ? 1 : gazetteer.thin),
                         fmt::format("{}{}", name.name,
                                     count.prominent   ? " (prominent)"
                                     : count.times > 1 ? fmt::format(" ({} times)", count.times)
                                                       : ""));
    }
    std::ranges::sort(found, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    double points = 0;
    std::vector<std::string> said;
    for (auto& [each, what] : found) {
      points += each;
      said.push_back(std::move(what));
    }
    if (!said.empty()) say(std::min(points, gazetteer.most), "gazetteer", list("names", said));
  }

  void by_links() {
    const LinkEvidence& links = evidence_.links;
    if (links.in_links >= rules_.links.at_least && links.in_links > 0) {
      const double share = std::min(
          1.0, static_cast<double>(links.in_links_in_scope) / static_cast<double>(links.in_links));
      say(std::round(rules_.links.points * share * 10) / 10, "links",
          fmt::format("{} of {} links come from sites in scope", links.in_links_in_scope,
                      links.in_links));
    }
    for (const Named& named : names_) {
      const GazetteerName& name = rules_.gazetteer.names[named.name];
      if (named.match.field != kFieldLinks || name.points < rules_.gazetteer.alone) continue;
      say(rules_.links.word_points, "link words", fmt::format("links call it {}", name.name));
      return;
    }
  }

  struct Named {
    std::uint32_t name;
    Match match;
  };
  const Rules& rules_;
  const ScopeEvidence& evidence_;
  Fields fields_;
  std::vector<std::vector<Match>> of_rule_;
  std::vector<Named> names_;  // in the order of the text, none overlapping
  ScopeJudgement out_;
};

}  // namespace

ScopeJudgement SearchScope::judge(const ScopeEvidence& evidence) const {
  return Judge(*rules_, evidence).run();
}

ScopeJudgement SearchScope::judge_site(std::string_view site,
                                       std::span<const double> page_points) const {
  if (const std::string* domain = listed(rules_->never, site))
    return {ScopeVerdict::kOut, 0, {{0, "never", fmt::format("{} is on the never list", *domain)}}};
  if (const std::string* domain = listed(rules_->always, site)) {
    return {ScopeVerdict::kIn,
            rules_->in,
            {{rules_->in, "always", fmt::format("{} is on the always list", *domain)}}};
  }
  if (page_points.empty())
    return {ScopeVerdict::kOut, 0, {{0, "pages", "no page of it was judged"}}};
  double sum = 0;
  for (const double points : page_points) sum += points;
  ScopeJudgement out;
  out.points = sum / static_cast<double>(page_points.size());
  out.verdict = verdict_of(*rules_, out.points);
  out.why.push_back(
      {out.points, "pages", fmt::format("the mean of {} judged pages", page_points.size())});
  return out;
}

}  // namespace periplus
