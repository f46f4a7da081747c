#include "COpenSSL.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

int co_hmac_sha1(
    const uint8_t *key, size_t key_count, const uint8_t *bytes, size_t count, uint8_t digest[20]) {
  unsigned int length = 20;
  if (key_count > 1 << 20) return 0;
  // With no bytes at all, a pointer may be NULL, which HMAC takes for "the key from before".
  const uint8_t nothing = 0;
  return HMAC(EVP_sha1(), key ? key : &nothing, (int)key_count, bytes ? bytes : &nothing, count, digest, &length) != NULL;
}
