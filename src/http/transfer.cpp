#include "http/transfer.h"

#include <curl/curl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "http/curl_loop.h"

namespace periplus {
namespace {

constexpr std::size_t kMostHeaderLines = 1000;
constexpr long kReceiveBuffer = 256 * 1024;
constexpr const char* kAccept =
    "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5";

Millis from_micros(curl_off_t micros) { return Millis(micros / 1000); }

Millis time_of(CURL* easy, CURLINFO which) {
  curl_off_t micros = 0;
  curl_easy_getinfo(easy, which, &micros);
  return from_micros(micros);
}

FailureKind connect_failure(CURL* easy) {
  long error = 0;
  curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &error);
  if (error == ENETUNREACH || error == EHOSTUNREACH) return FailureKind::kUnreachable;
  if (error == ETIMEDOUT) return FailureKind::kConnectTimeout;
  return FailureKind::kConnectRefused;
}

FailureKind timeout_kind(CURL* easy, bool https) {
  const bool connected =
      time_of(easy, https ? CURLINFO_APPCONNECT_TIME_T : CURLINFO_CONNECT_TIME_T) > Millis(0);
  long connects = 0;
  curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &connects);
  curl_off_t sent = 0;
  curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &sent);
  return connected || sent > 0 ? FailureKind::kTimeout : FailureKind::kConnectTimeout;
}

}  // namespace

struct TransferCallbacks {
  static std::size_t header(char* data, std::size_t size, std::size_t count, void* self) {
    return static_cast<Transfer*>(self)->on_header({data, size * count});
  }
  static std::size_t body(char* data, std::size_t size, std::size_t count, void* self) {
    return static_cast<Transfer*>(self)->on_body({data, size * count});
  }
  static curl_socket_t open(void* self, curlsocktype, curl_sockaddr* address) {
    return static_cast<Transfer*>(self)->on_open(address, static_cast<int>(sizeof *address));
  }
  static CURLcode context(CURL*, void* ssl_ctx, void* self) {
    watch_handshake(ssl_ctx, &static_cast<Transfer*>(self)->handshake_);
    return CURLE_OK;
  }
  // curl asks again by itself, at once, where a kept connection closed without an answer. Each
  // request of ours has its turn (visit/pace.h), so this one ends and the visit decides.
  static int before_request(void* self, char*, char*, int, int) {
    return ++static_cast<Transfer*>(self)->asked_ == 1 ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
  }
};

Transfer::Transfer(Request request, const FetchOptions& options, const AddressGuard& guard)
    : request_(std::move(request)), options_(options), guard_(guard) {
  exchange.url = request_.url;
}

Transfer::~Transfer() {
  curl_slist_free_all(static_cast<curl_slist*>(header_list_));
  curl_slist_free_all(static_cast<curl_slist*>(resolve_list_));
}

void* Transfer::plain_headers(bool keep_encoded) {
  curl_slist* list = curl_slist_append(nullptr, kAccept);
  return keep_encoded ? list : curl_slist_append(list, "Accept-Encoding: gzip, br, zstd");
}

void Transfer::set_up(void* handle, CurlLoop& loop, const Identity& identity,
                      const FetchOptions& options) {
  CURL* curl = handle;
  curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, identity.user_agent().c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_HTTP_VERSION,
                   options.http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1);
  curl_easy_setopt(curl, CURLOPT_HTTP09_ALLOWED, 0L);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_PROXY,
                   options.proxy.c_str());  // "" also shuts the environment out
  curl_easy_setopt(curl, CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_NONE));  // of user:pw@host
  // Longer than any transfer waits its turn: curl must never come to ask a resolver of its own.
  curl_easy_setopt(curl, CURLOPT_DNS_CACHE_TIMEOUT, 3600L);
  curl_easy_setopt(curl, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(options.connect_timeout.count()));
  curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, kReceiveBuffer);
  curl_easy_setopt(curl, CURLOPT_SHARE, loop.share());
  if (!options.ca_file.empty()) {
    curl_easy_setopt(curl, CURLOPT_CAINFO, options.ca_file.c_str());
    curl_easy_setopt(curl, CURLOPT_CAPATH, nullptr);
  }
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, TransferCallbacks::header);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, TransferCallbacks::body);
  curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, TransferCallbacks::open);
  curl_easy_setopt(curl, CURLOPT_SSL_CTX_FUNCTION, TransferCallbacks::context);
  curl_easy_setopt(curl, CURLOPT_PREREQFUNCTION, TransferCallbacks::before_request);
}

