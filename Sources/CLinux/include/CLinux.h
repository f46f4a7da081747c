// Linux calls that Swift's Glibc module does not show, or shows in a shape that is hard to use.
// All functions that say so return a negative errno instead of setting it.
#pragma once
#include <stddef.h>
#include <stdint.h>

// What stat says, in fixed-width fields; times in nanoseconds since 1970.
typedef struct {
  uint64_t device;
  uint64_t inode;
  uint32_t mode;
  uint32_t links;
  uint32_t user;
  uint32_t group;
  uint64_t size;
  int64_t modified;
  int64_t changed;
} cl_stat;

// Opens `path` below `folder` without ever leaving it and without following a link: openat2(2) with
// RESOLVE_BENEATH, RESOLVE_NO_SYMLINKS and RESOLVE_NO_MAGICLINKS; where there is no openat2 (ENOSYS, or EPERM
// by a seccomp profile), one openat(O_NOFOLLOW) a component. `path` is relative; "." is the folder. Always close-on-exec.
// A descriptor, or a negative errno (ELOOP: a link is in the way).
int cl_open_beneath(int folder, const char *path, int flags, unsigned mode);

// Holds on to what a name stands for (a link, too), without opening it for reading. A descriptor or a negative errno.
int cl_pin_beneath(int folder, const char *name);

// Reads a regular file below the folder at `root` (as cl_open_beneath does) when that takes no waiting for a disk: its
// names and its bytes are in memory (RESOLVE_CACHED, RWF_NOWAIT; where `in_memory`, the whole file system is). At most
// `room` bytes from the beginning; `out` is the file before and after. Their number, or a negative errno: -EAGAIN when it
// may take time or the file changed meanwhile, -EXDEV when the root is not on `device`.
long cl_read_at_hand(const char *root, uint64_t device, const char *path, int in_memory, void *buffer, size_t room,
                     cl_stat *out);

// fstat and fstatat without following a link. 0 or a negative errno.
int cl_stat_open(int descriptor, cl_stat *out);
int cl_stat_at(int folder, const char *name, cl_stat *out);
// stat of a path, following links. 0 or a negative errno.
int cl_stat_path(const char *path, cl_stat *out);

// Has the disk begin to write what the file holds, without waiting for it (sync_file_range).
void cl_begin_sync(int file);
// Sets when an open file was last changed, since 1970, and leaves alone when it was last read.
void cl_set_modified(int file, int64_t seconds, int64_t nanoseconds);

// renameat2(2). `how`: 0 replaces, 1 fails with EEXIST (RENAME_NOREPLACE), 2 changes places (RENAME_EXCHANGE). 0 or a negative errno; -EINVAL also where the file system lacks the flag, -ENOSYS where the kernel does.
int cl_rename(int from_folder, const char *from, int to_folder, const char *to, int how);

// One entry of a directory. `type` is a DT_ constant; `next` is where a later reading goes on (lseek).
typedef struct {
  const char *name;
  size_t length;
  int64_t next;
  uint8_t type;
} cl_name;
enum { CL_TYPE_UNKNOWN = 0, CL_TYPE_FOLDER = 4, CL_TYPE_FILE = 8 };

// getdents64(2): bytes read, 0 at the end, or a negative errno.
long cl_read_names(int folder, void *buffer, size_t bytes);
// The entry at `*position` of a buffer that cl_read_names filled; moves on. 0 when there is none left.
int cl_next_name(const void *buffer, size_t bytes, size_t *position, cl_name *out);

// Copies extended attributes (ACLs, labels, user's), as far as allowed.
void cl_copy_attributes(int from, int to);

// statfs(2)'s type of the file system, or a negative errno.
int64_t cl_file_system(int descriptor);

// errno's sentence fragment, in English, thread-safe.
const char *cl_describe(int code);

// inotify(7) and eventfd(2). Descriptors or 0, or a negative errno.
int cl_watch_open(void);
// Watches a folder for all that changes its entries or their content.
int cl_watch_add(int watch, const char *path);
int cl_watch_remove(int watch, int id);
int cl_signal_open(void);
void cl_signal_send(int descriptor);
void cl_signal_clear(int descriptor);
// Waits until one of the two is readable: bit 0 the first, bit 1 the second; 0 when `milliseconds` (-1: no end) passed.
int cl_wait(int first, int second, int milliseconds);

typedef struct {
  int id;
  uint32_t mask;
  const char *name;
  size_t length;
} cl_event;
enum {
  CL_EVENT_FOLDER = 1,
  CL_EVENT_ARRIVED = 2,
  CL_EVENT_LEFT = 4,
  CL_EVENT_CONTENT = 8,
  CL_EVENT_SELF_GONE = 16,
  CL_EVENT_LOST_TRACK = 32,
  CL_EVENT_UNWATCHED = 64
};
// Fills the buffer with events without waiting: bytes, 0 when there are none, or a negative errno.
long cl_read_events(int watch, void *buffer, size_t bytes);
// As cl_next_name, with `mask` made of CL_EVENT_ bits; `length` 0 for the folder itself.
int cl_next_event(const void *buffer, size_t bytes, size_t *position, cl_event *out);

// Descriptors that no program which another thread starts at the same moment can inherit: they are close-on-exec from
// the beginning (pipe2(2), accept4(2)). 0, or a negative errno.
int cl_pipe(int ends[2]);
// The next connection of a socket that listens, not blocking: a descriptor, or a negative errno.
int cl_accept(int listening);
// Whose process is at the other end of a socket of this machine (SO_PEERCRED, unix(7)): a user's number, or a negative errno.
int64_t cl_peer_user(int connection);

// One heap for all threads. For programs of which little runs in parallel: with a heap a thread, listing 100,000 files
// held 3 MiB more. Call it before anything else.
void cl_keep_memory_small(void);
// The same for a server of several threads.
void cl_keep_memory_small_for_server(void);
// Gives memory that was freed, and kept for later, back to the system: some milliseconds.
void cl_give_memory_back(void);
