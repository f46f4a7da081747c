#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

#include "CImaging.h"
#include "colours.h"
#include "message.h"

// STEPS: the rows of blocks of one scan read at a time, some milliseconds of a large picture.
enum { PIECE = 64 * 1024, STEPS = 8 };

// libjpeg reports errors by a call that may not return. Every entry point below sets its own jump target, and only
// libjpeg's frames lie between it and the jump.
typedef struct {
  struct jpeg_error_mgr errors;  // first: libjpeg's pointer to it is also a pointer to this struct
  jmp_buf landing;
  char message[CI_MESSAGE_SIZE];
} jpeg_landing;

struct ci_jpeg_reader {
  struct jpeg_decompress_struct info;
  jpeg_landing landing;
  struct jpeg_source_mgr intake;
  ci_source source;
  uint64_t offset;  // of the next read
  int isStarted;
  int isReady;     // for several scans: all are read
  int hasEnded;    // without a mark of the end
  long warnings;   // up to the end of the last scan
  uint8_t *inks;   // a row, for four inks
  ci_colours *colours;
  int mostScans;
  uint8_t piece[PIECE];
};

static void fail(j_common_ptr info) {
  jpeg_landing *landing = (jpeg_landing *)info->err;
  char text[JMSG_LENGTH_MAX];
  info->err->format_message(info, text);
  ci_say(landing->message, text);
  longjmp(landing->landing, 1);
}

static void note(j_common_ptr info, int level) {
  if (level < 0) info->err->num_warnings++;
}

static void say_nothing(j_common_ptr info) { (void)info; }

static struct jpeg_error_mgr *landing_of(jpeg_landing *landing) {
  struct jpeg_error_mgr *errors = jpeg_std_error(&landing->errors);
  errors->error_exit = fail;
  errors->emit_message = note;
  errors->output_message = say_nothing;
  return errors;
}

static int failed(const jpeg_landing *landing, char *message) {
  ci_say(message, landing->message);
  return landing->errors.msg_code == JERR_OUT_OF_MEMORY ? CI_NO_MEMORY : CI_FAILED;
}

static void begin(j_decompress_ptr info) { (void)info; }

static boolean read_piece(j_decompress_ptr info) {
  ci_jpeg_reader *reader = info->client_data;
  size_t count = reader->source.read(reader->source.context, reader->offset, reader->piece, PIECE);
  if (count == 0) {
    // The data ended early: shows the part that exists, as the library does for data in memory.
    reader->hasEnded = 1;
    reader->piece[0] = 0xFF;
    reader->piece[1] = JPEG_EOI;
    count = 2;
  } else {
    reader->offset += count;
  }
  reader->intake.next_input_byte = reader->piece;
  reader->intake.bytes_in_buffer = count;
  return TRUE;
}

static void skip(j_decompress_ptr info, long count) {
  ci_jpeg_reader *reader = info->client_data;
  if (count <= 0) return;
  size_t here = reader->intake.bytes_in_buffer;
  if ((size_t)count <= here) {
    reader->intake.next_input_byte += count;
    reader->intake.bytes_in_buffer -= (size_t)count;
  } else {
    reader->offset += (uint64_t)count - here;
    reader->intake.bytes_in_buffer = 0;
  }
}

static void end(j_decompress_ptr info) { (void)info; }

// What a profile in APP2 segments says; its faults are no warnings about the picture.
static ci_colours *profiled(struct jpeg_decompress_struct *info) {
  JOCTET *profile = NULL;
  unsigned length = 0;
  long warnings = info->err->num_warnings;
  ci_colours *colours = NULL;
  if (jpeg_read_icc_profile(info, &profile, &length)) {
    int inks = info->saw_Adobe_marker ? CI_INVERTED_INKS : CI_INKS;
    int samples = info->num_components == 4 ? inks : info->num_components == 1 ? CI_GREY : CI_RGB;
    colours = ci_colours_by_profile(profile, length, samples, 3, 8);
    free(profile);
  }
  info->err->num_warnings = warnings;
  return colours;
}

