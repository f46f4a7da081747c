#ifndef CIMAGING_MESSAGE_H
#define CIMAGING_MESSAGE_H

#include <stdio.h>

#include "CImaging.h"

// Copies a library's message, cut to the buffer's size.
static inline void ci_say(char *message, const char *text) {
  snprintf(message, CI_MESSAGE_SIZE, "%s", text ? text : "no reason was given");
}

#endif
