#include "search/xapian_index.h"

#include <fmt/format.h>
#include <xapian.h>

#include <optional>

#include "base/text.h"
#include "search/maltese_stemmer.h"

namespace periplus {

namespace {

constexpr std::size_t kMaxTermBytes = 200;
constexpr std::size_t kManyWords = 1'000'000;  // some 100 MB of memory

}  // namespace

DataParts data_parts(std::string_view data) {
  DataParts parts;
  for (std::string_view& part : parts) {
    const std::size_t end = data.find('\n');
    part = data.substr(0, end);
    if (end == data.npos) break;
    data.remove_prefix(end + 1);
  }
  return parts;
}

std::string fitting_term(char prefix, std::string_view text) {
  std::string term(1, prefix);
  if (text.size() <= kMaxTermBytes) return term.append(text);
  return term.append(text.substr(0, kMaxTermBytes - 17))
      .append(fmt::format("~{:016x}", hash64(text)));
}

struct StemBook::Language {
  std::optional<Xapian::Stem> stemmer;
  bool maltese = false;
  std::unordered_map<std::string, std::string, Hash, std::equal_to<>> words;

  std::string compute(std::string_view folded) const {
    if (maltese) return stem_maltese(folded);
    return stemmer ? (*stemmer)(std::string(folded)) : std::string(folded);
  }
};

StemBook::StemBook() = default;
StemBook::~StemBook() = default;

StemBook::Language& StemBook::language(std::string_view lang) {
  if (last_ != nullptr && last_lang_ == lang) return *last_;
  auto found = languages_.find(lang);
  if (found == languages_.end()) {
    auto made = std::make_unique<Language>();
    made->maltese = lang == "mt";
    if (!made->maltese) {
      try {
        made->stemmer.emplace(lang.empty() ? "en" : std::string(lang));
      } catch (const Xapian::InvalidArgumentError&) {
        made->stemmer.reset();  // a language without a stemmer: words stay as they are
      }
    }
    found = languages_.emplace(std::string(lang), std::move(made)).first;
  }
  last_lang_ = lang;
  last_ = found->second.get();
  return *last_;
}

std::string_view StemBook::stem(std::string_view lang, std::string_view folded) {
  Language& book = language(lang);
  auto found = book.words.find(folded);
  if (found == book.words.end()) {
    std::string stem = book.compute(folded);
    if (stem.empty()) stem = folded;
    found = book.words.emplace(std::string(folded), std::move(stem)).first;
  }
  return found->second;
}

void StemBook::forget_if_large() {
  std::size_t words = 0;
  for (const auto& [lang, book] : languages_) words += book->words.size();
  if (words < kManyWords) return;
  languages_.clear();
  last_ = nullptr;
}

}  // namespace periplus
