#define _GNU_SOURCE
#define _XOPEN_SOURCE_EXTENDED 1
#define NCURSES_WIDECHAR 1
#include "CNcurses.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

#include "signals.h"

#undef columns  // term.h makes macros of short words.

static SCREEN *screen;
static bool has_colors_started;

// Pair numbers by colours, both + 1. ncurses' own alloc_pair costs several times as much.
static uint16_t pairs[257][257];
static int pairs_used;
static bool pairs_ran_out;

static char enter_modes[64];
static char show_cursor[64];
static bool cursor_is_shown;

static void clear_pairs(void) {
  // Initially they are zero and, untouched, take no memory.
  if (pairs_used > 0) memset(pairs, 0, sizeof pairs);
  pairs_used = 0;
  pairs_ran_out = false;
}

static void measure(int *columns, int *rows) {
  struct winsize size;
  *columns = *rows = 0;
  if (ioctl(1, TIOCGWINSZ, &size) == 0) {
    *columns = size.ws_col;
    *rows = size.ws_row;
  }
  if (*columns <= 0) *columns = tigetnum("cols") > 0 ? tigetnum("cols") : 80;
  if (*rows <= 0) *rows = tigetnum("lines") > 0 ? tigetnum("lines") : 24;
  if (*columns > 2000) *columns = 2000;
  if (*rows > 1000) *rows = 1000;
}

static bool has_string(const char *capability) {
  const char *string = tigetstr(capability);
  return string && string != (char *)-1 && *string;
}

static void append(char *to, size_t size, const char *capability) {
  const char *string = tigetstr(capability);
  if (!string || string == (char *)-1) return;
  // Delays ($<5>) are for terminals on slow lines; here the capability is written without them.
  size_t length = strlen(to);
  while (*string && length + 1 < size) {
    if (string[0] == '$' && string[1] == '<') {
      const char *end = strchr(string, '>');
      if (end) {
        string = end + 1;
        continue;
      }
    }
    to[length++] = *string++;
  }
  to[length] = 0;
}

cn_result cn_start(const char *name, bool mouse) {
  if (screen) return CN_BUSY;
  if (!isatty(0) || !isatty(1)) return CN_NOT_A_TERMINAL;
  // TextUI measures characters in this locale too, regardless of the environment.
  if (!setlocale(LC_CTYPE, "C.UTF-8")) setlocale(LC_CTYPE, "");

  int error;
  if (setupterm(name, 1, &error) != OK) return CN_UNKNOWN_TERMINAL;
  bool moves = has_string("cup") && tigetflag("hc") <= 0;
  del_curterm(cur_term);
  if (!moves) return CN_NO_CURSOR_MOVES;

  // Before newterm: ncurses leaves handlers alone that are not the default.
  if (!cn_process_start()) return CN_SYSTEM_ERROR;
  // The size comes from the system, never from LINES and COLUMNS, which do not change.
  use_env(FALSE);
  use_tioctl(TRUE);
  screen = newterm(name, stdout, stdin);
  if (!screen) {
    cn_process_stop();
    return CN_UNKNOWN_TERMINAL;
  }
  typeahead(-1);  // Otherwise ncurses checks for input within a frame and leaves the frame half done.
  raw();
  noecho();
  nonl();
  idcok(stdscr, FALSE);
  leaveok(stdscr, FALSE);
  has_colors_started = has_colors() && start_color() == OK && use_default_colors() == OK;
  clear_pairs();

  char leave[256] = "\033[?2026l";
  if (mouse) strcat(leave, "\033[?1006l\033[?1002l\033[?1000l");
  strcat(leave, "\033[?1004l\033[?2004l");
  append(leave, sizeof leave, "sgr0");
  append(leave, sizeof leave, "cnorm");
  append(leave, sizeof leave, "rmcup");
  append(leave, sizeof leave, "cnorm");
  show_cursor[0] = 0;
  append(show_cursor, sizeof show_cursor, "cnorm");
  strcpy(enter_modes, "\033[?2004h\033[?1004h");
  if (mouse) strcat(enter_modes, "\033[?1000h\033[?1002h\033[?1006h");
  const char *modes = mouse ? "\033[?1006l\033[?1002l\033[?1000l\033[?1004l\033[?2004l" : "\033[?1004l\033[?2004l";
  cn_process_arm(leave, modes);

  int columns, rows;
  measure(&columns, &rows);
  resize_term(rows, columns);
  // Before its first endwin, ncurses 6.4 writes at every move of the cursor: four writes for two rows.
  refresh();
  endwin();
  refresh();
  curs_set(0);
  cursor_is_shown = false;
  cn_write(enter_modes, strlen(enter_modes));
  return CN_OK;
}

