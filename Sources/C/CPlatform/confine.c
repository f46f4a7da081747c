#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

void cp_close_from(int first) {
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
  // Linux before 5.9.
  long most = sysconf(_SC_OPEN_MAX);
  for (int file = first; file < most && file < 65536; file++) close(file);
}

void cp_end_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

int cp_limit_data(uint64_t bytes) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return -errno;
  limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
  return setrlimit(RLIMIT_DATA, &limit) == 0 ? 0 : -errno;
}

static int lower(int resource, uint64_t most) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return -1;
  if (limit.rlim_max <= most && limit.rlim_cur <= most) return 0;
  limit.rlim_cur = limit.rlim_max = most < limit.rlim_max ? most : limit.rlim_max;
  return setrlimit(resource, &limit);
}

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
// Calls of the x32 interface have this bit (seccomp(2)).
#define OTHER_INTERFACE 0x40000000u
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#define OTHER_INTERFACE 0xFFFFFFFFu
#endif

#ifdef MACHINE
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, value)
// The low half of an argument; both machines are little-endian.
#define LOAD_ARGUMENT(number) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[number]))
#define REFUSE (SECCOMP_RET_ERRNO | EPERM)
#define ALLOW_CALL(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), ANSWER(SECCOMP_RET_ALLOW)
// Memory that can be executed is refused: only the third argument without PROT_EXEC passes.
#define ALLOW_DATA(call)                                        \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 4),        \
      LOAD_ARGUMENT(2),                                         \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),    \
      ANSWER(REFUSE), ANSWER(SECCOMP_RET_ALLOW)
// Only about this process: the first argument is 0, or its id.
#define ALLOW_OWN(call, self)                                   \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 4),        \
      LOAD_ARGUMENT(0),                                         \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, self, 0, 1),          \
      ANSWER(SECCOMP_RET_ALLOW), ANSWER(REFUSE)

// The C library starts threads with these flags alone. No filter can look at those of clone3(2), so it is not there: the
// library then takes clone(2).
#define THREAD_FLAGS                                                                                        \
  (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS |         \
   CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)
#define ALLOW_THREADS                                           \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),        \
      ANSWER(SECCOMP_RET_ERRNO | ENOSYS),                       \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),     \
      LOAD_ARGUMENT(0),                                         \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THREAD_FLAGS, 0, 1),  \
      ANSWER(SECCOMP_RET_ALLOW), ANSWER(REFUSE),                \
      ALLOW_CALL(set_robust_list), ALLOW_CALL(rseq)
// How many steps ALLOW_THREADS has.
enum { THREAD_STEPS = 11 };

// Every other call fails with EPERM instead of ending the process: the C library tries some that it can do without,
// such as reading /sys.
static int filter_calls(int threads) {
  // It stays the same: no call that begins a process is left.
  unsigned own = (unsigned)getpid();
  struct sock_filter steps[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      LOAD(nr),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, OTHER_INTERFACE, 0, 1),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      ALLOW_CALL(recvmsg), ALLOW_CALL(sendmsg), ALLOW_CALL(read), ALLOW_CALL(pread64), ALLOW_CALL(write),
      ALLOW_CALL(pwrite64), ALLOW_CALL(close), ALLOW_CALL(fstat), ALLOW_CALL(lseek), ALLOW_CALL(ppoll),
      ALLOW_DATA(mmap), ALLOW_DATA(mprotect), ALLOW_CALL(munmap), ALLOW_CALL(mremap), ALLOW_CALL(madvise),
      ALLOW_CALL(brk), ALLOW_CALL(futex), ALLOW_CALL(getrandom), ALLOW_CALL(clock_gettime),
      ALLOW_CALL(clock_nanosleep), ALLOW_CALL(sched_yield), ALLOW_CALL(restart_syscall), ALLOW_CALL(getpid),
      ALLOW_CALL(gettid), ALLOW_OWN(prlimit64, 0),
      // abort() and faults end by a signal to this very process.
      ALLOW_CALL(rt_sigreturn), ALLOW_CALL(rt_sigprocmask), ALLOW_CALL(rt_sigaction), ALLOW_CALL(sigaltstack),
      ALLOW_OWN(tgkill, own), ALLOW_CALL(exit), ALLOW_CALL(exit_group),
      // Without threads, these steps are passed over.
      BPF_STMT(BPF_JMP | BPF_JA, threads ? 0 : THREAD_STEPS), ALLOW_THREADS,
      ANSWER(REFUSE),
  };
  struct sock_fprog program = {.len = sizeof steps / sizeof *steps, .filter = steps};
  // With SECCOMP_FILTER_FLAG_TSYNC, threads that a library may have started get the filter, too.
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0 ? 0 : -1;
}
#else
static int filter_calls(int threads) {
  (void)threads;
  return -1;
}
#endif

// A process of root could raise its limits again. One that has no capabilities may be forbidden to set them: systemd's
// group @privileged has capset(2), but not capget(2).
static int drop_capabilities(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct held[_LINUX_CAPABILITY_U32S_3] = {{0}}, none[_LINUX_CAPABILITY_U32S_3] = {{0}};
  if (syscall(SYS_capget, &header, held) == 0 && memcmp(held, none, sizeof held) == 0) return 0;
  return (int)syscall(SYS_capset, &header, none);
}

int cp_confine(uint64_t most_file_bytes, uint64_t most_data_bytes, unsigned most_descriptors, int threads) {
  int open = 0;
  // The limit of processes counts threads, too, and those of the user's other programs.
  if (lower(RLIMIT_CORE, 0) != 0 || lower(RLIMIT_NOFILE, most_descriptors) != 0 ||
      (!threads && lower(RLIMIT_NPROC, 0) != 0) || lower(RLIMIT_FSIZE, most_file_bytes) != 0 ||
      lower(RLIMIT_DATA, most_data_bytes) != 0 || lower(RLIMIT_MEMLOCK, 0) != 0) {
    open |= CP_OPEN_LIMITS;
  }
  if (prctl(PR_SET_DUMPABLE, 0) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || drop_capabilities() != 0) {
    open |= CP_OPEN_PRIVILEGES;
  }
  if (filter_calls(threads) != 0) open |= CP_OPEN_CALLS;
  return open;
}
