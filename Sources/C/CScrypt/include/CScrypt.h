// scrypt (RFC 7914) from OpenSSL's libcrypto; hides its headers from Swift.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Writes the hash of a password. Returns 1, or 0 if the parameters are not allowed or memory is short.
int cs_scrypt(
    const uint8_t *password, size_t password_count, const uint8_t *salt, size_t salt_count, uint64_t n, uint32_t r,
    uint32_t p, uint8_t *hash, size_t hash_count);
