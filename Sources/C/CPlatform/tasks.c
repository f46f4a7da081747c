#define _GNU_SOURCE
#include <errno.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "CPlatform.h"

// Swift's runtime asks these before it gives a task to its own pool (swift/Runtime/Concurrency.h). The originals, which
// come last, are for hooks that take a part of the tasks only.
#define SWIFT_CALL __attribute__((swiftcall))
extern SWIFT_CALL void (*swift_task_enqueueGlobal_hook)(void *job, void *original);
extern SWIFT_CALL void (*swift_task_enqueueGlobalWithDelay_hook)(unsigned long long delay, void *job, void *original);
extern SWIFT_CALL void (*swift_task_enqueueGlobalWithDeadline_hook)(
    long long seconds, long long nanoseconds, long long later_seconds, long long later_nanoseconds, int clock,
    void *job, void *original);
// The executor, in its two words: zeros for none.
extern SWIFT_CALL void swift_job_run(void *job, void *executor, uintptr_t implementation);
enum { SUSPENDING_CLOCK = 2 };

static void (*run_now)(void *job);
static void (*run_at)(int64_t time, void *job);

static int64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// Times that do not fit, which are centuries away, are the last that does.
static int64_t sum(int64_t a, int64_t b) {
  int64_t result;
  return __builtin_add_overflow(a, b, &result) ? INT64_MAX : result;
}

static SWIFT_CALL void enqueue(void *job, void *original) {
  (void)original;
  run_now(job);
}

static SWIFT_CALL void enqueue_with_delay(unsigned long long delay, void *job, void *original) {
  (void)original;
  run_at(sum(now(CLOCK_BOOTTIME), delay > INT64_MAX ? INT64_MAX : (int64_t)delay), job);
}

static SWIFT_CALL void enqueue_with_deadline(long long seconds, long long nanoseconds, long long later_seconds,
                                             long long later_nanoseconds, int clock, void *job, void *original) {
  (void)later_seconds;
  (void)later_nanoseconds;
  (void)original;
  int64_t time;
  if (__builtin_mul_overflow(seconds, 1000000000, &time)) time = INT64_MAX;
  time = sum(time, nanoseconds);
  if (clock == SUSPENDING_CLOCK) time = sum(time, now(CLOCK_BOOTTIME) - now(CLOCK_MONOTONIC));
  run_at(time, job);
}

void cp_take_tasks(void (*now)(void *job), void (*at)(int64_t time, void *job)) {
  run_now = now;
  run_at = at;
  swift_task_enqueueGlobal_hook = enqueue;
  if (at == NULL) return;
  swift_task_enqueueGlobalWithDelay_hook = enqueue_with_delay;
  swift_task_enqueueGlobalWithDeadline_hook = enqueue_with_deadline;
}

void cp_run_task(void *job) { swift_job_run(job, NULL, 0); }

int64_t cp_now(void) { return now(CLOCK_BOOTTIME); }
int64_t cp_monotonic(void) { return now(CLOCK_MONOTONIC); }

int cp_timer_open(void) {
  int timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC);
  return timer < 0 ? -errno : timer;
}

void cp_timer_set(int timer, int64_t time) {
  // Zero would stop the timer.
  if (time < 1) time = 1;
  struct itimerspec at = {.it_value = {.tv_sec = time / 1000000000, .tv_nsec = time % 1000000000}};
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
}

void cp_timer_wait(int timer) {
  uint64_t count;
  (void)!read(timer, &count, sizeof count);
}
