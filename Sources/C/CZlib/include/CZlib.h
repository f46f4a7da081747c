// The parts of zlib for ZIP archives (the checksum and the inflation) and for pictures on a terminal (the deflation).
#pragma once
#include <stddef.h>
#include <stdint.h>

// The CRC-32 of bytes that follow others with the checksum `before`; 0 at the start.
uint32_t cz_crc32(uint32_t before, const void *bytes, size_t count);

// The most bytes that cz_deflate makes of `count` bytes.
size_t cz_deflated_bound(size_t count);
// A zlib stream (RFC 1950) at a level of 0 to 9. Returns its length; 0 if `room` is too small or memory is short.
size_t cz_deflate(const uint8_t *bytes, size_t count, int level, uint8_t *target, size_t room);

typedef struct cz_inflate cz_inflate;

// A raw deflate stream (RFC 1951), without zlib's own header; NULL if memory is short. One thread at a time may use it.
cz_inflate *cz_inflate_new(void);
void cz_inflate_free(cz_inflate *stream);

// The result of cz_inflate_run: more to come, the end of the stream, or a broken stream (or no memory).
enum { CZ_MORE = 0, CZ_END = 1, CZ_BROKEN = 2 };

// Unpacks at most `room` bytes from at most `count`; reports both numbers used.
int cz_inflate_run(
    cz_inflate *stream, const uint8_t *bytes, size_t count, uint8_t *target, size_t room, size_t *taken, size_t *made);
