// QR codes (ISO/IEC 18004) by libqrencode 4, which is loaded when it is needed: the build does not need it, and a system
// without it shows no codes.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Writes the modules of a text's code with the least error correction (level L), a byte each, 1 for dark, row by row.
// Returns the modules of a side, or 0 if the text is too long, there are more than `size` modules, or libqrencode is not
// there. Any thread may call it.
size_t cq_encode(const char *text, uint8_t *modules, size_t size);
