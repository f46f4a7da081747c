// As in sha256.c: the plain SHA-1 functions, because EVP would bring all of libcrypto into the program.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "COpenSSL.h"

#include <openssl/sha.h>
#include <string.h>

// SHA-1 over one padded block of the key and then the bytes (RFC 2104, section 2).
static void digest_after(
    const uint8_t block[SHA_CBLOCK], uint8_t pad, const uint8_t *bytes, size_t count, uint8_t digest[SHA_DIGEST_LENGTH]) {
  uint8_t padded[SHA_CBLOCK];
  for (size_t i = 0; i < sizeof padded; i++) padded[i] = block[i] ^ pad;
  SHA_CTX state;
  SHA1_Init(&state);
  SHA1_Update(&state, padded, sizeof padded);
  SHA1_Update(&state, bytes, count);
  SHA1_Final(digest, &state);
}

void co_hmac_sha1(const uint8_t *key, size_t key_count, const uint8_t *bytes, size_t count, uint8_t digest[20]) {
  uint8_t block[SHA_CBLOCK] = {0};
  uint8_t inner[SHA_DIGEST_LENGTH];
  if (key_count > sizeof block) {
    SHA1(key, key_count, block);
  } else if (key_count > 0) {
    memcpy(block, key, key_count);
  }
  digest_after(block, 0x36, bytes, count, inner);
  digest_after(block, 0x5C, inner, sizeof inner, digest);
}
