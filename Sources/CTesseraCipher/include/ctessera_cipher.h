/* SPDX-License-Identifier: MIT */
/* Hashes and ciphers. Functions that return false did not change the state of the process, and may be out of memory. */
#ifndef CTESSERA_CIPHER_H
#define CTESSERA_CIPHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  CTESSERA_SHA256_SIZE = 32,
  CTESSERA_KEY_SIZE = 32,
  CTESSERA_NONCE_SIZE = 12,
  CTESSERA_TAG_SIZE = 16,
  CTESSERA_BLOCK_SIZE = 16
};

/** A SHA-256 hash in progress (FIPS 180-4). */
typedef struct {
  uint64_t words[14];
} ctessera_sha256;

/** Start a hash. */
void ctessera_sha256_start(ctessera_sha256 *hash);

/** Add bytes to a hash. */
void ctessera_sha256_update(ctessera_sha256 *hash, const void *bytes, size_t size);

/** Write the digest, which ends the hash. */
void ctessera_sha256_finish(ctessera_sha256 *hash, uint8_t *digest);

/** A key of AES-256-GCM. It is immutable and thread-safe. */
typedef struct ctessera_gcm ctessera_gcm;

/** Create a key from CTESSERA_KEY_SIZE bytes. Returns NULL if memory runs out. */
ctessera_gcm *ctessera_gcm_create(const uint8_t *key);

/** Overwrite and free a key. */
void ctessera_gcm_free(ctessera_gcm *gcm);

/** Encrypt bytes. The output has the size of the plaintext and CTESSERA_TAG_SIZE. */
bool ctessera_gcm_encrypt(const ctessera_gcm *gcm, const uint8_t *nonce, const void *associated,
                          size_t associated_size, const void *plaintext, size_t size,
                          uint8_t *output);

/** Decrypt a ciphertext with its tag. Returns false unless the tag matches. */
bool ctessera_gcm_decrypt(const ctessera_gcm *gcm, const uint8_t *nonce, const void *associated,
                          size_t associated_size, const void *ciphertext, size_t size,
                          uint8_t *output);

/** Derive a key by HKDF with SHA-256 (RFC 5869). */
bool ctessera_hkdf(const void *material, size_t material_size, const void *salt, size_t salt_size,
                   const void *info, size_t info_size, uint8_t *key, size_t key_size);

/**
 * Decrypt AES-256-CBC.
 *
 * The output has the size of the ciphertext, which must be a multiple of CTESSERA_BLOCK_SIZE. The padding remains.
 */
bool ctessera_cbc_decrypt(const uint8_t *key, const uint8_t *initialization,
                          const void *ciphertext, size_t size, uint8_t *output);

#endif
