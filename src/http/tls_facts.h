// What a server's certificate says, and what is wrong with it.
#pragma once

#include <optional>

#include "http/exchange.h"

namespace periplus {

// `certificate` is an X509*; null gives nothing but `used`.
TlsFacts describe_certificate(void* certificate);
// Of a connected SSL*.
TlsFacts describe_connection(void* ssl);
// The kind of a verification result (an X509_V_ERR_… of OpenSSL); nothing for X509_V_OK.
std::optional<FailureKind> tls_failure(long verify_result);
std::string verify_sentence(long verify_result);

// Asks OpenSSL to note, in `*note`, the certificate and the result of verification during a
// handshake on `ssl_ctx` (an SSL_CTX*). `note` must outlive the handshake.
struct HandshakeNote {
  TlsFacts facts;
  long verify_result = 0;
};
void watch_handshake(void* ssl_ctx, HandshakeNote* note);

}  // namespace periplus
