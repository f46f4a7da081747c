// Linux calls that Swift's Glibc module hides or imports in an awkward form. Functions documented so return a negative
// errno instead of setting errno.
#pragma once
#include <stddef.h>
#include <stdint.h>

// The result of stat in fixed-width fields; times in nanoseconds since 1970.
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

// Opens `path` below `folder` without leaving it or following a link: openat2(2) with RESOLVE_BENEATH,
// RESOLVE_NO_SYMLINKS and RESOLVE_NO_MAGICLINKS. Without openat2 (ENOSYS, or EPERM by a seccomp profile) it calls
// openat(O_NOFOLLOW) for each component. `path` is relative; "." is the folder. Always close-on-exec. Returns a
// descriptor, or a negative errno (ELOOP: a link is in the way).
int cl_open_beneath(int folder, const char *path, int flags, unsigned mode);

// Holds the object of a name (even a link) without opening it for reading. A descriptor or a negative errno.
int cl_pin_beneath(int folder, const char *name);

// Reads a regular file below the folder at `root` (as cl_open_beneath does) if that needs no wait for a disk: its names
// and its bytes are in memory (RESOLVE_CACHED, RWF_NOWAIT; with `in_memory`, the whole file system is). Reads at most
// `room` bytes from the beginning; `out` is the file's state, the same before and after. Returns the number of bytes or
// a negative errno: -EAGAIN if the read may block or the file changed meanwhile, -EXDEV if the root is not on `device`.
long cl_read_at_hand(const char *root, uint64_t device, const char *path, int in_memory, void *buffer, size_t room,
                     cl_stat *out);

// fstat and fstatat without following a link. 0 or a negative errno.
int cl_stat_open(int descriptor, cl_stat *out);
int cl_stat_at(int folder, const char *name, cl_stat *out);
// stat of a path, following links. 0 or a negative errno.
int cl_stat_path(const char *path, cl_stat *out);

// Starts writing the file's data to disk without waiting for it (sync_file_range).
void cl_begin_sync(int file);
// Sets an open file's modification time, since 1970; its access time stays.
void cl_set_modified(int file, int64_t seconds, int64_t nanoseconds);

// renameat2(2). `how`: 0 replaces, 1 fails with EEXIST (RENAME_NOREPLACE), 2 exchanges (RENAME_EXCHANGE). 0 or a
// negative errno; -EINVAL also if the file system lacks the flag, -ENOSYS if the kernel does.
int cl_rename(int from_folder, const char *from, int to_folder, const char *to, int how);

// One entry of a directory. `type` is a DT_ constant; `next` is the offset at which a later read continues (lseek).
typedef struct {
  const char *name;
  size_t length;
  int64_t next;
  uint8_t type;
} cl_name;
enum { CL_TYPE_UNKNOWN = 0, CL_TYPE_FOLDER = 4, CL_TYPE_FILE = 8 };

// getdents64(2): bytes read, 0 at the end, or a negative errno.
long cl_read_names(int folder, void *buffer, size_t bytes);
// Reads the entry at `*position` of a buffer filled by cl_read_names, and advances. 0 if there is none left.
int cl_next_name(const void *buffer, size_t bytes, size_t *position, cl_name *out);

// Copies extended attributes (ACLs, labels, user's), as far as allowed.
void cl_copy_attributes(int from, int to);

// The file system's type by statfs(2), or a negative errno.
int64_t cl_file_system(int descriptor);

// The English description of an errno; thread-safe.
const char *cl_describe(int code);

// inotify(7) and eventfd(2). Descriptors or 0, or a negative errno.
int cl_watch_open(void);
// Watches a folder for all changes of its entries or their content.
int cl_watch_add(int watch, const char *path);
int cl_watch_remove(int watch, int id);
int cl_signal_open(void);
void cl_signal_send(int descriptor);
void cl_signal_clear(int descriptor);
// Waits until one of the two is readable: bit 0 the first, bit 1 the second; 0 after `milliseconds` (-1: no limit).
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
// Fills the buffer with events without waiting: bytes, 0 if there are none, or a negative errno.
long cl_read_events(int watch, void *buffer, size_t bytes);
// As cl_next_name; `mask` consists of CL_EVENT_ bits, and `length` is 0 for the folder itself.
int cl_next_event(const void *buffer, size_t bytes, size_t *position, cl_event *out);

