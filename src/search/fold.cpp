#include "search/fold.h"

#include <unicode/normalizer2.h>
#include <unicode/translit.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include <array>
#include <memory>
#include <mutex>

#include "base/text.h"

namespace periplus {

namespace {

constexpr std::size_t kBlock = 256;
constexpr std::size_t kBlocks = 0x110000 / kBlock;

enum class Kind : std::uint8_t { kOther, kSpace, kWord, kMark, kUnspaced };

struct Folded {
  std::string text;      // without diacritics
  std::string accented;  // lower-cased only
  Kind kind = Kind::kOther;
};
using Block = std::array<Folded, kBlock>;

bool is_unspaced(UChar32 c) {
  UErrorCode failure = U_ZERO_ERROR;
  switch (uscript_getScript(c, &failure)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_BOPOMOFO:
    case USCRIPT_HANGUL:  // spaced, but particles hang on words: pairs find what whole words miss
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR:
      return true;
    default:
      return false;
  }
}

// Accents proper, Hebrew points, Arabic vowel signs: words are written with or without them. The
// vowel signs of Indic scripts are marks too, but they are letters to a reader.
bool is_dropped_mark(UChar32 c) {
  if (u_charType(c) != U_NON_SPACING_MARK) return false;
  UErrorCode failure = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(c, &failure);
  return script == USCRIPT_INHERITED || script == USCRIPT_HEBREW || script == USCRIPT_ARABIC;
}

Kind kind_of(UChar32 c) {
  if (u_isUWhiteSpace(c) || c == 0x200B) return Kind::kSpace;
  if (is_unspaced(c) && (u_isalnum(c) || u_charType(c) == U_NON_SPACING_MARK)) {
    return Kind::kUnspaced;
  }
  if (u_isalnum(c) || u_hasBinaryProperty(c, UCHAR_ALPHABETIC)) return Kind::kWord;
  const auto type = u_charType(c);
  if (type == U_NON_SPACING_MARK || type == U_COMBINING_SPACING_MARK || c == 0xAD) {
    return Kind::kMark;  // and the soft hyphen: inside a word it is not seen
  }
  return Kind::kOther;
}

// The rest that no decomposition takes apart: ħ, ł, ø, ß, æ, ı.
const icu::Transliterator* latin_ascii() {
  static const std::unique_ptr<icu::Transliterator> kept = [] {
    UErrorCode failure = U_ZERO_ERROR;
    return std::unique_ptr<icu::Transliterator>(
        icu::Transliterator::createInstance("Latin-ASCII", UTRANS_FORWARD, failure));
  }();
  return kept.get();
}

void fold_one(UChar32 c, Folded* out) {
  out->kind = kind_of(c);
  if (out->kind == Kind::kOther || out->kind == Kind::kSpace) return;
  UErrorCode failure = U_ZERO_ERROR;
  const icu::Normalizer2* nfkc = icu::Normalizer2::getNFKCCasefoldInstance(failure);
  const icu::Normalizer2* nfd = icu::Normalizer2::getNFDInstance(failure);
  if (U_FAILURE(failure)) return;
  const icu::UnicodeString lower = nfkc->normalize(icu::UnicodeString(c), failure);
  lower.toUTF8String(out->accented);
  const icu::UnicodeString apart = nfd->normalize(lower, failure);
  icu::UnicodeString bare;
  for (int32_t at = 0; at < apart.length(); at = apart.moveIndex32(at, 1)) {
    if (!is_dropped_mark(apart.char32At(at))) bare.append(apart.char32At(at));
  }
  UErrorCode script_failure = U_ZERO_ERROR;
  if (!bare.isEmpty() && uscript_getScript(bare.char32At(0), &script_failure) == USCRIPT_LATIN &&
      latin_ascii() != nullptr) {
    latin_ascii()->transliterate(bare);
    bare.foldCase();
  }
  // Hangul and the like: taken apart only to look for marks.
  icu::UnicodeString whole = icu::Normalizer2::getNFCInstance(failure)->normalize(bare, failure);
  whole.toUTF8String(out->text);
}

const Folded& look_up(char32_t c) {
  static std::array<std::once_flag, kBlocks> flags;
  static std::array<std::unique_ptr<Block>, kBlocks> blocks;
  if (c >= 0x110000) c = 0xFFFD;
  const std::size_t block = c / kBlock;
  std::call_once(flags[block], [block] {
    auto made = std::make_unique<Block>();
    for (std::size_t n = 0; n < kBlock; ++n) {
      fold_one(static_cast<UChar32>(block * kBlock + n), &(*made)[n]);
    }
    blocks[block] = std::move(made);
  });
  return (*blocks[block])[c % kBlock];
}

// For ASCII: the lower-case letter or digit, or 0.
constexpr std::array<char, 128> kAscii = [] {
  std::array<char, 128> table{};
  for (unsigned char c = '0'; c <= '9'; ++c) table[c] = static_cast<char>(c);
  for (unsigned char c = 'a'; c <= 'z'; ++c) {
    table[c] = static_cast<char>(c);
    table[c - 32] = static_cast<char>(c);
  }
  return table;
}();

bool is_ascii_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

void cut(std::string* word) {
  if (word->size() <= kMaxWordBytes) return;
  std::size_t at = kMaxWordBytes;
  while (at > 0 && (static_cast<unsigned char>((*word)[at]) & 0xC0) == 0x80) --at;
  word->resize(at);
}

// The octets of an apostrophe at `at`, however it was typed; 0: none is there.
std::size_t apostrophe_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  if (text[at] == '\'' || text[at] == '`') return 1;
  const std::string_view rest = text.substr(at, 3);
  if (rest == "\xE2\x80\x99" || rest == "\xE2\x80\x98") return 3;  // ’ ‘
  return rest.substr(0, 2) == "\xCA\xBC" ? 2 : 0;                  // ʼ
}

bool is_word_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x80) return kAscii[byte] != 0;
  return look_up(next_code_point(text, &at)).kind == Kind::kWord;
}

}  // namespace

