// libvterm, and processes on a pseudo terminal: what Swift's importer does not see of them.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// A cell of the screen. Colours: 0 the terminal's own, 0x010000NN palette entry, 0x02RRGGBB.
typedef struct {
  uint32_t scalars[4];
  uint32_t foreground, background;
  uint8_t width;  // 0 for the right half of a wide glyph
  bool bold, underline, reverse, italic, strike;
} cvt_cell;

typedef struct cvt_screen cvt_screen;

cvt_screen *cvt_open(int rows, int columns);
void cvt_close(cvt_screen *screen);
void cvt_feed(cvt_screen *screen, const uint8_t *bytes, size_t count);
// What the terminal answers to questions since the last call.
size_t cvt_replies(cvt_screen *screen, uint8_t *buffer, size_t size);
void cvt_resize(cvt_screen *screen, int rows, int columns);
cvt_cell cvt_cell_at(const cvt_screen *screen, int row, int column);
void cvt_cursor(const cvt_screen *screen, int *row, int *column);
bool cvt_cursor_is_shown(const cvt_screen *screen);
bool cvt_is_full_screen(const cvt_screen *screen);
// 0 none, 1 clicks, 2 drags, 3 all moves
int cvt_mouse(const cvt_screen *screen);
int cvt_bells(const cvt_screen *screen);

// Starts a program whose terminal is a new pty, in a session of its own, with default signals and none blocked.
// Returns 0 or errno. The master is close-on-exec.
int cvt_spawn(
    const char *path, char *const arguments[], char *const environment[], const char *folder, int rows, int columns,
    int *master, pid_t *process);
int cvt_set_size(int master, int rows, int columns);
// A bit set: 1 canonical, 2 echo, 4 signals; -1 when it cannot be told.
int cvt_modes(int master);
// Waits for the end. Returns the exit code, or 256 + the signal, or -1.
int cvt_wait(pid_t process);

// Whether cvt_refuse can work here.
bool cvt_can_refuse(void);
// From now on, in all threads of this process, all programs it starts, and for good, these calls fail: openat2(2) with the
// error `code`; inotify_init1(2), which is unknown (ENOSYS); renameat2(2) with flags, which it does not know (EINVAL).
// Returns 0 or errno.
enum { CVT_OPENAT2 = 1, CVT_RENAME_FLAGS = 2, CVT_INOTIFY = 4 };
int cvt_refuse(unsigned calls, int code);
