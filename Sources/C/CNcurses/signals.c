#define _GNU_SOURCE
#include "signals.h"

#include <CPlatform.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

extern char **environ;

// The ends of a pipe that live as long as the process: any thread may wake at any time.
static _Atomic int wake_reading = -1, wake_writing = -1;
static atomic_bool armed;
static atomic_int resized, asked_to_end, asked_to_stop, continued;
static volatile sig_atomic_t program_runs;
static bool hung_up, handles;
static pid_t owner;

static struct termios settings;
static char leave_bytes[256];
static size_t leave_count;
static char mode_bytes[64];
static atomic_bool keeps_title, keeps_progress;

static const int plain[] = {SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT};
static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
// Other signals that end a process by default.
static const int ends[] = {SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGPOLL, SIGPWR, SIGSTKFLT};
enum {
  PLAIN = sizeof plain / sizeof *plain,
  CRASHES = sizeof crashes / sizeof *crashes,
  ENDS = sizeof ends / sizeof *ends
};
static struct sigaction old_plain[PLAIN], old_crashes[CRASHES], old_ends[ENDS];
static stack_t own_stack, old_stack;

void cn_wake(void) {
  int saved = errno;
  int descriptor = wake_writing;
  if (descriptor >= 0) cp_signal_send(descriptor);
  errno = saved;
}

void cn_keep_title(void) {
  // The flag first: a crash in between restores a title too often, which terminals ignore.
  keeps_title = true;
  cn_write("\033[22;2t", 7);
}

void cn_leave_title(void) {
  if (atomic_exchange(&keeps_title, false)) (void)!write(1, "\033[23;2t", 7);
}

void cn_keep_progress(void) { keeps_progress = true; }

void cn_leave_progress(void) {
  if (atomic_exchange(&keeps_progress, false)) (void)!write(1, "\033]9;4;0;\007", 9);
}

// 1 for lines that wrap, 2 for the mode of grapheme clusters, too.
static atomic_int keeps_graphemes;

void cn_keep_graphemes(bool sets_mode) {
  keeps_graphemes = sets_mode ? 2 : 1;
  if (sets_mode) cn_write("\033[?2027h", 8);
}

static void leave_graphemes(void) {
  int kept = atomic_exchange(&keeps_graphemes, 0);
  if (kept == 2) (void)!write(1, "\033[?2027l", 8);
  if (kept) (void)!write(1, "\033[?7h", 5);
}

static char picture_bytes[4096];
static atomic_size_t picture_count;

void cn_keep_pictures(const void *bytes, size_t count) {
  // 0 first: a crash in between leaves a picture, and writes no half of a sequence.
  picture_count = 0;
  if (count > sizeof picture_bytes) return;
  memcpy(picture_bytes, bytes, count);
  picture_count = count;
}

static void leave_pictures(void) {
  size_t count = atomic_exchange(&picture_count, 0);
  if (count > 0) (void)!write(1, picture_bytes, count);
}

void cn_leave_window(void) {
  leave_pictures();
  leave_graphemes();
  cn_leave_progress();
  cn_leave_title();
}

// Restores the terminal from a signal handler or at exit. Uses only async-signal-safe calls.
static void leave_now(void) {
  if (getpid() != owner || !atomic_exchange(&armed, false)) return;
  cn_leave_window();
  (void)!write(1, leave_bytes, leave_count);
  // In the background tcsetattr would stop the process.
  if (tcgetpgrp(0) == getpgrp()) tcsetattr(0, TCSANOW, &settings);
}

static void on_signal(int number) {
  switch (number) {
    case SIGWINCH: resized = 1; break;
    case SIGTSTP: asked_to_stop = 1; break;
    case SIGCONT: continued = 1; break;
    case SIGINT:
    case SIGQUIT:
      // Keys for the program that has the terminal now.
      if (program_runs) return;
      // fall through
    default:
      // The loop has not reacted to two earlier signals: it is stuck, for instance in a write to a frozen terminal.
      if (atomic_fetch_add(&asked_to_end, 1) >= 2) {
        leave_now();
        signal(number, SIG_DFL);
        raise(number);
      }
  }
  cn_wake();
}

static void on_crash(int number, siginfo_t *information, void *context) {
  (void)context;
  leave_now();
  for (int i = 0; i < CRASHES; i++) sigaction(crashes[i], &old_crashes[i], NULL);
  // A fault occurs again when the handler returns; a sent signal does not.
  if (information->si_code <= 0) raise(number);
}

static void on_end(int number) {
  leave_now();
  signal(number, SIG_DFL);
  raise(number);
}

bool cn_process_start(void) {
  static bool leaves_at_exit;
  if (tcgetattr(0, &settings) != 0) return false;
  int wakes[2];
  if (wake_reading < 0 && cp_signal_open(wakes) == 0) wake_reading = wakes[0], wake_writing = wakes[1];
  if (wake_reading < 0) return false;
  if (!leaves_at_exit) atexit(leave_now);
  leaves_at_exit = true;
  owner = getpid();
  hung_up = false;
  resized = asked_to_end = asked_to_stop = continued = 0;

  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < PLAIN; i++) sigaction(plain[i], &action, &old_plain[i]);

  struct sigaction end = {.sa_handler = on_end};
  sigemptyset(&end.sa_mask);
  for (int i = 0; i < ENDS; i++) {
    sigaction(ends[i], &end, &old_ends[i]);
    // Whoever started this process has it pass over the signal.
    if (old_ends[i].sa_handler != SIG_DFL) sigaction(ends[i], &old_ends[i], NULL);
  }

  // A stack overflow leaves no room for a handler.
  if (!own_stack.ss_sp) {
    own_stack.ss_size = 64 << 10;
    own_stack.ss_sp = malloc(own_stack.ss_size);
  }
  sigaltstack(NULL, &old_stack);
  if (own_stack.ss_sp && (old_stack.ss_flags & SS_DISABLE)) sigaltstack(&own_stack, NULL);
  struct sigaction crash = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&crash.sa_mask);
  for (int i = 0; i < CRASHES; i++) sigaction(crashes[i], &crash, &old_crashes[i]);
  handles = true;
  return true;
}