void Transfer::prepare(void* handle, CurlLoop& loop, const Course& course) {
  easy = handle;
  curl_ = &loop;
  CURL* curl = handle;
  void* headers = course.plain_headers;
  if (!request_.headers.empty() || !course.signature.empty()) {
    auto* list = static_cast<curl_slist*>(plain_headers(request_.keep_encoded));
    for (const auto* lines : {&std::as_const(request_.headers), &course.signature}) {
      for (const auto& [field, value] : *lines) {
        std::string line = field;
        line.append(": ").append(value);
        list = curl_slist_append(list, line.c_str());
      }
    }
    headers = header_list_ = list;
  }
  if (!course.resolve.empty()) resolve_list_ = curl_slist_append(nullptr, course.resolve.c_str());

  curl_easy_setopt(curl, CURLOPT_URL, request_.url.href().c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_RESOLVE, resolve_list_);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS,
                   std::max<long>(1, static_cast<long>(course.time_left.count())));
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error_);
  curl_easy_setopt(curl, CURLOPT_PRIVATE, this);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, this);
  curl_easy_setopt(curl, CURLOPT_SSL_CTX_DATA, this);
  curl_easy_setopt(curl, CURLOPT_PREREQDATA, this);
  exchange.tls.used = request_.url.scheme() == "https";
}

void Transfer::part() {
  CURL* curl = easy;
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, nullptr);
  curl_easy_setopt(curl, CURLOPT_RESOLVE, nullptr);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, nullptr);
  curl_easy_setopt(curl, CURLOPT_PRIVATE, nullptr);
  easy = nullptr;
}

void Transfer::note_octets(std::size_t count) {
  if (octets_ == 0) window = std::chrono::steady_clock::now();
  octets_ += count;
}

int Transfer::on_open(const void* given, int /*size*/) {
  const auto* address = static_cast<const curl_sockaddr*>(given);
  // The guard's last word, on the very address about to be connected to. A proxy is the operator's
  // own choice.
  if (options_.proxy.empty()) {
    Address peer;
    if (address->family == AF_INET) {
      std::memcpy(peer.octets, &reinterpret_cast<const sockaddr_in*>(&address->addr)->sin_addr, 4);
    } else if (address->family == AF_INET6) {
      peer.v6 = true;
      std::memcpy(peer.octets, &reinterpret_cast<const sockaddr_in6*>(&address->addr)->sin6_addr,
                  16);
    } else {
      return CURL_SOCKET_BAD;
    }
    if (std::optional<Failure> refused = guard_.judge(request_.url.hostname(), peer)) {
      decided_ = std::move(refused);
      return CURL_SOCKET_BAD;
    }
  }
  const int fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  if (fd >= 0) curl_->opened(fd);
  return fd;
}

// Facts of the connection, once an answer begins on it. What an earlier one to the same host told
// is enough, unless this one shook hands anew.
void Transfer::note_tls() {
  if (!exchange.tls.used || !exchange.tls.version.empty()) return;
  if (!known_tls.version.empty() && !handshake_.facts.used) {
    exchange.tls = known_tls;
    return;
  }
  curl_tlssessioninfo* session = nullptr;
  curl_easy_getinfo(static_cast<CURL*>(easy), CURLINFO_TLS_SSL_PTR, &session);
  if (session != nullptr && session->backend == CURLSSLBACKEND_OPENSSL &&
      session->internals != nullptr) {
    exchange.tls = describe_connection(session->internals);
  }
}

