#define _GNU_SOURCE
#include "CVTerm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <vterm.h>

struct cvt_screen {
  VTerm *terminal;
  VTermScreen *screen;
  bool cursor_is_shown, is_full_screen;
  int mouse, bells;
};

static int on_property(VTermProp property, VTermValue *value, void *user) {
  cvt_screen *screen = user;
  if (property == VTERM_PROP_CURSORVISIBLE) screen->cursor_is_shown = value->boolean;
  if (property == VTERM_PROP_ALTSCREEN) screen->is_full_screen = value->boolean;
  if (property == VTERM_PROP_MOUSE) screen->mouse = value->number;
  return 1;
}

static int on_bell(void *user) {
  ((cvt_screen *)user)->bells++;
  return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = on_property, .bell = on_bell};

cvt_screen *cvt_open(int rows, int columns) {
  cvt_screen *screen = calloc(1, sizeof *screen);
  screen->terminal = vterm_new(rows, columns);
  vterm_set_utf8(screen->terminal, 1);
  screen->screen = vterm_obtain_screen(screen->terminal);
  screen->cursor_is_shown = true;
  vterm_screen_set_callbacks(screen->screen, &callbacks, screen);
  vterm_screen_enable_altscreen(screen->screen, 1);
  vterm_screen_reset(screen->screen, 1);
  return screen;
}

void cvt_close(cvt_screen *screen) {
  vterm_free(screen->terminal);
  free(screen);
}

void cvt_feed(cvt_screen *screen, const uint8_t *bytes, size_t count) {
  vterm_input_write(screen->terminal, (const char *)bytes, count);
}

size_t cvt_replies(cvt_screen *screen, uint8_t *buffer, size_t size) {
  return vterm_output_read(screen->terminal, (char *)buffer, size);
}

void cvt_resize(cvt_screen *screen, int rows, int columns) { vterm_set_size(screen->terminal, rows, columns); }

static uint32_t color_of(VTermColor color, uint8_t is_default) {
  if (color.type & is_default) return 0;
  if (VTERM_COLOR_IS_INDEXED(&color)) return 0x01000000u | color.indexed.idx;
  return 0x02000000u | (uint32_t)color.rgb.red << 16 | (uint32_t)color.rgb.green << 8 | color.rgb.blue;
}

cvt_cell cvt_cell_at(const cvt_screen *screen, int row, int column) {
  cvt_cell cell = {.scalars = {' '}, .width = 1};
  VTermScreenCell from;
  if (!vterm_screen_get_cell(screen->screen, (VTermPos){row, column}, &from)) return cell;
  // libvterm marks the right half of a wide glyph by this.
  if (from.chars[0] == (uint32_t)-1) {
    cell.scalars[0] = 0;
    cell.width = 0;
  } else if (from.chars[0]) {
    for (int i = 0; i < 4; i++) cell.scalars[i] = from.chars[i];
    for (int i = 1; i < 4; i++) {
      if (!cell.scalars[i]) memset(&cell.scalars[i], 0, sizeof(uint32_t) * (size_t)(4 - i));
    }
    cell.width = (uint8_t)from.width;
  }
  cell.bold = from.attrs.bold;
  cell.underline = from.attrs.underline != 0;
  cell.reverse = from.attrs.reverse;
  cell.italic = from.attrs.italic;
  cell.strike = from.attrs.strike;
  cell.foreground = color_of(from.fg, VTERM_COLOR_DEFAULT_FG);
  cell.background = color_of(from.bg, VTERM_COLOR_DEFAULT_BG);
  return cell;
}

void cvt_cursor(const cvt_screen *screen, int *row, int *column) {
  VTermPos position;
  vterm_state_get_cursorpos(vterm_obtain_state(screen->terminal), &position);
  *row = position.row;
  *column = position.col;
}

bool cvt_cursor_is_shown(const cvt_screen *screen) { return screen->cursor_is_shown; }
bool cvt_is_full_screen(const cvt_screen *screen) { return screen->is_full_screen; }
int cvt_mouse(const cvt_screen *screen) { return screen->mouse; }
int cvt_bells(const cvt_screen *screen) { return screen->bells; }
