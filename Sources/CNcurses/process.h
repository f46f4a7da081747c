// Signals, termios and child processes: what must work while ncurses is in the middle of something.
#pragma once
#include <stdbool.h>

#include "CNcurses.h"

// Saves the terminal's settings and installs handlers.
bool cn_process_start(void);
// From now on every end of the process writes `leave`; `modes` are the part that ncurses does not know of.
void cn_process_arm(const char *leave, const char *modes);
void cn_process_leave_modes(void);
// The terminal is given back for a while, and taken again.
void cn_process_disarm(void);
void cn_process_rearm(void);
// Restores settings and handlers.
void cn_process_stop(void);

void cn_process_stop_job(void);
cn_end cn_process_run(char *const arguments[], int *value);
