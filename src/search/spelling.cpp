#include "search/spelling.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace periplus {

namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
constexpr std::uint32_t kTimesAsFrequent = 10;

std::u32string code_points(std::string_view text) {
  std::u32string out;
  for (std::size_t at = 0; at < text.size();) out.push_back(next_code_point(text, &at));
  return out;
}

}  // namespace

std::vector<std::string> one_slip_away(std::string_view word) {
  std::vector<std::string> out;
  const bool ascii =
      std::ranges::all_of(word, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (word.size() < 4 || !ascii) return out;
  const std::string given(word);
  for (std::size_t n = 0; n <= given.size(); ++n) {
    for (const char letter : kLetters) {
      if (n < given.size() && letter != given[n]) {
        out.push_back(given);
        out.back()[n] = letter;
      }
      out.push_back(given);
      out.back().insert(n, 1, letter);
    }
    if (n == given.size()) break;
    out.push_back(given);
    out.back().erase(n, 1);
    if (n + 1 < given.size() && given[n] != given[n + 1]) {
      out.push_back(given);
      std::swap(out.back()[n], out.back()[n + 1]);
    }
  }
  std::ranges::sort(out);
  const auto twice = std::ranges::unique(out);
  out.erase(twice.begin(), twice.end());
  return out;
}

std::size_t slips(std::string_view first, std::string_view second, std::size_t most) {
  const std::u32string a = code_points(first);
  const std::u32string b = code_points(second);
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > most) return most + 1;
  // Rows of the table of distances: the one before the last, the last, this one.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> here(b.size() + 1);
  for (std::size_t n = 0; n <= b.size(); ++n) last[n] = n;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    here[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      here[j] = std::min({change, last[j] + 1, here[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        here[j] = std::min(here[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, here);
  }
  return std::min(last[b.size()], most + 1);
}

std::string mend_word(std::string_view word, std::uint32_t frequency,
                      const std::vector<std::string>& further, const WordFrequency& frequency_of) {
  std::string best;
  double best_score = 0;
  const auto consider = [&](const std::string& candidate, double factor) {
    const std::uint32_t pages = frequency_of(candidate);
    if (pages == 0 || pages / kTimesAsFrequent < frequency) return;
    // A slip in the first letter is rare.
    if (candidate.front() != word.front()) factor /= 4;
    const double score = factor * std::log(2.0 + pages);
    if (score > best_score) {
      best_score = score;
      best = candidate;
    }
  };
  for (const std::string& candidate : one_slip_away(word)) consider(candidate, 1);
  for (const std::string& candidate : further) {
    if (candidate == word || candidate.empty()) continue;
    const std::size_t distance = slips(word, candidate, 2);
    if (distance <= 2) consider(candidate, distance == 1 ? 1 : 0.2);
  }
  return best;
}

}  // namespace periplus
