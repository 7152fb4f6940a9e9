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

class CurlLoop;  // http/curl_loop.h

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

  // What is the same for every exchange of a new handle `easy` (a CURL*). `curl` must outlive it.
  static void set_up(void* easy, CurlLoop& curl, const Identity& identity,
                     const FetchOptions& options);
  // The header lines of an exchange that has none of its own (a curl_slist, to be freed by the
  // caller).
  static void* plain_headers(bool keep_encoded);

  struct Course {
    std::string resolve;  // a CURLOPT_RESOLVE entry, or empty
    std::vector<std::pair<std::string, std::string>> signature;
    void* plain_headers = nullptr;  // of plain_headers()
    Millis time_left{0};
  };
  // Readies `easy`, which was set up, for this exchange.
  void prepare(void* easy, CurlLoop& curl, const Course& course);
  // Lets go of the handle, so that nothing in it points here.
  void part();
  // Takes what curl knows once it is done, with its CURLcode.
  void conclude(int code);
  // Ends it without curl's word, while `easy` is still there to tell how far it got.
  void give_up(FailureKind kind, std::string detail);
  // Octets so far, to judge the rate.
  std::uint64_t octets() const { return octets_; }
  bool over_limit() const { return decided_.has_value(); }
  Millis time_allowed() const { return request_.timeout; }
  bool keeps_encoded() const { return request_.keep_encoded; }

  Exchange exchange;
  bool done = false;
  Event event;           // notified when done
  void* easy = nullptr;  // while it runs
  TlsFacts known_tls;    // of an earlier connection to the host
  const std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  // For the rate: when and at how many octets the running window began. The first begins with the
  // first octet of the answer.
  std::chrono::steady_clock::time_point window{};
  std::uint64_t window_octets = 0;
  bool grace = true;  // the first window is not judged

 private:
  friend struct TransferCallbacks;
  int asked_ = 0;  // how often the request was about to go out
  void note_tls();
  void gather();
  std::size_t on_header(std::string_view line);
  std::size_t on_body(std::string_view bytes);
  int on_open(const void* address, int size);  // a socket, or -1

  void note_octets(std::size_t count);

  Request request_;
  const FetchOptions& options_;
  const AddressGuard& guard_;
  BodyDecoder decoder_;
  HandshakeNote handshake_;
  CurlLoop* curl_ = nullptr;
  void* header_list_ = nullptr;  // curl_slist, where the exchange has lines of its own
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
