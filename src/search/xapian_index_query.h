// From a parsed query to the engine's queries. Inside this room only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "search/query.h"
#include "search/xapian_index.h"

namespace Xapian {
class Database;
class Query;
}  // namespace Xapian

namespace periplus {

// One query in the forms it can be asked in. Reads the index for which terms it has, so it belongs
// to one revision of it: Xapian's errors pass through.
class TextQuery {
 public:
  // `languages`: those whose stems are looked for. All references outlive the value.
  TextQuery(const ParsedQuery& parsed, const Xapian::Database& database,
            const std::vector<std::string>& languages, const Ranking& ranking, StemBook& stems);
  ~TextQuery();

  bool can_match() const;  // false: some filter names nothing that the index has
  Xapian::Query all_words() const;
  Xapian::Query any_word() const;
  std::size_t required() const;  // words that all_words() asks for
  double unit() const;           // the weight of an average word of the query
  // Words of the query that no page has, folded.
  const std::vector<std::string>& unknown_words() const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace periplus
