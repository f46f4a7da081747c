#include "CZlib.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

struct cz_inflate {
  z_stream stream;
};

uint32_t cz_crc32(uint32_t before, const void *bytes, size_t count) {
  return (uint32_t)crc32_z(before, bytes, count);
}

size_t cz_deflated_bound(size_t count) { return compressBound(count); }

size_t cz_deflate(const uint8_t *bytes, size_t count, int level, uint8_t *target, size_t room) {
  uLongf made = room;
  return compress2(target, &made, bytes, count, level) == Z_OK ? made : 0;
}

cz_inflate *cz_inflate_new(void) {
  cz_inflate *new = calloc(1, sizeof *new);
  if (new == NULL) return NULL;
  if (inflateInit2(&new->stream, -MAX_WBITS) != Z_OK) {
    free(new);
    return NULL;
  }
  return new;
}

void cz_inflate_free(cz_inflate *stream) {
  if (stream == NULL) return;
  inflateEnd(&stream->stream);
  free(stream);
}

int cz_inflate_run(
    cz_inflate *stream, const uint8_t *bytes, size_t count, uint8_t *target, size_t room, size_t *taken, size_t *made) {
  z_stream *z = &stream->stream;
  if (count > UINT_MAX) count = UINT_MAX;
  if (room > UINT_MAX) room = UINT_MAX;
  z->next_in = (Bytef *)bytes;
  z->avail_in = (uInt)count;
  z->next_out = target;
  z->avail_out = (uInt)room;
  int code = inflate(z, Z_NO_FLUSH);
  *taken = count - z->avail_in;
  *made = room - z->avail_out;
  if (code == Z_STREAM_END) return CZ_END;
  // Z_BUF_ERROR: no progress with the given buffers, which is harmless.
  return code == Z_OK || code == Z_BUF_ERROR ? CZ_MORE : CZ_BROKEN;
}
