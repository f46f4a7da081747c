// A small plain API over libjpeg, libpng and libwebp: the bytes of picture files to 8-bit RGB and back.
// No library header, longjmp, or global state is seen from outside. Every function may be called from any thread;
// one reader belongs to one thread at a time. Sizes are checked by the caller before anything here is called.
#ifndef CIMAGING_H
#define CIMAGING_H

#include <stddef.h>
#include <stdint.h>

enum {
  CI_OK = 0,           // done; with a row reader: a row is ready
  CI_MORE = 1,         // work was done, there is more to do
  CI_DAMAGED = 2,      // a picture came out, and the data was not whole
  CI_FAILED = -1,      // the data cannot be decoded; the message says why
  CI_NO_MEMORY = -2,   // memory ran out
  CI_UNSUPPORTED = -3  // the data is of a kind that is not read here
};

enum { CI_MESSAGE_SIZE = 200 };

// The bytes of a picture file, wherever they lie. `read` copies those from `offset` on into `target`, at most `count`,
// and returns how many: fewer than asked only at the end, and none beyond it. It must not unwind or jump. `whole` is all
// of them where they are in memory, else NULL.
typedef struct {
  const uint8_t *whole;
  void *context;
  size_t (*read)(void *context, uint64_t offset, uint8_t *target, size_t count);
} ci_source;

// JPEG, row by row. What `source` needs must outlive the reader.
typedef struct ci_jpeg_reader ci_jpeg_reader;

// Reads the header. The picture will be the full size scaled by eighths/8, rounded up. More than 500 scans are refused.
// NULL: `*status` says why.
ci_jpeg_reader *ci_jpeg_open(ci_source source, int eighths, int cmyk, int *status, char *message);
uint32_t ci_jpeg_width(const ci_jpeg_reader *reader);
uint32_t ci_jpeg_height(const ci_jpeg_reader *reader);
// Writes the next row: 3 bytes a pixel, RGB, or 4 with `cmyk` (the inks as stored). CI_OK: the row is there; CI_MORE: call
// again (of several scans, all are read before the first row, a part with each call). The last row brings CI_DAMAGED when the data was not whole.
int ci_jpeg_next(ci_jpeg_reader *reader, uint8_t *row, char *message);
void ci_jpeg_close(ci_jpeg_reader *reader);

// `sampling`: 0 is 4:4:4, 1 is 4:2:0. The result is released with ci_release.
int ci_jpeg_encode(const uint8_t *rgb, int width, int height, int quality, int sampling, int progressive,
                   uint8_t **encoded, size_t *encodedLength, char *message);

// PNG, row by row. What `source` needs must outlive the reader.
typedef struct ci_png_reader ci_png_reader;

// Opens and reads the header; refuses what is wider or higher than the given size. NULL: `*status` says why.
ci_png_reader *ci_png_open(ci_source source, uint32_t maxWidth, uint32_t maxHeight, const uint8_t background[3],
                           int *status, char *message);
uint32_t ci_png_width(const ci_png_reader *reader);
uint32_t ci_png_height(const ci_png_reader *reader);
// Writes the next row as RGB over the background. CI_OK: the row is there; CI_MORE: call again (interlaced pictures
// are gathered whole before their first row comes out).
int ci_png_next(ci_png_reader *reader, uint8_t *row, char *message);
void ci_png_close(ci_png_reader *reader);

// 8-bit RGB; `level` is zlib's, 0 to 9. The result is released with ci_release.
int ci_png_encode(const uint8_t *rgb, int width, int height, int level, uint8_t **encoded, size_t *encodedLength,
                  char *message);

// WebP, piece by piece. `pixels` and what `source` needs must outlive the reader.
typedef struct ci_webp_reader ci_webp_reader;

// Decodes to `width` x `height` (scaled down by the library when that is not the full size). `pixels` holds 4 bytes
// a pixel when `alpha`, else 3. `length` is that of the whole file, which is held in memory: the
// library looks back into it, as far as to its beginning when there is an alpha plane.
ci_webp_reader *ci_webp_open(ci_source source, size_t length, int width, int height, int alpha, uint8_t *pixels,
                             int *status, char *message);
// Feeds some more bytes. CI_MORE: call again; CI_OK: the picture is whole; CI_DAMAGED: the data ended early
// and at least one row came out.
int ci_webp_next(ci_webp_reader *reader, char *message);
void ci_webp_close(ci_webp_reader *reader);

// `quality` 0 to 100, or above 100 for lossless. The result is released with ci_release.
int ci_webp_encode(const uint8_t *rgb, int width, int height, float quality, uint8_t **encoded, size_t *encodedLength,
                   char *message);

void ci_release(uint8_t *encoded);

#endif
