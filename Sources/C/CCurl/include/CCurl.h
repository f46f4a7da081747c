// A small plain API over the parts of libcurl that byteclub needs.
//
// libcurl is not linked: it brings some 25 libraries, which a start without network should not load. cc_load loads it
// at the first request. The numbers and layouts below are libcurl's stable binary interface (soname libcurl.so.4); if
// its header is installed, abi.c compares them at compile time.
//
// All functions but cc_load and cc_multi_wakeup belong to one thread, that of the cc_multi.
#pragma once
#include <stddef.h>
#include <stdint.h>

// The oldest supported libcurl (7.80.0, which introduced the callback `connected`).
enum { CC_OLDEST_VERSION = 0x075000 };

// Loads the library once for the process. Returns 0 if it is loaded, 1 if it is missing, and 2 if it lacks a function,
// is too old, or is not the first. On failure `reason` holds a message, cut to `size` with its NUL.
int cc_load(const char *library, char *reason, size_t size);

// String options of a request.
enum {
  CC_URL = 10002,
  CC_PROXY = 10004,
  CC_USER_AGENT = 10018,
  CC_METHOD = 10036,
  CC_CA_FILE = 10065,
  CC_CA_FOLDER = 10097,
  CC_NO_PROXY = 10177,
};

// Number options of a request.
enum {
  CC_NO_BODY = 44,
  CC_UPLOAD = 46,
  CC_GET = 80,
  CC_HTTP_VERSION = 84,
  CC_BUFFER_SIZE = 98,
  CC_CONNECT_TIMEOUT_MS = 156,
  CC_EXPECT_TIMEOUT_MS = 227,
  CC_PIPE_WAIT = 237,
  CC_UPLOAD_BUFFER_SIZE = 280,
  CC_BODY_LENGTH = 30115,  // -1: unknown, sent in chunks
};

enum { CC_HTTP_1_1 = 2, CC_HTTP_2_TLS = 4 };

// The result of a request: the codes of libcurl that byteclub distinguishes.
enum {
  CC_OK = 0,
  CC_UNSUPPORTED_PROTOCOL = 1,
  CC_URL_MALFORMED = 3,
  CC_NO_PROXY_HOST = 5,
  CC_NO_HOST = 6,
  CC_NO_CONNECTION = 7,
  CC_WEIRD_REPLY = 8,
  CC_PARTIAL_FILE = 18,
  CC_OUT_OF_MEMORY = 27,
  CC_TIMED_OUT = 28,
  CC_TLS_CONNECT = 35,
  CC_GOT_NOTHING = 52,
  CC_TLS_CIPHER = 59,
  CC_TLS_PEER = 60,
  CC_TLS_CA_FILE = 77,
  CC_TLS_ISSUER = 83,
  CC_TLS_PIN = 90,
  CC_PROXY_FAILED = 97,
};

// Results of `read` and `write` instead of a count.
enum { CC_ABORT = 0x10000000, CC_PAUSE = 0x10000001 };

// The callbacks of a request, called during cc_multi_perform and cc_easy_pause with its context.
typedef struct cc_callbacks {
  // Fills the buffer with bytes of the body. Returns their count, 0 at the end, CC_PAUSE or CC_ABORT.
  size_t (*read)(void *context, void *buffer, size_t size);
  // Rewinds to an offset of the body. Returns 0, or 1 if that is impossible.
  int (*seek)(void *context, int64_t offset);
  // Takes a header line including CR LF. Any result but `size` ends the request.
  size_t (*header)(void *context, const void *line, size_t size);
  // Takes bytes of the body. Any result but `size` ends the request; after CC_PAUSE the same bytes come again.
  size_t (*write)(void *context, const void *bytes, size_t size);
  // A connection to the IP address is ready, and the request is about to be sent. A result other than 0 ends it unsent.
  int (*connected)(void *context, const char *address);
  // Reports that `sent` bytes of the body were passed to the connection so far.
  void (*progress)(void *context, int64_t sent);
} cc_callbacks;

// Many requests on one thread.
typedef struct cc_multi cc_multi;
// Keeps at most `connections` idle connections open. NULL if memory is short.
cc_multi *cc_multi_new(long connections);
void cc_multi_free(cc_multi *multi);
// Does all work that is possible without waiting. Returns nonzero if the whole multi has failed.
int cc_multi_perform(cc_multi *multi);
// Waits until a connection is ready, cc_multi_wakeup is called, or the time is over. Returns the number that are ready.
int cc_multi_poll(cc_multi *multi, int milliseconds);
// Ends the current or the next cc_multi_poll. Any thread may call it.
void cc_multi_wakeup(cc_multi *multi);
// The context and the result of a request that has ended; NULL if there is none left.
void *cc_multi_next_done(cc_multi *multi, int *code);

// One request. Options are as above; an older libcurl ignores unknown ones.
typedef struct cc_easy cc_easy;
cc_easy *cc_easy_new(const cc_callbacks *callbacks);
void cc_easy_free(cc_easy *easy);
void cc_easy_set_text(cc_easy *easy, int option, const char *value);  // NULL: libcurl's default, or nothing
void cc_easy_set_number(cc_easy *easy, int option, int64_t value);
// Accepts a server by the SHA-256 of its public key alone: "sha256//BASE64", several of them with ";" between. Only once
// libcurl has taken the pins are authorities, host names and dates no longer looked at. Returns 0; anything else is
// libcurl's error, and the request must not begin.
int cc_easy_pin(cc_easy *easy, const char *pins);
// Adds a header line: "Name: value".
void cc_easy_add_header(cc_easy *easy, const char *line);
// Sets the context for the callbacks and for cc_multi_next_done.
void cc_easy_set_context(cc_easy *easy, void *context);
// Begins the request, which belongs to the multi until cc_easy_remove.
int cc_easy_add(cc_easy *easy, cc_multi *multi);
// Ends the request at once. Must not be called from a callback.
void cc_easy_remove(cc_easy *easy, cc_multi *multi);
// Pauses or continues each direction. May call back.
void cc_easy_pause(cc_easy *easy, int receiving, int sending);
// Bytes of this request's connection that the kernel holds and the other end has not acknowledged; 0 if unknown.
int64_t cc_easy_unacknowledged(cc_easy *easy, cc_multi *multi);
// libcurl's own message about a failure; may be empty.
const char *cc_easy_reason(const cc_easy *easy);
// The status of a proxy's response to CONNECT; 0 without a proxy.
long cc_easy_proxy_status(cc_easy *easy);
// The errno of the last failed connection; 0 if none failed.
int cc_easy_system_error(cc_easy *easy);
// True if the response came by HTTP/2.
int cc_easy_was_http2(cc_easy *easy);
