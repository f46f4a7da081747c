#define _GNU_SOURCE
#include "CPlatform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

// Opens one component at a time and refuses links. Safe because the caller's paths have no "..".
static int open_by_steps(int folder, const char *path, int flags, unsigned mode) {
  int at = folder;
  while (1) {
    const char *slash = strchr(path, '/');
    if (slash == NULL) break;
    char name[1024];
    size_t length = (size_t)(slash - path);
    int next = -1;
    if (length < sizeof name) {
      memcpy(name, path, length);
      name[length] = 0;
      next = openat(at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (next < 0 && errno == ENOTDIR) {
        struct stat there;
        errno = fstatat(at, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(there.st_mode) ? ELOOP : ENOTDIR;
      }
    } else {
      errno = ENAMETOOLONG;
    }
    int failure = errno;
    if (at != folder) close(at);
    if (next < 0) return -failure;
    at = next;
    path = slash + 1;
  }
  int opened = openat(at, path, flags | O_NOFOLLOW | O_CLOEXEC, mode);
  int failure = errno;
  if (at != folder) close(at);
  return opened < 0 ? -failure : opened;
}

int cp_open_beneath(int folder, const char *path, int flags, unsigned mode) {
  struct open_how how;
  memset(&how, 0, sizeof how);
  how.flags = (unsigned)(flags | O_CLOEXEC);
  how.mode = flags & O_CREAT ? mode : 0;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  // EAGAIN: a rename happened during the lookup, and the kernel could not rule out an escape.
  for (int attempt = 0; attempt < 128; attempt++) {
    long opened = syscall(SYS_openat2, folder, path, &how, sizeof how);
    if (opened >= 0) return (int)opened;
    if (errno != EAGAIN && errno != EINTR) break;
  }
  // EPERM: seccomp profiles older than the call return it. A real EPERM comes again from the steps.
  if (errno == ENOSYS || errno == EPERM) return open_by_steps(folder, path, flags, mode);
  return -errno;
}

int cp_try_writing(const char *folder) {
  int file = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
    return access(folder, R_OK | W_OK | X_OK) == 0 ? 0 : -errno;
  }
  if (file < 0) return -errno;
  int failure = pwrite(file, "", 1, 0) == 1 ? 0 : -errno;
  close(file);
  return failure;
}

int cp_pin_beneath(int folder, const char *name) {
  int held = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  return held < 0 ? -errno : held;
}

// Nanoseconds since 1970; times out of range (before 1678, after 2262) are clamped.
static int64_t nanoseconds(struct timespec time) {
  if (time.tv_sec > 9223372035) return INT64_MAX;
  if (time.tv_sec < -9223372035) return INT64_MIN;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int fill(int result, const struct stat *in, cp_stat *out) {
  if (result != 0) return -errno;
  out->device = in->st_dev;
  out->inode = in->st_ino;
  out->mode = in->st_mode;
  out->links = (uint32_t)in->st_nlink;
  out->user = in->st_uid;
  out->group = in->st_gid;
  out->size = (uint64_t)in->st_size;
  out->modified = nanoseconds(in->st_mtim);
  out->changed = nanoseconds(in->st_ctim);
  return 0;
}

int cp_stat_open(int descriptor, cp_stat *out) {
  struct stat in;
  return fill(fstat(descriptor, &in), &in, out);
}

int cp_stat_at(int folder, const char *name, cp_stat *out) {
  struct stat in;
  return fill(fstatat(folder, name, &in, AT_SYMLINK_NOFOLLOW), &in, out);
}

int cp_stat_path(const char *path, cp_stat *out) {
  struct stat in;
  return fill(stat(path, &in), &in, out);
}

// Opens a path if the kernel has all its names in memory.
static int open_cached(int folder, const char *path, int flags, uint64_t resolve) {
  struct open_how how;
  memset(&how, 0, sizeof how);
  how.flags = (unsigned)(flags | O_CLOEXEC);
  how.resolve = resolve | RESOLVE_CACHED;
  long opened = syscall(SYS_openat2, folder, path, &how, sizeof how);
  return opened < 0 ? -errno : (int)opened;
}

// Reads a file that was checked to be a regular one.
static long read_cached(int file, int in_memory, void *buffer, size_t room, cp_stat *out) {
  struct stat before, after;
  if (fstat(file, &before) != 0) return -errno;
  if (!S_ISREG(before.st_mode)) return -EAGAIN;
  struct iovec part = {buffer, room};
  ssize_t got = in_memory ? pread(file, buffer, room, 0) : preadv2(file, &part, 1, 0, RWF_NOWAIT);
  if (got < 0) return -errno;
  if (fstat(file, &after) != 0) return -errno;
  if (fill(0, &before, out) != 0) return -EAGAIN;
  cp_stat now;
  fill(0, &after, &now);
  if (now.size != out->size || now.modified != out->modified || now.changed != out->changed) return -EAGAIN;
  return got;
}

int cp_open_at_hand(const char *root, uint64_t device) {
  int folder = open_cached(AT_FDCWD, root, O_PATH | O_DIRECTORY, 0);
  if (folder < 0) return folder;
  struct stat there;
  int result = fstat(folder, &there) != 0 ? -errno : there.st_dev != device ? -EXDEV : folder;
  if (result < 0) close(folder);
  return result;
}

long cp_read_at_hand(int folder, const char *path, int is_listed, int in_memory, void *buffer, size_t room,
                     cp_stat *out) {
  const uint64_t beneath = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  if (!is_listed) {
    // Opening a pipe or a device can have effects.
    int held = open_cached(folder, path, O_PATH | O_NOFOLLOW, beneath);
    if (held < 0) return held;
    struct stat there;
    bool is_file = fstat(held, &there) == 0 && S_ISREG(there.st_mode);
    close(held);
    if (!is_file) return -EAGAIN;
  }
  int file = open_cached(folder, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, beneath);
  if (file < 0) return file;
  long result = read_cached(file, in_memory, buffer, room, out);
  close(file);
  return result;
}

void cp_begin_sync(int file) { sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE); }

void cp_set_modified(int file, int64_t seconds, int64_t nanoseconds) {
  const struct timespec times[] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = (time_t)seconds, .tv_nsec = (long)nanoseconds}};
  futimens(file, times);
}

