// wcwidth(3), which Swift's importer does not see, in a UTF-8 locale regardless of the environment.
#pragma once
#include <stdint.h>

// Columns of a character: 0, 1, 2, or -1 if the C library does not know it.
int cw_columns(uint32_t scalar);
