// What a ZIP archive needs of zlib: its checksum, and the unpacking of what was deflated.
#pragma once
#include <stddef.h>
#include <stdint.h>

// The CRC-32 of bytes that come after others with the checksum `before`; 0 before any.
uint32_t cz_crc32(uint32_t before, const void *bytes, size_t count);

typedef struct cz_inflate cz_inflate;

// A raw deflate stream (RFC 1951), without zlib's own header. NULL when memory is short. Used from one thread at a time.
cz_inflate *cz_inflate_new(void);
void cz_inflate_free(cz_inflate *stream);

// What cz_inflate_run found: there is more, the stream has ended, or it is broken (or memory is short).
enum { CZ_MORE = 0, CZ_END = 1, CZ_BROKEN = 2 };

// Unpacks up to `room` bytes from up to `count`; says how many of both it used.
int cz_inflate_run(
    cz_inflate *stream, const uint8_t *bytes, size_t count, uint8_t *target, size_t room, size_t *taken, size_t *made);