std::size_t Transfer::on_header(std::string_view line) {
  note_octets(line.size());
  header_octets_ += line.size();
  if (header_octets_ > options_.max_header_bytes || ++header_lines_ > kMostHeaderLines) {
    decided_ = Failure{FailureKind::kHeadersTooLarge, {}};
    return 0;
  }
  if (body_begun_ || headers_done_) return line.size();  // a trailer: counted, not kept
  std::string_view text = line;
  while (!text.empty() && (text.back() == '\r' || text.back() == '\n')) text.remove_suffix(1);
  if (status_next_ && text.starts_with("HTTP/")) {
    exchange.headers.lines.clear();  // an interim answer came before
    const std::size_t space = std::min(text.find(' '), text.size());
    interim_ = text.substr(space).starts_with(" 1");
    status_next_ = false;
    note_tls();
  } else if (text.empty()) {
    status_next_ = interim_;
    headers_done_ = !interim_;
  } else if (!text.empty() && (text[0] == ' ' || text[0] == '\t') &&
             !exchange.headers.lines.empty()) {
    exchange.headers.lines.back().second += ' ';  // obs-fold (RFC 9112 section 5.2)
    exchange.headers.lines.back().second += trim(text);
  } else if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    exchange.headers.add(std::string(text.substr(0, colon)),
                         std::string(trim(text.substr(colon + 1))));
  }
  return line.size();
}

