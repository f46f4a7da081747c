// Uses the plain digests, as sha256.c does: HMAC() goes through EVP and would bring all of libcrypto into the program.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "COpenSSL.h"

#include <openssl/sha.h>
#include <string.h>

// Defines HMAC (RFC 2104, section 2) over one of the digests, all of which have blocks of 64 bytes.
#define DEFINE_HMAC(function, HASH, STATE, LENGTH)                                                                     \
  static void function##_pass(                                                                                         \
      const uint8_t block[64], uint8_t pad, const uint8_t *bytes, size_t count, uint8_t digest[LENGTH]) {              \
    uint8_t padded[64];                                                                                                \
    for (size_t i = 0; i < sizeof padded; i++) padded[i] = block[i] ^ pad;                                             \
    STATE state;                                                                                                       \
    HASH##_Init(&state);                                                                                               \
    HASH##_Update(&state, padded, sizeof padded);                                                                      \
    HASH##_Update(&state, bytes, count);                                                                               \
    HASH##_Final(digest, &state);                                                                                      \
  }                                                                                                                    \
  void function(const uint8_t *key, size_t key_count, const uint8_t *bytes, size_t count, uint8_t digest[LENGTH]) {    \
    uint8_t block[64] = {0};                                                                                           \
    uint8_t inner[LENGTH];                                                                                             \
    if (key_count > sizeof block) {                                                                                    \
      HASH(key, key_count, block);                                                                                     \
    } else if (key_count > 0) {                                                                                        \
      memcpy(block, key, key_count);                                                                                   \
    }                                                                                                                  \
    function##_pass(block, 0x36, bytes, count, inner);                                                                 \
    function##_pass(block, 0x5C, inner, sizeof inner, digest);                                                         \
  }

DEFINE_HMAC(co_hmac_sha1, SHA1, SHA_CTX, SHA_DIGEST_LENGTH)
DEFINE_HMAC(co_hmac_sha256, SHA256, SHA256_CTX, SHA256_DIGEST_LENGTH)
