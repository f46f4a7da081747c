#pragma once
#include "library.h"

// The open sockets of libcurl.
typedef struct cc_sockets {
  int *descriptors;
  size_t count;
  size_t room;
} cc_sockets;

struct cc_multi {
  CURLM *handle;
  cc_sockets sockets;
};