ci_jpeg_reader *ci_jpeg_open(ci_source source, int eighths, int scans, int *status, char *message) {
  message[0] = 0;
  *status = CI_NO_MEMORY;
  ci_jpeg_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->source = source;
  reader->mostScans = scans;
  reader->info.err = landing_of(&reader->landing);
  if (setjmp(reader->landing.landing) != 0) {
    *status = failed(&reader->landing, message);
    ci_jpeg_close(reader);
    return NULL;
  }
  jpeg_create_decompress(&reader->info);
  reader->info.client_data = reader;
  reader->intake = (struct jpeg_source_mgr){.init_source = begin,
                                            .fill_input_buffer = read_piece,
                                            .skip_input_data = skip,
                                            .resync_to_restart = jpeg_resync_to_restart,
                                            .term_source = end};
  reader->info.src = &reader->intake;
  jpeg_save_markers(&reader->info, JPEG_APP0 + 2, 0xFFFF);
  jpeg_read_header(&reader->info, TRUE);
  reader->colours = profiled(&reader->info);
  jpeg_save_markers(&reader->info, JPEG_APP0 + 2, 0);  // Those between scans are not used.
  reader->info.scale_num = (unsigned)eighths;
  reader->info.scale_denom = 8;
  reader->info.out_color_space = reader->info.num_components == 4 ? JCS_CMYK : JCS_RGB;
  // The sizes for the caller's allocation; no scan of several is read before it.
  jpeg_calc_output_dimensions(&reader->info);
  if (reader->info.num_components == 4) {
    reader->inks = malloc((size_t)reader->info.output_width * 4);
    if (reader->inks == NULL) {
      ci_jpeg_close(reader);
      return NULL;
    }
  }
  *status = CI_OK;
  return reader;
}

uint32_t ci_jpeg_width(const ci_jpeg_reader *reader) { return reader->info.output_width; }

uint32_t ci_jpeg_height(const ci_jpeg_reader *reader) { return reader->info.output_height; }

// The library warns of each block that lacks its Huffman code, but an arithmetic code continues with zeros, and a scan
// that is missing between others is not noticed. A progressive picture is whole when every coefficient has its last bit.
static int is_whole_without_end(const struct jpeg_decompress_struct *info) {
  if (!info->buffered_image) return !info->arith_code;
  if (!info->progressive_mode || info->coef_bits == NULL) return 0;
  for (int part = 0; part < info->num_components; part++) {
    for (int bit = 0; bit < DCTSIZE2; bit++) {
      if (info->coef_bits[part][bit] != 0) return 0;
    }
  }
  return 1;
}

// Without a profile each ink darkens in proportion. Adobe stores 255 for "no ink".
static void print_row(const uint8_t *inks, uint8_t *row, size_t pixels, int areInverted) {
  for (size_t pixel = 0; pixel < pixels; pixel++) {
    unsigned flip = areInverted ? 0 : 255, key = inks[4 * pixel + 3] ^ flip;
    for (size_t part = 0; part < 3; part++) {
      row[3 * pixel + part] = (uint8_t)(((inks[4 * pixel + part] ^ flip) * key + 127) / 255);
    }
  }
}

int ci_jpeg_next(ci_jpeg_reader *reader, uint8_t *row, char *message) {
  message[0] = 0;
  if (setjmp(reader->landing.landing) != 0) return failed(&reader->landing, message);
  struct jpeg_decompress_struct *info = &reader->info;
  if (!reader->isStarted) {
    reader->isStarted = 1;
    // Keeps the start from reading all scans at once.
    info->buffered_image = jpeg_has_multiple_scans(info);
    jpeg_start_decompress(info);
  }
  if (info->buffered_image && !reader->isReady) {
    for (int step = 0; step < STEPS; step++) {
      int found = jpeg_consume_input(info);
      if (info->input_scan_number > reader->mostScans) return CI_TOO_MANY;
      if (found == JPEG_SCAN_COMPLETED) reader->warnings = info->err->num_warnings;
      if (found != JPEG_REACHED_EOI) continue;
      reader->isReady = 1;
      jpeg_start_output(info, info->input_scan_number);
      break;
    }
    if (!reader->isReady) return CI_MORE;
  }
  if (info->output_scanline >= info->output_height) return CI_FAILED;
  JSAMPROW rows[] = {reader->inks ? reader->inks : row};
  jpeg_read_scanlines(info, rows, 1);
  if (reader->inks != NULL && reader->colours == NULL) {
    print_row(reader->inks, row, info->output_width, info->saw_Adobe_marker);
  } else {
    ci_colours_convert(reader->colours, rows[0], row, info->output_width);
  }
  if (info->output_scanline < info->output_height) return CI_OK;
  // Every row is there. Some cameras write no mark of the end, and a film or other data may follow.
  if (!info->buffered_image || !reader->hasEnded) reader->warnings = info->err->num_warnings;
  return reader->warnings == 0 && (!reader->hasEnded || is_whole_without_end(info)) ? CI_OK : CI_DAMAGED;
}

