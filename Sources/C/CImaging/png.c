#define _GNU_SOURCE
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "CImaging.h"
#include "colours.h"
#include "message.h"

// libpng reports errors by longjmp. Every entry point below sets its own jump target, and only libpng's frames lie
// between it and the jump.
struct ci_png_reader {
  png_structp png;
  png_infop info;
  ci_source source;
  uint64_t offset;  // of the next read
  uint32_t width, height;
  int channels;
  int isGrey;         // in the file
  int passes;
  int pass;           // interlaced: the current pass
  uint32_t y;         // the next row to be read or returned
  uint8_t *whole;     // interlaced: all rows
  uint8_t *line;      // one row from libpng
  uint8_t *narrow;    // one row of bytes, where libpng's samples have 16 bits, because colours are made of them
  uint8_t background[3];
  ci_colours *colours;
  int noMemory;
  jmp_buf landing;
  char message[CI_MESSAGE_SIZE];
};

static void read_bytes(png_structp png, png_bytep target, size_t count) {
  ci_png_reader *reader = png_get_io_ptr(png);
  size_t got = reader->source.read(reader->source.context, reader->offset, target, count);
  if (got != count) png_error(png, "the data ends too early");
  reader->offset += count;
}

static void fail(png_structp png, png_const_charp text) {
  ci_png_reader *reader = png_get_error_ptr(png);
  ci_say(reader->message, text);
  longjmp(reader->landing, 1);
}

static void ignore(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static int failed(ci_png_reader *reader, char *message) {
  ci_say(message, reader->message);
  if (reader->noMemory || strcasestr(reader->message, "memory") != NULL) return CI_NO_MEMORY;
  return CI_FAILED;
}

// What iCCP, or without sRGB gAMA and cHRM say (PNG, third edition, section 4.3).
static ci_colours *described(ci_png_reader *reader, int bits) {
  png_structp png = reader->png;
  png_charp name;
  png_bytep profile;
  png_uint_32 length;
  int compression, intent;
  if (png_get_iCCP(png, reader->info, &name, &compression, &profile, &length) != 0) {
    return ci_colours_by_profile(profile, length, reader->isGrey ? CI_GREY : CI_RGB, reader->channels, bits);
  }
  double gamma, chroma[8];
  if (png_get_sRGB(png, reader->info, &intent) != 0 || png_get_gAMA(png, reader->info, &gamma) == 0) return NULL;
  int isPlaced = png_get_cHRM(png, reader->info, &chroma[0], &chroma[1], &chroma[2], &chroma[3], &chroma[4], &chroma[5],
                              &chroma[6], &chroma[7]) != 0;
  return ci_colours_by_gamma(gamma, isPlaced ? chroma : NULL, reader->channels, bits);
}

ci_png_reader *ci_png_open(ci_source source, uint32_t maxWidth, uint32_t maxHeight, const uint8_t background[3],
                           int *status, char *message) {
  message[0] = 0;
  *status = CI_NO_MEMORY;
  ci_png_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->source = source;
  memcpy(reader->background, background, 3);
  if (setjmp(reader->landing) != 0) {
    *status = failed(reader, message);
    ci_png_close(reader);
    return NULL;
  }
  reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, fail, ignore);
  if (reader->png != NULL) reader->info = png_create_info_struct(reader->png);
  if (reader->info == NULL) {
    ci_png_close(reader);
    return NULL;
  }
  png_structp png = reader->png;
  png_set_read_fn(png, reader, read_bytes);
  png_set_user_limits(png, maxWidth, maxHeight);
  png_set_chunk_cache_max(png, 64);
  png_set_chunk_malloc_max(png, 4 * 1024 * 1024);
  png_set_crc_action(png, PNG_CRC_DEFAULT, PNG_CRC_WARN_DISCARD);
  png_set_option(png, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
  // Texts and the like are not used and never inflated.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, (png_const_bytep) "zTXt\0iTXt\0tEXt\0eXIf\0sPLT\0hIST", 6);
  png_read_info(png, reader->info);
  reader->width = png_get_image_width(png, reader->info);
  reader->height = png_get_image_height(png, reader->info);
  reader->isGrey = (png_get_color_type(png, reader->info) & PNG_COLOR_MASK_COLOR) == 0;
  int bits = png_get_bit_depth(png, reader->info) == 16 ? 16 : 8;
  int isTransparent = (png_get_color_type(png, reader->info) & PNG_COLOR_MASK_ALPHA) != 0 ||
                      png_get_valid(png, reader->info, PNG_INFO_tRNS) != 0;
  reader->channels = isTransparent ? 4 : 3;
  reader->colours = described(reader, bits);
  if (reader->colours == NULL) {
    png_set_scale_16(png);
    bits = 8;
  }
  png_set_expand(png);  // palettes, small grey depths and tRNS become full samples
  png_set_gray_to_rgb(png);
  reader->passes = png_set_interlace_handling(png);
  png_read_update_info(png, reader->info);
  size_t narrowBytes = (size_t)reader->width * reader->channels, rowBytes = narrowBytes * (bits / 8);
  if (png_get_channels(png, reader->info) != reader->channels || png_get_rowbytes(png, reader->info) != rowBytes) {
    ci_say(message, "its samples are of an unknown kind");
    *status = CI_UNSUPPORTED;
    ci_png_close(reader);
    return NULL;
  }
  if (reader->passes > 1) {
    reader->whole = calloc(reader->height, rowBytes);
  } else {
    reader->line = malloc(rowBytes);
  }
  if (bits == 16) reader->narrow = malloc(narrowBytes);
  if ((reader->whole == NULL && reader->line == NULL) || (bits == 16 && reader->narrow == NULL)) {
    ci_png_close(reader);
    return NULL;
  }
  *status = CI_OK;
  return reader;
}

uint32_t ci_png_width(const ci_png_reader *reader) { return reader->width; }

uint32_t ci_png_height(const ci_png_reader *reader) { return reader->height; }

static void hand_out(const ci_png_reader *reader, uint8_t *line, uint8_t *row) {
  uint8_t *wide = line;
  if (reader->narrow != NULL) line = reader->narrow;
  ci_colours_convert(reader->colours, wide, line, reader->width);
  if (reader->channels == 3) {
    memcpy(row, line, (size_t)reader->width * 3);
    return;
  }
  for (uint32_t x = 0; x < reader->width; x++) {
    unsigned alpha = line[4 * x + 3];
    for (int c = 0; c < 3; c++) {
      row[3 * x + c] = (uint8_t)((line[4 * x + c] * alpha + reader->background[c] * (255 - alpha) + 127) / 255);
    }
  }
}

int ci_png_next(ci_png_reader *reader, uint8_t *row, char *message) {
  message[0] = 0;
  if (setjmp(reader->landing) != 0) return failed(reader, message);
  if (reader->whole == NULL) {
    png_read_row(reader->png, reader->line, NULL);
    hand_out(reader, reader->line, row);
    return CI_OK;
  }
  size_t rowBytes = (size_t)reader->width * reader->channels * (reader->narrow != NULL ? 2 : 1);
  if (reader->pass < reader->passes) {
    for (int count = 0; count < 64 && reader->y < reader->height; count++, reader->y++) {
      png_read_row(reader->png, reader->whole + reader->y * rowBytes, NULL);
    }
    if (reader->y == reader->height) {
      reader->y = 0;
      reader->pass++;
    }
    return CI_MORE;
  }
  if (reader->y >= reader->height) return CI_FAILED;
  hand_out(reader, reader->whole + reader->y * rowBytes, row);
  reader->y++;
  return CI_OK;
}

void ci_png_close(ci_png_reader *reader) {
  if (reader == NULL) return;
  if (reader->png != NULL) png_destroy_read_struct(&reader->png, reader->info ? &reader->info : NULL, NULL);
  ci_colours_close(reader->colours);
  free(reader->whole);
  free(reader->line);
  free(reader->narrow);
  free(reader);
}

size_t ci_png_inflate(const void *bytes, size_t count, uint8_t *target, size_t room) {
  uLongf made = room;
  int code = uncompress(target, &made, bytes, count);
  return code == Z_OK || code == Z_BUF_ERROR ? made : 0;
}

typedef struct {
  png_structp png;
  png_infop info;
  uint8_t *bytes;
  size_t length, room;
  jmp_buf landing;
  char message[CI_MESSAGE_SIZE];
} png_writer;

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
  png_writer *writer = png_get_io_ptr(png);
  if (count > writer->room - writer->length) {
    size_t room = (writer->length + count) * 2;
    uint8_t *grown = realloc(writer->bytes, room);
    if (grown == NULL) png_error(png, "out of memory");
    writer->bytes = grown;
    writer->room = room;
  }
  memcpy(writer->bytes + writer->length, bytes, count);
  writer->length += count;
}

