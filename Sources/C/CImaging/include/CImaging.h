// A small plain API over libjpeg, libpng, libwebp, giflib, libheif and littleCMS: converts picture files to 8-bit sRGB and back. It hides
// library headers, longjmp and global state. A colour profile that is damaged counts as none. Any thread may call any
// function; one reader belongs to one thread at a time. Callers check sizes before any call.
#ifndef CIMAGING_H
#define CIMAGING_H

#include <stddef.h>
#include <stdint.h>

enum {
  CI_OK = 0,           // done; for a row reader: a row is ready
  CI_MORE = 1,         // progress was made, more work remains
  CI_DAMAGED = 2,      // a picture was decoded from incomplete data
  CI_FAILED = -1,      // the data cannot be decoded; the message has the reason
  CI_NO_MEMORY = -2,   // out of memory
  CI_UNSUPPORTED = -3, // the kind of data is not supported
  CI_TOO_MANY = -4     // a JPEG has more scans than allowed
};

enum { CI_MESSAGE_SIZE = 200 };

// The bytes of a picture file, in memory or elsewhere. `read` copies at most `count` bytes from `offset` into `target`
// and returns their number: fewer only at the end, 0 beyond it. It must not unwind or jump. `whole` is the start of all
// bytes in memory, else NULL.
typedef struct {
  const uint8_t *whole;
  void *context;
  size_t (*read)(void *context, uint64_t offset, uint8_t *target, size_t count);
} ci_source;

// Loads littleCMS 2, which applies the colour profiles of pictures. It happens at the first profile unless before, but a
// locked process cannot. False without the library: then profiles are not applied.
int ci_load_colours(void);

// JPEG, row by row. The source's data must outlive the reader.
typedef struct ci_jpeg_reader ci_jpeg_reader;

// Reads the header. The picture will be the full size scaled by eighths/8, rounded up. Reading stops with CI_TOO_MANY
// at the first scan after `scans`. NULL: `*status` is the reason.
ci_jpeg_reader *ci_jpeg_open(ci_source source, int eighths, int scans, int *status, char *message);
uint32_t ci_jpeg_width(const ci_jpeg_reader *reader);
uint32_t ci_jpeg_height(const ci_jpeg_reader *reader);
// Writes the next row: 3 bytes a pixel. CI_OK: the row is ready; CI_MORE: call again (for several scans, each call reads
// a part, and all are read before the first row). The last row returns CI_DAMAGED if the data was incomplete.
int ci_jpeg_next(ci_jpeg_reader *reader, uint8_t *row, char *message);
// Only for one scan, before the first row: rows will hold `*columns` pixels from `*left` on, widened by the library to
// whole blocks. CI_UNSUPPORTED for several scans.
int ci_jpeg_crop(ci_jpeg_reader *reader, uint32_t *left, uint32_t *columns, char *message);
// Skips at most `rows` rows, much faster than reading them. Returns their number, or a negative status.
int64_t ci_jpeg_skip(ci_jpeg_reader *reader, uint32_t rows, char *message);
// The rows of whole blocks; skipping is fastest in multiples of them.
uint32_t ci_jpeg_block_rows(const ci_jpeg_reader *reader);
void ci_jpeg_close(ci_jpeg_reader *reader);

// `sampling`: 0 is 4:4:4, 1 is 4:2:0. Release the result with ci_release.
int ci_jpeg_encode(const uint8_t *rgb, int width, int height, int quality, int sampling, int progressive,
                   uint8_t **encoded, size_t *encodedLength, char *message);

// PNG, row by row. The source's data must outlive the reader.
typedef struct ci_png_reader ci_png_reader;

// Opens and reads the header; refuses pictures wider or higher than the given size. NULL: `*status` is the reason.
ci_png_reader *ci_png_open(ci_source source, uint32_t maxWidth, uint32_t maxHeight, const uint8_t background[3],
                           int *status, char *message);
