#define _GNU_SOURCE
#include "CPlatform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool cp_ignores_hangup(void) {
  struct sigaction now;
  return sigaction(SIGHUP, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

const char *cp_own_program(void) { return "/proc/self/exe"; }

// The path of a process's file in /proc; 0 is this process.
static void name_file(int process, const char *file, char out[64]) {
  if (process == 0) {
    snprintf(out, 64, "/proc/self/%s", file);
  } else {
    snprintf(out, 64, "/proc/%d/%s", process, file);
  }
}

// The first bytes of a file, up to `room`.
static long read_file(const char *path, void *out, size_t room) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -errno;
  size_t filled = 0;
  long result = 0;
  while (filled < room) {
    ssize_t got = read(file, (char *)out + filled, room - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) result = -errno;
    if (got <= 0) break;
    filled += (size_t)got;
  }
  close(file);
  return result < 0 ? result : (long)filled;
}

long cp_program_path(int process, char *out, size_t room) {
  char path[64];
  name_file(process, "exe", path);
  ssize_t count = readlink(path, out, room);
  return count < 0 ? -errno : count;
}

long cp_environment(int process, char *out, size_t room) {
  char path[64];
  name_file(process, "environ", path);
  return read_file(path, out, room);
}

int cp_processes(int *out, int room) {
  DIR *all = opendir("/proc");
  if (all == NULL) return -errno;
  int count = 0;
  struct dirent *entry;
  while (count < room && (entry = readdir(all)) != NULL) {
    char *end;
    long id = strtol(entry->d_name, &end, 10);
    if (*end == 0 && end != entry->d_name && id > 0) out[count++] = (int)id;
  }
  closedir(all);
  return count;
}

void cp_descriptor_path(int descriptor, char out[CP_DESCRIPTOR_PATH]) {
  snprintf(out, CP_DESCRIPTOR_PATH, "/proc/self/fd/%d", descriptor);
}

int cp_umask(void) {
  char status[4096];
  long count = read_file("/proc/self/status", status, sizeof status - 1);
  if (count < 0) return (int)count;
  status[count] = 0;
  const char *line = strstr(status, "\nUmask:");
  return line == NULL ? -ENOSYS : (int)strtol(line + 7, NULL, 8);
}

long cp_boot_id(char *out, size_t room) {
  long count = read_file("/proc/sys/kernel/random/boot_id", out, room);
  while (count > 0 && (unsigned char)out[count - 1] <= ' ') count--;
  return count;
}

int cp_unacknowledged(int socket) {
  int bytes = 0;
  return ioctl(socket, SIOCOUTQ, &bytes) == 0 ? bytes : 0;
}
