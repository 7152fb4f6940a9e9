#include "search/xapian_index_query.h"

#include <xapian.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace periplus {

namespace {

using Xapian::Query;

// `weight` for every document that has the term, whatever its frequency.
Query fixed_weight(const std::string& term, double weight) {
  return {Query::OP_FILTER, Query((new Xapian::FixedWeightPostingSource(weight))->release()),
          Query(term)};
}

std::string big_endian(Instant at) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
  std::string octets;
  for (int shift = 56; shift >= 0; shift -= 8) {
    octets.push_back(static_cast<char>(static_cast<std::uint64_t>(seconds) >> shift));
  }
  return octets;
}

Query any_of(const std::vector<Query>& parts) { return {Query::OP_OR, parts.begin(), parts.end()}; }
Query all_of(const std::vector<Query>& parts) {
  return {Query::OP_AND, parts.begin(), parts.end()};
}

}  // namespace

struct TextQuery::Inside {
  const Xapian::Database& database;
  const std::vector<std::string>& languages;
  const Ranking& ranking;
  StemBook& stems;

  std::vector<Query> needed, helpful, boosts, filters, without;
  std::vector<std::string> unknown;
  bool has_text = false;
  bool nothing = false;
  double weights = 0;
  std::size_t weighed = 0;

  Inside(const Xapian::Database& db, const std::vector<std::string>& langs, const Ranking& rank,
         StemBook& book)
      : database(db), languages(langs), ranking(rank), stems(book) {}

  std::string stem(std::string_view lang, std::string_view folded) const {
    return std::string(ranking.stem ? stems.stem(lang, folded) : folded);
  }
  // The stems of a word in all languages of the index, and the word itself.
  std::vector<std::string> forms(std::string_view folded) const {
    std::vector<std::string> out;
    const auto add = [&](std::string form) {
      if (std::ranges::find(out, form) == out.end()) out.push_back(std::move(form));
    };
    for (const std::string& lang : languages) add(stem(lang, folded));
    add(std::string(folded));
    return out;
  }
  // One word as one term, however many forms it has; nothing when the index has none of them.
  std::optional<Query> term(std::string_view folded, std::string_view prefix = {});
  std::optional<Query> phrase(const std::vector<QueryWord>& words, std::string_view prefix);
  void add_word(const QueryClause& clause);
  void add_boosts(const QueryWord& word);
  void add_without(const QueryClause& clause);
  std::optional<Query> filter(const QueryClause& clause);
  void add(const QueryClause& clause);
  Query finished(Query text) const;
};

std::optional<Query> TextQuery::Inside::term(std::string_view folded, std::string_view prefix) {
  std::vector<Query> found;
  Xapian::doccount documents = 0;
  for (const std::string& form : forms(folded)) {
    const std::string name = std::string(prefix) + form;
    const Xapian::doccount frequency = database.get_termfreq(name);
    if (frequency == 0) continue;
    documents += frequency;
    found.emplace_back(name);
  }
  if (found.empty()) return std::nullopt;
  const double all = database.get_doccount();
  const double have = std::min<double>(documents, all);
  weights += std::log(1 + (all - have + 0.5) / (have + 0.5));
  ++weighed;
  if (found.size() == 1) return found.front();
  return Query(Query::OP_SYNONYM, found.begin(), found.end());
}

// Words side by side. Positions are those of stems; that each word occurs as it was typed is asked
// for beside that.
std::optional<Query> TextQuery::Inside::phrase(const std::vector<QueryWord>& words,
                                               std::string_view prefix) {
  std::vector<std::vector<std::string>> tried;
  std::vector<Query> found;
  const auto attempt = [&](const auto& stem_of) {
    std::vector<std::string> row;
    std::vector<Query> typed;
    for (const QueryWord& word : words) {
      if (word.extra) continue;
      row.push_back(std::string(prefix) + stem_of(word.folded));
      if (prefix.empty() && row.back() != word.folded) typed.emplace_back("E" + word.folded);
    }
    if (row.empty() || std::ranges::find(tried, row) != tried.end()) return;
    tried.push_back(row);
    if (!std::ranges::all_of(row, [&](const auto& name) { return database.term_exists(name); })) {
      return;
    }
    Query side_by_side = row.size() == 1 ? Query(row.front())
                                         : Query(Query::OP_PHRASE, row.begin(), row.end(),
                                                 static_cast<Xapian::termcount>(row.size()));
    if (!typed.empty()) side_by_side = Query(Query::OP_FILTER, side_by_side, all_of(typed));
    found.push_back(std::move(side_by_side));
  };
  for (const std::string& lang : languages) {
    attempt([&](const std::string& folded) { return stem(lang, folded); });
  }
  attempt([](const std::string& folded) { return folded; });
  if (found.empty()) return std::nullopt;
  return found.size() == 1 ? found.front() : any_of(found);
}

void TextQuery::Inside::add_boosts(const QueryWord& word) {
  const double weight = weighed == 0 ? 1.0 : weights / static_cast<double>(weighed);
  if (!word.accented.empty() && ranking.accents > 0 && database.term_exists("D" + word.accented)) {
    boosts.push_back(fixed_weight("D" + word.accented, ranking.accents * weight));
  }
  const std::string exact = "E" + word.folded;
  if (ranking.exact > 0 && !word.common && database.term_exists(exact)) {
    boosts.push_back(fixed_weight(exact, ranking.exact * weight));
  }
}

