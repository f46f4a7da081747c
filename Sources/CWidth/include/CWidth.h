// wcwidth(3), which Swift's importer does not see, in a UTF-8 locale whatever the environment says.
#pragma once
#include <stdint.h>

// Columns of a character: 0, 1, 2, or -1 when the C library does not know it.
int cw_columns(uint32_t scalar);