int ci_jpeg_crop(ci_jpeg_reader *reader, uint32_t *left, uint32_t *columns, char *message) {
  message[0] = 0;
  if (setjmp(reader->landing.landing) != 0) return failed(&reader->landing, message);
  struct jpeg_decompress_struct *info = &reader->info;
  if (reader->isStarted || jpeg_has_multiple_scans(info)) {
    ci_say(message, "a part of it cannot be read by itself");
    return CI_UNSUPPORTED;
  }
  reader->isStarted = 1;
  jpeg_start_decompress(info);
  JDIMENSION from = *left, count = *columns;
  jpeg_crop_scanline(info, &from, &count);
  *left = from;
  *columns = count;
  return CI_OK;
}

int64_t ci_jpeg_skip(ci_jpeg_reader *reader, uint32_t rows, char *message) {
  message[0] = 0;
  if (setjmp(reader->landing.landing) != 0) return failed(&reader->landing, message);
  return jpeg_skip_scanlines(&reader->info, rows);
}

uint32_t ci_jpeg_block_rows(const ci_jpeg_reader *reader) {
  return (uint32_t)(reader->info.max_v_samp_factor * reader->info.min_DCT_scaled_size);
}

void ci_jpeg_close(ci_jpeg_reader *reader) {
  if (reader == NULL) return;
  jpeg_destroy_decompress(&reader->info);
  ci_colours_close(reader->colours);
  free(reader->inks);
  free(reader);
}

int ci_jpeg_encode(const uint8_t *rgb, int width, int height, int quality, int sampling, int progressive,
                   uint8_t **encoded, size_t *encodedLength, char *message) {
  message[0] = 0;
  *encoded = NULL;
  *encodedLength = 0;
  struct writer {
    struct jpeg_compress_struct info;
    jpeg_landing landing;
    unsigned char *bytes;
    unsigned long length;
  } *writer = calloc(1, sizeof *writer);
  if (writer == NULL) return CI_NO_MEMORY;
  struct jpeg_compress_struct *info = &writer->info;
  info->err = landing_of(&writer->landing);
  if (setjmp(writer->landing.landing) != 0) {
    int status = failed(&writer->landing, message);
    // Only then is `bytes` libjpeg's current buffer, and not one that it freed when it grew.
    if (writer->info.dest != NULL) writer->info.dest->term_destination(&writer->info);
    jpeg_destroy_compress(&writer->info);
    free(writer->bytes);
    free(writer);
    return status;
  }
  jpeg_create_compress(info);
  jpeg_mem_dest(info, &writer->bytes, &writer->length);
  info->image_width = (JDIMENSION)width;
  info->image_height = (JDIMENSION)height;
  info->input_components = 3;
  info->in_color_space = JCS_RGB;
  jpeg_set_defaults(info);
  jpeg_set_quality(info, quality, TRUE);
  info->comp_info[0].h_samp_factor = info->comp_info[0].v_samp_factor = sampling == 0 ? 1 : 2;
  if (progressive) jpeg_simple_progression(info);
  jpeg_start_compress(info, TRUE);
  while (info->next_scanline < info->image_height) {
    JSAMPROW rows[] = {(JSAMPROW)rgb + (size_t)info->next_scanline * (size_t)width * 3};
    jpeg_write_scanlines(info, rows, 1);
  }
  jpeg_finish_compress(info);
  jpeg_destroy_compress(info);
  *encoded = writer->bytes;
  *encodedLength = writer->length;
  free(writer);
  return CI_OK;
}

void ci_release(uint8_t *encoded) { free(encoded); }
