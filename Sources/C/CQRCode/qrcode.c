#include "include/CQRCode.h"

#include <dlfcn.h>
#include <string.h>

// As in qrencode.h of version 4; tests with the library would find a difference.
typedef struct {
  int version;
  int width;
  unsigned char *data;
} QRcode;

enum { LEVEL_L = 0, MODE_8 = 2, SMALLEST_VERSION = 0, CASE_SENSITIVE = 1, DARK = 1 };

typedef QRcode *(*encode_string)(const char *text, int version, int level, int mode, int case_sensitive);
typedef void (*free_code)(QRcode *code);

size_t cq_encode(const char *text, uint8_t *modules, size_t size) {
  // It stays loaded: the next code comes soon, or the process ends.
  void *library = dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return 0;
  void *encode_symbol = dlsym(library, "QRcode_encodeString");
  void *free_symbol = dlsym(library, "QRcode_free");
  if (encode_symbol == NULL || free_symbol == NULL) return 0;
  encode_string encode;
  free_code release;
  // dlsym returns functions as data pointers; POSIX prescribes this copy.
  memcpy(&encode, &encode_symbol, sizeof encode);
  memcpy(&release, &free_symbol, sizeof release);

  QRcode *code = encode(text, SMALLEST_VERSION, LEVEL_L, MODE_8, CASE_SENSITIVE);
  if (code == NULL) return 0;
  size_t width = code->width > 0 ? (size_t)code->width : 0;
  if (width * width > size) width = 0;
  for (size_t i = 0; i < width * width; i++) modules[i] = code->data[i] & DARK;
  release(code);
  return width;
}
