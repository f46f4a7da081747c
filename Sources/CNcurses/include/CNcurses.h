// A small plain door to ncurses, termios and signals. One terminal at a time; all calls on one thread, but for cn_wake.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How a glyph looks. Colours are palette entries, -1 the terminal's own.
typedef struct {
  int16_t foreground, background;
  uint8_t attributes;  // 1 bold, 2 dim, 4 reverse, 8 underline
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
  CN_UNKNOWN_TERMINAL,  // there is no terminfo entry
  CN_NO_CURSOR_MOVES,   // TERM=dumb and the like
  CN_BUSY,              // taken already
  CN_SYSTEM_ERROR,      // errno says which
} cn_result;

// What cn_wait saw; a set.
enum {
  CN_INPUT = 1,
  CN_WOKEN = 2,
  CN_RESIZED = 4,
  CN_TOLD_TO_END = 8,
  CN_TOLD_TO_STOP = 16,
  CN_CONTINUED = 32,
  CN_HUNG_UP = 64,
};

// How a program ended.
typedef enum { CN_EXITED, CN_SIGNALLED, CN_NOT_STARTED } cn_end;

// Takes the terminal: full screen, raw, own signal handlers. On failure all is as before.
cn_result cn_start(const char *name, bool mouse);
// Gives the terminal back and restores the signal handlers. May be called twice.
void cn_stop(void);

// Of the terminal's description: colours (0 without), whether it says that it has 24-bit colour.
int cn_colors(void);
bool cn_says_true_color(void);

// Columns and rows as the system tells them now; makes ncurses take them.
void cn_measure(int *columns, int *rows);

// Puts `count` glyphs on a row from a column on. Nothing is written before cn_flush.
void cn_put(int row, int column, const cn_cell *cells, int count);
// The same with printable ASCII in one look. What is put of a row is put in such pieces from end to end, or else by one
// cn_put.
void cn_put_text(int row, int column, const uint8_t *text, int count, cn_look look);
// Moves rows up, or down when `distance` is negative, among those from `first` to `last`. What comes free must be put.
// False, and nothing moved, when there are no such rows.
bool cn_scroll(int first, int last, int distance);
// Makes the next cn_flush write everything.
void cn_repaint(void);
// When colour pairs ran out: forgets all and says true; then every cell must be put again.
bool cn_forget_pairs(void);
// Puts bytes without `$<` in front of what the next cn_flush writes.
void cn_prefix(const char *bytes);
// Writes what changed with one write(2) (unless it is very long) and leaves the cursor at a place; hidden when row < 0.
void cn_flush(int cursor_row, int cursor_column);
// Where the last cn_flush left the cursor, shown or not.
void cn_cursor(int *row, int *column);
// Writes bytes at once.
void cn_write(const void *bytes, size_t count);

// The window's title is kept, for cn_leave_window; the next one may be set. Not twice.
void cn_keep_title(void);
// Gives back the title that was kept.
void cn_leave_title(void);
// From now on the window shows progress, which cn_leave_window takes away.
void cn_keep_progress(void);
// Takes the progress away.
void cn_leave_progress(void);
// Both, as far as there is something to take back; also done however the process ends.
void cn_leave_window(void);

// Sleeps until there is something; milliseconds < 0 is for ever. Returns a set, 0 when the time is over.
int cn_wait(int milliseconds);
// Whether a read would return at once.
bool cn_has_input(void);
// Reads input; 0 at its end, -1 when there is none now.
long cn_read(void *buffer, size_t size);
// Ends a cn_wait; any thread, any time.
void cn_wake(void);

// Stops the whole job as Ctrl-Z does and comes back when it goes on.
void cn_suspend(void);
// Takes the terminal again after the process was stopped and continued by others.
void cn_resume(void);
// Runs a program in the foreground with default signals; `value` becomes its exit code, signal, or errno.
cn_end cn_run(char *const arguments[], int *value);