void cn_process_arm(const char *leave, const char *modes) {
  leave_count = strlen(leave);
  memcpy(leave_bytes, leave, leave_count);
  strcpy(mode_bytes, modes);
  armed = true;
}

void cn_process_leave_modes(void) { cn_write(mode_bytes, strlen(mode_bytes)); }

void cn_process_disarm(void) {
  armed = false;
  tcsetattr(0, TCSADRAIN, &settings);
}

void cn_process_rearm(void) { armed = true; }

void cn_process_stop(void) {
  if (!handles) return;
  handles = false;
  // The crash handlers go last: until then a crash must restore the terminal.
  tcsetattr(0, TCSADRAIN, &settings);
  armed = false;
  for (int i = 0; i < PLAIN; i++) sigaction(plain[i], &old_plain[i], NULL);
  for (int i = 0; i < CRASHES; i++) sigaction(crashes[i], &old_crashes[i], NULL);
  for (int i = 0; i < ENDS; i++) sigaction(ends[i], &old_ends[i], NULL);
  stack_t now;
  sigaltstack(NULL, &now);
  if (now.ss_sp == own_stack.ss_sp) sigaltstack(&old_stack, NULL);
}

int cn_wait(int milliseconds) {
  // A closed terminal is always readable: it is not polled again.
  struct pollfd polled[2] = {{hung_up ? -1 : 0, POLLIN, 0}, {wake_reading, POLLIN, 0}};
  int ready;
  do {
    ready = poll(polled, 2, milliseconds);
  } while (ready < 0 && errno == EINTR && !resized && !asked_to_end && !asked_to_stop && !continued);
  int seen = 0;
  if (ready > 0 && polled[0].revents & POLLIN) seen |= CN_INPUT;
  if (ready > 0 && polled[0].revents & (POLLHUP | POLLERR | POLLNVAL)) {
    hung_up = true;
    seen |= CN_HUNG_UP;
  }
  if (ready > 0 && polled[1].revents & POLLIN) {
    cp_signal_clear(wake_reading);
    seen |= CN_WOKEN;
  }
  if (atomic_exchange(&resized, 0)) seen |= CN_RESIZED;
  if (atomic_exchange(&asked_to_end, 0)) seen |= CN_ASKED_TO_END;
  if (atomic_exchange(&asked_to_stop, 0)) seen |= CN_ASKED_TO_STOP;
  if (atomic_exchange(&continued, 0)) seen |= CN_CONTINUED;
  return seen;
}

bool cn_has_input(void) {
  struct pollfd polled = {0, POLLIN, 0};
  return !hung_up && poll(&polled, 1, 0) > 0 && polled.revents & POLLIN;
}

long cn_read(void *buffer, size_t size) {
  ssize_t count;
  do {
    count = read(0, buffer, size);
  } while (count < 0 && errno == EINTR);
  if (count < 0 && errno == EAGAIN) return -1;
  if (count <= 0) hung_up = true;
  return count < 0 ? 0 : count;
}

static void set(int number, void (*handler)(int), struct sigaction *old) {
  struct sigaction action = {.sa_handler = handler};
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, old);
}

void cn_process_stop_job(void) {
  // First stops the rest of the job, such as the script that started this process; then this thread, before the next
  // line. Neither has an effect if no shell could continue the job (POSIX: orphaned process group).
  struct sigaction old;
  set(SIGTSTP, SIG_IGN, &old);
  kill(0, SIGTSTP);
  set(SIGTSTP, SIG_DFL, NULL);
  raise(SIGTSTP);
  sigaction(SIGTSTP, &old, NULL);
  asked_to_stop = 0;
  continued = 0;
}

// The limit of descriptors. Returns the one before; 0 if unknown.
static rlim_t set_descriptors(rlim_t descriptors) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  rlim_t before = limit.rlim_cur;
  limit.rlim_cur = descriptors;
  return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? before : 0;
}

cn_end cn_process_run(char *const arguments[], unsigned long descriptors, int *value) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  // A stop key stops the program and this process alike, and the shell continues.
  struct sigaction old;
  set(SIGTSTP, SIG_DFL, &old);
  program_runs = 1;
  pid_t child;
  rlim_t own = descriptors != 0 ? set_descriptors(descriptors) : 0;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  int error = cp_inherit_streams_alone(&actions);
  if (error == 0) error = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (own != 0) set_descriptors(own);
  posix_spawnattr_destroy(&attributes);
  cn_end end = CN_NOT_STARTED;
  *value = error;
  if (error == 0) {
    int status = 0;
    pid_t waited;
    while (((waited = waitpid(child, &status, WUNTRACED)) < 0 && errno == EINTR) || (waited > 0 && WIFSTOPPED(status))) {
      if (waited > 0) {
        raise(SIGTSTP);
        kill(child, SIGCONT);
      }
    }
    if (waited > 0 && WIFSIGNALED(status)) {
      end = CN_SIGNALLED;
      *value = WTERMSIG(status);
    } else {
      end = CN_EXITED;
      *value = waited > 0 ? WEXITSTATUS(status) : 0;
    }
  }
  program_runs = 0;
  sigaction(SIGTSTP, &old, NULL);
  continued = 0;
  return end;
}
