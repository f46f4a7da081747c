#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

#include "CImaging.h"
#include "message.h"

enum { PIECE = 64 * 1024, ROWS = 64, PASSES = 4 };

// The first row of each pass of an interlaced picture, and the step to the next one (GIF89a, appendix E).
static const uint32_t FIRST[PASSES] = {0, 4, 2, 1}, STEP[PASSES] = {8, 8, 4, 2};

// giflib returns its errors, and keeps nothing between files.
struct ci_gif_reader {
  GifFileType *file;
  ci_source source;
  uint64_t offset;              // of the next piece
  uint32_t width, height;       // of the whole picture
  uint32_t left, top, columns, rows;  // the first frame's place in it
  uint8_t shown[256][3];        // the colours; the see-through one is the background
  uint8_t background[3];
  uint8_t *line;                // a row of the frame
  uint8_t *whole;               // interlaced: all rows of the frame
  uint32_t pass, at;            // interlaced: the next row to be read
  uint32_t y;                   // the next row to be returned
  size_t start, end;            // of the bytes in the piece that are left
  uint8_t piece[PIECE];
};

static int take(GifFileType *file, GifByteType *target, int count) {
  ci_gif_reader *reader = file->UserData;
  int done = 0;
  while (done < count) {
    if (reader->start == reader->end) {
      reader->start = 0;
      reader->end = reader->source.read(reader->source.context, reader->offset, reader->piece, PIECE);
      reader->offset += reader->end;
      if (reader->end == 0) break;
    }
    size_t part = reader->end - reader->start;
    if (part > (size_t)(count - done)) part = (size_t)(count - done);
    memcpy(target + done, reader->piece + reader->start, part);
    reader->start += part;
    done += (int)part;
  }
  return done;
}

static int failed(int code, char *message) {
  switch (code) {
    case D_GIF_ERR_NOT_ENOUGH_MEM: return CI_NO_MEMORY;
    case D_GIF_ERR_READ_FAILED:
    case D_GIF_ERR_EOF_TOO_SOON: ci_say(message, "the data ends too early"); break;
    case D_GIF_ERR_WRONG_RECORD: ci_say(message, "its parts are not in order"); break;
    default: ci_say(message, "the data cannot be decoded");
  }
  return CI_FAILED;
}

// Reads up to the first frame. Returns the index of the see-through colour, or -1; else `*status` is the reason.
static int find_frame(ci_gif_reader *reader, int *status, char *message) {
  GifFileType *file = reader->file;
  int clear = -1;
  GifRecordType kind = UNDEFINED_RECORD_TYPE;
  *status = CI_FAILED;
  while (DGifGetRecordType(file, &kind) == GIF_OK && kind == EXTENSION_RECORD_TYPE) {
    int function;
    GifByteType *block;
    int found = DGifGetExtension(file, &function, &block);
    while (found == GIF_OK && block != NULL) {
      GraphicsControlBlock control;
      if (function == GRAPHICS_EXT_FUNC_CODE && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
        clear = control.TransparentColor;
      }
      found = DGifGetExtensionNext(file, &block);
    }
    if (found != GIF_OK) break;
  }
  if (file->Error != D_GIF_SUCCEEDED || kind != IMAGE_DESC_RECORD_TYPE || DGifGetImageDesc(file) != GIF_OK) {
    *status = failed(file->Error, message);
    return clear;
  }
  *status = CI_OK;
  return clear;
}

ci_gif_reader *ci_gif_open(ci_source source, const uint8_t background[3], int *status, char *message) {
  message[0] = 0;
  *status = CI_NO_MEMORY;
  ci_gif_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->source = source;
  memcpy(reader->background, background, 3);
  int code = D_GIF_SUCCEEDED;
  reader->file = DGifOpen(reader, take, &code);
  int clear = -1;
  if (reader->file == NULL) {
    *status = failed(code, message);
  } else {
    clear = find_frame(reader, status, message);
  }
  if (*status != CI_OK) {
    ci_gif_close(reader);
    return NULL;
  }
  const GifFileType *file = reader->file;
  const ColorMapObject *colours = file->Image.ColorMap != NULL ? file->Image.ColorMap : file->SColorMap;
  reader->left = (uint32_t)file->Image.Left;
  reader->top = (uint32_t)file->Image.Top;
  reader->columns = (uint32_t)file->Image.Width;
  reader->rows = (uint32_t)file->Image.Height;
  reader->width = reader->left + reader->columns;
  reader->height = reader->top + reader->rows;
  if (reader->width < (uint32_t)file->SWidth) reader->width = (uint32_t)file->SWidth;
  if (reader->height < (uint32_t)file->SHeight) reader->height = (uint32_t)file->SHeight;
  if (colours == NULL || reader->columns == 0 || reader->rows == 0) {
    ci_say(message, colours == NULL ? "it has no colours" : "its size is zero");
    *status = CI_FAILED;
    ci_gif_close(reader);
    return NULL;
  }
  for (int index = 0; index < colours->ColorCount && index < 256; index++) {
    const GifColorType *colour = &colours->Colors[index];
    memcpy(reader->shown[index], (uint8_t[3]){colour->Red, colour->Green, colour->Blue}, 3);
  }
  if (clear >= 0 && clear < 256) memcpy(reader->shown[clear], background, 3);
  if (file->Image.Interlace) {
    reader->whole = calloc(reader->rows, reader->columns);
  } else {
    reader->line = malloc(reader->columns);
  }
  if (reader->whole == NULL && reader->line == NULL) {
    *status = CI_NO_MEMORY;
    ci_gif_close(reader);
    return NULL;
  }
  return reader;
}

uint32_t ci_gif_width(const ci_gif_reader *reader) { return reader->width; }

uint32_t ci_gif_height(const ci_gif_reader *reader) { return reader->height; }

int ci_gif_next(ci_gif_reader *reader, uint8_t *row, char *message) {
  message[0] = 0;
  GifFileType *file = reader->file;
  if (reader->whole != NULL && reader->pass < PASSES) {
    for (int count = 0; count < ROWS && reader->pass < PASSES; count++) {
      if (reader->at >= reader->rows) {
        if (++reader->pass < PASSES) reader->at = FIRST[reader->pass];
        continue;
      }
      uint8_t *line = reader->whole + (size_t)reader->at * reader->columns;
      if (DGifGetLine(file, line, (int)reader->columns) != GIF_OK) return failed(file->Error, message);
      reader->at += STEP[reader->pass];
    }
    return CI_MORE;
  }
  if (reader->y >= reader->height) return CI_FAILED;
  for (uint32_t x = 0; x < reader->width; x++) memcpy(row + 3 * (size_t)x, reader->background, 3);
  if (reader->y >= reader->top && reader->y - reader->top < reader->rows) {
    const uint8_t *line = reader->line;
    if (reader->whole != NULL) {
      line = reader->whole + (size_t)(reader->y - reader->top) * reader->columns;
    } else if (DGifGetLine(file, reader->line, (int)reader->columns) != GIF_OK) {
      return failed(file->Error, message);
    }
    for (uint32_t x = 0; x < reader->columns; x++) {
      memcpy(row + 3 * (size_t)(reader->left + x), reader->shown[line[x]], 3);
    }
  }
  reader->y++;
  return CI_OK;
}

void ci_gif_close(ci_gif_reader *reader) {
  if (reader == NULL) return;
  int code;
  if (reader->file != NULL) DGifCloseFile(reader->file, &code);
  free(reader->line);
  free(reader->whole);
  free(reader);
}