int cp_rename(int from_folder, const char *from, int to_folder, const char *to, int how) {
  if (how == 0) return renameat(from_folder, from, to_folder, to) == 0 ? 0 : -errno;
  unsigned flags = how == 1 ? RENAME_NOREPLACE : RENAME_EXCHANGE;
  return syscall(SYS_renameat2, from_folder, from, to_folder, to, flags) == 0 ? 0 : -errno;
}

long cp_read_names(int folder, void *buffer, size_t bytes) {
  while (1) {
    long got = syscall(SYS_getdents64, folder, buffer, bytes);
    if (got >= 0) return got;
    if (errno != EINTR) return -errno;
  }
}

struct raw_name {
  uint64_t inode;
  int64_t next;
  uint16_t bytes;
  uint8_t type;
  char name[];
};

int cp_next_name(const void *buffer, size_t bytes, size_t *position, cp_name *out) {
  if (*position >= bytes) return 0;
  const struct raw_name *raw = (const struct raw_name *)((const char *)buffer + *position);
  out->name = raw->name;
  out->length = strlen(raw->name);
  out->next = raw->next;
  out->type = raw->type;
  *position += raw->bytes;
  return 1;
}

void cp_copy_attributes(int from, int to) {
  ssize_t size = flistxattr(from, NULL, 0);
  if (size <= 0 || size > 1 << 20) return;
  char *names = malloc((size_t)size);
  char *value = malloc(1 << 16);
  if (names != NULL && value != NULL && (size = flistxattr(from, names, (size_t)size)) > 0) {
    for (char *name = names; name < names + size; name += strlen(name) + 1) {
      ssize_t length = fgetxattr(from, name, value, 1 << 16);
      if (length >= 0) (void)!fsetxattr(to, name, value, (size_t)length, 0);
    }
  }
  free(names);
  free(value);
}

