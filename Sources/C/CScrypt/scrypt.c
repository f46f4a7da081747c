// Separate from COpenSSL because EVP brings all of libcrypto into the program, which only the server can afford.
#include "CScrypt.h"

#include <openssl/evp.h>

int cs_scrypt(
    const uint8_t *password, size_t password_count, const uint8_t *salt, size_t salt_count, uint64_t n, uint32_t r,
    uint32_t p, uint8_t *hash, size_t hash_count) {
  // Twice the memory of RFC 7914, section 2, to cover overhead.
  uint64_t memory = 2 * (128ULL * r * n + 128ULL * r * p);
  return EVP_PBE_scrypt(
             (const char *)password, password_count, salt, salt_count, n, r, p, memory, hash, hash_count) == 1;
}
