#define _GNU_SOURCE
#include "CWidth.h"

#include <locale.h>
#include <pthread.h>
#include <wchar.h>

// ncurses measures in the same locale, so both agree on every column.
static void choose_locale(void) { setlocale(LC_CTYPE, "C.UTF-8"); }

int cw_columns(uint32_t scalar) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, choose_locale);
  return wcwidth((wchar_t)scalar);
}
