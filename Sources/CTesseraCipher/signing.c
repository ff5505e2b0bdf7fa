/* SPDX-License-Identifier: MIT */
/* Signatures with the functions of BoringSSL. */
#include "ctessera_signing.h"

#include <CCryptoBoringSSL_bytestring.h>
#include <CCryptoBoringSSL_ec.h>
#include <CCryptoBoringSSL_ec_key.h>
#include <CCryptoBoringSSL_ecdsa.h>
#include <CCryptoBoringSSL_err.h>
#include <CCryptoBoringSSL_evp.h>
#include <CCryptoBoringSSL_mem.h>
#include <CCryptoBoringSSL_nid.h>
#include <CCryptoBoringSSL_pkcs8.h>
#include <CCryptoBoringSSL_rsa.h>
#include <CCryptoBoringSSL_sha.h>
#include <CCryptoBoringSSL_stack.h>
#include <CCryptoBoringSSL_x509.h>

enum { LEAST_RSA_BITS = 2048, MOST_RSA_BITS = 8 * CTESSERA_SIGNATURE_SIZE, P256_SIZE = 32 };

static EVP_PKEY *key_of(const ctessera_private_key *key) {
  return (EVP_PKEY *)(uintptr_t)key;
}

static bool is_supported(const EVP_PKEY *key) {
  switch (EVP_PKEY_id(key)) {
    case EVP_PKEY_RSA: {
      int bits = EVP_PKEY_bits(key);
      return bits >= LEAST_RSA_BITS && bits <= MOST_RSA_BITS;
    }
    case EVP_PKEY_EC: {
      const EC_GROUP *group = EC_KEY_get0_group(EVP_PKEY_get0_EC_KEY(key));
      return group != NULL && EC_GROUP_get_curve_name(group) == NID_X9_62_prime256v1;
    }
    default:
      return false;
  }
}

// The three forms of a key that is not encrypted.
static EVP_PKEY *parsed(const uint8_t *der, size_t size) {
  CBS bytes;
  CBS_init(&bytes, der, size);
  EVP_PKEY *key = EVP_parse_private_key(&bytes);
  if (key != NULL) return key;
  key = EVP_PKEY_new();
  if (key == NULL) return NULL;
  CBS_init(&bytes, der, size);
  RSA *rsa = RSA_parse_private_key(&bytes);
  if (rsa != NULL && EVP_PKEY_assign_RSA(key, rsa)) return key;
  RSA_free(rsa);
  CBS_init(&bytes, der, size);
  EC_KEY *ec = EC_KEY_parse_private_key(&bytes, NULL);
  if (ec != NULL && EVP_PKEY_assign_EC_KEY(key, ec)) return key;
  EC_KEY_free(ec);
  EVP_PKEY_free(key);
  return NULL;
}

ctessera_private_key *ctessera_private_key_create(const uint8_t *der, size_t size,
                                                  const char *passphrase, size_t passphrase_size) {
  CBS bytes;
  CBS_init(&bytes, der, size);
  EVP_PKEY *key = passphrase != NULL
                      ? PKCS8_parse_encrypted_private_key(&bytes, passphrase, passphrase_size)
                      : parsed(der, size);
  if (key != NULL && !is_supported(key)) {
    EVP_PKEY_free(key);
    key = NULL;
  }
  ERR_clear_error();
  return (ctessera_private_key *)key;
}

void ctessera_private_key_free(ctessera_private_key *key) {
  EVP_PKEY_free((EVP_PKEY *)key);
}

bool ctessera_private_key_supports(const ctessera_private_key *key, ctessera_algorithm algorithm) {
  return (EVP_PKEY_id(key_of(key)) == EVP_PKEY_EC) == (algorithm == CTESSERA_ES256);
}

