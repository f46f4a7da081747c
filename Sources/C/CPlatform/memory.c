#include "CPlatform.h"

#include <malloc.h>

void cp_keep_memory_small(void) {
  mallopt(M_ARENA_MAX, 1);
  // A listing allocates and frees arrays of some hundred KB a page. Above the C library's own threshold (128 KB, until
  // a larger block is freed), the kernel supplied and zeroed each of them anew: an eighth of the processor time until
  // 100,000 files are on the screen. Larger blocks, such as a whole list's names, are still returned at once.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 2 << 20);
}

void cp_keep_memory_small_for_server(void) {
  mallopt(M_ARENA_MAX, 2);
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 2 << 20);
}

void cp_give_memory_back(void) { malloc_trim(0); }