std::size_t Transfer::on_body(std::string_view bytes) {
  if (!body_begun_) {
    body_begun_ = true;
    std::string encodings;
    for (const std::string_view value : exchange.headers.all("content-encoding"))
      encodings.append(encodings.empty() ? "" : ",").append(value);
    decoding_ = !encodings.empty();
    if (!decoder_.start(encodings, request_.max_bytes, options_.max_ratio)) {
      decided_ = Failure{FailureKind::kBadEncoding, "Content-Encoding: " + encodings};
      return 0;
    }
    if (!decoding_) {
      curl_off_t length = -1;
      curl_easy_getinfo(static_cast<CURL*>(easy), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
      if (length > 0)
        exchange.body.reserve(
            std::min<std::size_t>(static_cast<std::size_t>(length), request_.max_bytes));
    }
  }
  note_octets(bytes.size());
  exchange.wire_bytes += bytes.size();
  switch (decoder_.feed(bytes, &exchange.body)) {
    case ExpandStatus::kGoing:
    case ExpandStatus::kDone:
      return bytes.size();
    case ExpandStatus::kCut:
      exchange.cut = true;
      stopped_ = true;
      return 0;
    case ExpandStatus::kBomb:
      decided_ = Failure{FailureKind::kExpansionBomb, {}};
      return 0;
    case ExpandStatus::kDamaged:
      if (exchange.body.empty()) {
        decided_ = Failure{FailureKind::kBadEncoding, "the compressed data are damaged"};
      } else {
        exchange.body_damaged = true;
        stopped_ = true;
      }
      return 0;
  }
  return 0;
}

void Transfer::give_up(FailureKind kind, std::string detail) {
  gather();
  exchange.failure = Failure{kind, std::move(detail)};
  exchange.timings.total =
      std::chrono::duration_cast<Millis>(std::chrono::steady_clock::now() - begun);
  done = true;
}

void Transfer::gather() {
  CURL* curl = easy;
  long status = 0;
  long version = 0;
  long connects = 0;
  char* address = nullptr;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(curl, CURLINFO_HTTP_VERSION, &version);
  curl_easy_getinfo(curl, CURLINFO_NUM_CONNECTS, &connects);
  curl_easy_getinfo(curl, CURLINFO_PRIMARY_IP, &address);
  exchange.status = static_cast<int>(status);
  exchange.http_version = version == CURL_HTTP_VERSION_2_0   ? "2"
                          : version == CURL_HTTP_VERSION_1_0 ? "1.0"
                          : status != 0                      ? "1.1"
                                                             : "";
  exchange.address = address == nullptr ? "" : address;
  exchange.reused_connection = connects == 0 && status != 0;

  Timings& t = exchange.timings;
  const Millis resolve = t.resolve;
  const Millis connected = time_of(curl, CURLINFO_CONNECT_TIME_T);
  const Millis secured = time_of(curl, CURLINFO_APPCONNECT_TIME_T);
  const Millis sent = time_of(curl, CURLINFO_PRETRANSFER_TIME_T);
  const Millis first = time_of(curl, CURLINFO_STARTTRANSFER_TIME_T);
  t.connect = connected;
  t.tls = secured > connected ? secured - connected : Millis(0);
  t.first_byte = first == Millis(0) ? first : resolve + first;
  t.wait = first > sent ? first - sent : Millis(0);
  t.total = resolve + time_of(curl, CURLINFO_TOTAL_TIME_T);
  if (exchange.tls.used && exchange.tls.version.empty()) exchange.tls = handshake_.facts;
  exchange.tls.used = exchange.url.scheme() == "https";
}

void Transfer::conclude(int code) {
  CURL* curl = easy;
  gather();
  const std::string said =
      error_[0] != '\0' ? error_ : curl_easy_strerror(static_cast<CURLcode>(code));
  const auto failed = [&](FailureKind kind) { exchange.failure = Failure{kind, said}; };
  if (decided_) {
    exchange.failure = decided_;
  } else if (stopped_) {
    // Cut or damaged part of the way: what came is good.
  } else {
    switch (code) {
      case CURLE_OK:
        if (decoding_ && decoder_.finish() == ExpandStatus::kDamaged) {
          if (exchange.body.empty())
            exchange.failure =
                Failure{FailureKind::kBadEncoding, "the compressed data end too early"};
          exchange.body_damaged = true;
        }
        break;
      case CURLE_ABORTED_BY_CALLBACK:  // before_request()
        failed(FailureKind::kConnectionLost);
        break;
      case CURLE_COULDNT_CONNECT:
        failed(connect_failure(curl));
        break;
      case CURLE_OPERATION_TIMEDOUT:
        failed(timeout_kind(curl, exchange.tls.used));
        break;
      case CURLE_PEER_FAILED_VERIFICATION:
        exchange.failure = Failure{
            tls_failure(handshake_.verify_result).value_or(FailureKind::kTlsWrongName),
            handshake_.verify_result == 0 ? said : verify_sentence(handshake_.verify_result)};
        break;
      case CURLE_SSL_CONNECT_ERROR:
      case CURLE_SSL_CIPHER:
      case CURLE_USE_SSL_FAILED:
        failed(FailureKind::kTlsHandshake);
        break;
      case CURLE_SSL_INVALIDCERTSTATUS:
      case CURLE_SSL_ISSUER_ERROR:
        failed(FailureKind::kTlsRevokedOrBad);
        break;
      case CURLE_UNSUPPORTED_PROTOCOL:
      case CURLE_WEIRD_SERVER_REPLY:
      case CURLE_FILESIZE_EXCEEDED:  // a Content-Length that is no length
        failed(FailureKind::kBadResponse);
        break;
      case CURLE_OUT_OF_MEMORY:  // how this curl says that one header line is over its own 100 KiB
        failed(FailureKind::kHeadersTooLarge);
        break;
      case CURLE_COULDNT_RESOLVE_PROXY:
        failed(FailureKind::kNameNotFound);
        break;
      case CURLE_URL_MALFORMAT:
        failed(FailureKind::kBadUrl);
        break;
      case CURLE_SSL_CACERT_BADFILE:
        failed(FailureKind::kInternal);
        break;
      default:  // sent, received, partial, nothing, HTTP/2 stream or frame errors
        failed(FailureKind::kConnectionLost);
        break;
    }
  }
  done = true;
}

}  // namespace periplus
