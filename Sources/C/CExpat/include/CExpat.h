// The parts of libexpat for answers of servers: elements, attributes and text in UTF-8, with namespaces. Document type
// declarations, and so entities of the document's own, are refused.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct cx_reader cx_reader;

// A name is its namespace, a line feed, and the local name; without a namespace, the local name alone. `attributes`
// are names and values in turn, then NULL. All strings are UTF-8 and valid during the call.
typedef struct {
  void (*start)(void *context, const char *name, const char *const *attributes);
  void (*end)(void *context);
  void (*text)(void *context, const char *bytes, size_t count);
  // A comment or a processing instruction.
  void (*other)(void *context);
} cx_events;

// The result of cx_feed.
enum { CX_OK = 0, CX_BROKEN = 1, CX_STOPPED = 2, CX_DOCTYPE = 3, CX_MEMORY = 4 };

// NULL if memory is short. One thread at a time may use it.
cx_reader *cx_new(cx_events events);
void cx_free(cx_reader *reader);
// Parses the next bytes; events come during the call, with `context`. After any result but CX_OK, feed no more.
int cx_feed(cx_reader *reader, void *context, const uint8_t *bytes, size_t count, int is_last);
// Ends the running cx_feed with CX_STOPPED. For an event's function; no further events come.
void cx_stop(cx_reader *reader);
// Of an event: its length in the input, in bytes; 0 otherwise.
size_t cx_event_bytes(const cx_reader *reader);
// The bytes before the current event or, between calls, before the next one.
size_t cx_position(const cx_reader *reader);
// From 1.
size_t cx_line(const cx_reader *reader);
// The reason for CX_BROKEN, in libexpat's words.
const char *cx_reason(const cx_reader *reader);