static void end_full_screen(void) {
  cn_process_leave_modes();
  curs_set(1);
  endwin();
  // Once more: ncurses saves the cursor (DECSC) around scrolling, and some terminals use the same slot for the normal
  // screen's cursor, which then comes back hidden.
  cn_write(show_cursor, strlen(show_cursor));
}

void cn_stop(void) {
  if (!screen) return;
  end_full_screen();
  cn_process_stop();
  delscreen(screen);
  screen = NULL;
}

int cn_colors(void) { return has_colors_started ? COLORS : 0; }

bool cn_says_true_color(void) {
  return tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || has_string("RGB") || tigetflag("Tc") > 0;
}

void cn_measure(int *columns, int *rows) {
  measure(columns, rows);
  if (*rows != LINES || *columns != COLS) resize_term(*rows, *columns);
}

void cn_measure_pixels(int *width, int *height) {
  struct winsize size;
  *width = *height = 0;
  if (ioctl(1, TIOCGWINSZ, &size) != 0) return;
  *width = size.ws_xpixel;
  *height = size.ws_ypixel;
}

static int pair_of(int foreground, int background) {
  if (!has_colors_started || (foreground < 0 && background < 0)) return 0;
  if (foreground >= COLORS || foreground > 255) foreground = -1;
  if (background >= COLORS || background > 255) background = -1;
  uint16_t *slot = &pairs[foreground + 1][background + 1];
  if (*slot) return *slot;
  if (pairs_used >= UINT16_MAX || init_extended_pair(pairs_used + 1, foreground, background) != OK) {
    pairs_ran_out = true;
    return pairs[foreground + 1][0] ? pairs[foreground + 1][0] : pairs[0][background + 1];
  }
  *slot = (uint16_t)++pairs_used;
  return *slot;
}

bool cn_forget_pairs(void) {
  // With few pairs, one frame can need more than all: clearing would not help.
  if (!pairs_ran_out || COLOR_PAIRS < 1024) return false;
  reset_color_pairs();
  clear_pairs();
  return true;
}

// Converts the glyph of a cell for ncurses. Returns its columns.
static int text_of(const cn_cell *cell, wchar_t text[4]) {
  int columns = cell->width == 2 ? 2 : 1;
  text[0] = (wchar_t)cell->base;
  text[1] = (wchar_t)cell->mark1;
  text[2] = (wchar_t)cell->mark2;
  text[3] = 0;
  // ncurses draws a control as two characters and would shift the row.
  if (wcwidth(text[0]) != columns) {
    text[0] = 0xFFFD;
    text[1] = 0;
  }
  if (text[1] && wcwidth(text[1]) != 0) text[1] = 0;
  if (text[1] && text[2] && wcwidth(text[2]) != 0) text[2] = 0;
  return columns;
}

static attr_t attributes_of(cn_look look) {
  attr_t attributes = A_NORMAL;
  if (look.attributes & 1) attributes |= A_BOLD;
  if (look.attributes & 2) attributes |= A_DIM;
  if (look.attributes & 4) attributes |= A_REVERSE;
  if (look.attributes & 8) attributes |= A_UNDERLINE;
  if (look.attributes & 16) attributes |= A_ITALIC;
  return attributes;
}

static bool is_plain(const cn_cell *cell) {
  return cell->base >= 0x20 && cell->base < 0x7F && !cell->mark1 && cell->width != 2;
}

static bool looks_like(cn_look one, cn_look other) {
  return one.foreground == other.foreground && one.background == other.background && one.attributes == other.attributes;
}

