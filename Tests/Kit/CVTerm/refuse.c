#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CVTerm.h"

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

bool cvt_can_refuse(void) {
#ifdef OWN_ARCHITECTURE
  uint32_t action = SECCOMP_RET_ERRNO;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
#else
  return false;
#endif
}

int cvt_refuse(unsigned calls, int code) {
#ifdef OWN_ARCHITECTURE
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
// A call number that does not exist where the call is left alone.
#define IF_REFUSED(bit, call, skipped) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls & (bit) ? SYS_##call : 0xFFFFFF, 0, skipped)
  struct sock_filter filter[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      LOAD(nr),
      IF_REFUSED(CVT_OPENAT2, openat2, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ((unsigned)code & SECCOMP_RET_DATA)),
      IF_REFUSED(CVT_INOTIFY, inotify_init1, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      IF_REFUSED(CVT_RENAME_FLAGS, renameat2, 3),
      LOAD(args[4]),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, RENAME_NOREPLACE | RENAME_EXCHANGE, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
#undef IF_REFUSED
#undef LOAD
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  if (result != 0) return result < 0 ? errno : EBUSY;
  // What the filter is for, tried.
  struct open_how how;
  memset(&how, 0, sizeof how);
  how.flags = O_PATH | O_CLOEXEC;
  long opened = syscall(SYS_openat2, AT_FDCWD, ".", &how, sizeof how);
  bool has_openat2 = opened >= 0;
  if (has_openat2) close((int)opened);
  if (calls & CVT_OPENAT2 && (has_openat2 || errno != code)) return EPROTO;
  if (calls & CVT_RENAME_FLAGS && (syscall(SYS_renameat2, -1, "", -1, "", RENAME_EXCHANGE) == 0 || errno != EINVAL)) {
    return EPROTO;
  }
  if (calls & CVT_INOTIFY && (syscall(SYS_inotify_init1, 0) >= 0 || errno != ENOSYS)) return EPROTO;
  return 0;
#else
  (void)calls;
  (void)code;
  return ENOSYS;
#endif
}

static unsigned call_named(const char *name) {
  if (strcmp(name, "openat2") == 0) return CVT_OPENAT2;
  if (strcmp(name, "renameat2") == 0) return CVT_RENAME_FLAGS;
  if (strcmp(name, "inotify") == 0) return CVT_INOTIFY;
  return 0;
}

// TEST_WITHOUT names the calls that this whole run, with all programs it starts, does without.
__attribute__((constructor)) static void refuse_named(void) {
  const char *names = getenv("TEST_WITHOUT");
  if (names == NULL || *names == 0) return;
  char copy[256];
  snprintf(copy, sizeof copy, "%s", names);
  unsigned calls = 0;
  char *rest = NULL;
  for (char *name = strtok_r(copy, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest)) {
    unsigned call = call_named(name);
    if (call == 0) {
      fprintf(stderr, "TEST_WITHOUT: \"%s\" is none of openat2, renameat2, inotify.\n", name);
      _exit(2);
    }
    calls |= call;
  }
  int failure = cvt_refuse(calls, ENOSYS);
  if (failure == 0) return;
  fprintf(stderr, "TEST_WITHOUT: the filter was refused: %s.\n", strerror(failure));
  _exit(2);
}
