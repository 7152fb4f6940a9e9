// Reads scope.toml. Every key that is not known, every value of the wrong kind and every file that
// cannot be read is an error with its line; nothing is half-applied.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/text.h"
#include "search/language.h"
#include "search/scope_rules.h"

namespace periplus {
namespace {

constexpr std::size_t kMostFileBytes = 16 * 1024 * 1024;
constexpr std::int64_t kPatternMemory = 4 * 1024 * 1024;  // of one compiled pattern

// Thrown within this file only: one way out of deep nesting, caught in parse().
struct Refusal {
  Error error;
};

class Reader {
 public:
  Reader(std::string_view file, const std::string& folder) : file_(file), folder_(folder) {}

  [[noreturn]] void refuse(const toml::node& node, std::string sentence) const {
    throw Refusal{{ErrorKind::kConfig, std::move(sentence),
                   fmt::format("{}:{}", file_, node.source().begin.line)}};
  }
  std::string_view file() const { return file_; }

  // A file that the scope names, whole. `node` is where it is named.
  std::string read(const toml::node& node, const std::string& name) const {
    if (folder_.empty()) refuse(node, "a file can be named only in a scope that is a file itself");
    const std::filesystem::path path = std::filesystem::path(folder_) / name;
    std::error_code fault;
    if (!std::filesystem::is_regular_file(path, fault))
      refuse(node, fmt::format("there is no file {}", without_controls(path.string())));
    if (std::filesystem::file_size(path, fault) > kMostFileBytes || fault)
      refuse(node, fmt::format("{} is larger than 16 MiB", without_controls(path.string())));
    std::ifstream in(path, std::ios::binary);
    if (!in) refuse(node, fmt::format("cannot read the file {}", without_controls(path.string())));
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

 private:
  std::string_view file_;
  const std::string& folder_;
};

// One table: ticks off each key it is asked for; finish() refuses the others.
class Table {
 public:
  Table(const Reader& reader, const toml::table& table, std::string path)
      : reader_(reader), table_(table), path_(std::move(path)) {}

  const toml::node& node() const { return table_; }
  const toml::node* take(std::string_view key) {
    if (std::ranges::find(known_, key) == known_.end()) known_.emplace_back(key);
    return table_.get(key);
  }
  [[noreturn]] void refuse(std::string_view key, const toml::node& node,
                           std::string_view expected) const {
    reader_.refuse(node, fmt::format("{}{} must be {}", path_, key, expected));
  }
  const toml::node& need(std::string_view key, std::string_view expected) {
    const toml::node* node = take(key);
    if (node == nullptr)
      reader_.refuse(table_, fmt::format("{}{} is missing: {}", path_, key, expected));
    return *node;
  }

  bool text(std::string_view key, std::string* out) {
    const toml::node* node = take(key);
    if (node == nullptr) return false;
    if (!node->is_string()) refuse(key, *node, "a string in quotes");
    *out = node->as_string()->get();
    return true;
  }
  bool flag(std::string_view key, bool* out) {
    const toml::node* node = take(key);
    if (node == nullptr) return false;
    if (!node->is_boolean()) refuse(key, *node, "true or false");
    *out = node->as_boolean()->get();
    return true;
  }
  bool number(std::string_view key, double* out, double least, double most) {
    const toml::node* node = take(key);
    if (node == nullptr) return false;
    const double value = node->is_integer() ? static_cast<double>(node->as_integer()->get())
                         : node->is_floating_point() ? node->as_floating_point()->get()
                                                     : least - 1;
    if (!(value >= least && value <= most))
      refuse(key, *node, fmt::format("a number from {} to {}", least, most));
    *out = value;
    return true;
  }
  template <class Whole>
  bool whole(std::string_view key, Whole* out, std::int64_t least, std::int64_t most) {
    const toml::node* node = take(key);
    if (node == nullptr) return false;
    const toml::value<std::int64_t>* value = node->as_integer();
    if (value == nullptr || value->get() < least || value->get() > most)
      refuse(key, *node, fmt::format("a whole number from {} to {}", least, most));
    *out = static_cast<Whole>(value->get());
    return true;
  }
  // Calls each(node, string) for each string of the list.
  template <class Each>
  void texts(std::string_view key, Each each) {
    const toml::node* node = take(key);
    if (node == nullptr) return;
    if (!node->is_array()) refuse(key, *node, "a list of strings");
    for (const toml::node& item : *node->as_array()) {
      if (!item.is_string()) refuse(key, item, "a list of strings");
      each(item, item.as_string()->get());
    }
  }
  // Calls each(Table) for the table, if there is one.
  template <class Each>
  void table(std::string_view key, Each each) {
    const toml::node* node = take(key);
    if (node == nullptr) return;
    if (!node->is_table()) refuse(key, *node, fmt::format("a table: [{}]", key));
    Table inner(reader_, *node->as_table(), fmt::format("{}{}.", path_, key));
    each(inner);
    inner.finish();
  }
  // The same for each table of an array of tables.
  template <class Each>
  void tables(std::string_view key, Each each) {
    const toml::node* node = take(key);
    if (node == nullptr) return;
    if (!node->is_array()) refuse(key, *node, fmt::format("a list of tables: [[{}]]", key));
    for (const toml::node& item : *node->as_array()) {
      if (!item.is_table()) refuse(key, item, fmt::format("a list of tables: [[{}]]", key));
      Table inner(reader_, *item.as_table(), fmt::format("{}{}.", path_, key));
      each(inner);
      inner.finish();
    }
  }
  void finish() const {
    for (const auto& [key, node] : table_) {
      if (std::ranges::any_of(known_, [&](const std::string& k) { return key.str() == k; }))
        continue;
      reader_.refuse(node, fmt::format("unknown key {}{}; known here: {}", path_,
                                       without_controls(key.str()), fmt::join(known_, ", ")));
    }
  }
  const Reader& reader() const { return reader_; }