std::string_view folded(char32_t code_point) { return look_up(code_point).text; }

void WordReader::give(Word* word, bool extra) {
  word->extra = extra;
  word->begin = begin_;
  word->end = end_;
  word->folded = extra ? extra_ : folded_;
  word->accented = !extra && has_accents_ ? std::string_view(accented_) : std::string_view();
}

bool WordReader::next(Word* word) {
  if (extra_waits_) {
    extra_waits_ = false;
    give(word, true);
    word->glued = true;
    return true;
  }
  bool space = begin_ == 0 && end_ == 0;
  while (at_ < text_.size()) {
    const auto byte = static_cast<unsigned char>(text_[at_]);
    if (byte < 0x80) {
      if (kAscii[byte] == 0) {
        space = space || is_ascii_space(text_[at_]);
        ++at_;
        continue;
      }
    } else {
      std::size_t behind = at_;
      const char32_t c = next_code_point(text_, &behind);
      const Kind kind = look_up(c).kind;
      if (kind == Kind::kUnspaced) {
        const std::size_t begin = at_;
        at_ = behind;
        const bool pair = read_pair(c, begin, behind);
        if (!pair && !extra_waits_) continue;
        if (!pair) extra_waits_ = false;
        give(word, !pair);
        word->glued = !space;
        return true;
      }
      if (kind != Kind::kWord) {
        space = space || kind == Kind::kSpace;
        at_ = behind;
        continue;
      }
    }
    in_pairs_ = false;
    if (!read_word()) continue;
    give(word, false);
    word->glued = !space;
    return true;
  }
  return false;
}