static void flush_nothing(png_structp png) { (void)png; }

static void write_failed(png_structp png, png_const_charp text) {
  png_writer *writer = png_get_error_ptr(png);
  ci_say(writer->message, text);
  longjmp(writer->landing, 1);
}

int ci_png_encode(const uint8_t *rgb, int width, int height, int level, uint8_t **encoded, size_t *encodedLength,
                  char *message) {
  message[0] = 0;
  *encoded = NULL;
  *encodedLength = 0;
  png_writer *writer = calloc(1, sizeof *writer);
  if (writer == NULL) return CI_NO_MEMORY;
  if (setjmp(writer->landing) != 0) {
    ci_say(message, writer->message);
    png_destroy_write_struct(&writer->png, writer->info ? &writer->info : NULL);
    free(writer->bytes);
    free(writer);
    return CI_FAILED;
  }
  int status = CI_OK;
  writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, write_failed, ignore);
  if (writer->png != NULL) writer->info = png_create_info_struct(writer->png);
  if (writer->info == NULL) {
    status = CI_NO_MEMORY;
  } else {
    png_set_write_fn(writer->png, writer, write_bytes, flush_nothing);
    png_set_compression_level(writer->png, level);
    png_set_IHDR(writer->png, writer->info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(writer->png, writer->info);
    for (int y = 0; y < height; y++) png_write_row(writer->png, rgb + (size_t)y * width * 3);
    png_write_end(writer->png, NULL);
    *encoded = writer->bytes;
    *encodedLength = writer->length;
  }
  if (writer->png != NULL) png_destroy_write_struct(&writer->png, writer->info ? &writer->info : NULL);
  if (status != CI_OK) free(writer->bytes);
  free(writer);
  return status;
}
