// A small plain API over ncurses, termios and signals. One terminal at a time; all calls but cn_wake on one thread.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The look of a glyph. Colours are palette entries, or -1 for the terminal's own.
typedef struct {
  int16_t foreground, background;
  uint8_t attributes;  // 1 bold, 2 dim, 4 reverse, 8 underline, 16 italic; others are ignored
} cn_look;

// One glyph of a row.
typedef struct {
  uint32_t base, mark1, mark2;
  cn_look look;
  uint8_t width;  // 1 or 2
} cn_cell;

typedef enum {
  CN_OK = 0,
  CN_NOT_A_TERMINAL,    // stdin or stdout
  CN_UNKNOWN_TERMINAL,  // no terminfo entry
  CN_NO_CURSOR_MOVES,   // TERM=dumb and the like
  CN_BUSY,              // already in use
  CN_SYSTEM_ERROR,      // see errno
} cn_result;

// The set of events that cn_wait returns.
enum {
  CN_INPUT = 1,
  CN_WOKEN = 2,
  CN_RESIZED = 4,
  CN_ASKED_TO_END = 8,
  CN_ASKED_TO_STOP = 16,
  CN_CONTINUED = 32,
  CN_HUNG_UP = 64,
};

// The end of a program.
typedef enum { CN_EXITED, CN_SIGNALLED, CN_NOT_STARTED } cn_end;

// Takes the terminal: full screen, raw mode, own signal handlers. On failure everything is unchanged.
cn_result cn_start(const char *name, bool mouse);
// Restores the terminal and the signal handlers. May be called twice.
void cn_stop(void);

// The number of colours (0 without) and the 24-bit colour flag, by the terminal's description.
int cn_colors(void);
bool cn_says_true_color(void);

// The system's current columns and rows; sets ncurses' size to them.
void cn_measure(int *columns, int *rows);
// The window's width and height in pixels; 0 if the system does not know them.
void cn_measure_pixels(int *width, int *height);

// Puts `count` glyphs on a row from a column on. Nothing is written before cn_flush.
void cn_put(int row, int column, const cn_cell *cells, int count);
// The same for printable ASCII in one look. The changed part of a row is put by adjacent such pieces, or by one cn_put.
void cn_put_text(int row, int column, const uint8_t *text, int count, cn_look look);
// Moves rows up, or down if `distance` is negative, within `first` to `last`. Vacated rows must be put again. Returns
// false, and moves nothing, if there are no such rows.
bool cn_scroll(int first, int last, int distance);
// Makes the next cn_flush write everything.
void cn_repaint(void);
// If colour pairs ran out, clears all and returns true; then every cell must be put again.
bool cn_forget_pairs(void);
// Writes the changes with one write(2) (unless very long) and leaves the cursor at a place; hides it if row < 0.
void cn_flush(int cursor_row, int cursor_column);
// The cursor's position after the last cn_flush, shown or not.
void cn_cursor(int *row, int *column);
// Writes bytes at once.
void cn_write(const void *bytes, size_t count);

// Saves the window's title for cn_leave_window; a new one may be set. Must not be called twice.
void cn_keep_title(void);
// Restores the saved title.
void cn_leave_title(void);
// Notes that the window shows progress, which cn_leave_window will remove.
void cn_keep_progress(void);
// Removes the progress.
void cn_leave_progress(void);
// Notes the bytes that remove all pictures, which cn_leave_window will write; at most 4096, more are left out.
void cn_keep_pictures(const void *bytes, size_t count);
// Notes that clusters are drawn with lines that do not wrap, and sets their mode (2027); cn_leave_window undoes both.
void cn_keep_graphemes(bool sets_mode);
// Does all of it, if needed; also happens however the process ends.
void cn_leave_window(void);

// Sleeps until an event; milliseconds < 0 means no limit. Returns a set of events, 0 after the time limit.
int cn_wait(int milliseconds);
// True if a read would return at once.
bool cn_has_input(void);
// Reads input; 0 at its end, -1 if there is none now.
long cn_read(void *buffer, size_t size);
// Ends a cn_wait; any thread, any time.
void cn_wake(void);

// Stops the whole job as Ctrl-Z does and returns when it continues.
void cn_suspend(void);
// Takes the terminal again after another process stopped and continued this one.
void cn_resume(void);
// Runs a program in the foreground with default signals, which may have so many descriptors (0: as many as this one);
// `value` becomes its exit code, signal, or errno.
cn_end cn_run(char *const arguments[], unsigned long descriptors, int *value);
