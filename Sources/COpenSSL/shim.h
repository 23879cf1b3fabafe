#pragma once
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* Swift imports functions and plain constants; what OpenSSL spells as a macro gets one inline function. No logic. */
static inline int copenssl_set_min_version(SSL_CTX *c, int v) { return (int)SSL_CTX_set_min_proto_version(c, v); }
static inline int copenssl_set_max_version(SSL_CTX *c, int v) { return (int)SSL_CTX_set_max_proto_version(c, v); }
static inline void copenssl_set_mode(SSL_CTX *c, long m) { SSL_CTX_set_mode(c, m); }
static inline void copenssl_set_session_cache_mode(SSL_CTX *c, long m) { SSL_CTX_set_session_cache_mode(c, m); }
static inline int copenssl_set_server_name(SSL *s, const char *n) { return (int)SSL_set_tlsext_host_name(s, n); }
static inline EVP_PKEY *copenssl_generate_p256(void) { return EVP_EC_gen("P-256"); }
static inline EVP_PKEY *copenssl_generate_ed25519(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "ED25519"); }

static const uint64_t COPENSSL_OP_NO_RENEGOTIATION = SSL_OP_NO_RENEGOTIATION;
static const uint64_t COPENSSL_OP_NO_COMPRESSION = SSL_OP_NO_COMPRESSION;
static const uint64_t COPENSSL_OP_IGNORE_UNEXPECTED_EOF = SSL_OP_IGNORE_UNEXPECTED_EOF;
static const uint64_t COPENSSL_OP_NO_TICKET = SSL_OP_NO_TICKET;
static const int COPENSSL_BIO_TYPE_SOURCE_SINK = BIO_TYPE_SOURCE_SINK;
static const int COPENSSL_MBSTRING_UTF8 = MBSTRING_UTF8;

static const unsigned long COPENSSL_X509_FLAG_NO_CHECK_TIME = X509_V_FLAG_NO_CHECK_TIME;
static inline EVP_PKEY *copenssl_generate_rsa(int bits) { return EVP_RSA_gen(bits); }
static inline STACK_OF(X509) *copenssl_x509_stack(void) { return sk_X509_new_null(); }
static inline int copenssl_x509_push(STACK_OF(X509) *s, X509 *x) { return sk_X509_push(s, x); }
static inline void copenssl_x509_stack_free(STACK_OF(X509) *s) { sk_X509_free(s); }
static inline int copenssl_x509_count(const STACK_OF(X509) *s) { return sk_X509_num(s); }
static inline X509 *copenssl_x509_at(const STACK_OF(X509) *s, int i) { return sk_X509_value(s, i); }
static inline int copenssl_policy_count(const CERTIFICATEPOLICIES *s) { return sk_POLICYINFO_num(s); }
static inline const ASN1_OBJECT *copenssl_policy_at(const CERTIFICATEPOLICIES *s, int i) {
  return sk_POLICYINFO_value(s, i)->policyid;
}

/* The DNS name at a place among the alternative names: 1 where there is one that fits and has no zero byte. */
static inline int copenssl_dns_name(X509 *x, int place, char *out, int size) {
  GENERAL_NAMES *names = X509_get_ext_d2i(x, NID_subject_alt_name, NULL, NULL);
  int found = 0;
  if (!names) return 0;
  for (int i = 0; i < sk_GENERAL_NAME_num(names); i++) {
    GENERAL_NAME *name = sk_GENERAL_NAME_value(names, i);
    if (name->type != GEN_DNS || place-- != 0) continue;
    int length = ASN1_STRING_length(name->d.dNSName);
    const unsigned char *text = ASN1_STRING_get0_data(name->d.dNSName);
    if (length > 0 && length < size && !memchr(text, 0, length)) {
      memcpy(out, text, length);
      out[length] = 0;
      found = 1;
    }
    break;
  }
  GENERAL_NAMES_free(names);
  return found;
}
