// Apart from COpenSSL, because EVP brings all of libcrypto into the program: the server can bear that, the app need not.
#include "CScrypt.h"

#include <openssl/evp.h>

int cs_scrypt(
    const uint8_t *password, size_t password_count, const uint8_t *salt, size_t salt_count, uint64_t n, uint32_t r,
    uint32_t p, uint8_t *hash, size_t hash_count) {
  // What RFC 7914, section 2, says that it takes, and as much again for what goes with it.
  uint64_t memory = 2 * (128ULL * r * n + 128ULL * r * p);
  return EVP_PBE_scrypt(
             (const char *)password, password_count, salt, salt_count, n, r, p, memory, hash, hash_count) == 1;
}
