#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "CPlatform.h"

// A program may be started with closed standard streams. Its next files would get their numbers: it would read its own
// timer as a text, and write its messages into its own files. So they lead nowhere before anything is opened, and the
// wrong way round: reading and writing them still fails with EBADF, also for the programs that are started from here.
__attribute__((constructor(101))) static void open_standard_streams(void) {
  for (int stream = 0; stream <= 2; stream++) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    int opened = open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
    // Without devices, as in a bare root folder.
    if (opened < 0) opened = open("/", O_PATH);
    if (opened != stream) _exit(126);
  }
}

static int argument_count;
static char **argument_words;

// The C library hands these to all that runs before main. Swift looks for them beside the environment, where a library
// that is loaded before and sets a variable has moved it away from them.
__attribute__((constructor)) static void note_arguments(int count, char **words) {
  argument_count = count;
  argument_words = words;
}

char **cp_arguments(int *count) {
  *count = argument_count;
  return argument_words;
}

int cp_inherit_streams_alone(void *actions) { return posix_spawn_file_actions_addclosefrom_np(actions, 3); }

enum { LATEST = 64, MOST = 8 };
static sem_t posted;
static atomic_int pending[LATEST];
static struct {
  int number;
  struct sigaction before;
} caught[MOST];
static int caught_count;

static void on_signal(int number) {
  int saved = errno;
  atomic_fetch_add(&pending[number], 1);
  sem_post(&posted);
  errno = saved;
}

void cp_signals_catch(const int *numbers, int count) {
  for (int number = 0; number < LATEST; number++) pending[number] = 0;
  sem_init(&posted, 0, 0);
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  caught_count = count < MOST ? count : MOST;
  for (int i = 0; i < caught_count; i++) {
    caught[i].number = numbers[i];
    sigaction(numbers[i], &action, &caught[i].before);
  }
}

int cp_signals_wait(int milliseconds) {
  struct timespec end;
  if (milliseconds >= 0) {
    clock_gettime(CLOCK_MONOTONIC, &end);
    int64_t nanoseconds = end.tv_nsec + (int64_t)milliseconds % 1000 * 1000000;
    end.tv_sec += milliseconds / 1000 + nanoseconds / 1000000000;
    end.tv_nsec = nanoseconds % 1000000000;
  }
  int failed;
  do {
    failed = milliseconds < 0 ? sem_wait(&posted) : sem_clockwait(&posted, CLOCK_MONOTONIC, &end);
  } while (failed && errno == EINTR);
  if (failed) return CP_SIGNALS_TIMEOUT;
  for (int i = 0; i < caught_count; i++) {
    if (pending[caught[i].number] > 0) {
      atomic_fetch_sub(&pending[caught[i].number], 1);
      return caught[i].number;
    }
  }
  return CP_SIGNALS_END;
}

void cp_signals_leave(void) {
  for (int i = 0; i < caught_count; i++) sigaction(caught[i].number, &caught[i].before, NULL);
  sem_post(&posted);
}