int64_t cp_file_system(int descriptor) {
  struct statfs out;
  return fstatfs(descriptor, &out) == 0 ? (int64_t)(uint32_t)out.f_type : -errno;
}

const char *cp_describe(int code) {
  const char *text = strerrordesc_np(code);
  return text != NULL ? text : "Unknown error";
}

int cp_watch_open(void) {
  int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  return watch < 0 ? -errno : watch;
}

int cp_watch_add(int watch, const char *path) {
  int id = inotify_add_watch(
      watch, path,
      IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF |
          IN_MOVE_SELF | IN_ONLYDIR);
  return id < 0 ? -errno : id;
}

int cp_watch_remove(int watch, int id) { return inotify_rm_watch(watch, id) == 0 ? 0 : -errno; }

int cp_signal_open(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0 ? 0 : -errno; }

// A full pipe refuses the byte and is readable all the same.
void cp_signal_send(int writing) { (void)!write(writing, "", 1); }

void cp_signal_clear(int reading) {
  char bytes[256];
  while (read(reading, bytes, sizeof bytes) == sizeof bytes) {}
}

int cp_wait(int first, int second, int milliseconds) {
  struct pollfd fds[2] = {{first, POLLIN, 0}, {second, POLLIN, 0}};
  int ready = poll(fds, 2, milliseconds);
  if (ready <= 0) return 0;
  return (fds[0].revents != 0 ? 1 : 0) | (fds[1].revents != 0 ? 2 : 0);
}

long cp_read_events(int watch, void *buffer, size_t bytes) {
  ssize_t got = read(watch, buffer, bytes);
  if (got >= 0) return got;
  return errno == EAGAIN || errno == EINTR ? 0 : -errno;
}

int cp_next_event(const void *buffer, size_t bytes, size_t *position, cp_event *out) {
  if (*position + sizeof(struct inotify_event) > bytes) return 0;
  const struct inotify_event *raw = (const struct inotify_event *)((const char *)buffer + *position);
  uint32_t mask = 0;
  if (raw->mask & IN_ISDIR) mask |= CP_EVENT_FOLDER;
  if (raw->mask & (IN_CREATE | IN_MOVED_TO)) mask |= CP_EVENT_ARRIVED;
  if (raw->mask & (IN_DELETE | IN_MOVED_FROM)) mask |= CP_EVENT_LEFT;
  if (raw->mask & (IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB)) mask |= CP_EVENT_CONTENT;
  if (raw->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)) mask |= CP_EVENT_SELF_GONE;
  if (raw->mask & IN_Q_OVERFLOW) mask |= CP_EVENT_LOST_TRACK;
  if (raw->mask & IN_IGNORED) mask |= CP_EVENT_UNWATCHED;
  out->id = raw->wd;
  out->mask = mask;
  out->name = raw->name;
  out->length = raw->len > 0 ? strnlen(raw->name, raw->len) : 0;
  *position += sizeof *raw + raw->len;
  return 1;
}

int cp_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : -errno; }

int cp_accept(int listening) {
  int connection = accept4(listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  return connection < 0 ? -errno : connection;
}

int64_t cp_peer_user(int connection) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return -errno;
  return peer.uid;
}

bool cp_socket_answers(const char *path) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof name.sun_path) return false;
  strcpy(name.sun_path, path);
  int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (file < 0) return false;
  bool answers = connect(file, (struct sockaddr *)&name, sizeof name) == 0 || (errno != ECONNREFUSED && errno != ENOENT);
  close(file);
  return answers;
}
