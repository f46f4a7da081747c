#include "COpenSSL.h"

#include <openssl/evp.h>
#include <stdlib.h>

struct co_sha256 {
  EVP_MD_CTX *evp;
};

co_sha256 *co_sha256_new(void) {
  co_sha256 *context = malloc(sizeof *context);
  if (context == NULL) return NULL;
  context->evp = EVP_MD_CTX_new();
  if (context->evp == NULL || EVP_DigestInit_ex(context->evp, EVP_sha256(), NULL) != 1) {
    co_sha256_free(context);
    return NULL;
  }
  return context;
}

void co_sha256_update(co_sha256 *context, const void *bytes, size_t count) {
  EVP_DigestUpdate(context->evp, bytes, count);
}

void co_sha256_finish(co_sha256 *context, uint8_t digest[32]) {
  unsigned int length = 32;
  EVP_DigestFinal_ex(context->evp, digest, &length);
  EVP_DigestInit_ex(context->evp, EVP_sha256(), NULL);
}

void co_sha256_free(co_sha256 *context) {
  if (context == NULL) return;
  EVP_MD_CTX_free(context->evp);
  free(context);
}
