// Signals, termios and child processes: the parts that must work while ncurses is inside a call.
#pragma once
#include <stdbool.h>

#include "CNcurses.h"

// Saves the terminal's settings and installs handlers.
bool cn_process_start(void);
// From now on every end of the process writes `leave`; `modes` is the part that ncurses does not handle.
void cn_process_arm(const char *leave, const char *modes);
void cn_process_leave_modes(void);
// Give the terminal back for a while, and take it again.
void cn_process_disarm(void);
void cn_process_rearm(void);
// Restores settings and handlers.
void cn_process_stop(void);

void cn_process_stop_job(void);
cn_end cn_process_run(char *const arguments[], unsigned long descriptors, int *value);
