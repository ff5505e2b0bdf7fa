/* SPDX-License-Identifier: MIT */
/* Private keys that sign, and the certificates that belong to them. */
#ifndef CTESSERA_SIGNING_H
#define CTESSERA_SIGNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CTESSERA_SHA1_SIZE = 20, CTESSERA_SIGNATURE_SIZE = 1024 };

/** The signature algorithms, by their names in JSON web signatures (RFC 7518 section 3.1). */
typedef enum { CTESSERA_PS256, CTESSERA_RS256, CTESSERA_ES256 } ctessera_algorithm;

/** A private key. It is immutable and thread-safe. */
typedef struct ctessera_private_key ctessera_private_key;

/**
 * Create a key of RSA with 2,048 to 8,192 bits, or of the curve P-256.
 *
 * @param der A PrivateKeyInfo (RFC 5208), an RSAPrivateKey (RFC 8017) or an ECPrivateKey
 *     (RFC 5915); with a passphrase, an EncryptedPrivateKeyInfo.
 * @param passphrase NULL for a key that is not encrypted.
 * @return NULL if the bytes are not such a key.
 */
ctessera_private_key *ctessera_private_key_create(const uint8_t *der, size_t size,
                                                  const char *passphrase, size_t passphrase_size);

/** Overwrite and free a key. */
void ctessera_private_key_free(ctessera_private_key *key);

/** Whether the key can sign with an algorithm. */
bool ctessera_private_key_supports(const ctessera_private_key *key, ctessera_algorithm algorithm);

/**
 * Sign a message (RFC 7518 sections 3.3 to 3.5).
 *
 * @param signature Receives at most CTESSERA_SIGNATURE_SIZE bytes.
 * @return The size of the signature; 0 if the key does not support the algorithm, or memory runs
 *     out.
 */
size_t ctessera_private_key_sign(const ctessera_private_key *key, ctessera_algorithm algorithm,
                                 const uint8_t *message, size_t size, uint8_t *signature);

/** Whether a certificate in DER has the public key that belongs to a private key. */
bool ctessera_private_key_matches(const ctessera_private_key *key, const uint8_t *certificate,
                                  size_t size);

/** Receives the private key of a PKCS #12 file as PrivateKeyInfo, then each certificate, in DER. */
typedef void ctessera_pfx_found(void *context, bool is_key, const uint8_t *der, size_t size);

/** Read a PKCS #12 file (RFC 7292). Returns false if the file or the passphrase is invalid. */
bool ctessera_pfx_read(const uint8_t *pfx, size_t size, const char *passphrase, void *context,
                       ctessera_pfx_found *found);

/** Write the SHA-1 digest of bytes, of CTESSERA_SHA1_SIZE bytes. */
void ctessera_sha1(const void *bytes, size_t size, uint8_t *digest);

#endif
