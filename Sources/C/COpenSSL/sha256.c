// Uses the plain SHA-256 functions: EVP would bring all of libcrypto into the program. They are as fast (with the
// processor's own instructions if present) and will stay: OpenSSL 3 discourages them only because they bypass its
// providers.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "COpenSSL.h"

#include <openssl/sha.h>
#include <stdlib.h>

struct co_sha256 {
  SHA256_CTX state;
};

co_sha256 *co_sha256_new(void) {
  co_sha256 *context = malloc(sizeof *context);
  if (context != NULL) SHA256_Init(&context->state);
  return context;
}

void co_sha256_update(co_sha256 *context, const void *bytes, size_t count) {
  SHA256_Update(&context->state, bytes, count);
}

void co_sha256_finish(co_sha256 *context, uint8_t digest[32]) {
  SHA256_Final(digest, &context->state);
  SHA256_Init(&context->state);
}

void co_sha256_free(co_sha256 *context) { free(context); }

void co_sha1(const void *bytes, size_t count, uint8_t digest[20]) { SHA1(bytes, count, digest); }
