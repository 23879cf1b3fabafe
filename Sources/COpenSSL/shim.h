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

static const uint64_t COPENSSL_OP_NO_RENEGOTIATION = SSL_OP_NO_RENEGOTIATION;
static const uint64_t COPENSSL_OP_NO_COMPRESSION = SSL_OP_NO_COMPRESSION;
static const uint64_t COPENSSL_OP_IGNORE_UNEXPECTED_EOF = SSL_OP_IGNORE_UNEXPECTED_EOF;
static const uint64_t COPENSSL_OP_NO_TICKET = SSL_OP_NO_TICKET;
static const int COPENSSL_MBSTRING_UTF8 = MBSTRING_UTF8;
