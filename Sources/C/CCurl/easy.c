#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <CPlatform.h>

#include "multi.h"

struct cc_easy {
  CURL *handle;
  struct curl_slist *headers;
  cc_callbacks callbacks;
  void *context;
  // The local port of the connection, which identifies its socket: libcurl's socket callback does not announce a reused
  // connection, and its "active socket" is not available during a transfer.
  int local_port;
  char reason[256];
};

static size_t on_read(char *buffer, size_t size, size_t count, void *user) {
  cc_easy *easy = user;
  return easy->callbacks.read(easy->context, buffer, size * count);
}

static int on_seek(void *user, int64_t offset, int origin) {
  cc_easy *easy = user;
  return origin == SEEK_SET ? easy->callbacks.seek(easy->context, offset) : 1;
}

static size_t on_header(char *line, size_t size, size_t count, void *user) {
  cc_easy *easy = user;
  return easy->callbacks.header(easy->context, line, size * count);
}

static size_t on_write(char *bytes, size_t size, size_t count, void *user) {
  cc_easy *easy = user;
  return easy->callbacks.write(easy->context, bytes, size * count);
}

static int on_connected(void *user, char *remote, char *local, int remote_port, int local_port) {
  (void)local, (void)remote_port;
  cc_easy *easy = user;
  easy->local_port = local_port;
  return easy->callbacks.connected(easy->context, remote) == 0 ? 0 : PREREQUEST_ABORT;
}

static int on_progress(void *user, int64_t down_total, int64_t down, int64_t up_total, int64_t up) {
  (void)down_total, (void)down, (void)up_total;
  cc_easy *easy = user;
  easy->callbacks.progress(easy->context, up);
  return 0;
}

static int on_socket(void *user, int descriptor, int purpose) {
  (void)purpose;
  cc_sockets *sockets = user;
  if (sockets->count == sockets->room) {
    size_t room = sockets->room == 0 ? 16 : 2 * sockets->room;
    int *more = realloc(sockets->descriptors, room * sizeof *more);
    if (more == NULL) return 0;
    sockets->descriptors = more;
    sockets->room = room;
  }
  sockets->descriptors[sockets->count++] = descriptor;
  return 0;
}

static int on_close(void *user, int descriptor) {
  cc_sockets *sockets = user;
  for (size_t i = 0; i < sockets->count; i++) {
    if (sockets->descriptors[i] != descriptor) continue;
    sockets->descriptors[i] = sockets->descriptors[--sockets->count];
    break;
  }
  return close(descriptor);
}

static void set_pointer(cc_easy *easy, int option, const void *value) {
  cc_curl.easy_setopt(easy->handle, option, value);
}

static void set_long(cc_easy *easy, int option, long value) { cc_curl.easy_setopt(easy->handle, option, value); }

cc_easy *cc_easy_new(const cc_callbacks *callbacks) {
  cc_easy *easy = calloc(1, sizeof *easy);
  if (easy == NULL) return NULL;
  easy->handle = cc_curl.easy_init();
  if (easy->handle == NULL) {
    free(easy);
    return NULL;
  }
  easy->callbacks = *callbacks;
  set_pointer(easy, OPT_ERRORBUFFER, easy->reason);
  cc_curl.easy_setopt(easy->handle, OPT_READFUNCTION, on_read);
  cc_curl.easy_setopt(easy->handle, OPT_SEEKFUNCTION, on_seek);
  cc_curl.easy_setopt(easy->handle, OPT_HEADERFUNCTION, on_header);
  cc_curl.easy_setopt(easy->handle, OPT_WRITEFUNCTION, on_write);
  cc_curl.easy_setopt(easy->handle, OPT_PREREQFUNCTION, on_connected);
  cc_curl.easy_setopt(easy->handle, OPT_XFERINFOFUNCTION, on_progress);
  const int data[] = {OPT_READDATA, OPT_SEEKDATA, OPT_HEADERDATA, OPT_WRITEDATA, OPT_PREREQDATA, OPT_XFERINFODATA};
  for (size_t i = 0; i < sizeof data / sizeof data[0]; i++) set_pointer(easy, data[i], easy);
  set_long(easy, OPT_NOPROGRESS, 0);
  // No SIGALRM for slow name lookups, and no changes to SIGPIPE: the thread has all signals blocked.
  set_long(easy, OPT_NOSIGNAL, 1);
  set_long(easy, OPT_PROTOCOLS, PROTOCOL_HTTP_AND_HTTPS);
  set_long(easy, OPT_FOLLOWLOCATION, 0);
  // A password in ~/.netrc is not ours to send.
  set_long(easy, OPT_NETRC, 0);
  set_long(easy, OPT_PATH_AS_IS, 1);
  set_long(easy, OPT_TCP_KEEPALIVE, 1);
  set_long(easy, OPT_SUPPRESS_CONNECT_HEADERS, 1);
  // Ending during a name lookup does not wait for its result.
  set_long(easy, OPT_QUICK_EXIT, 1);
  return easy;
}

