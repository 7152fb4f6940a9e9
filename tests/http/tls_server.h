// A TLS server for tests, on loopback, with certificates made on the spot.
#pragma once

#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

namespace periplus {

template <auto Free>
struct FreeWith {
  template <class T>
  void operator()(T* what) const {
    Free(what);
  }
};
using Key = std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, FreeWith<X509_free>>;

struct KeyedCertificate {
  Key key;
  Certificate certificate;
};

struct CertificateOrder {
  std::string subject = "127.0.0.1";     // common name
  std::string names = "IP:127.0.0.1";    // subjectAltName; empty: none
  long from_days = -1, until_days = 90;  // from now
  bool authority = false;
};
// Signed by `issuer`, or by itself when that is null.
KeyedCertificate make_certificate(const CertificateOrder& order, const KeyedCertificate* issuer);
// Written to a PEM file in the test's temporary folder; gives its path.
std::string write_pem(const KeyedCertificate& certificate, const std::string& file_name);

class TlsServer {
 public:
  // `answer` gives what is written for each request head, in TLS; over HTTP/2 it is the body.
  using Answer = std::function<std::string(const std::string& head)>;
  struct Options {
    bool http2 = false;                 // takes "h2" when the client offers it
    bool http1_closes = false;          // after each answer
    int max_version = 0;                // of TLS; 0: the newest
    std::string instead_of_hello = {};  // written in the clear, then closed; "close": only closed
  };
  TlsServer(const KeyedCertificate& with, Answer answer, Options options);
  TlsServer(const KeyedCertificate& with, Answer answer) : TlsServer(with, std::move(answer), {}) {}
  ~TlsServer();
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  std::string url(const std::string& path, const std::string& host = "127.0.0.1") const {
    return "https://" + host + ":" + std::to_string(port) + path;
  }

  int port = 0;
  std::atomic<int> connections{0}, resumed{0}, requests{0};

 private:
  void serve();
  void serve_one(int fd);
  void speak(SSL* ssl);
  void speak_http2(SSL* ssl);

  Answer answer_;
  Options options_;
  SSL_CTX* context_ = nullptr;
  int listener_ = -1;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace periplus
