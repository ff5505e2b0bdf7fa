/* SPDX-License-Identifier: MIT */
/* The functions of BoringSSL that the library needs. swift-crypto compiles BoringSSL and renames its functions; the
   headers of the resolved version declare them. */
#include "ctessera_cipher.h"

#include <string.h>

#include <CCryptoBoringSSL_aead.h>
#include <CCryptoBoringSSL_aes.h>
#include <CCryptoBoringSSL_digest.h>
#include <CCryptoBoringSSL_err.h>
#include <CCryptoBoringSSL_hkdf.h>
#include <CCryptoBoringSSL_mem.h>
#include <CCryptoBoringSSL_sha.h>

_Static_assert(sizeof(ctessera_sha256) >= sizeof(SHA256_CTX), "a hash is larger");
_Static_assert(_Alignof(ctessera_sha256) >= _Alignof(SHA256_CTX), "a hash has a larger alignment");

void ctessera_sha256_start(ctessera_sha256 *hash) {
  SHA256_Init((SHA256_CTX *)hash);
}

void ctessera_sha256_update(ctessera_sha256 *hash, const void *bytes, size_t size) {
  SHA256_Update((SHA256_CTX *)hash, bytes, size);
}

void ctessera_sha256_finish(ctessera_sha256 *hash, uint8_t *digest) {
  SHA256_Final(digest, (SHA256_CTX *)hash);
  OPENSSL_cleanse(hash, sizeof *hash);
}

// Functions that fail add an entry to a list of errors of this thread.
static bool checked(int result) {
  if (result != 1) ERR_clear_error();
  return result == 1;
}

ctessera_gcm *ctessera_gcm_create(const uint8_t *key) {
  EVP_AEAD_CTX *context =
      EVP_AEAD_CTX_new(EVP_aead_aes_256_gcm(), key, CTESSERA_KEY_SIZE, CTESSERA_TAG_SIZE);
  checked(context != NULL);
  return (ctessera_gcm *)context;
}

void ctessera_gcm_free(ctessera_gcm *gcm) {
  EVP_AEAD_CTX_free((EVP_AEAD_CTX *)gcm);
}

bool ctessera_gcm_encrypt(const ctessera_gcm *gcm, const uint8_t *nonce, const void *associated,
                          size_t associated_size, const void *plaintext, size_t size,
                          uint8_t *output) {
  size_t written;
  return checked(EVP_AEAD_CTX_seal((const EVP_AEAD_CTX *)gcm, output, &written,
                                   size + CTESSERA_TAG_SIZE, nonce, CTESSERA_NONCE_SIZE, plaintext,
                                   size, associated, associated_size));
}

bool ctessera_gcm_decrypt(const ctessera_gcm *gcm, const uint8_t *nonce, const void *associated,
                          size_t associated_size, const void *ciphertext, size_t size,
                          uint8_t *output) {
  size_t written;
  return checked(EVP_AEAD_CTX_open((const EVP_AEAD_CTX *)gcm, output, &written,
                                   size - CTESSERA_TAG_SIZE, nonce, CTESSERA_NONCE_SIZE,
                                   ciphertext, size, associated, associated_size));
}

bool ctessera_hkdf(const void *material, size_t material_size, const void *salt, size_t salt_size,
                   const void *info, size_t info_size, uint8_t *key, size_t key_size) {
  return checked(HKDF(key, key_size, EVP_sha256(), material, material_size, salt, salt_size, info,
                      info_size));
}

bool ctessera_cbc_decrypt(const uint8_t *key, const uint8_t *initialization,
                          const void *ciphertext, size_t size, uint8_t *output) {
  AES_KEY schedule;
  uint8_t vector[CTESSERA_BLOCK_SIZE];
  if (AES_set_decrypt_key(key, 8 * CTESSERA_KEY_SIZE, &schedule) != 0) return false;
  memcpy(vector, initialization, sizeof vector);
  AES_cbc_encrypt(ciphertext, output, size, &schedule, vector, AES_DECRYPT);
  OPENSSL_cleanse(&schedule, sizeof schedule);
  return true;
}
