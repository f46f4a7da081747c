#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "CImaging.h"
#include "colours.h"
#include "message.h"

// As in heif.h of libheif 1; tests with the library would find a difference.
typedef struct {
  int code;
  int subcode;
  const char *message;
} heif_error;
// As of version 1.7; later ones only add fields at its end.
typedef struct {
  uint8_t version;
  uint8_t ignoresTransformations;
  void (*progress[3])(void);
  void *progressContext;
  uint8_t convertsTo8Bits;
} heif_options;
enum {
  ERROR_UNSUPPORTED_FILE = 3, ERROR_UNSUPPORTED_FEATURE = 4, ERROR_MEMORY = 6,
  SPACE_RGB = 1, CHROMA_RGB = 10, CHROMA_RGBA = 11, CHROMA_WIDE_RGB = 12, CHROMA_WIDE_RGBA = 13, CHANNEL = 10,
};

static struct {
  void *(*alloc)(void);
  void (*free)(void *context);
  heif_error (*read)(void *context, const void *bytes, size_t length, const void *options);
  void (*limit_threads)(void *context, int threads);
  heif_error (*primary)(void *context, void **handle);
  heif_error (*thumbnail)(const void *handle, uint32_t item, void **thumbnail);
  int (*has_alpha)(const void *handle);
  int (*is_premultiplied)(const void *handle);
  int (*bits)(const void *handle);
  void (*release_handle)(const void *handle);
  heif_options *(*options)(void);
  void (*free_options)(heif_options *options);
  heif_error (*decode)(const void *handle, void **image, int space, int chroma, const heif_options *options);
  int (*width)(const void *image, int channel);
  int (*height)(const void *image, int channel);
  int (*range)(const void *image, int channel);
  uint8_t *(*plane)(void *image, int channel, int *stride);
  void (*release_image)(const void *image);
} heif;

static int is_loaded;

