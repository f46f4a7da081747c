// SHA-256 and HMAC from OpenSSL's libcrypto; hides its headers from Swift.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct co_sha256 co_sha256;

// NULL if memory is short. Use it from one thread at a time.
co_sha256 *co_sha256_new(void);
void co_sha256_update(co_sha256 *context, const void *bytes, size_t count);
// Writes 32 bytes and leaves the context ready for the next message.
void co_sha256_finish(co_sha256 *context, uint8_t digest[32]);
void co_sha256_free(co_sha256 *context);

// SHA-1, for servers that know no better checksum.
void co_sha1(const void *bytes, size_t count, uint8_t digest[20]);

// HMAC (RFC 2104): with SHA-1 for the signatures of OAuth 1.0 (20 bytes), and with SHA-256 (32 bytes).
void co_hmac_sha1(const uint8_t *key, size_t key_count, const uint8_t *bytes, size_t count, uint8_t digest[20]);
void co_hmac_sha256(const uint8_t *key, size_t key_count, const uint8_t *bytes, size_t count, uint8_t digest[32]);