void cc_easy_free(cc_easy *easy) {
  if (easy == NULL) return;
  cc_curl.easy_cleanup(easy->handle);
  cc_curl.slist_free_all(easy->headers);
  free(easy);
}

void cc_easy_set_text(cc_easy *easy, int option, const char *value) { set_pointer(easy, option, value); }

void cc_easy_set_number(cc_easy *easy, int option, int64_t value) {
  if (option >= 30000) {
    cc_curl.easy_setopt(easy->handle, option, value);
  } else {
    set_long(easy, option, (long)value);
  }
}

int cc_easy_pin(cc_easy *easy, const char *pins) {
  int code = cc_curl.easy_setopt(easy->handle, OPT_PINNEDPUBLICKEY, pins);
  if (code != 0) return code;
  // Without authorities libcurl 7.88 looks at no pin when a server has no certificate at all. TLS 1.2 has such ciphers,
  // which OpenSSL's own config file can allow (seen with its "CipherString = ALL:@SECLEVEL=0").
  code = cc_curl.easy_setopt(easy->handle, OPT_SSL_CIPHER_LIST, "DEFAULT:!aNULL:!eNULL");
  if (code != 0) return code;
  code = cc_curl.easy_setopt(easy->handle, OPT_SSL_VERIFYPEER, 0L);
  return code != 0 ? code : cc_curl.easy_setopt(easy->handle, OPT_SSL_VERIFYHOST, 0L);
}

void cc_easy_add_header(cc_easy *easy, const char *line) {
  struct curl_slist *more = cc_curl.slist_append(easy->headers, line);
  if (more != NULL) easy->headers = more;
}

void cc_easy_set_context(cc_easy *easy, void *context) {
  easy->context = context;
  set_pointer(easy, OPT_PRIVATE, context);
}

int cc_easy_add(cc_easy *easy, cc_multi *multi) {
  set_pointer(easy, OPT_HTTPHEADER, easy->headers);
  cc_curl.easy_setopt(easy->handle, OPT_SOCKOPTFUNCTION, on_socket);
  set_pointer(easy, OPT_SOCKOPTDATA, &multi->sockets);
  cc_curl.easy_setopt(easy->handle, OPT_CLOSESOCKETFUNCTION, on_close);
  set_pointer(easy, OPT_CLOSESOCKETDATA, &multi->sockets);
  return cc_curl.multi_add_handle(multi->handle, easy->handle);
}

void cc_easy_remove(cc_easy *easy, cc_multi *multi) { cc_curl.multi_remove_handle(multi->handle, easy->handle); }

void cc_easy_pause(cc_easy *easy, int receiving, int sending) {
  cc_curl.easy_pause(easy->handle, (receiving ? PAUSE_RECEIVING : 0) | (sending ? PAUSE_SENDING : 0));
}

static int port_of(int descriptor) {
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  if (getsockname(descriptor, (struct sockaddr *)&address, &size) != 0) return -1;
  if (address.ss_family == AF_INET) return ntohs(((const struct sockaddr_in *)&address)->sin_port);
  if (address.ss_family == AF_INET6) return ntohs(((const struct sockaddr_in6 *)&address)->sin6_port);
  return -1;
}

int64_t cc_easy_unacknowledged(cc_easy *easy, cc_multi *multi) {
  if (easy->local_port <= 0) return 0;
  for (size_t i = 0; i < multi->sockets.count; i++) {
    if (port_of(multi->sockets.descriptors[i]) == easy->local_port) return cp_unacknowledged(multi->sockets.descriptors[i]);
  }
  return 0;
}

const char *cc_easy_reason(const cc_easy *easy) { return easy->reason; }

long cc_easy_proxy_status(cc_easy *easy) {
  long status = 0;
  cc_curl.easy_getinfo(easy->handle, INFO_HTTP_CONNECTCODE, &status);
  return status;
}

int cc_easy_system_error(cc_easy *easy) {
  long code = 0;
  cc_curl.easy_getinfo(easy->handle, INFO_OS_ERRNO, &code);
  return (int)code;
}

int cc_easy_was_http2(cc_easy *easy) {
  long version = 0;
  cc_curl.easy_getinfo(easy->handle, INFO_HTTP_VERSION, &version);
  return version == VERSION_2;
}
