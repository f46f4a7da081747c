// What byteclub needs of libcurl, as a small plain API.
//
// libcurl is not linked: it brings some 25 libraries with it, which a start that needs no network should not load.
// cc_load fetches it when the first request is made. The numbers and layouts below are libcurl's stable binary
// interface (soname libcurl.so.4); where its header is installed, abi.c has the compiler compare them.
//
// Everything but cc_load, cc_version and cc_multi_wakeup belongs to one thread, that of the cc_multi.
#pragma once
#include <stddef.h>
#include <stdint.h>

// The oldest libcurl that will do (7.80.0, which brought the callback `connected`).
enum { CC_OLDEST_VERSION = 0x075000 };

// Loads the library, once for the process. 0 when it is there. 1 when it is not, 2 when it lacks something, is too old
// or comes second: `reason` then says what, cut to `size` with its NUL.
int cc_load(const char *library, char *reason, size_t size);
// As 0xMMmmpp; 0 before cc_load.
unsigned cc_version(void);

// Options of a request that are strings.
enum {
  CC_URL = 10002,
  CC_PROXY = 10004,
  CC_USER_AGENT = 10018,
  CC_METHOD = 10036,
  CC_CA_FILE = 10065,
  CC_CA_FOLDER = 10097,
  CC_NO_PROXY = 10177,
};

// Options of a request that are numbers.
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
  CC_BODY_LENGTH = 30115,  // -1: not known, sent in chunks
};

enum { CC_HTTP_1_1 = 2, CC_HTTP_2_TLS = 4 };

// What a request ended with: those codes of libcurl that byteclub tells apart.
enum {
  CC_OK = 0,
  CC_UNSUPPORTED_PROTOCOL = 1,
  CC_URL_MALFORMED = 3,
  CC_NO_PROXY_HOST = 5,
  CC_NO_HOST = 6,
  CC_NO_CONNECTION = 7,
  CC_WEIRD_REPLY = 8,
  CC_HTTP2 = 16,
  CC_PARTIAL_FILE = 18,
  CC_OUT_OF_MEMORY = 27,
  CC_TIMED_OUT = 28,
  CC_TLS_CONNECT = 35,
  CC_ABORTED = 42,
  CC_GOT_NOTHING = 52,
  CC_SEND_FAILED = 55,
  CC_RECEIVE_FAILED = 56,
  CC_TLS_CIPHER = 59,
  CC_TLS_PEER = 60,
  CC_SEND_REWIND = 65,
  CC_TLS_CA_FILE = 77,
  CC_TLS_ISSUER = 83,
  CC_HTTP2_STREAM = 92,
  CC_PROXY_FAILED = 97,
};

// What `read` and `write` answer instead of a count.
enum { CC_ABORT = 0x10000000, CC_PAUSE = 0x10000001 };

// Called during cc_multi_perform and cc_easy_pause, with the context of the request.
typedef struct cc_callbacks {
  // Fills the buffer with bytes of the body: a count, 0 at the end, CC_PAUSE or CC_ABORT.
  size_t (*read)(void *context, void *buffer, size_t size);
  // Goes back to an offset of the body: 0, or 1 when that cannot be.
  int (*seek)(void *context, int64_t offset);
  // Takes a line of the header, CR LF included: any count but `size` ends the request.
  size_t (*header)(void *context, const void *line, size_t size);
  // Takes bytes of the body: any count but `size` ends the request; CC_PAUSE has the same bytes come again.
  size_t (*write)(void *context, const void *bytes, size_t size);
  // There is a connection, and the request is about to be sent. Other than 0: it is not sent, and ends with CC_ABORTED.
  int (*connected)(void *context);
  // `sent` bytes of the body were handed to the connection so far.
  void (*progress)(void *context, int64_t sent);
} cc_callbacks;

// Many requests on one thread.
typedef struct cc_multi cc_multi;
// Keeps at most `connections` connections open while nobody uses them. NULL when memory is short.
cc_multi *cc_multi_new(long connections);
void cc_multi_free(cc_multi *multi);
// Does what can be done without waiting. Not 0 when the whole is broken.
int cc_multi_perform(cc_multi *multi);
// Waits until a connection has something to do, cc_multi_wakeup is called, or the time is over. Returns how many have.
int cc_multi_poll(cc_multi *multi, int milliseconds);
// From any thread: ends the present or the next cc_multi_poll.
void cc_multi_wakeup(cc_multi *multi);
// The context of a request that has ended, with what it ended with; NULL when there is none (left).
void *cc_multi_next_done(cc_multi *multi, int *code);

// One request. Options are as above; what an older libcurl does not know is ignored.
typedef struct cc_easy cc_easy;
cc_easy *cc_easy_new(const cc_callbacks *callbacks);
void cc_easy_free(cc_easy *easy);
void cc_easy_set_text(cc_easy *easy, int option, const char *value);  // NULL: libcurl's default, or nothing
void cc_easy_set_number(cc_easy *easy, int option, int64_t value);
// A line of the header: "Name: value".
void cc_easy_add_header(cc_easy *easy, const char *line);
// What the callbacks are given, and cc_multi_next_done.
void cc_easy_set_context(cc_easy *easy, void *context);
// Begins; until cc_easy_remove the request belongs to the multi.
int cc_easy_add(cc_easy *easy, cc_multi *multi);
// Ends at once, whatever was going on. Not from within a callback.
void cc_easy_remove(cc_easy *easy, cc_multi *multi);
// Stops or continues each direction. May call back.
void cc_easy_pause(cc_easy *easy, int receiving, int sending);
// Bytes that the kernel holds for this request's connection and the other end has not acknowledged; 0 when there is no
// way to know.
int64_t cc_easy_unacknowledged(cc_easy *easy, cc_multi *multi);
// libcurl's own words about a failure; may be empty.
const char *cc_easy_reason(const cc_easy *easy);
// The status with which a proxy answered CONNECT; 0 without one.
long cc_easy_proxy_status(cc_easy *easy);
// The number (errno) of the last connection that failed; 0 when none did.
int cc_easy_system_error(cc_easy *easy);
// True when the answer came by HTTP/2.
int cc_easy_was_http2(cc_easy *easy);
