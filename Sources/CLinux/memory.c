#include "CLinux.h"

#include <malloc.h>

void cl_keep_memory_small(void) {
  mallopt(M_ARENA_MAX, 1);
  // A listing makes and frees arrays of some hundred KB a page. From the C library's own thresholds on (128 KB, until a
  // larger block is freed) each of them came fresh from the kernel, zeroed page by page: an eighth of the processor time
  // until 100,000 files are on the screen. What is larger, a whole list's names, still goes back at once.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 2 << 20);
}

void cl_keep_memory_small_for_server(void) {
  mallopt(M_ARENA_MAX, 2);
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 2 << 20);
}

void cl_give_memory_back(void) { malloc_trim(0); }
