#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "CVTerm.h"

int cvt_spawn(
    const char *path, char *const arguments[], char *const environment[], const char *folder, int rows, int columns,
    int *master, pid_t *process) {
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  *master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (*master < 0) return errno;
  char name[64];
  int error = 0;
  if (grantpt(*master) != 0 || unlockpt(*master) != 0 || ptsname_r(*master, name, sizeof name) != 0 ||
      ioctl(*master, TIOCSWINSZ, &size) != 0)
    error = errno;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  // The leader of a new session that opens a terminal gets it as its controlling one.
  posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, 0, 1);
  posix_spawn_file_actions_adddup2(&actions, 0, 2);
  if (folder) posix_spawn_file_actions_addchdir_np(&actions, folder);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  // Test workers block signals such as SIGWINCH, and a child inherits that.
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  if (!error) error = posix_spawnp(process, path, &actions, &attributes, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error) close(*master);
  return error;
}

int cvt_set_size(int master, int rows, int columns) {
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  return ioctl(master, TIOCSWINSZ, &size) == 0 ? 0 : errno;
}

int cvt_modes(int master) {
  struct termios settings;
  if (tcgetattr(master, &settings) != 0) return -1;
  return (settings.c_lflag & ICANON ? 1 : 0) | (settings.c_lflag & ECHO ? 2 : 0) | (settings.c_lflag & ISIG ? 4 : 0);
}

int cvt_wait(pid_t process) {
  int status;
  pid_t waited;
  do {
    waited = waitpid(process, &status, 0);
  } while (waited < 0 && errno == EINTR);
  if (waited < 0) return -1;
  return WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
}
