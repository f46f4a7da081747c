#include "CExpat.h"

#include <expat.h>
#include <limits.h>
#include <stdlib.h>

struct cx_reader {
  XML_Parser parser;
  cx_events events;
  void *context;
  int stopped;
};

static void stop(cx_reader *reader, int why) {
  if (reader->stopped == CX_OK) reader->stopped = why;
  XML_StopParser(reader->parser, XML_FALSE);
}

// After XML_StopParser, libexpat may still report the end of an empty element and the rest of a text.
static void start_element(void *data, const XML_Char *name, const XML_Char **attributes) {
  cx_reader *reader = data;
  if (!reader->stopped) reader->events.start(reader->context, name, (const char *const *)attributes);
}

static void end_element(void *data, const XML_Char *name) {
  cx_reader *reader = data;
  (void)name;
  if (!reader->stopped) reader->events.end(reader->context);
}

static void text(void *data, const XML_Char *bytes, int count) {
  cx_reader *reader = data;
  if (!reader->stopped && count > 0) reader->events.text(reader->context, bytes, (size_t)count);
}

static void comment(void *data, const XML_Char *bytes) {
  cx_reader *reader = data;
  (void)bytes;
  if (!reader->stopped) reader->events.other(reader->context);
}

static void instruction(void *data, const XML_Char *target, const XML_Char *bytes) {
  (void)target;
  comment(data, bytes);
}

static void doctype(
    void *data, const XML_Char *name, const XML_Char *system, const XML_Char *public, int has_internal_subset) {
  (void)name, (void)system, (void)public, (void)has_internal_subset;
  stop(data, CX_DOCTYPE);
}

cx_reader *cx_new(cx_events events) {
  cx_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->events = events;
  // libexpat refuses namespaces that contain the separator.
  reader->parser = XML_ParserCreateNS(NULL, '\n');
  if (reader->parser == NULL) {
    free(reader);
    return NULL;
  }
  XML_SetUserData(reader->parser, reader);
  XML_SetElementHandler(reader->parser, start_element, end_element);
  XML_SetCharacterDataHandler(reader->parser, text);
  XML_SetCommentHandler(reader->parser, comment);
  XML_SetProcessingInstructionHandler(reader->parser, instruction);
  XML_SetStartDoctypeDeclHandler(reader->parser, doctype);
  return reader;
}

void cx_free(cx_reader *reader) {
  if (reader == NULL) return;
  XML_ParserFree(reader->parser);
  free(reader);
}

int cx_feed(cx_reader *reader, void *context, const uint8_t *bytes, size_t count, int is_last) {
  if (count > INT_MAX) return CX_MEMORY;
  reader->context = context;
  enum XML_Status status = XML_Parse(reader->parser, (const char *)bytes, (int)count, is_last);
  reader->context = NULL;
  if (reader->stopped) return reader->stopped;
  if (status == XML_STATUS_OK) return CX_OK;
  return XML_GetErrorCode(reader->parser) == XML_ERROR_NO_MEMORY ? CX_MEMORY : CX_BROKEN;
}

void cx_stop(cx_reader *reader) { stop(reader, CX_STOPPED); }

size_t cx_event_bytes(const cx_reader *reader) {
  int count = XML_GetCurrentByteCount(reader->parser);
  return count > 0 ? (size_t)count : 0;
}

size_t cx_position(const cx_reader *reader) {
  XML_Index position = XML_GetCurrentByteIndex(reader->parser);
  return position > 0 ? (size_t)position : 0;
}

size_t cx_line(const cx_reader *reader) { return (size_t)XML_GetCurrentLineNumber(reader->parser); }

const char *cx_reason(const cx_reader *reader) { return XML_ErrorString(XML_GetErrorCode(reader->parser)); }