uint32_t ci_png_width(const ci_png_reader *reader);
uint32_t ci_png_height(const ci_png_reader *reader);
// Writes the next row as RGB over the background. CI_OK: the row is ready; CI_MORE: call again (interlaced pictures are
// read whole before their first row).
int ci_png_next(ci_png_reader *reader, uint8_t *row, char *message);
void ci_png_close(ci_png_reader *reader);

// GIF, row by row: the first frame, in its place in the whole picture. The source's data must outlive the reader.
typedef struct ci_gif_reader ci_gif_reader;

// Reads up to the first frame. NULL: `*status` is the reason.
ci_gif_reader *ci_gif_open(ci_source source, const uint8_t background[3], int *status, char *message);
// Of the whole picture, and of the frame if that goes beyond it.
uint32_t ci_gif_width(const ci_gif_reader *reader);
uint32_t ci_gif_height(const ci_gif_reader *reader);
// As ci_png_next.
int ci_gif_next(ci_gif_reader *reader, uint8_t *row, char *message);
void ci_gif_close(ci_gif_reader *reader);

// Unpacks a zlib stream up to `room` bytes, or as far as it is whole. Returns the number of bytes.
size_t ci_png_inflate(const void *bytes, size_t count, uint8_t *target, size_t room);

// 8-bit RGB; `level` is zlib's, 0 to 9. Release the result with ci_release.
int ci_png_encode(const uint8_t *rgb, int width, int height, int level, uint8_t **encoded, size_t *encodedLength,
                  char *message);

// WebP, piece by piece. `pixels` and the source's data must outlive the reader.
typedef struct ci_webp_reader ci_webp_reader;

// Decodes to `width` x `height` (the library scales down from the full size). `pixels` holds 4 bytes a pixel with
// `alpha`, else 3. `profile` is that of the colours, or NULL. `length` is the size of the whole file, which is held in
// memory: the library reads back in it, up to its beginning if there is an alpha plane.
ci_webp_reader *ci_webp_open(ci_source source, size_t length, int width, int height, int alpha, uint8_t *pixels,
                             const uint8_t *profile, size_t profileLength, int *status, char *message);
// Feeds some more bytes, then converts some rows. CI_MORE: call again; CI_OK: the picture is complete; CI_DAMAGED: the
// data ended early, and at least one row was decoded.
int ci_webp_next(ci_webp_reader *reader, char *message);
void ci_webp_close(ci_webp_reader *reader);

// `quality` 0 to 100, or above 100 for lossless. Release the result with ci_release.
int ci_webp_encode(const uint8_t *rgb, int width, int height, float quality, uint8_t **encoded, size_t *encodedLength,
                   char *message);

// HEIC, HEIF and AVIF by libheif 1, which the build does not need. `ci_load_heif` loads it with its dozen of libraries and
// says if it is there; a locked process cannot load it. Without it, nothing below is called.
int ci_load_heif(void);
int ci_has_heif(void);

// The colours: by a curve for high dynamic range (16 is PQ, 18 HLG), else by an ICC profile, else by a gamma; without all
// three they are those of screens. Curve and gamma come with white, red, green and blue (x and y).
typedef struct {
  int transfer;
  const uint8_t *profile;
  size_t profileLength;
  double gamma;
  double chroma[8];
} ci_heif_colours;

typedef struct ci_heif_reader ci_heif_reader;

// Decodes the first picture of a file, or the small one of it that is that item; turned, mirrored and cut as the file says.
// The library holds all of it, and starts threads even if `threads` is 0: that adds more for the tiles of a large picture.
// NULL: `*status` is the reason.
ci_heif_reader *ci_heif_open(const uint8_t *bytes, size_t length, uint32_t item, int threads, ci_heif_colours colours,
                             int *status, char *message);
uint32_t ci_heif_width(const ci_heif_reader *reader);
uint32_t ci_heif_height(const ci_heif_reader *reader);
// Writes a row as RGB over the background. Each row is read once.
void ci_heif_row(ci_heif_reader *reader, uint32_t y, const uint8_t background[3], uint8_t *row);
void ci_heif_close(ci_heif_reader *reader);

void ci_release(uint8_t *encoded);

#endif
