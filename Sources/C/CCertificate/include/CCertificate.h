// Keys and self-signed certificates (RFC 5280) from OpenSSL's libcrypto; hides its headers from Swift. All texts are PEM.
// A result that is written to `bytes` has its length returned: 0 if it failed or does not fit into `room`.
#pragma once
#include <stddef.h>
#include <stdint.h>

// A new private key of the curve P-256, in PKCS #8.
size_t ct_new_key(uint8_t *bytes, size_t room);

// The SubjectPublicKeyInfo of a private key, in DER. A key with a passphrase fails; nobody is asked for it.
size_t ct_public_key(const uint8_t *key, size_t key_count, uint8_t *bytes, size_t room);

// A server's certificate of the key. `names` has the form of OpenSSL's subjectAltName: "DNS:club.example,IP:192.0.2.1".
// Times are seconds since 1970.
size_t ct_new_certificate(
    const uint8_t *key, size_t key_count, const char *names, int64_t from, int64_t until, uint8_t *bytes, size_t room);

// 1 if the certificate is of the key, has exactly these names, and is good until that time or longer.
int ct_is_certificate(
    const uint8_t *certificate, size_t certificate_count, const uint8_t *key, size_t key_count, const char *names,
    int64_t until);
