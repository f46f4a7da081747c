// A small plain API over libturbojpeg, libpng and libwebp: bytes in memory to 8-bit RGB and back.
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

// JPEG. `width` x `height` must be the full size scaled by n/8, rounded up. `pixels` holds 3 bytes a pixel, or 4
// with `cmyk` (the inks as stored). More than 500 scans are refused by the library.
int ci_jpeg_decode(const uint8_t *bytes, size_t length, int width, int height, int cmyk, uint8_t *pixels,
                   char *message);

// `sampling`: 0 is 4:4:4, 1 is 4:2:0. The result is released with ci_release.
int ci_jpeg_encode(const uint8_t *rgb, int width, int height, int quality, int sampling, int progressive,
                   uint8_t **encoded, size_t *encodedLength, char *message);

// PNG, row by row. `bytes` must outlive the reader.
typedef struct ci_png_reader ci_png_reader;

// Opens and reads the header; refuses what is wider or higher than the given size. NULL: `*status` says why.
ci_png_reader *ci_png_open(const uint8_t *bytes, size_t length, uint32_t maxWidth, uint32_t maxHeight,
                           const uint8_t background[3], int *status, char *message);
uint32_t ci_png_width(const ci_png_reader *reader);
uint32_t ci_png_height(const ci_png_reader *reader);
// Writes the next row as RGB over the background. CI_OK: the row is there; CI_MORE: call again (interlaced pictures
// are gathered whole before their first row comes out).
int ci_png_next(ci_png_reader *reader, uint8_t *row, char *message);
void ci_png_close(ci_png_reader *reader);

// 8-bit RGB; `level` is zlib's, 0 to 9. The result is released with ci_release.
int ci_png_encode(const uint8_t *rgb, int width, int height, int level, uint8_t **encoded, size_t *encodedLength,
                  char *message);

// WebP, piece by piece. `bytes` and `pixels` must outlive the reader.
typedef struct ci_webp_reader ci_webp_reader;

// Decodes to `width` x `height` (scaled down by the library when that is not the full size). `pixels` holds 4 bytes
// a pixel when `alpha`, else 3.
ci_webp_reader *ci_webp_open(const uint8_t *bytes, size_t length, int width, int height, int alpha, uint8_t *pixels,
                             int *status, char *message);
// Feeds about `piece` more bytes. CI_MORE: call again; CI_OK: the picture is whole; CI_DAMAGED: the data ended early
// and at least one row came out.
int ci_webp_next(ci_webp_reader *reader, size_t piece, char *message);
void ci_webp_close(ci_webp_reader *reader);

// `quality` 0 to 100, or above 100 for lossless. The result is released with ci_release.
int ci_webp_encode(const uint8_t *rgb, int width, int height, float quality, uint8_t **encoded, size_t *encodedLength,
                   char *message);

void ci_release(uint8_t *encoded);

#endif