void cn_put(int row, int column, const cn_cell *cells, int count) {
  // Each call passes at most a row; cn_measure returns at most 2000 columns.
  static cchar_t line[2001];
  if (row < 0 || row >= LINES || column < 0 || column >= COLS) return;
  int used = 0;
  int width = 0;
  for (int i = 0; i < count && used < 2000; i++) {
    const cn_cell *cell = &cells[i];
    // Most cells are printable ASCII in the style of the previous one: setcchar takes six times as long as a copy.
    if (i > 0 && is_plain(cell) && is_plain(cell - 1) && looks_like(cell->look, cell[-1].look)) {
      if (width + 1 > COLS - column) break;
      line[used] = line[used - 1];
      line[used++].chars[0] = (wchar_t)cell->base;
      width++;
      continue;
    }
    wchar_t text[4];
    int columns = text_of(cell, text);
    if (width + columns > COLS - column) break;
    int pair = pair_of(cell->look.foreground, cell->look.background);
    setcchar(&line[used++], text, attributes_of(cell->look), 0, &pair);
    if (columns == 2 && text[0] == 0xFFFD && used < 2000) {
      setcchar(&line[used++], L" ", attributes_of(cell->look), 0, &pair);
    }
    width += columns;
  }
  // Writes directly into ncurses' image of the next screen. Through stdscr, every cell would be stored and copied once
  // more, and between two keys none of these copies stays in a cache.
  mvwadd_wchnstr(newscr, row, column, line, used);
}

void cn_put_text(int row, int column, const uint8_t *text, int count, cn_look look) {
  static chtype line[2000];
  if (row < 0 || row >= LINES || column < 0 || column >= COLS) return;
  if (count > COLS - column) count = COLS - column;
  attr_t attributes = attributes_of(look);
  int pair = pair_of(look.foreground, look.background);
  bool fits = pair < 256;
  for (int i = 0; i < count; i++) line[i] = text[i] | attributes | (fits ? COLOR_PAIR(pair) : 0);
  mvwaddchnstr(newscr, row, column, line, count);
  if (fits) return;
  // A chtype has no room for this pair's number. The line above is still needed: at the former right half of a wide
  // glyph, mvwadd_wchnstr would clear the left half, which may be text by now.
  static cchar_t wide[2000];
  for (int i = 0; i < count; i++) setcchar(&wide[i], (wchar_t[]){text[i], 0}, attributes, 0, &pair);
  mvwadd_wchnstr(newscr, row, column, wide, count);
}

bool cn_scroll(int first, int last, int distance) {
  if (first < 0 || last >= LINES || first >= last) return false;
  scrollok(newscr, TRUE);
  wsetscrreg(newscr, first, last);
  wscrl(newscr, distance);
  wsetscrreg(newscr, 0, LINES - 1);
  scrollok(newscr, FALSE);
  return true;
}

void cn_repaint(void) { clearok(curscr, TRUE); }

void cn_flush(int cursor_row, int cursor_column) {
  bool shown = cursor_row >= 0 && cursor_row < LINES && cursor_column >= 0 && cursor_column < COLS;
  if (shown) wmove(newscr, cursor_row, cursor_column);
  if (shown != cursor_is_shown) curs_set(shown);
  cursor_is_shown = shown;
  doupdate();
}

void cn_cursor(int *row, int *column) { getyx(curscr, *row, *column); }

void cn_write(const void *bytes, size_t count) {
  const char *next = bytes;
  while (count > 0) {
    ssize_t written = write(1, next, count);
    if (written > 0) {
      next += written;
      count -= (size_t)written;
    } else if (written < 0 && errno == EAGAIN) {
      struct pollfd out = {1, POLLOUT, 0};
      poll(&out, 1, -1);
      if (out.revents & (POLLERR | POLLHUP | POLLNVAL)) return;
    } else if (written < 0 && errno != EINTR) {
      return;
    }
  }
}

static void leave_screen(void) {
  end_full_screen();
  cn_process_disarm();
}

static void enter_screen(void) {
  cn_process_rearm();
  reset_prog_mode();
  int columns, rows;
  cn_measure(&columns, &rows);
  cn_repaint();
  // As one change, as each frame.
  cn_write("\033[?2026h", 8);
  refresh();
  cn_write("\033[?2026l", 8);
  // Only now: some terminals keep a cursor that was hidden before the full screen hidden after it.
  curs_set(0);
  cursor_is_shown = false;
  cn_write(enter_modes, strlen(enter_modes));
}

void cn_suspend(void) {
  leave_screen();
  cn_process_stop_job();
  enter_screen();
}

void cn_resume(void) {
  // The shell has set its own modes meanwhile; ncurses must not take them for ours.
  endwin();
  enter_screen();
}

cn_end cn_run(char *const arguments[], unsigned long descriptors, int *value) {
  leave_screen();
  cn_end end = cn_process_run(arguments, descriptors, value);
  enter_screen();
  return end;
}
