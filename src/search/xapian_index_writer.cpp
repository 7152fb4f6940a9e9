#include <fmt/format.h>
#include <xapian.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <unordered_set>

#include "base/text.h"
#include "search/fold.h"
#include "search/query.h"
#include "search/xapian_index.h"
#include "url/url.h"

namespace periplus {

namespace {

// How often a field counts: weights are given before saturation (BM25F), so that a word in title
// and text is one word that counts five times, not two that each count fully.
constexpr std::uint32_t kTitleWeight = 4;
constexpr std::uint32_t kHeadingWeight = 2;
constexpr std::uint32_t kOuterAnchorWeight = 3;  // link words of other sites, for each site
constexpr std::uint32_t kOwnAnchorWeight = 1;
constexpr std::uint32_t kHostWeight = 3;
constexpr std::uint32_t kPathWeight = 1;
constexpr std::uint32_t kTextWeight = 1;

constexpr std::uint32_t kMostAnchorSites = 10;
constexpr std::size_t kMostAnchors = 50;
constexpr std::size_t kMostTitleWords = 30;
constexpr std::size_t kMostHeadings = 60;
constexpr std::size_t kMostTextWords = 50'000;
constexpr std::size_t kMostOtherWords = 5'000;
constexpr std::size_t kMostFolders = 8;
constexpr std::size_t kMostTitleBytes = 300;
// No phrase reaches from one field into the next.
constexpr std::uint32_t kFieldGap = 100;
constexpr std::size_t kManySpellings = 1'000'000;

// Link words that say nothing of where they lead, folded.
constexpr std::array<std::string_view, 14> kEmptyAnchors = {
    "here",      "click here", "click",      "read more", "more",  "link",     "website",
    "this link", "hawn",       "aqra aktar", "iktar",     "leggi", "continua", "visit website"};

std::string without_line_breaks(std::string_view text, std::size_t most) {
  std::string out = collapse_space(to_valid_utf8(text.substr(0, most)));
  std::ranges::replace(out, '\n', ' ');
  return out;
}

// One document on its way: each term with its weight and places.
class Gathered {
 public:
  struct Term {
    std::uint32_t weight = 0;
    std::vector<std::uint32_t> places;
  };

  void clear() { terms_.clear(); }
  Term& term(std::string_view name) {
    if (const auto found = terms_.find(name); found != terms_.end()) return found->second;
    return terms_.emplace(std::string(name), Term{}).first->second;
  }
  void pour_into(Xapian::Document* document) const {
    for (const auto& [name, term] : terms_) {
      if (term.weight > 0) {
        document->add_term(name, term.weight);
      } else {
        document->add_boolean_term(name);
      }
      for (const std::uint32_t place : term.places) document->add_posting(name, place, 0);
    }
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::unordered_map<std::string, Term, Hash, std::equal_to<>> terms_;
};

class XapianWriter final : public IndexWriter {
 public:
  XapianWriter(Xapian::WritableDatabase database, std::uint64_t sequence)
      : database_(std::move(database)), sequence_(sequence) {}
  ~XapianWriter() override;

  Result<void> put(const IndexDocument& document) override;
  Result<void> remove(std::string_view url) override;
  Result<void> commit(std::uint64_t sequence) override;
  std::uint64_t sequence() const override { return sequence_; }

 private:
  struct Field {
    std::uint32_t weight = 0;
    bool places = true;
    bool spelling = false;
    std::size_t most_words = kMostTextWords;
    char prefix = 0;  // each stem again behind it
  };
  void gather(std::string_view text, const Field& field);
  void gather_address(const IndexDocument& document);
  void learn_spelling(std::string_view word);
  // Everything between two commits is one transaction: a full buffer never shows half of it.
  void begin() {
    if (open_) return;
    database_.begin_transaction();
    open_ = true;
  }
  template <class F>
  Result<void> guarded(F&& work);

