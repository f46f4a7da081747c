#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <stddef.h>
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

int cvt_refuse(int openat2, bool rename_flags) {
#ifdef OWN_ARCHITECTURE
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
  struct sock_filter filter[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 0, 7),
      LOAD(nr),
      // A call number that does not exist where the call is left alone.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, openat2 ? SYS_openat2 : 0xFFFFFF, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, rename_flags ? SYS_renameat2 : 0xFFFFFF, 0, 4),
      LOAD(args[4]),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, RENAME_NOREPLACE | RENAME_EXCHANGE, 1, 2),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (openat2 & SECCOMP_RET_DATA)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
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
  if (openat2 && (has_openat2 || errno != openat2)) return EPROTO;
  if (rename_flags && (syscall(SYS_renameat2, -1, "", -1, "", RENAME_EXCHANGE) == 0 || errno != EINVAL)) return EPROTO;
  return 0;
#else
  (void)openat2;
  (void)rename_flags;
  return ENOSYS;
#endif
}