void TextQuery::Inside::add_word(const QueryClause& clause) {
  has_text = true;
  const QueryWord& word = clause.words.front();
  std::optional<Query> found = term(word.folded);
  if (!found) {
    unknown.push_back(word.folded);
    if (!word.common) nothing = true;
    return;
  }
  (word.common ? helpful : needed).push_back(*found);
  add_boosts(word);
  for (std::size_t n = 1; n < clause.words.size(); ++n) {
    const std::string& whole = clause.words[n].folded;
    if (ranking.whole > 0 && database.term_exists(whole)) {
      boosts.emplace_back(Query::OP_SCALE_WEIGHT, Query(whole), ranking.whole);
    }
  }
}

std::optional<Query> TextQuery::Inside::filter(const QueryClause& clause) {
  switch (clause.kind) {
    case ClauseKind::kSite: {
      const bool folder = clause.value.find('/') != clause.value.npos;
      return Query(fitting_term(folder ? 'P' : 'H', clause.value));
    }
    case ClauseKind::kLang:
      return Query(fitting_term('L', clause.value));
    case ClauseKind::kDate: {
      if (clause.until == Instant::max()) {
        return Query(Query::OP_VALUE_GE, slot::kChanged, big_endian(clause.from));
      }
      const auto begin = std::max(clause.from, Instant(std::chrono::seconds(1)));
      return Query(Query::OP_VALUE_RANGE, slot::kChanged, big_endian(begin),
                   big_endian(clause.until - std::chrono::seconds(1)));
    }
    case ClauseKind::kAddress: {
      std::vector<Query> words;
      for (const QueryWord& word : clause.words) words.emplace_back("U" + word.folded);
      return all_of(words);
    }
    case ClauseKind::kTitle: {
      if (clause.quoted) return phrase(clause.words, "S");
      std::vector<Query> words;
      for (const QueryWord& word : clause.words) {
        if (word.extra) continue;
        auto found = term(word.folded, "S");
        if (!found) return std::nullopt;
        words.push_back(std::move(*found));
      }
      return all_of(words);
    }
    case ClauseKind::kPhrase:
      return phrase(clause.words, {});
    default:
      return term(clause.words.front().folded);
  }
}

void TextQuery::Inside::add(const QueryClause& clause) {
  if (clause.without) {
    if (auto found = filter(clause)) without.push_back(std::move(*found));
    return;
  }
  switch (clause.kind) {
    case ClauseKind::kWord:
      return add_word(clause);
    case ClauseKind::kPhrase: {
      has_text = true;
      for (const QueryWord& word : clause.words) {
        if (!word.extra && !term(word.folded)) unknown.push_back(word.folded);
      }
      auto found = phrase(clause.words, {});
      if (!found) {
        nothing = true;
        filters.push_back(Query::MatchNothing);
        return;
      }
      // A phrase is asked for, not wished for: with some words only, it still holds.
      filters.push_back(*found);
      boosts.push_back(std::move(*found));
      return;
    }
    default:
      if (auto found = filter(clause)) {
        if (clause.kind == ClauseKind::kTitle) {
          for (const QueryWord& word : clause.words) {
            if (word.extra) continue;
            if (auto weight = term(word.folded)) boosts.push_back(std::move(*weight));
          }
        }
        filters.push_back(std::move(*found));
      } else {
        nothing = true;
        filters.push_back(Query::MatchNothing);
      }
  }
}

Query TextQuery::Inside::finished(Query text) const {
  if (text.empty()) {
    if (needed.empty() && !filters.empty()) text = Query::MatchAll;
    if (text.empty()) return Query::MatchNothing;
  }
  if (!filters.empty()) text = Query(Query::OP_FILTER, text, all_of(filters));
  if (!boosts.empty()) text = Query(Query::OP_AND_MAYBE, text, any_of(boosts));
  if (!without.empty()) text = Query(Query::OP_AND_NOT, text, any_of(without));
  return text;
}

TextQuery::TextQuery(const ParsedQuery& parsed, const Xapian::Database& database,
                     const std::vector<std::string>& languages, const Ranking& ranking,
                     StemBook& stems)
    : inside_(std::make_unique<Inside>(database, languages, ranking, stems)) {
  for (const QueryClause& clause : parsed.clauses) inside_->add(clause);
  if (ranking.title_equal > 0 && !parsed.folded.empty()) {
    const std::string title = fitting_term('T', parsed.folded);
    if (database.term_exists(title)) {
      const auto words = static_cast<double>(inside_->needed.size() + inside_->helpful.size());
      inside_->boosts.push_back(
          fixed_weight(title, ranking.title_equal * unit() * std::max(words, 1.0)));
    }
  }
}

TextQuery::~TextQuery() = default;

bool TextQuery::can_match() const {
  return std::ranges::none_of(inside_->filters, [](const Query& filter) { return filter.empty(); });
}

Query TextQuery::all_words() const {
  if (inside_->nothing) return Query::MatchNothing;
  if (inside_->needed.empty()) return any_word();
  Query text = all_of(inside_->needed);
  if (!inside_->helpful.empty()) {
    text = Query(Query::OP_AND_MAYBE, text, any_of(inside_->helpful));
  }
  return inside_->finished(std::move(text));
}

Query TextQuery::any_word() const {
  std::vector<Query> words = inside_->needed;
  words.insert(words.end(), inside_->helpful.begin(), inside_->helpful.end());
  // Words were asked for and none is known: filters alone do not answer that.
  const bool only_unknown = words.empty() && inside_->has_text && !inside_->unknown.empty();
  if (only_unknown) return Query::MatchNothing;
  return inside_->finished(any_of(words));
}

std::size_t TextQuery::required() const { return inside_->needed.size(); }

double TextQuery::unit() const {
  return inside_->weighed == 0 ? 1.0 : inside_->weights / static_cast<double>(inside_->weighed);
}

const std::vector<std::string>& TextQuery::unknown_words() const { return inside_->unknown; }

}  // namespace periplus
