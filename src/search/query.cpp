#include "search/query.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "base/text.h"
#include "search/fold.h"
#include "search/maltese_stemmer.h"
#include "url/url.h"

namespace periplus {

namespace {

using namespace std::string_view_literals;

constexpr std::array kCommon = {
    "a"sv,    "about"sv, "an"sv,    "and"sv,  "are"sv,  "as"sv,   "at"sv,    "be"sv,    "by"sv,
    "can"sv,  "che"sv,   "da"sv,    "dan"sv,  "de"sv,   "del"sv,  "della"sv, "di"sv,    "do"sv,
    "does"sv, "e"sv,     "for"sv,   "from"sv, "ghal"sv, "has"sv,  "have"sv,  "how"sv,   "hu"sv,
    "i"sv,    "if"sv,    "in"sv,    "into"sv, "is"sv,   "it"sv,   "its"sv,   "jew"sv,   "kif"sv,
    "la"sv,   "le"sv,    "li"sv,    "ma"sv,   "my"sv,   "no"sv,   "not"sv,   "of"sv,    "on"sv,
    "or"sv,   "per"sv,   "ta"sv,    "than"sv, "that"sv, "the"sv,  "their"sv, "there"sv, "these"sv,
    "this"sv, "to"sv,    "u"sv,     "un"sv,   "una"sv,  "was"sv,  "we"sv,    "were"sv,  "what"sv,
    "when"sv, "where"sv, "which"sv, "who"sv,  "why"sv,  "will"sv, "with"sv,  "you"sv,   "your"sv};

struct Operator {
  std::string_view name;
  ClauseKind kind;
};
constexpr std::array kOperators = {
    Operator{"site:", ClauseKind::kSite},     Operator{"intitle:", ClauseKind::kTitle},
    Operator{"inurl:", ClauseKind::kAddress}, Operator{"lang:", ClauseKind::kLang},
    Operator{"after:", ClauseKind::kDate},    Operator{"before:", ClauseKind::kDate},
    Operator{"date:", ClauseKind::kDate}};

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The octets of a quotation mark at `at`: " “ ” „ « »; 0: none is there.
std::size_t quote_at(std::string_view text, std::size_t at) {
  if (text[at] == '"') return 1;
  const std::string_view three = text.substr(at, 3);
  if (three == "\xE2\x80\x9C" || three == "\xE2\x80\x9D" || three == "\xE2\x80\x9E") return 3;
  const std::string_view two = text.substr(at, 2);
  return two == "\xC2\xAB" || two == "\xC2\xBB" ? 2 : 0;
}

struct Span {
  Instant from{}, until{};
};

std::optional<int> number(std::string_view digits) {
  int value = 0;
  const auto [end, failure] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 10);
  if (failure != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

// The whole year, month or day that "2025", "2025-6", "2025-06-30" names, UTC.
std::optional<Span> span_of(std::string_view text) {
  using namespace std::chrono;
  const std::size_t first = text.find('-');
  const std::size_t second = first == text.npos ? text.npos : text.find('-', first + 1);
  const auto y = number(text.substr(0, first));
  if (!y || *y < 1970 || *y > 9998) return std::nullopt;
  if (first == text.npos) return Span{sys_days(year(*y) / 1 / 1), sys_days(year(*y + 1) / 1 / 1)};
  const auto m = number(text.substr(first + 1, second == text.npos ? second : second - first - 1));
  if (!m || *m < 1 || *m > 12) return std::nullopt;
  const year_month ym = year(*y) / month(static_cast<unsigned>(*m));
  if (second == text.npos) return Span{sys_days(ym / 1), sys_days((ym + months(1)) / 1)};
  const auto d = number(text.substr(second + 1));
  if (!d || *d < 1 || *d > 31) return std::nullopt;
  const year_month_day ymd = ym / day(static_cast<unsigned>(*d));
  if (!ymd.ok()) return std::nullopt;
  return Span{sys_days(ymd), sys_days(ymd) + days(1)};
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}
  ParsedQuery run();

 private:
  struct Piece {
    std::string_view text;
    std::size_t begin = 0;
    bool quoted = false;
  };

  void clause();
  Piece piece();
  void words(const Piece& piece, bool without);
  void filter(const Operator& op, const Piece& piece, bool without);
  bool date(std::string_view op, std::string_view value, QueryClause* clause);
  std::vector<QueryWord> read(const Piece& piece);
  void complain(std::string sentence) {
    if (query_.complaint.empty()) query_.complaint = std::move(sentence);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t words_ = 0;
  ParsedQuery query_;
};

// From at_ to the closing quotation mark, or to the next white space.
Parser::Piece Parser::piece() {
  const std::size_t quote = at_ < text_.size() ? quote_at(text_, at_) : 0;
  if (quote != 0) {
    const std::size_t begin = at_ + quote;
    for (std::size_t end = begin; end < text_.size(); ++end) {
      if (const std::size_t closing = quote_at(text_, end); closing != 0) {
        at_ = end + closing;
        return {text_.substr(begin, end - begin), begin, true};
      }
    }
    complain("a quotation mark is not closed; its words were looked for one by one");
    at_ = begin;
  }
  const std::size_t begin = at_;
  while (at_ < text_.size() && !is_space(text_[at_]) && quote_at(text_, at_) == 0) ++at_;
  return {text_.substr(begin, at_ - begin), begin, false};
}

std::vector<QueryWord> Parser::read(const Piece& piece) {
  std::vector<QueryWord> out;
  WordReader reader(piece.text);
  for (Word word; reader.next(&word);) {
    if (words_ == kMaxQueryWords) {
      complain("only the first " + std::to_string(kMaxQueryWords) + " words were looked for");
      break;
    }
    if (!word.extra) ++words_;
    out.push_back({.folded = std::string(word.folded),
                   .accented = std::string(word.accented),
                   .extra = word.extra,
                   .common = !word.extra && is_common_word(word.folded),
                   .begin = piece.begin + word.begin,
                   .end = piece.begin + word.end});
  }
  return out;
}

void Parser::words(const Piece& piece, bool without) {
  std::vector<QueryWord> read_words = read(piece);
  if (read_words.empty()) return;
  if (!without) {
    for (const QueryWord& word : read_words) {
      if (word.extra) continue;
      if (!query_.folded.empty()) query_.folded += ' ';
      query_.folded += word.folded;
    }
  }
  const auto places =
      std::ranges::count_if(read_words, [](const QueryWord& word) { return !word.extra; });
  // What is written together and to be left out is left out together: -tal-Ħamrun.
  if ((piece.quoted || without) && places > 1) {
    query_.clauses.push_back({.kind = ClauseKind::kPhrase,
                              .without = without,
                              .quoted = piece.quoted,
                              .words = std::move(read_words)});
    return;
  }
  for (QueryWord& word : read_words) {
    if (word.extra && !query_.clauses.empty()) {
      query_.clauses.back().words.push_back(std::move(word));
      continue;
    }
    if (piece.quoted) word.common = false;  // who puts it in quotes means it
    query_.clauses.push_back(
        {.kind = ClauseKind::kWord, .without = without, .quoted = piece.quoted});
    query_.clauses.back().words.push_back(std::move(word));
  }
}

bool Parser::date(std::string_view op, std::string_view value, QueryClause* clause) {
  const std::size_t dots = op == "date:" ? value.find("..") : value.npos;
  if (dots != value.npos) {
    const auto first = span_of(value.substr(0, dots));
    const auto last = span_of(value.substr(dots + 2));
    if ((!first && dots != 0) || (!last && dots + 2 != value.size()) || (!first && !last)) {
      return false;
    }
    if (first) clause->from = first->from;
    if (last) clause->until = last->until;
    return clause->from < clause->until;
  }
  const auto span = span_of(value);
  if (!span) return false;
  if (op != "before:") clause->from = span->from;
  if (op == "before:") clause->until = span->from;
  if (op == "date:") clause->until = span->until;
  return true;
}

void Parser::filter(const Operator& op, const Piece& piece, bool without) {
  QueryClause clause{.kind = op.kind, .without = without, .quoted = piece.quoted};
  const std::string named(op.name);
  switch (op.kind) {
    case ClauseKind::kTitle:
    case ClauseKind::kAddress:
      clause.words = read(piece);
      if (clause.words.empty()) return complain("nothing stands behind " + named);
      break;
    case ClauseKind::kSite: {
      std::string address(piece.text);
      if (address.find("://") == address.npos) address.insert(0, "http://");
      const auto url = Url::parse(address);
      if (!url || !url->is_http()) {
        return complain(named + " takes a host or the begin of an address: site:example.org");
      }
      clause.value = url->hostname();
      if (clause.value.starts_with("www.")) clause.value.erase(0, 4);
      // Only folders are kept in the index: the last part counts when a slash closes it.
      const std::string_view path = url->pathname();
      if (path != "/") clause.value += path.ends_with('/') ? path : std::string(path) + "/";
      query_.has_site = query_.has_site || !without;
      break;
    }
    case ClauseKind::kLang: {
      clause.value = to_ascii_lower(piece.text.substr(0, piece.text.find('-')));
      const bool letters =
          std::ranges::all_of(clause.value, [](char c) { return c >= 'a' && c <= 'z'; });
      if (!letters || clause.value.size() < 2 || clause.value.size() > 3) {
        return complain(named + " takes a language code of two or three letters: lang:mt");
      }
      break;
    }
    default:
      if (!date(op.name, piece.text, &clause)) {
        return complain(named + " takes a year, month or day: " + named + "2025-06-30");
      }
  }
  query_.clauses.push_back(std::move(clause));
}

void Parser::clause() {
  bool without = false;
  // A minus counts at the begin of a clause; "-" alone and "--" are typing, not meaning.
  if (text_[at_] == '-' && at_ + 1 < text_.size() && !is_space(text_[at_ + 1]) &&
      text_[at_ + 1] != '-') {
    without = true;
    ++at_;
  }
  for (const Operator& op : kOperators) {
    if (!starts_with_ignoring_case(text_.substr(at_), op.name)) continue;
    at_ += op.name.size();
    const Piece value = piece();
    if (value.text.empty()) return complain("nothing stands behind " + std::string(op.name));
    return filter(op, value, without);
  }
  const std::size_t before = at_;
  words(piece(), without);
  if (at_ == before) ++at_;
}

ParsedQuery Parser::run() {
  if (text_.size() > kMaxQueryBytes) {
    std::size_t end = kMaxQueryBytes;
    while (end > 0 && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) --end;
    text_ = text_.substr(0, end);
    complain("the query is too long; only its begin was looked for");
  }
  while (at_ < text_.size()) {
    if (is_space(text_[at_])) {
      ++at_;
    } else {
      clause();
    }
  }
  const auto is_plain = [](const QueryClause& clause) {
    return !clause.without && clause.kind == ClauseKind::kWord;
  };
  // "to be or not to be", "the who": nothing else is there to go by.
  const bool all_common = std::ranges::all_of(query_.clauses, [&](const QueryClause& clause) {
    return !is_plain(clause) || clause.words.front().common;
  });
  if (all_common) {
    for (QueryClause& clause : query_.clauses) {
      for (QueryWord& word : clause.words) word.common = false;
    }
  }
  const bool wants = std::ranges::any_of(query_.clauses,
                                         [](const QueryClause& clause) { return !clause.without; });
  if (!query_.clauses.empty() && !wants) {
    complain("the query only says what to leave out; add a word to look for");
  }
  return std::move(query_);
}

}  // namespace

std::vector<const QueryWord*> ParsedQuery::wanted_words() const {
  std::vector<const QueryWord*> out;
  for (const QueryClause& clause : clauses) {
    if (clause.without) continue;
    if (clause.kind != ClauseKind::kWord && clause.kind != ClauseKind::kPhrase &&
        clause.kind != ClauseKind::kTitle) {
      continue;
    }
    for (const QueryWord& word : clause.words) out.push_back(&word);
  }
  return out;
}

ParsedQuery parse_query(std::string_view text) { return Parser(text).run(); }

bool is_common_word(std::string_view folded) {
  return std::ranges::find(kCommon, folded) != kCommon.end() || is_maltese_article(folded);
}

}  // namespace periplus
