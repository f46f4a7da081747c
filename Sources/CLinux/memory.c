#include "CLinux.h"

#include <malloc.h>

void cl_keep_memory_small(void) {
  mallopt(M_ARENA_MAX, 1);
  // Setting it keeps glibc from raising it to the largest block that was ever freed.
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
}
