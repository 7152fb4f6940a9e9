#include "search/gazetteer.h"

#include <fmt/format.h>
#include <unicode/uchar.h>

#include <charconv>

#include "base/text.h"
#include "search/fold.h"

namespace periplus {
namespace {

bool stands_alone(UChar32 c) {
  return u_hasBinaryProperty(c, UCHAR_IDEOGRAPHIC) != 0 || (c >= 0x3041 && c <= 0x30ff);
}

constexpr bool is_ascii_alnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

FoldedWords::FoldedWords(std::string_view text) {
  folded_.reserve(text.size());
  bool inside = false;
  const auto begin_word = [&](std::size_t source) {
    if (inside) return;
    words_.push_back(
        {static_cast<std::uint32_t>(folded_.size()), 0, static_cast<std::uint32_t>(source), 0});
    inside = true;
  };
  const auto end_word = [&](std::size_t source) {
    if (!inside) return;
    words_.back().end = static_cast<std::uint32_t>(folded_.size());
    words_.back().source_end = static_cast<std::uint32_t>(source);
    inside = false;
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      const char c = text[at++];
      if (is_ascii_alnum(c)) {
        begin_word(start);
        folded_ += ascii_lower(c);
      } else {
        end_word(start);
      }
      continue;
    }
    const auto c = static_cast<UChar32>(next_code_point(text, &at));
    if (stands_alone(c)) {
      end_word(start);
      begin_word(start);
      append_utf8(&folded_, static_cast<char32_t>(c));
      end_word(at);
    } else if (u_isalnum(c) != 0) {
      begin_word(start);
      folded_ += folded(static_cast<char32_t>(c));
    } else if (const auto type = u_charType(c); type != U_NON_SPACING_MARK &&
                                                type != U_COMBINING_SPACING_MARK &&
                                                type != U_FORMAT_CHAR) {
      end_word(start);
    } else if (type == U_COMBINING_SPACING_MARK && inside) {
      append_utf8(&folded_, static_cast<char32_t>(c));
    }
  }
  end_word(text.size());
}

bool PhraseSet::add(std::string_view phrase, std::uint32_t number) {
  const FoldedWords parts(phrase);
  if (parts.size() == 0 || parts.size() > kMostWords) return false;
  std::uint32_t node = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto next_word = static_cast<std::uint32_t>(words_.size() + 1);
    const std::uint32_t word = words_.try_emplace(std::string(parts[i]), next_word).first->second;
    const std::uint64_t edge = std::uint64_t{node} << 32 | word;
    const auto [at, is_new] = edges_.try_emplace(edge, nodes_);
    if (is_new) ++nodes_;
    node = at->second;
  }
  const auto [from, to] = ends_.equal_range(node);
  for (auto end = from; end != to; ++end) {
    if (end->second == number) return true;
  }
  ends_.emplace(node, number);
  return true;
}

void PhraseSet::find(const FoldedWords& text, const Found& found) const {
  std::vector<std::uint32_t> words(text.size());
  std::string word;
  for (std::size_t i = 0; i < text.size(); ++i) {
    word = text[i];
    const auto at = words_.find(word);
    words[i] = at == words_.end() ? 0 : at->second;
  }
  for (std::size_t begin = 0; begin < words.size(); ++begin) {
    std::uint32_t node = 0;
    for (std::size_t i = begin; i < words.size() && words[i] != 0; ++i) {
      const auto edge = edges_.find(std::uint64_t{node} << 32 | words[i]);
      if (edge == edges_.end()) break;
      node = edge->second;
      const auto [from, to] = ends_.equal_range(node);
      for (auto end = from; end != to; ++end) found(begin, i + 1, end->second);
    }
  }
}

Result<std::vector<GazetteerName>> parse_gazetteer(std::string_view text, std::string_view file) {
  std::vector<GazetteerName> names;
  std::size_t number = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    std::string_view line = text.substr(start, end - start);
    start = end + 1;
    ++number;
    const auto bad = [&](std::string sentence) {
      return fail(ErrorKind::kConfig, std::move(sentence), fmt::format("{}:{}", file, number));
    };
    if (trim(line).empty() || line.starts_with('#')) continue;
    if (!is_valid_utf8(line)) return bad("a gazetteer is UTF-8 text; this line is not");
    GazetteerName name;
    std::size_t column = 0;
    for (bool more = true; more; ++column) {
      const std::size_t tab = std::min(line.find('\t'), line.size());
      const std::string_view cell = trim(line.substr(0, tab));
      more = tab < line.size();
      line.remove_prefix(more ? tab + 1 : tab);
      if (column == 0) {
        const auto [stop, fault] =
            std::from_chars(cell.data(), cell.data() + cell.size(), name.points);
        if (fault != std::errc() || stop != cell.data() + cell.size() ||
            !(name.points > 0 && name.points <= 10))
          return bad("a line begins with its points, more than 0 and at most 10, then a tab");
        continue;
      }
      const std::size_t words = FoldedWords(cell).size();
      if (words == 0 || words > PhraseSet::kMostWords)
        return bad(fmt::format("a name has 1 to {} words", PhraseSet::kMostWords));
      if (column == 1)
        name.name = cell;
      else
        name.variants.emplace_back(cell);
    }
    if (name.name.empty()) return bad("a line is points, a tab, a name, and variants behind tabs");
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace periplus
