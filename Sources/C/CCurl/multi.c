#include "multi.h"

#include <stdlib.h>

cc_multi *cc_multi_new(long connections) {
  cc_multi *multi = calloc(1, sizeof *multi);
  if (multi == NULL) return NULL;
  multi->handle = cc_curl.multi_init();
  if (multi->handle == NULL) {
    free(multi);
    return NULL;
  }
  cc_curl.multi_setopt(multi->handle, MULTI_PIPELINING, (long)MULTIPLEX);
  cc_curl.multi_setopt(multi->handle, MULTI_MAXCONNECTS, connections);
  return multi;
}

void cc_multi_free(cc_multi *multi) {
  if (multi == NULL) return;
  // Closes the idle connections, which calls back for each socket.
  cc_curl.multi_cleanup(multi->handle);
  free(multi->sockets.descriptors);
  free(multi);
}

int cc_multi_perform(cc_multi *multi) {
  int running = 0;
  return cc_curl.multi_perform(multi->handle, &running);
}

int cc_multi_poll(cc_multi *multi, int milliseconds) {
  int ready = 0;
  return cc_curl.multi_poll(multi->handle, NULL, 0, milliseconds, &ready) == 0 ? ready : 0;
}

void cc_multi_wakeup(cc_multi *multi) { cc_curl.multi_wakeup(multi->handle); }

void *cc_multi_next_done(cc_multi *multi, int *code) {
  int left = 0;
  for (;;) {
    const CURLMsg *message = cc_curl.multi_info_read(multi->handle, &left);
    if (message == NULL) return NULL;
    if (message->msg != MESSAGE_DONE) continue;
    void *context = NULL;
    *code = message->data.result;
    cc_curl.easy_getinfo(message->easy_handle, INFO_PRIVATE, &context);
    if (context != NULL) return context;
  }
}