static void load(void) {
  static const char *const names[] = {
      "heif_context_alloc", "heif_context_free", "heif_context_read_from_memory_without_copy",
      "heif_context_set_max_decoding_threads", "heif_context_get_primary_image_handle",
      "heif_image_handle_get_thumbnail", "heif_image_handle_has_alpha_channel",
      "heif_image_handle_is_premultiplied_alpha", "heif_image_handle_get_luma_bits_per_pixel",
      "heif_image_handle_release", "heif_decoding_options_alloc", "heif_decoding_options_free", "heif_decode_image",
      "heif_image_get_width", "heif_image_get_height", "heif_image_get_bits_per_pixel_range", "heif_image_get_plane",
      "heif_image_release"};
  _Static_assert(sizeof names / sizeof *names == sizeof heif / sizeof(void *), "a name for each function");
  void *library = dlopen("libheif.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    void *symbol = dlsym(library, names[index]);
    if (symbol == NULL) return;
    // dlsym returns functions as data pointers; POSIX prescribes this copy.
    memcpy((char *)&heif + index * sizeof symbol, &symbol, sizeof symbol);
  }
  // From version 1.13 on, this loads the decoders that are files of their own.
  heif_error (*init)(void *parameters);
  void *symbol = dlsym(library, "heif_init");
  if (symbol != NULL) {
    memcpy(&init, &symbol, sizeof init);
    init(NULL);
  }
  is_loaded = 1;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

int ci_load_heif(void) {
  pthread_once(&once, load);
  return is_loaded;
}

int ci_has_heif(void) { return is_loaded; }

struct ci_heif_reader {
  void *context;
  void *handle;
  void *image;
  uint8_t *plane;
  uint8_t *wide;  // a row whose samples have 16 bits, and behind it the same row in bytes
  int stride, width, height, bits, hasAlpha, isPremultiplied;
  ci_colours *colours;
};

static int status_of(heif_error error, char *message) {
  if (error.code == 0) return CI_OK;
  ci_say(message, error.message);
  if (error.code == ERROR_MEMORY) return CI_NO_MEMORY;
  return error.code == ERROR_UNSUPPORTED_FILE || error.code == ERROR_UNSUPPORTED_FEATURE ? CI_UNSUPPORTED : CI_FAILED;
}

static int open_handle(ci_heif_reader *reader, const uint8_t *bytes, size_t length, uint32_t item, int threads,
                       char *message) {
  reader->context = heif.alloc();
  if (reader->context == NULL) return CI_NO_MEMORY;
  heif.limit_threads(reader->context, threads);
  int status = status_of(heif.read(reader->context, bytes, length, NULL), message);
  if (status == CI_OK) status = status_of(heif.primary(reader->context, &reader->handle), message);
  if (status != CI_OK || item == 0) return status;
  void *small = NULL;
  status = status_of(heif.thumbnail(reader->handle, item, &small), message);
  heif.release_handle(reader->handle);
  reader->handle = small;
  return status;
}

static int decode(ci_heif_reader *reader, char *message) {
  reader->hasAlpha = heif.has_alpha(reader->handle);
  reader->isPremultiplied = reader->hasAlpha && heif.is_premultiplied(reader->handle);
  int isWide = heif.bits(reader->handle) > 8;
  int chroma = isWide ? reader->hasAlpha ? CHROMA_WIDE_RGBA : CHROMA_WIDE_RGB
                      : reader->hasAlpha ? CHROMA_RGBA : CHROMA_RGB;
  heif_options *options = heif.options();
  if (options == NULL) return CI_NO_MEMORY;
  if (options->version >= 2) options->convertsTo8Bits = isWide ? 0 : 1;
  int status = status_of(heif.decode(reader->handle, &reader->image, SPACE_RGB, chroma, options), message);
  heif.free_options(options);
  if (status != CI_OK) return status;
  reader->width = heif.width(reader->image, CHANNEL);
  reader->height = heif.height(reader->image, CHANNEL);
  reader->plane = heif.plane(reader->image, CHANNEL, &reader->stride);
  reader->bits = isWide ? heif.range(reader->image, CHANNEL) : 8;
  int pixel = (reader->hasAlpha ? 4 : 3) * (isWide ? 2 : 1);
  if (reader->plane == NULL || reader->width <= 0 || reader->height <= 0 || reader->bits < 8 || reader->bits > 16 ||
      reader->stride / pixel < reader->width) {
    ci_say(message, "it has no pixels");
    return CI_FAILED;
  }
  if (!isWide) return CI_OK;
  reader->wide = malloc((size_t)reader->width * (size_t)pixel * 3 / 2);
  return reader->wide == NULL ? CI_NO_MEMORY : CI_OK;
}

ci_heif_reader *ci_heif_open(const uint8_t *bytes, size_t length, uint32_t item, int threads, ci_heif_colours colours,
                             int *status, char *message) {
  message[0] = 0;
  *status = CI_NO_MEMORY;
  ci_heif_reader *reader = is_loaded ? calloc(1, sizeof *reader) : NULL;
  if (reader == NULL) return NULL;
  *status = open_handle(reader, bytes, length, item, threads, message);
  if (*status == CI_OK) *status = decode(reader, message);
  if (*status != CI_OK) {
    ci_heif_close(reader);
    return NULL;
  }
  int stride = reader->hasAlpha ? 4 : 3, width = reader->wide != NULL ? 16 : 8;
  if (colours.transfer != 0) {
    reader->colours = ci_colours_by_light(colours.transfer, colours.chroma, stride, width);
  } else if (colours.profile != NULL) {
    // A grey picture may have a profile for grey.
    reader->colours = ci_colours_by_profile(colours.profile, colours.profileLength, CI_GREY, stride, width);
  } else if (colours.gamma > 0) {
    reader->colours = ci_colours_by_gamma(colours.gamma, colours.chroma, stride, width);
  }
  return reader;
}

uint32_t ci_heif_width(const ci_heif_reader *reader) { return (uint32_t)reader->width; }
uint32_t ci_heif_height(const ci_heif_reader *reader) { return (uint32_t)reader->height; }

// Spreads samples over all 16 bits, the higher byte first.
static void widen(const ci_heif_reader *reader, const uint8_t *from, size_t samples) {
  int bits = reader->bits;
  unsigned most = (1u << bits) - 1;
  for (size_t sample = 0; sample < samples; sample++) {
    unsigned level = (unsigned)from[2 * sample] << 8 | from[2 * sample + 1];
    if (level > most) level = most;
    level = level << (16 - bits) | level >> (2 * bits - 16);
    reader->wide[2 * sample] = (uint8_t)(level >> 8);
    reader->wide[2 * sample + 1] = (uint8_t)level;
  }
}

void ci_heif_row(ci_heif_reader *reader, uint32_t y, const uint8_t background[3], uint8_t *row) {
  uint8_t *line = reader->plane + (size_t)reader->stride * y;
  size_t pixels = (size_t)reader->width, stride = reader->hasAlpha ? 4 : 3;
  if (reader->wide != NULL) {
    widen(reader, line, pixels * stride);
    line = reader->wide + 2 * pixels * stride;
    for (size_t at = 0; at < pixels * stride && reader->colours == NULL; at++) {
      line[at] = (uint8_t)((((unsigned)reader->wide[2 * at] << 8 | reader->wide[2 * at + 1]) * 255u + 32895u) >> 16);
    }
  }
  ci_colours_convert(reader->colours, reader->wide != NULL ? reader->wide : line, line, pixels);
  if (!reader->hasAlpha) {
    memcpy(row, line, 3 * pixels);
    return;
  }
  for (size_t pixel = 0; pixel < pixels; pixel++, line += 4, row += 3) {
    for (int part = 0; part < 3; part++) {
      unsigned above = reader->isPremultiplied ? line[part] * 255u : (unsigned)line[part] * line[3];
      unsigned mixed = (above + background[part] * (255u - line[3]) + 127) / 255;
      row[part] = (uint8_t)(mixed > 255 ? 255 : mixed);
    }
  }
}

void ci_heif_close(ci_heif_reader *reader) {
  if (reader == NULL) return;
  if (reader->image != NULL) heif.release_image(reader->image);
  if (reader->handle != NULL) heif.release_handle(reader->handle);
  if (reader->context != NULL) heif.free(reader->context);
  ci_colours_close(reader->colours);
  free(reader->wide);
  free(reader);
}