 private:
  const Reader& reader_;
  const toml::table& table_;
  std::string path_;
  std::vector<std::string> known_;
};

// A domain as a URL's host has it; empty when it is none.
std::string ascii_domain(const std::string& text) {
  const auto url = Url::parse("https://" + text + "/");
  if (!url || url->path_and_query() != "/" || !url->port().empty() || !url->username().empty())
    return {};
  return std::string(url->hostname());
}

void read_domains(Table& table, std::string_view key, std::vector<std::string>* out) {
  const auto add = [&](const toml::node& node, const std::string& text) {
    std::string domain = ascii_domain(text);
    if (domain.empty())
      table.reader().refuse(
          node, fmt::format("not a domain such as \"example.com\": {}", without_controls(text)));
    out->push_back(std::move(domain));
  };
  table.texts(key, add);
  std::string file;
  const std::string file_key = fmt::format("{}_file", key);
  if (!table.text(file_key, &file)) return;
  const toml::node& node = *table.take(file_key);
  const std::string lines = table.reader().read(node, file);
  for (std::size_t start = 0; start < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', start), lines.size());
    const std::string line{trim(std::string_view(lines).substr(start, end - start))};
    start = end + 1;
    if (!line.empty() && line[0] != '#') add(node, line);
  }
}

void read_domain_points(Table& table, SearchScope::Rules::Suffix* out) {
  table.texts("suffixes", [&](const toml::node& node, const std::string& text) {
    const std::string bare = text.starts_with('.') ? text.substr(1) : text;
    const std::string domain = ascii_domain(bare);
    if (domain.empty())
      table.reader().refuse(node, fmt::format("not the end of a host name such as \".mt\": {}",
                                              without_controls(text)));
    out->suffixes.push_back("." + domain);
  });
  table.number("points", &out->points, -20, 20);
}

void read_language(Table& table, std::vector<SearchScope::Rules::TextLanguage>* out) {
  SearchScope::Rules::TextLanguage language;
  const toml::node& code = table.need("code", "a language such as \"mt\"");
  table.text("code", &language.code);
  if (!is_known_language(language.code))
    table.refuse("code", code, "the code of a language that can be recognised, such as \"mt\"");
  if (!table.number("points", &language.points, -20, 20)) table.need("points", "a number");
  table.whole("least_share", &language.least_share, 1, 100);
  table.whole("least_letters", &language.least_letters, 1, 100'000);
  out->push_back(std::move(language));
}

void read_declared(Table& table, SearchScope::Rules::Declared* out) {
  const auto add = [](std::vector<std::string>* to) {
    return
        [to](const toml::node&, const std::string& text) { to->push_back(to_ascii_lower(text)); };
  };
  table.texts("languages", add(&out->languages));
  table.texts("countries", add(&out->countries));
  table.number("points", &out->points, -20, 20);
}

void read_group(Table& table, std::vector<ScopeGroup>* out) {
  ScopeGroup group;
  const toml::node& id = table.need("id", "a name for the group");
  table.text("id", &group.id);
  if (group.id.empty() ||
      std::ranges::any_of(*out, [&](const ScopeGroup& g) { return g.id == group.id; }))
    table.refuse("id", id, "a name that no other group has");
  if (!table.number("most", &group.most, 0, 100)) table.need("most", "a number of points");
  table.whole("at_least", &group.at_least, 1, 100);
  out->push_back(std::move(group));
}

void read_fields(Table& table, unsigned* fields) {
  constexpr std::array kFields{kFieldUrl,         kFieldTitle, kFieldHeadings,
                               kFieldDescription, kFieldText,  kFieldLinks};
  unsigned chosen = 0;
  bool given = false;
  table.texts("where", [&](const toml::node& node, const std::string& text) {
    given = true;
    const auto* const field =
        std::ranges::find_if(kFields, [&](ScopeField f) { return name(f) == text; });
    if (field == kFields.end())
      table.refuse(
          "where", node,
          "a list of \"url\", \"title\", \"headings\", \"description\", \"text\", \"links\"");
    chosen |= *field;
  });
  if (given) *fields = chosen;
}

void read_patterns(Table& table, ScopeRule* rule) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kPatternMemory);
  options.set_never_capture(true);
  table.texts("patterns", [&](const toml::node& node, const std::string& text) {
    auto pattern = std::make_unique<RE2>(text, options);
    if (!pattern->ok())
      table.reader().refuse(node, fmt::format("not a regular expression (RE2 syntax): {}",
                                              without_controls(pattern->error())));
    if (RE2::FullMatch("", *pattern))
      table.reader().refuse(node, "a pattern must not match nothing at all");
    rule->patterns.push_back(std::move(pattern));
  });
}

void read_rule(Table& table, SearchScope::Rules* rules) {
  ScopeRule rule;
  const toml::node& id = table.need("id", "a name for the rule");
  table.text("id", &rule.id);
  if (rule.id.empty() ||
      std::ranges::any_of(rules->rules, [&](const ScopeRule& r) { return r.id == rule.id; }))
    table.refuse("id", id, "a name that no other rule has");
  if (!table.number("points", &rule.points, -20, 20)) table.need("points", "a number");
  read_fields(table, &rule.fields);
  read_patterns(table, &rule);
  table.texts("words", [&](const toml::node& node, const std::string& text) {
    const std::size_t words = FoldedWords(text).size();
    if (words == 0 || words > PhraseSet::kMostWords)
      table.refuse("words", node, fmt::format("strings of 1 to {} words", PhraseSet::kMostWords));
    rule.words.push_back(text);
  });
  if (rule.patterns.empty() && rule.words.empty())
    table.reader().refuse(table.node(), fmt::format("the rule {} has neither patterns nor words",
                                                    without_controls(rule.id)));
  table.whole("at_least", &rule.at_least, 1, 1000);
  table.flag("each", &rule.each);
  rule.most = rule.each ? 20 : 0;
  table.number("most", &rule.most, 0, 100);
  table.whole("near_names", &rule.near_names, 0, 10'000);
  table.flag("hides", &rule.hides);
  std::string group;
  if (table.text("group", &group)) {
    const auto at =
        std::ranges::find_if(rules->groups, [&](const ScopeGroup& g) { return g.id == group; });
    if (at == rules->groups.end())
      table.refuse("group", *table.take("group"), "the id of a [[group]] of this file");
    rule.group = static_cast<int>(at - rules->groups.begin());
  }
  rules->rules.push_back(std::move(rule));
}

void read_gazetteer(Table& table, SearchScope::Rules::Names* out) {
  std::string file;
  if (table.text("file", &file)) {
    const toml::node& node = *table.take("file");
    const std::string text = table.reader().read(node, file);
    Result<std::vector<GazetteerName>> names = parse_gazetteer(text, file);
    if (!names) throw Refusal{names.error()};
    out->names = std::move(*names);
  }
  table.texts("names", [&](const toml::node& node, const std::string& line) {
    Result<std::vector<GazetteerName>> names = parse_gazetteer(line, "names");
    if (!names || names->size() != 1)
      table.refuse("names", node, "lines as in the file: \"points\\tname\\tvariant\"");
    out->names.push_back(std::move(names->front()));
  });
  table.number("most", &out->most, 0, 100);
  table.number("alone", &out->alone, 0, 10);
  table.whole("every", &out->every, 1, 1'000'000);
  table.number("thin", &out->thin, 0, 1);
}

void read_links(Table& table, SearchScope::Rules::Links* out) {
  table.number("points", &out->points, -20, 20);
  table.whole("at_least", &out->at_least, 1, 1'000'000);
  table.number("word_points", &out->word_points, -20, 20);
}

void read_all(Table& top, SearchScope::Rules* rules) {
  top.need("name", "what this scope is about, such as \"Malta\"");
  top.text("name", &rules->name);
  if (trim(rules->name).empty()) top.refuse("name", *top.take("name"), "a name that is not empty");
  top.texts("seeds", [&](const toml::node& node, const std::string& text) {
    const auto url = Url::parse(text);
    if (!url || !url->is_http() || !url->username().empty() || !url->password().empty())
      top.reader().refuse(
          node, fmt::format("seeds are http or https addresses, not {}", without_controls(text)));
    rules->seeds.push_back(*url);
  });
  top.table("verdict", [&](Table& table) {
    table.number("in", &rules->in, -100, 100);
    table.number("unsure", &rules->unsure, -100, 100);
    if (rules->unsure > rules->in)
      top.reader().refuse(table.node(), "verdict.unsure must not be more than verdict.in");
  });
  top.table("limits", [&](Table& table) {
    ScopeLimits& limits = rules->limits;
    table.whole("pages_per_site", &limits.pages_per_site, 1, 100'000'000);
    table.whole("pages_unsure_site", &limits.pages_unsure_site, 0, 100'000'000);
    table.whole("new_sites_per_day", &limits.new_sites_per_day, 0, 100'000'000);
    table.whole("hops", &limits.hops, 0, 10);
  });
  top.table("sites", [&](Table& table) {
    read_domains(table, "always", &rules->always);
    read_domains(table, "never", &rules->never);
  });
  top.table("domain", [&](Table& table) { read_domain_points(table, &rules->domain); });
  top.tables("language", [&](Table& table) { read_language(table, &rules->languages); });
  top.table("declared", [&](Table& table) { read_declared(table, &rules->declared); });
  top.tables("group", [&](Table& table) { read_group(table, &rules->groups); });
  top.tables("rule", [&](Table& table) { read_rule(table, rules); });
  top.table("gazetteer", [&](Table& table) { read_gazetteer(table, &rules->gazetteer); });
  top.table("links", [&](Table& table) { read_links(table, &rules->links); });
  top.finish();
}

// Everything that can change a verdict, and nothing else, in a fixed order.
std::uint64_t fingerprint_of(const SearchScope::Rules& rules) {
  std::string all;
  const auto put = [&](const auto&... values) {
    ((all += fmt::format("{}\x1f", values)), ...);
    all += '\n';
  };
  const auto put_list = [&](const std::vector<std::string>& list) {
    put(fmt::format("{}", fmt::join(list, "\x1e")));
  };
  put(SearchScope::Rules::kJudge, rules.in, rules.unsure);
  put_list(rules.always);
  put_list(rules.never);
  put_list(rules.domain.suffixes);
  put(rules.domain.points);
  for (const auto& l : rules.languages) put(l.code, l.points, l.least_share, l.least_letters);
  put_list(rules.declared.languages);
  put_list(rules.declared.countries);
  put(rules.declared.points);
  for (const ScopeGroup& g : rules.groups) put(g.id, g.most, g.at_least);
  for (const ScopeRule& r : rules.rules) {
    put(r.id, r.points, r.fields, r.at_least, r.each, r.most, r.near_names, r.hides, r.group);
    for (const auto& pattern : r.patterns) put(pattern->pattern());
    put_list(r.words);
  }
  const auto& names = rules.gazetteer;
  put(names.most, names.alone, names.every, names.thin);
  for (const GazetteerName& n : names.names) {
    put(n.points, n.name);
    put_list(n.variants);
  }
  put(rules.links.points, rules.links.at_least, rules.links.word_points);
  return hash64(all);
}

void fill_phrases(SearchScope::Rules* rules) {
  const auto& names = rules->gazetteer.names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto number = static_cast<std::uint32_t>(i);
    rules->phrases.add(names[i].name, number);
    for (const std::string& variant : names[i].variants) rules->phrases.add(variant, number);
  }
  for (std::size_t i = 0; i < rules->rules.size(); ++i) {
    for (const std::string& words : rules->rules[i].words)
      rules->phrases.add(words, SearchScope::Rules::kRuleWord | static_cast<std::uint32_t>(i));
  }
}

}  // namespace

Result<SearchScope> SearchScope::parse(std::string_view text, std::string_view name,
                                       const std::string& folder) {
  toml::table root;
  try {
    root = toml::parse(text, name);
  } catch (const toml::parse_error& error) {  // the library's only way to say so
    return fail(ErrorKind::kConfig, "not valid TOML: " + std::string(error.description()),
                fmt::format("{}:{}", name, error.source().begin.line));
  }
  auto rules = std::make_unique<Rules>();
  try {
    const Reader reader(name, folder);
    Table top(reader, root, "");
    read_all(top, rules.get());
  } catch (const Refusal& refusal) {
    return std::unexpected(refusal.error);
  }
  fill_phrases(rules.get());
  rules->fingerprint = fingerprint_of(*rules);
  return SearchScope(std::move(rules));
}

Result<SearchScope> SearchScope::load(const std::string& path) {
  std::error_code fault;
  if (!std::filesystem::is_regular_file(path, fault))
    return fail(ErrorKind::kConfig, "there is no such scope file", without_controls(path));
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorKind::kConfig, "cannot read the scope file", without_controls(path));
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return parse(text, path, folder.empty() ? "." : folder);
}

}  // namespace periplus