// Descriptors that are close-on-exec from the beginning (pipe2(2), accept4(2)): no program started by another thread at
// the same moment inherits them. 0 or a negative errno.
int cl_pipe(int ends[2]);
// The next connection of a listening socket, without blocking: a descriptor, or a negative errno.
int cl_accept(int listening);
// The user id of the process at the other end of a local socket (SO_PEERCRED, unix(7)), or a negative errno.
int64_t cl_peer_user(int connection);

// Uses one heap for all threads, for programs with little parallel work: with a heap a thread, listing 100,000 files
// held 3 MiB more. Call it before anything else.
void cl_keep_memory_small(void);
// The same for a server of several threads.
void cl_keep_memory_small_for_server(void);
// Returns freed memory that the C library kept to the system; takes some milliseconds.
void cl_give_memory_back(void);

// The program's arguments with its name, as it was started with them.
char **cl_arguments(int *count);

// Has the program's own threads run all Swift tasks that are for the pool of Swift's runtime, and not libdispatch's.
// `now` is called for each that is ready, `at` for each that is ready at a time (cl_now); both by any thread. Without
// `at`, the runtime goes on to wait for those itself. Both hand the task to cl_run_task, once. Called before any task
// is made.
void cl_take_tasks(void (*now)(void *job), void (*at)(int64_t time, void *job));
void cl_run_task(void *job);

// Nanoseconds of CLOCK_BOOTTIME, which goes on while the machine sleeps, and a timer by it (timerfd_create(2)): a
// descriptor or a negative errno. Set it at any time by any thread; waiting ends when the time is there.
int64_t cl_now(void);
int cl_timer_open(void);
void cl_timer_set(int timer, int64_t time);
void cl_timer_wait(int timer);

// Catches signals (8 at most) until cl_signals_leave, without a descriptor. One thread waits for them, so many
// milliseconds or for ever (-1): a signal's number, or one of the other words.
enum { CL_SIGNALS_END = 0, CL_SIGNALS_TIMEOUT = -1 };
void cl_signals_catch(const int *numbers, int count);
int cl_signals_wait(int milliseconds);
void cl_signals_leave(void);

// Bytes that processes share: a nameless file in memory (memfd_create(2)), close-on-exec. A descriptor or a negative
// errno.
int cl_memory_file(void);
// Fixes the file's size for all its holders; with `content`, its bytes, too. 0 or a negative errno.
int cl_memory_seal(int file, int content);
// Sets a file's size. 0 or a negative errno.
int cl_set_size(int file, uint64_t bytes);
// Maps the beginning of a file for reading, shared with its writers. NULL on failure.
const void *cl_map(int file, size_t bytes);
void cl_unmap(const void *start, size_t bytes);
// Reads a byte that another process may write.
int cl_shared_byte(const void *start);

// A pair of connected local sockets that keep the bounds of messages (SOCK_SEQPACKET), close-on-exec. 0 or a negative
// errno.
int cl_socket_pair(int ends[2]);
// Sends one message with at most CL_MOST_FILES descriptors. 0 or a negative errno; no SIGPIPE.
enum { CL_MOST_FILES = 2 };
int cl_send(int socket, const void *bytes, size_t count, const int *files, int file_count);
// Waits for one message. The bytes, 0 if the other end is closed, or a negative errno: -EMSGSIZE if the message or its
// descriptors have no room. `files` has room for CL_MOST_FILES; unused ones are -1.
long cl_receive(int socket, void *buffer, size_t room, int *files);

// Closes all descriptors from `first` on.
void cl_close_from(int first);
// The process ends by SIGKILL when the thread that started it does.
void cl_end_with_parent(void);

// Takes from this process, for good, what decoding does not need: new privileges, core files, more descriptors, other
// processes, all system calls but those of memory, of open descriptors and of exit. Refused steps are CL_OPEN_ bits; 0
// if all succeeded. Needs a single thread.
enum { CL_OPEN_LIMITS = 1, CL_OPEN_PRIVILEGES = 2, CL_OPEN_CALLS = 4 };
int cl_confine(uint64_t most_file_bytes, unsigned most_descriptors);
// Limits this process's own data (RLIMIT_DATA); allocations beyond it fail. 0 or a negative errno.
int cl_limit_data(uint64_t bytes);
