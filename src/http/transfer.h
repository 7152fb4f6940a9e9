// One exchange in the making: a curl easy handle, what its callbacks gather, and the limits they
// hold to.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/compress.h"
#include "base/event.h"
#include "http/address_guard.h"
#include "http/exchange.h"
#include "http/fetcher.h"
#include "http/tls_facts.h"

namespace periplus {

// Decodes a body as its Content-Encoding says (RFC 9110 section 8.4), at most three codings deep,
// within limits.
class BodyDecoder {
 public:
  // False: a coding we do not know, or too many of them.
  bool start(std::string_view content_encoding, std::size_t max_bytes, double max_ratio);
  // Appends what `in` decodes to. kGoing, kCut, kBomb or kDamaged.
  ExpandStatus feed(std::string_view in, std::string* out);
  // At the end of the answer: kDone, or kDamaged where the stream is not complete.
  ExpandStatus finish();

 private:
  std::vector<std::unique_ptr<Expander>> stages_;  // in the order of undoing
  std::string between_;
  std::size_t max_bytes_ = 0;
};

class Transfer {
 public:
  Transfer(Request request, const FetchOptions& options, const AddressGuard& guard);
  ~Transfer();

  // Sets up `easy` (a CURL*, reset by its owner) for this exchange. `resolve` is a CURLOPT_RESOLVE
  // entry or empty.
  void prepare(void* easy, void* share, const Identity& identity, const std::string& resolve,
               const std::vector<std::pair<std::string, std::string>>& signature, Millis time_left);
  // Takes what curl knows once it is done, with its CURLcode.
  void conclude(int code);
  // Ends it without curl's word, while `easy` is still there to tell how far it got.
  void give_up(FailureKind kind, std::string detail);
  // Octets so far, to judge the rate.
  std::uint64_t octets() const { return octets_; }
  bool over_limit() const { return decided_.has_value(); }

  Exchange exchange;
  bool done = false;
  Event event;           // notified when done
  void* easy = nullptr;  // while it runs
  TlsFacts known_tls;    // of an earlier connection to the host
  // For the rate: when and at how many octets the running window of 10 s began.
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point window = begun;
  std::uint64_t window_octets = 0;

 private:
  friend struct TransferCallbacks;
  void note_tls();
  void gather();
  std::size_t on_header(std::string_view line);
  std::size_t on_body(std::string_view bytes);
  int on_open(const void* address, int size);  // a socket, or -1

  Request request_;
  const FetchOptions& options_;
  const AddressGuard& guard_;
  BodyDecoder decoder_;
  HandshakeNote handshake_;
  void* header_list_ = nullptr;  // curl_slist
  void* resolve_list_ = nullptr;
  std::optional<Failure> decided_;  // a limit or the guard spoke; curl's code does not matter then
  bool stopped_ = false;            // enough of the body came
  bool body_begun_ = false;
  bool interim_ = false;
  bool status_next_ = true;    // a status line is due: at the start, and after an interim answer
  bool headers_done_ = false;  // the final answer's: what follows are trailers
  bool decoding_ = false;
  std::size_t header_octets_ = 0;
  std::size_t header_lines_ = 0;
  std::uint64_t octets_ = 0;
  char error_[256] = {};  // CURL_ERROR_SIZE
};

}  // namespace periplus
