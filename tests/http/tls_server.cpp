#include "http/tls_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <vector>

namespace periplus {
namespace {

constexpr long kDay = 24L * 60 * 60;

void extend(X509* certificate, X509* issuer, int which, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, which, value.c_str());
  EXPECT_NE(extension, nullptr) << value;
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

int choose_h2(SSL*, const unsigned char** out, unsigned char* size, const unsigned char* in,
              unsigned int in_size, void*) {
  static const unsigned char h2[] = "\x02h2";
  unsigned char* chosen = nullptr;
  if (SSL_select_next_proto(&chosen, size, h2, 3, in, in_size) != OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_NOACK;
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

bool read_all(SSL* ssl, void* to, std::size_t size) {
  auto* at = static_cast<char*>(to);
  while (size > 0) {
    const int got = SSL_read(ssl, at, static_cast<int>(size));
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

void write_frame(SSL* ssl, int type, int flags, std::uint32_t stream, std::string_view payload) {
  std::string out;
  const auto put = [&](std::uint32_t value, int octets) {
    for (int shift = (octets - 1) * 8; shift >= 0; shift -= 8)
      out += static_cast<char>((value >> static_cast<unsigned>(shift)) & 0xffU);
  };
  put(static_cast<std::uint32_t>(payload.size()), 3);
  put(static_cast<std::uint32_t>(type), 1);
  put(static_cast<std::uint32_t>(flags), 1);
  put(stream, 4);
  out += payload;
  SSL_write(ssl, out.data(), static_cast<int>(out.size()));
}

}  // namespace

KeyedCertificate make_certificate(const CertificateOrder& order, const KeyedCertificate* issuer) {
  static std::atomic<long> serial{1};
  KeyedCertificate out{Key(EVP_EC_gen("P-256")), Certificate(X509_new())};
  X509* const made = out.certificate.get();
  const KeyedCertificate& by = issuer == nullptr ? out : *issuer;
  X509_set_version(made, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(made), serial++);
  X509_gmtime_adj(X509_getm_notBefore(made), order.from_days * kDay);
  X509_gmtime_adj(X509_getm_notAfter(made), order.until_days * kDay);
  X509_set_pubkey(made, out.key.get());
  X509_NAME_add_entry_by_txt(X509_get_subject_name(made), "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(order.subject.c_str()), -1, -1,
                             0);
  X509_set_issuer_name(made, X509_get_subject_name(by.certificate.get()));
  if (order.authority)
    extend(made, by.certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
  if (!order.names.empty()) extend(made, by.certificate.get(), NID_subject_alt_name, order.names);
  X509_sign(made, by.key.get(), EVP_sha256());
  return out;
}

std::string write_pem(const KeyedCertificate& certificate, const std::string& file_name) {
  const std::string path = testing::TempDir() + file_name;
  std::FILE* file = std::fopen(path.c_str(), "wb");
  EXPECT_NE(file, nullptr) << path;
  PEM_write_X509(file, certificate.certificate.get());
  std::fclose(file);
  return path;
}

TlsServer::TlsServer(const KeyedCertificate& with, Answer answer, Options options)
    : answer_(std::move(answer)), options_(std::move(options)) {
  std::signal(SIGPIPE, SIG_IGN);  // a client that hangs up is no fault
  context_ = SSL_CTX_new(TLS_server_method());
  SSL_CTX_use_certificate(context_, with.certificate.get());
  SSL_CTX_use_PrivateKey(context_, with.key.get());
  if (options_.max_version != 0) SSL_CTX_set_max_proto_version(context_, options_.max_version);
  if (options_.http2) SSL_CTX_set_alpn_select_cb(context_, choose_h2, nullptr);
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  bind(listener_, reinterpret_cast<sockaddr*>(&at), sizeof at);
  listen(listener_, 16);
  socklen_t size = sizeof at;
  getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &size);
  port = ntohs(at.sin_port);
  thread_ = std::thread([this] { serve(); });
}

TlsServer::~TlsServer() {
  stop_ = true;
  thread_.join();
  close(listener_);
  SSL_CTX_free(context_);
}

// Each connection has a thread of its own, so that one kept alive does not hold up the next.
void TlsServer::serve() {
  std::vector<std::thread> peers;
  while (!stop_) {
    pollfd polled{listener_, POLLIN, 0};
    if (poll(&polled, 1, 20) <= 0) continue;
    const int fd = accept(listener_, nullptr, nullptr);
    ++connections;
    peers.emplace_back([this, fd] { serve_one(fd); });
  }
  for (std::thread& peer : peers) peer.join();
}

void TlsServer::serve_one(int fd) {
  if (!options_.instead_of_hello.empty()) {
    char hello[2048];
    if (recv(fd, hello, sizeof hello, 0) > 0 && options_.instead_of_hello != "close")
      send(fd, options_.instead_of_hello.data(), options_.instead_of_hello.size(), MSG_NOSIGNAL);
    close(fd);
    return;
  }
  SSL* const ssl = SSL_new(context_);
  SSL_set_fd(ssl, fd);
  if (SSL_accept(ssl) == 1) {
    if (SSL_session_reused(ssl) == 1) ++resumed;
    const unsigned char* protocol = nullptr;
    unsigned int size = 0;
    SSL_get0_alpn_selected(ssl, &protocol, &size);
    if (size == 2) {
      speak_http2(ssl);
    } else {
      speak(ssl);
    }
    SSL_shutdown(ssl);
  }
  SSL_free(ssl);
  close(fd);
}

void TlsServer::speak(SSL* ssl) {
  std::string read;
  while (!stop_) {
    pollfd polled{SSL_get_fd(ssl), POLLIN, 0};
    if (SSL_pending(ssl) == 0 && poll(&polled, 1, 20) <= 0) continue;
    char buffer[4096];
    const int got = SSL_read(ssl, buffer, sizeof buffer);
    if (got <= 0) return;
    read.append(buffer, static_cast<std::size_t>(got));
    const std::size_t end = read.find("\r\n\r\n");
    if (end == std::string::npos) continue;
    const std::string head = read.substr(0, end + 4);
    read.erase(0, end + 4);
    ++requests;
    const std::string answer = answer_(head);
    SSL_write(ssl, answer.data(), static_cast<int>(answer.size()));
    if (options_.http1_closes) return;
  }
}

// As little of RFC 9113 as answers a GET: our settings, then for each HEADERS frame ":status: 200"
// (entry 8 of HPACK's static table) and the body.
void TlsServer::speak_http2(SSL* ssl) {
  char preface[24];
  if (!read_all(ssl, preface, sizeof preface)) return;
  write_frame(ssl, 4, 0, 0, {});
  while (!stop_) {
    pollfd polled{SSL_get_fd(ssl), POLLIN, 0};
    if (SSL_pending(ssl) == 0 && poll(&polled, 1, 20) <= 0) continue;
    unsigned char head[9];
    if (!read_all(ssl, head, sizeof head)) return;
    const std::size_t size = std::size_t{head[0]} << 16U | std::size_t{head[1]} << 8U | head[2];
    std::string payload(size, '\0');
    if (!read_all(ssl, payload.data(), size)) return;
    const std::uint32_t stream = std::uint32_t{head[5]} << 24U | std::uint32_t{head[6]} << 16U |
                                 std::uint32_t{head[7]} << 8U | head[8];
    if (head[3] == 4 && (head[4] & 1U) == 0) write_frame(ssl, 4, 1, 0, {});
    if (head[3] != 1) continue;
    ++requests;
    write_frame(ssl, 1, 4, stream, "\x88");
    write_frame(ssl, 0, 1, stream, answer_({}));
  }
}

}  // namespace periplus