  Xapian::WritableDatabase database_;
  std::uint64_t sequence_;
  bool open_ = false;
  StemBook stems_;
  Gathered gathered_;
  std::string lang_;
  std::string scratch_;
  std::uint32_t place_ = 0;
  std::unordered_set<std::uint64_t> spelled_;  // hashes of words that were learnt
};

template <class F>
Result<void> XapianWriter::guarded(F&& work) {
  try {
    work();
    return {};
  } catch (const Xapian::Error& error) {
    return fail(ErrorKind::kDatabase, "the index refused: " + error.get_description());
  }
}

XapianWriter::~XapianWriter() {
  // What was not committed is not there: the index stays at its sequence.
  if (!open_) return;
  // Nobody is left to be told of a failure.
  [[maybe_unused]] const auto cancelled = guarded([&] { database_.cancel_transaction(); });
}

void XapianWriter::learn_spelling(std::string_view word) {
  // Only that it exists: how frequent it is, the terms say.
  if (word.size() < 3 || spelled_.size() >= kManySpellings) return;
  if (spelled_.insert(hash64(word)).second) database_.add_spelling(std::string(word));
}

void XapianWriter::gather(std::string_view text, const Field& field) {
  WordReader reader(text);
  std::size_t words = 0;
  for (Word word; reader.next(&word);) {
    if (word.extra) {
      gathered_.term(word.folded).weight += field.weight;
      continue;
    }
    if (++words > field.most_words) break;
    const std::string_view stem = stems_.stem(lang_, word.folded);
    Gathered::Term& term = gathered_.term(stem);
    term.weight += field.weight;
    if (field.places) term.places.push_back(++place_);
    if (stem != word.folded) {
      (scratch_ = 'E') += word.folded;
      gathered_.term(scratch_);
    }
    if (!word.accented.empty()) {
      (scratch_ = 'D') += word.accented;
      gathered_.term(scratch_);
    }
    if (field.prefix != 0) {
      (scratch_ = field.prefix) += stem;
      gathered_.term(scratch_).places.push_back(place_);
    }
    if (field.spelling) learn_spelling(word.folded);
  }
  if (field.places) place_ += kFieldGap;
}

void XapianWriter::gather_address(const IndexDocument& document) {
  gathered_.term(fitting_term('Q', document.url));
  const auto url = Url::parse(document.url);
  if (!url) return;
  std::string_view host = url->hostname();
  std::string_view bare = host;
  if (bare.starts_with("www.")) bare.remove_prefix(4);
  for (std::string_view domain = host;;) {
    gathered_.term(fitting_term('H', domain));
    const std::size_t dot = domain.find('.');
    if (dot == domain.npos) break;
    domain.remove_prefix(dot + 1);
  }
  const std::string_view path = url->pathname();
  std::string folder(bare);
  std::size_t from = 0;
  for (std::size_t depth = 0; depth <= kMostFolders; ++depth) {
    const std::size_t slash = path.find('/', from);
    if (slash == path.npos) break;
    folder += path.substr(from, slash + 1 - from);
    if (depth > 0) gathered_.term(fitting_term('P', folder));
    from = slash + 1;
  }
  // Host words without the ending that says only where it is registered.
  const std::string_view name = bare.substr(0, bare.rfind('.'));
  const auto words_of = [&](std::string_view text, std::uint32_t weight, std::size_t most) {
    WordReader reader(text);
    std::size_t count = 0;
    for (Word word; reader.next(&word) && count < most; ++count) {
      (scratch_ = 'U') += word.folded;
      gathered_.term(scratch_);
      if (weight > 0) {
        gathered_.term(word.extra ? word.folded : stems_.stem(lang_, word.folded)).weight += weight;
      }
    }
  };
  words_of(name, kHostWeight, 10);
  words_of(host, 0, 10);
  words_of(path, kPathWeight, 30);
  words_of(url->search(), 0, 30);
}

Result<void> XapianWriter::put(const IndexDocument& document) {
  return guarded([&] {
    begin();
    stems_.forget_if_large();
    gathered_.clear();
    place_ = 0;
    lang_ = document.lang;

    const std::string title = without_line_breaks(document.title, kMostTitleBytes);
    gather(title, {.weight = kTitleWeight,
                   .places = true,
                   .spelling = true,
                   .most_words = kMostTitleWords,
                   .prefix = 'S'});
    if (!title.empty()) gathered_.term(fitting_term('T', fold(title))).weight = 1;
    for (std::size_t n = 0; n < std::min(document.headings.size(), kMostHeadings); ++n) {
      gather(document.headings[n],
             {.weight = kHeadingWeight, .spelling = true, .most_words = kMostTitleWords});
    }
    for (std::size_t n = 0; n < std::min(document.anchors.size(), kMostAnchors); ++n) {
      const AnchorWords& anchor = document.anchors[n];
      if (std::ranges::find(kEmptyAnchors, fold(anchor.words)) != kEmptyAnchors.end()) continue;
      gather(anchor.words,
             {.weight = anchor.own ? kOwnAnchorWeight
                                   : kOuterAnchorWeight * std::min(anchor.sites, kMostAnchorSites),
              .spelling = !anchor.own,
              .most_words = kMostTitleWords});
    }
    gather_address(document);
    gather(document.description, {.weight = kTextWeight, .most_words = 100});
    gather(document.main_text, {.weight = kTextWeight});
    gather(document.other_text, {.weight = 0, .most_words = kMostOtherWords});
    if (!document.lang.empty()) gathered_.term(fitting_term('L', document.lang));

    Xapian::Document made;
    gathered_.pour_into(&made);
    made.add_value(slot::kSite, document.site);
    const double rank = std::clamp(std::isfinite(document.rank) ? document.rank : 0.0, 0.0, 1.0);
    made.add_value(slot::kRank, std::string(1, static_cast<char>(std::lround(rank * 255))));
    const auto seconds = std::chrono::floor<std::chrono::seconds>(document.changed);
    const auto changed = seconds.time_since_epoch().count();
    if (changed > 0) {
      std::string octets;
      for (int shift = 56; shift >= 0; shift -= 8) {
        octets.push_back(static_cast<char>(static_cast<std::uint64_t>(changed) >> shift));
      }
      made.add_value(slot::kChanged, octets);
    }
    made.set_data(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{:x}", document.url, document.site, title,
                              document.lang, changed, document.crawled ? "" : "known",
                              document.cluster));
    database_.replace_document(fitting_term('Q', document.url), made);
  });
}

Result<void> XapianWriter::remove(std::string_view url) {
  return guarded([&] {
    begin();
    database_.delete_document(fitting_term('Q', url));
  });
}

Result<void> XapianWriter::commit(std::uint64_t sequence) {
  return guarded([&] {
    begin();
    database_.set_metadata(kSequenceKey, std::to_string(sequence));
    database_.commit_transaction();
    open_ = false;
    sequence_ = sequence;
  });
}

}  // namespace

Result<std::unique_ptr<IndexWriter>> open_index_writer(const std::string& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) {
    return fail(ErrorKind::kIo, "cannot make the index's folder: " + failure.message(), folder);
  }
  try {
    Xapian::WritableDatabase database(folder, Xapian::DB_CREATE_OR_OPEN);
    const std::string kept = database.get_metadata(kSequenceKey);
    std::uint64_t sequence = 0;
    std::from_chars(kept.data(), kept.data() + kept.size(), sequence);
    if (kept.empty()) database.commit();  // readers may open it from now on
    return std::make_unique<XapianWriter>(std::move(database), sequence);
  } catch (const Xapian::DatabaseLockError&) {
    return fail(ErrorKind::kBusy, "another process writes to the index", folder);
  } catch (const Xapian::Error& error) {
    return fail(ErrorKind::kDatabase, "cannot open the index: " + error.get_description(), folder);
  }
}

}  // namespace periplus
