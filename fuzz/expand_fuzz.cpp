// rooms: base
// The decoders: limits hold for any bytes, and it does not matter how the bytes arrive.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/compress.h"

using namespace periplus;

namespace {

void require(bool law) {
  if (!law) std::abort();
}

std::string in_pieces(Coding coding, std::string_view in, ExpandLimits limits, std::size_t piece,
                      ExpandStatus* status) {
  const auto expander = make_expander(coding, limits);
  std::string out;
  for (std::size_t at = 0; at < in.size(); at += piece) {
    const std::string_view part = in.substr(at, piece);
    const std::string copy(part);  // so that reading past the piece is seen
    const ExpandStatus now = expander->feed(copy, &out);
    require(out.size() <= limits.max_bytes);
    if (now != ExpandStatus::kGoing) require(expander->feed(copy, &out) == now);
  }
  *status = expander->finish();
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const auto coding = static_cast<Coding>(data[0] % 5);
  const std::size_t piece = 1 + data[1];
  const std::string_view in(reinterpret_cast<const char*>(data) + 2, size - 2);
  ExpandLimits limits;
  limits.max_bytes = 200'000;
  ExpandStatus whole_status{}, pieces_status{};
  const std::string whole = expand(coding, in, limits, &whole_status);
  const std::string pieces = in_pieces(coding, in, limits, piece, &pieces_status);
  require(whole.size() <= limits.max_bytes);
  require(whole_status != ExpandStatus::kGoing && pieces_status != ExpandStatus::kGoing);
  if (whole_status == ExpandStatus::kCut) require(whole.size() == limits.max_bytes);
  // Where the ratio is judged hangs on how much the decoder had taken in by then. And libzstd
  // decodes a small frame that is there whole in one go, where it looks at the stated content size
  // in another way, and of a damaged frame it then gives nothing.
  const bool at_once = coding == Coding::kZstd && (whole_status == ExpandStatus::kDamaged ||
                                                   pieces_status == ExpandStatus::kDamaged);
  if (whole_status != ExpandStatus::kBomb && pieces_status != ExpandStatus::kBomb && !at_once) {
    require(whole_status == pieces_status);
    if (whole_status != ExpandStatus::kDamaged) require(whole == pieces);
  }
  // A larger limit changes nothing before the smaller one.
  limits.max_bytes = 1000;
  ExpandStatus less_status{};
  const std::string less = expand(coding, in, limits, &less_status);
  if (!at_once) require(std::string_view(whole).starts_with(less));

  const auto unpacked = unpack(in, 100'000);
  if (unpacked) require(unpacked->size() <= 100'000);
  const auto again = unpack(pack(in), in.size());
  require(again && *again == in);
  return 0;
}
