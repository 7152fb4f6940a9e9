#include "http/tls_facts.h"

#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <ctime>

namespace periplus {
namespace {

std::string name_of(const X509_NAME* name) {
  for (const int part : {NID_commonName, NID_organizationName}) {
    const int at = X509_NAME_get_index_by_NID(name, part, -1);
    if (at < 0) continue;
    unsigned char* text = nullptr;
    const int size =
        ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, at)));
    if (size < 0) continue;
    std::string out(reinterpret_cast<char*>(text), static_cast<std::size_t>(size));
    OPENSSL_free(text);
    return out;
  }
  return {};
}

std::optional<Instant> instant_of(const ASN1_TIME* time) {
  std::tm parts{};
  if (time == nullptr || ASN1_TIME_to_tm(time, &parts) != 1) return std::nullopt;
  return Instant(std::chrono::seconds(timegm(&parts)));
}

int note_index() {
  static const int index = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

int on_verify(int good, X509_STORE_CTX* store) {
  auto* ssl =
      static_cast<SSL*>(X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
  auto* note = static_cast<HandshakeNote*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), note_index()));
  if (note != nullptr) {
    if (X509_STORE_CTX_get_error_depth(store) == 0 || note->facts.issuer.empty())
      note->facts = describe_certificate(X509_STORE_CTX_get0_cert(store));
    if (good == 0 && note->verify_result == X509_V_OK)
      note->verify_result = X509_STORE_CTX_get_error(store);
  }
  return good;
}

}  // namespace

TlsFacts describe_certificate(void* certificate) {
  TlsFacts facts;
  facts.used = true;
  const auto* x509 = static_cast<const X509*>(certificate);
  if (x509 == nullptr) return facts;
  facts.issuer = name_of(X509_get_issuer_name(x509));
  facts.subject = name_of(X509_get_subject_name(x509));
  facts.not_before = instant_of(X509_get0_notBefore(x509));
  facts.not_after = instant_of(X509_get0_notAfter(x509));
  return facts;
}

TlsFacts describe_connection(void* ssl) {
  auto* connection = static_cast<SSL*>(ssl);
  TlsFacts facts = describe_certificate(SSL_get0_peer_certificate(connection));
  facts.version = SSL_get_version(connection);
  return facts;
}

std::optional<FailureKind> tls_failure(long verify_result) {
  switch (verify_result) {
    case X509_V_OK:
      return std::nullopt;
    case X509_V_ERR_CERT_HAS_EXPIRED:
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return FailureKind::kTlsExpired;
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_UNTRUSTED:
      return FailureKind::kTlsUntrusted;
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return FailureKind::kTlsWrongName;
    default:
      return FailureKind::kTlsRevokedOrBad;
  }
}

std::string verify_sentence(long verify_result) {
  return X509_verify_cert_error_string(verify_result);
}

void watch_handshake(void* ssl_ctx, HandshakeNote* note) {
  auto* context = static_cast<SSL_CTX*>(ssl_ctx);
  SSL_CTX_set_ex_data(context, note_index(), note);
  // A kept-alive connection outlives `note`: a server must not be able to start a second handshake.
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_verify(context, SSL_CTX_get_verify_mode(context), on_verify);
}

}  // namespace periplus