// A pair of neighbours, or a single one that has none.
bool WordReader::read_pair(char32_t first, std::size_t begin, std::size_t end) {
  folded_ = look_up(first).text;
  has_accents_ = false;
  const bool was_second = in_pairs_;
  std::size_t behind = at_;
  char32_t second = 0;
  if (at_ < text_.size() && static_cast<unsigned char>(text_[at_]) >= 0x80) {
    second = next_code_point(text_, &behind);
  }
  begin_ = begin;
  end_ = end;
  if (second != 0 && look_up(second).kind == Kind::kUnspaced) {
    in_pairs_ = true;
    extra_ = folded_;
    folded_ += look_up(second).text;
    end_ = behind;
    extra_waits_ = !extra_.empty();
    return !folded_.empty();
  }
  in_pairs_ = false;
  if (!was_second) return !folded_.empty();
  // The last of a run: its pair was given with the one before it.
  extra_ = folded_;
  extra_waits_ = !extra_.empty();
  return false;
}

// Whether the word goes on behind the apostrophe at at_; moves there, or to where the next begins.
bool WordReader::take_apostrophe() {
  const std::size_t size = apostrophe_at(text_, at_);
  std::size_t right = at_ + size;
  std::size_t behind = right;
  while (behind < text_.size() && behind - right < 3 &&
         static_cast<unsigned char>(text_[behind]) < 0x80 &&
         kAscii[static_cast<unsigned char>(text_[behind])] != 0) {
    ++behind;
  }
  const bool ends = behind > right && !is_word_at(text_, behind);
  if (ends && behind - right == 1 && ascii_lower(text_[right]) == 's') {
    at_ = behind;  // a possessive belongs to the word and says nothing
    return false;
  }
  if (ends && behind - right <= 2 && folded_.size() > 2) {
    at_ = right;
    return true;
  }
  at_ = right;
  return false;
}

bool WordReader::read_word() {
  folded_.clear();
  accented_.clear();
  has_accents_ = false;
  begin_ = at_;
  while (at_ < text_.size()) {
    const auto byte = static_cast<unsigned char>(text_[at_]);
    if (byte < 0x80) {
      if (const char lower = kAscii[byte]; lower != 0) {
        folded_.push_back(lower);
        if (has_accents_) accented_.push_back(lower);
        ++at_;
        continue;
      }
    } else {
      std::size_t behind = at_;
      const Folded& one = look_up(next_code_point(text_, &behind));
      if (one.kind == Kind::kWord || one.kind == Kind::kMark) {
        if (!has_accents_ && one.text != one.accented) {
          accented_ = folded_;
          has_accents_ = true;
        }
        folded_ += one.text;
        if (has_accents_) accented_ += one.accented;
        at_ = behind;
        continue;
      }
    }
    end_ = at_;
    if (apostrophe_at(text_, at_) != 0) {
      if (is_word_at(text_, at_ + apostrophe_at(text_, at_)) && take_apostrophe()) continue;
      break;
    }
    // "C++", "C#": of short names only, so that "i++;" of a longer name stays that name.
    if (folded_.size() == 1 && (text_.substr(at_, 2) == "++" || text_[at_] == '#')) {
      const std::size_t size = text_[at_] == '#' ? 1 : 2;
      if (!is_word_at(text_, at_ + size)) {
        folded_ += text_.substr(at_, size);
        at_ += size;
        end_ = at_;
      }
    }
    break;
  }
  if (at_ == text_.size()) end_ = at_;
  cut(&folded_);
  cut(&accented_);
  // Each part of push_back is a word; behind the last one comes the whole.
  const bool goes_on =
      end_ == at_ && at_ < text_.size() && text_[at_] == '_' && is_word_at(text_, at_ + 1);
  if (goes_on || !compound_.empty()) {
    compound_ += folded_;
    if (goes_on) {
      compound_ += '_';
    } else {
      extra_ = std::move(compound_);
      compound_.clear();
      cut(&extra_);
      extra_waits_ = true;
    }
  }
  return !folded_.empty();
}

std::string fold(std::string_view text) {
  std::string out;
  WordReader reader(text);
  for (Word word; reader.next(&word);) {
    if (word.extra) continue;
    if (!out.empty()) out.push_back(' ');
    out += word.folded;
  }
  return out;
}

}  // namespace periplus
