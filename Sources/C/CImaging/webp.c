#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include <webp/encode.h>

#include "CImaging.h"
#include "colours.h"
#include "message.h"

enum { PIECE = 128 * 1024, ROWS = 64 };

struct ci_webp_reader {
  WebPDecoderConfig config;
  WebPIDecoder *decoder;
  ci_source source;
  size_t length;
  size_t fed;
  uint8_t *copy;         // for a file that is not in memory
  const uint8_t *bytes;  // all bytes fed so far
  int width, height;
  ci_colours *colours;
  int decoded;    // the status of the decoding, once it is over; else CI_MORE
  int converted;  // rows
};

static int status_of(VP8StatusCode code, char *message) {
  switch (code) {
    case VP8_STATUS_OK: return CI_OK;
    case VP8_STATUS_OUT_OF_MEMORY: return CI_NO_MEMORY;
    case VP8_STATUS_UNSUPPORTED_FEATURE: ci_say(message, "it uses an unknown feature"); return CI_UNSUPPORTED;
    case VP8_STATUS_NOT_ENOUGH_DATA:
    case VP8_STATUS_SUSPENDED: ci_say(message, "the data ends too early"); return CI_FAILED;
    default: ci_say(message, "its bit stream is damaged"); return CI_FAILED;
  }
}

// Provides at least `count` more bytes, or all that are left.
static void feed(ci_webp_reader *reader, size_t count) {
  size_t left = reader->length - reader->fed;
  if (count > left) count = left;
  if (reader->copy != NULL) {
    size_t got = reader->source.read(reader->source.context, reader->fed, reader->copy + reader->fed, count);
    if (got < count) reader->length = reader->fed + got;
    count = got;
  }
  reader->fed += count;
}

ci_webp_reader *ci_webp_open(ci_source source, size_t length, int width, int height, int alpha, uint8_t *pixels,
                             const uint8_t *profile, size_t profileLength, int *status, char *message) {
  message[0] = 0;
  *status = CI_NO_MEMORY;
  ci_webp_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->source = source;
  reader->length = length;
  reader->bytes = source.whole;
  if (reader->bytes == NULL) reader->bytes = reader->copy = malloc(length > 0 ? length : 1);
  if (reader->bytes == NULL) {
    ci_webp_close(reader);
    return NULL;
  }
  feed(reader, PIECE);
  WebPDecoderConfig *config = &reader->config;
  if (!WebPInitDecoderConfig(config)) {
    ci_say(message, "the WebP library is of another version");
    *status = CI_UNSUPPORTED;
    ci_webp_close(reader);
    return NULL;
  }
  int code = status_of(WebPGetFeatures(reader->bytes, reader->fed, &config->input), message);
  if (code != CI_OK) {
    *status = code;
    ci_webp_close(reader);
    return NULL;
  }
  int stride = width * (alpha ? 4 : 3);
  if (config->input.width != width || config->input.height != height) {
    config->options.use_scaling = 1;
    config->options.scaled_width = width;
    config->options.scaled_height = height;
  }
  config->output.colorspace = alpha ? MODE_RGBA : MODE_RGB;
  config->output.is_external_memory = 1;
  config->output.u.RGBA.rgba = pixels;
  config->output.u.RGBA.stride = stride;
  config->output.u.RGBA.size = (size_t)stride * height;
  reader->decoder = WebPIDecode(NULL, 0, config);
  if (reader->decoder == NULL) {
    ci_webp_close(reader);
    return NULL;
  }
  // A WebP of a grey picture has its profile, and does not say that it is grey.
  if (profile != NULL) reader->colours = ci_colours_by_profile(profile, profileLength, CI_GREY, alpha ? 4 : 3, 8);
  reader->width = width;
  reader->height = height;
  reader->decoded = CI_MORE;
  *status = CI_OK;
  return reader;
}

static int decode(ci_webp_reader *reader, char *message) {
  feed(reader, PIECE);
  VP8StatusCode code = WebPIUpdate(reader->decoder, reader->bytes, reader->fed);
  if (code == VP8_STATUS_SUSPENDED && reader->fed < reader->length) return CI_MORE;
  if (code == VP8_STATUS_OK) return CI_OK;
  int status = status_of(code, message);
  int lastRow = 0;
  if (status == CI_FAILED && WebPIDecGetRGB(reader->decoder, &lastRow, NULL, NULL, NULL) != NULL && lastRow > 0) {
    return CI_DAMAGED;
  }
  return status;
}

int ci_webp_next(ci_webp_reader *reader, char *message) {
  message[0] = 0;
  if (reader->decoded == CI_MORE) reader->decoded = decode(reader, message);
  if (reader->decoded < 0 || reader->decoded == CI_MORE || reader->colours == NULL) return reader->decoded;
  const WebPRGBABuffer *buffer = &reader->config.output.u.RGBA;
  for (int row = 0; row < ROWS && reader->converted < reader->height; row++, reader->converted++) {
    uint8_t *line = buffer->rgba + (size_t)buffer->stride * (size_t)reader->converted;
    ci_colours_convert(reader->colours, line, line, (size_t)reader->width);
  }
  return reader->converted < reader->height ? CI_MORE : reader->decoded;
}

void ci_webp_close(ci_webp_reader *reader) {
  if (reader == NULL) return;
  WebPIDelete(reader->decoder);
  WebPFreeDecBuffer(&reader->config.output);
  ci_colours_close(reader->colours);
  free(reader->copy);
  free(reader);
}

int ci_webp_encode(const uint8_t *rgb, int width, int height, float quality, uint8_t **encoded, size_t *encodedLength,
                   char *message) {
  message[0] = 0;
  *encoded = NULL;
  *encodedLength = 0;
  uint8_t *made = NULL;
  size_t length = quality > 100 ? WebPEncodeLosslessRGB(rgb, width, height, width * 3, &made)
                                : WebPEncodeRGB(rgb, width, height, width * 3, quality, &made);
  if (length == 0) {
    ci_say(message, "the WebP library could not encode it");
    WebPFree(made);
    return CI_FAILED;
  }
  *encoded = malloc(length);
  if (*encoded != NULL) {
    memcpy(*encoded, made, length);
    *encodedLength = length;
  }
  WebPFree(made);
  return *encoded == NULL ? CI_NO_MEMORY : CI_OK;
}
