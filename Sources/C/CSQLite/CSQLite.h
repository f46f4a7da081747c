// SQLite's own interface, and its parts that Swift's importer does not see.
#pragma once
#include <sqlite3.h>

// Binds a copy of `count` bytes of UTF-8; returns SQLite's result code. `text` may be NULL if `count` is 0.
static inline int cs_bind_text(sqlite3_stmt *statement, int index, const void *text, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, count > 0 ? text : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// Binds a copy of `count` bytes; returns SQLite's result code. No bytes are an empty value, not NULL.
static inline int cs_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, count > 0 ? bytes : "", count, SQLITE_TRANSIENT);
}
