#include "base/text.h"
#include "http/transfer.h"

namespace periplus {
namespace {

constexpr std::size_t kMostCodings = 3;
constexpr std::size_t kMostBetween =
    64UL * 1024 * 1024;  // of an inner stage, over the whole answer

}  // namespace

bool BodyDecoder::start(std::string_view content_encoding, std::size_t max_bytes,
                        double max_ratio) {
  max_bytes_ = max_bytes;
  std::vector<Coding> codings;
  while (!content_encoding.empty()) {
    const std::size_t comma = std::min(content_encoding.find(','), content_encoding.size());
    const std::string_view token = trim(content_encoding.substr(0, comma));
    content_encoding.remove_prefix(std::min(comma + 1, content_encoding.size()));
    if (token.empty() || equal_ignoring_case(token, "identity")) continue;
    Coding coding = Coding::kIdentity;
    if (!coding_from_token(token, &coding)) return false;
    if (coding != Coding::kIdentity) codings.push_back(coding);
  }
  if (codings.size() > kMostCodings) return false;
  // The coding applied last is named last, and undone first.
  for (std::size_t i = codings.size(); i-- > 0;) {
    const bool last = i == 0;
    stages_.push_back(make_expander(
        codings[i], {.max_bytes = last ? max_bytes : kMostBetween, .max_ratio = max_ratio}));
  }
  return true;
}

ExpandStatus BodyDecoder::feed(std::string_view in, std::string* out) {
  if (stages_.empty()) {
    const std::size_t room = max_bytes_ - std::min(max_bytes_, out->size());
    out->append(in.substr(0, room));
    return in.size() > room ? ExpandStatus::kCut : ExpandStatus::kGoing;
  }
  std::string held;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    std::string* to = out;
    if (i + 1 < stages_.size()) {
      between_.clear();
      to = &between_;
    }
    const ExpandStatus status = stages_[i]->feed(in, to);
    const bool goes_on = status == ExpandStatus::kGoing || status == ExpandStatus::kDone;
    if (i + 1 == stages_.size()) return goes_on ? ExpandStatus::kGoing : status;
    if (!goes_on) return status == ExpandStatus::kCut ? ExpandStatus::kBomb : status;
    held.swap(between_);
    in = held;
  }
  return ExpandStatus::kGoing;
}

ExpandStatus BodyDecoder::finish() {
  for (const auto& stage : stages_) {
    if (stage->finish() == ExpandStatus::kDamaged) return ExpandStatus::kDamaged;
  }
  return ExpandStatus::kDone;
}

}  // namespace periplus
