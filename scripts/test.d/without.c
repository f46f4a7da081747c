// Runs a program on a kernel that lacks some calls, as another system or an older Linux does:
//   without CALL[,CALL...] PROGRAM ARGUMENT...
//     openat2    is unknown (ENOSYS)
//     exchange   two names cannot be exchanged by renameat2 (EINVAL, as on a file system that cannot)
//     noreplace  nor can a name be made only if it is free
//     inotify    is unknown
// The program, and all that it starts, keep a filter for these calls (seccomp(2)); all others work as ever.
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST = 64 };
static struct sock_filter steps[MOST];
static unsigned short count;

static void add(struct sock_filter step) { steps[count++] = step; }

static void load(size_t offset) {
  add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset));
}

static void answer(unsigned value) { add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, value)); }

// The next `skipped` steps count only for this call.
static void only_for(long call, unsigned char skipped) {
  load(offsetof(struct seccomp_data, nr));
  add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, skipped));
}

static void refuse(long call, int code) {
  only_for(call, 1);
  answer(SECCOMP_RET_ERRNO | (unsigned)code);
}

static void refuse_rename(unsigned flag) {
  only_for(SYS_renameat2, 3);
  // The low half of the fifth argument.
  load(offsetof(struct seccomp_data, args[4]));
  add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, flag, 0, 1));
  answer(SECCOMP_RET_ERRNO | EINVAL);
}

static int refuse_named(const char *name) {
  if (strcmp(name, "openat2") == 0) {
    refuse(SYS_openat2, ENOSYS);
  } else if (strcmp(name, "exchange") == 0) {
    refuse_rename(2);
  } else if (strcmp(name, "noreplace") == 0) {
    refuse_rename(1);
  } else if (strcmp(name, "inotify") == 0) {
    refuse(SYS_inotify_init1, ENOSYS);
  } else {
    return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: without CALL[,CALL...] PROGRAM ARGUMENT...\n");
    return 2;
  }
  for (char *name = strtok(argv[1], ","); name != NULL; name = strtok(NULL, ",")) {
    if (!refuse_named(name)) {
      fprintf(stderr, "without: \"%s\" is none of openat2, exchange, noreplace, inotify.\n", name);
      return 2;
    }
  }
  answer(SECCOMP_RET_ALLOW);
  struct sock_fprog program = {.len = count, .filter = steps};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) {
    fprintf(stderr, "without: the filter was refused: %s.\n", strerror(errno));
    return 1;
  }
  execvp(argv[2], argv + 2);
  fprintf(stderr, "without: %s: %s.\n", argv[2], strerror(errno));
  return 127;
}