static size_t signed_by_rsa(EVP_PKEY *key, bool is_pss, const uint8_t *message, size_t size,
                            uint8_t *signature) {
  EVP_MD_CTX context;
  EVP_PKEY_CTX *options;
  size_t written = CTESSERA_SIGNATURE_SIZE;
  EVP_MD_CTX_init(&context);
  bool is_signed = EVP_DigestSignInit(&context, &options, EVP_sha256(), NULL, key) == 1 &&
                   (!is_pss || (EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) == 1 &&
                                // A salt with the size of the digest.
                                EVP_PKEY_CTX_set_rsa_pss_saltlen(options, -1) == 1)) &&
                   EVP_DigestSign(&context, signature, &written, message, size) == 1;
  EVP_MD_CTX_cleanup(&context);
  return is_signed ? written : 0;
}

static size_t signed_by_p256(const EC_KEY *key, const uint8_t *message, size_t size,
                             uint8_t *signature) {
  uint8_t digest[SHA256_DIGEST_LENGTH];
  SHA256(message, size, digest);
  ECDSA_SIG *numbers = ECDSA_do_sign(digest, sizeof digest, key);
  bool is_written = numbers != NULL && BN_bn2bin_padded(signature, P256_SIZE, numbers->r) == 1 &&
                    BN_bn2bin_padded(signature + P256_SIZE, P256_SIZE, numbers->s) == 1;
  ECDSA_SIG_free(numbers);
  return is_written ? 2 * P256_SIZE : 0;
}

size_t ctessera_private_key_sign(const ctessera_private_key *key, ctessera_algorithm algorithm,
                                 const uint8_t *message, size_t size, uint8_t *signature) {
  if (!ctessera_private_key_supports(key, algorithm)) return 0;
  size_t written =
      algorithm == CTESSERA_ES256
          ? signed_by_p256(EVP_PKEY_get0_EC_KEY(key_of(key)), message, size, signature)
          : signed_by_rsa(key_of(key), algorithm == CTESSERA_PS256, message, size, signature);
  ERR_clear_error();
  return written;
}

bool ctessera_private_key_matches(const ctessera_private_key *key, const uint8_t *certificate,
                                  size_t size) {
  const uint8_t *bytes = certificate;
  X509 *parsed = d2i_X509(NULL, &bytes, (long)size);
  EVP_PKEY *public_key = parsed != NULL ? X509_get0_pubkey(parsed) : NULL;
  bool is_match = public_key != NULL && EVP_PKEY_cmp(public_key, key_of(key)) == 1;
  X509_free(parsed);
  ERR_clear_error();
  return is_match;
}

// The key as PrivateKeyInfo. Its copy is overwritten.
static bool report_key(const EVP_PKEY *key, void *context, ctessera_pfx_found *found) {
  CBB output;
  uint8_t *der = NULL;
  size_t size = 0;
  bool is_written = CBB_init(&output, 2048) && EVP_marshal_private_key(&output, key) == 1 &&
                    CBB_finish(&output, &der, &size) == 1;
  if (!is_written) {
    CBB_cleanup(&output);
    return false;
  }
  found(context, true, der, size);
  OPENSSL_cleanse(der, size);
  OPENSSL_free(der);
  return true;
}

static bool report_certificate(X509 *certificate, void *context, ctessera_pfx_found *found) {
  uint8_t *der = NULL;
  int size = i2d_X509(certificate, &der);
  if (size <= 0) return false;
  found(context, false, der, (size_t)size);
  OPENSSL_free(der);
  return true;
}

bool ctessera_pfx_read(const uint8_t *pfx, size_t size, const char *passphrase, void *context,
                       ctessera_pfx_found *found) {
  CBS bytes;
  EVP_PKEY *key = NULL;
  STACK_OF(X509) *certificates = sk_X509_new_null();
  CBS_init(&bytes, pfx, size);
  bool is_read = certificates != NULL &&
                 PKCS12_get_key_and_certs(&key, certificates, &bytes, passphrase) == 1 &&
                 key != NULL && report_key(key, context, found);
  for (size_t index = 0; is_read && index < sk_X509_num(certificates); index++) {
    is_read = report_certificate(sk_X509_value(certificates, index), context, found);
  }
  sk_X509_pop_free(certificates, X509_free);
  EVP_PKEY_free(key);
  ERR_clear_error();
  return is_read;
}

void ctessera_sha1(const void *bytes, size_t size, uint8_t *digest) {
  SHA1(bytes, size, digest);
}
