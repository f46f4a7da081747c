// Tells the thread sanitizer how Swift hands values from one thread to the next. The sanitizer sees only what it
// compiled, and reports a race for all that the code below orders. scripts/test loads this before Swift's libraries.
//
// - Mutex: its fast path is compiled into its users. The slow path, of threads that meet at a lock, is in a library.
// - Continuations: the library knows the sanitizer, and tells it of each resumption. It forgets the other side when the
//   task comes to wait only afterwards.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define ASYNC __attribute__((swiftasynccall))
#define SELF __attribute__((swift_context)) void *
#define WEAK __attribute__((weak))

// Programs that a test starts do not have these.
extern void __tsan_acquire(void *) WEAK;
extern void __tsan_release(void *) WEAK;
extern SWIFT void *swift_task_getCurrent(void) WEAK;

// The names are part of Swift's binary interface, which does not change.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define AWAIT "swift_continuation_await"

static SWIFT void (*real_lock)(uint32_t, SELF);
static SWIFT bool (*real_try_lock)(SELF);
static SWIFT void (*real_unlock)(SELF);
static ASYNC void (*real_await)(void *);

__attribute__((constructor)) static void find(void) {
  *(void **)&real_lock = dlsym(RTLD_NEXT, LOCK);
  *(void **)&real_try_lock = dlsym(RTLD_NEXT, TRY_LOCK);
  *(void **)&real_unlock = dlsym(RTLD_NEXT, UNLOCK);
  *(void **)&real_await = dlsym(RTLD_NEXT, AWAIT);
}

SWIFT void lock(uint32_t thread, SELF mutex) __asm__(LOCK);
SWIFT void lock(uint32_t thread, SELF mutex) {
  real_lock(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT bool try_lock(SELF mutex) __asm__(TRY_LOCK);
SWIFT bool try_lock(SELF mutex) {
  bool locked = real_try_lock(mutex);
  if (locked && __tsan_acquire) __tsan_acquire(mutex);
  return locked;
}

SWIFT void unlock(SELF mutex) __asm__(UNLOCK);
SWIFT void unlock(SELF mutex) {
  if (__tsan_release) __tsan_release(mutex);
  real_unlock(mutex);
}

ASYNC void await(void *context) __asm__(AWAIT);
ASYNC void await(void *context) {
  if (__tsan_acquire && swift_task_getCurrent) __tsan_acquire(swift_task_getCurrent());
  __attribute__((musttail)) return real_await(context);
}
