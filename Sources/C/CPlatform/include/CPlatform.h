// Calls of the operating system that the C library hides from Swift, or that Swift imports in an awkward form. This header
// names no type of one system; the implementation is Linux's. Functions documented so return a negative errno instead of
// setting errno.
#pragma once
#include <stddef.h>
#include <stdbool.h>
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
} cp_stat;

// Opens `path` below `folder` without leaving it or following a link: openat2(2) with RESOLVE_BENEATH,
// RESOLVE_NO_SYMLINKS and RESOLVE_NO_MAGICLINKS. Without openat2 (ENOSYS, or EPERM by a seccomp profile) it calls
// openat(O_NOFOLLOW) for each component. `path` is relative; "." is the folder. Always close-on-exec. Returns a
// descriptor, or a negative errno (ELOOP: a link is in the way).
int cp_open_beneath(int folder, const char *path, int flags, unsigned mode);

// Holds the object of a name (even a link) without opening it for reading. A descriptor or a negative errno.
int cp_pin_beneath(int folder, const char *name);

// Opens the folder at `root` for cp_read_at_hand, if its names are in memory. A descriptor or a negative errno: -EXDEV if
// it is not on `device`.
int cp_open_at_hand(const char *root, uint64_t device);

// Reads a regular file below `folder` (as cp_open_beneath does) if that needs no wait for a disk: its names and its bytes
// are in memory (RESOLVE_CACHED, RWF_NOWAIT; with `in_memory`, the whole file system is). With `is_listed` it is opened
// without a look first at what it is, which only a pipe's writer would notice. Reads at most `room` bytes from the
// beginning; `out` is the file's state, the same before and after. Returns the number of bytes or a negative errno:
// -EAGAIN if the read may block or the file changed meanwhile.
long cp_read_at_hand(int folder, const char *path, int is_listed, int in_memory, void *buffer, size_t room,
                     cp_stat *out);

// fstat and fstatat without following a link. 0 or a negative errno.
int cp_stat_open(int descriptor, cp_stat *out);
int cp_stat_at(int folder, const char *name, cp_stat *out);
// stat of a path, following links. 0 or a negative errno.
int cp_stat_path(const char *path, cp_stat *out);

// Writes a byte into a file without a name in the folder, which leaves no trace (O_TMPFILE; elsewhere access(2) decides).
// 0, or the negative errno of a folder that cannot be written.
int cp_try_writing(const char *folder);

// True if someone listens at the socket of that path, even if only for others, or is too busy for more. Never waits.
bool cp_socket_answers(const char *path);

// Starts writing the file's data to disk without waiting for it (sync_file_range).
void cp_begin_sync(int file);
// Sets an open file's modification time, since 1970; its access time stays.
void cp_set_modified(int file, int64_t seconds, int64_t nanoseconds);

// renameat2(2). `how`: 0 replaces, 1 fails with EEXIST (RENAME_NOREPLACE), 2 exchanges (RENAME_EXCHANGE). 0 or a
// negative errno; -EINVAL also if the file system lacks the flag, -ENOSYS if the kernel does.
int cp_rename(int from_folder, const char *from, int to_folder, const char *to, int how);

// One entry of a directory. `type` is a DT_ constant; `next` is the offset at which a later read continues (lseek).
typedef struct {
  const char *name;
  size_t length;
  int64_t next;
  uint8_t type;
} cp_name;
enum { CP_TYPE_UNKNOWN = 0, CP_TYPE_FOLDER = 4, CP_TYPE_FILE = 8 };

// getdents64(2): bytes read, 0 at the end, or a negative errno.
long cp_read_names(int folder, void *buffer, size_t bytes);
// Reads the entry at `*position` of a buffer filled by cp_read_names, and advances. 0 if there is none left.
int cp_next_name(const void *buffer, size_t bytes, size_t *position, cp_name *out);

// Copies extended attributes (ACLs, labels, user's), as far as allowed.
void cp_copy_attributes(int from, int to);

// The file system's type by statfs(2), or a negative errno.
int64_t cp_file_system(int descriptor);

// The English description of an errno; thread-safe.
const char *cp_describe(int code);

// inotify(7). A descriptor or 0, or a negative errno; -ENOSYS if the kernel lacks it.
int cp_watch_open(void);
// Watches a folder for all changes of its entries or their content.
int cp_watch_add(int watch, const char *path);
int cp_watch_remove(int watch, int id);

// A pipe that wakes a waiting thread: ends[0] is readable from cp_signal_send(ends[1]) until cp_signal_clear(ends[0]).
// Both ends never block and are close-on-exec. 0 or a negative errno.
int cp_signal_open(int ends[2]);
void cp_signal_send(int writing);
void cp_signal_clear(int reading);
// Waits until one of the two is readable: bit 0 the first, bit 1 the second; 0 after `milliseconds` (-1: no limit).
int cp_wait(int first, int second, int milliseconds);

typedef struct {
  int id;
  uint32_t mask;
  const char *name;
  size_t length;
} cp_event;
enum {
  CP_EVENT_FOLDER = 1,
  CP_EVENT_ARRIVED = 2,
  CP_EVENT_LEFT = 4,
  CP_EVENT_CONTENT = 8,
  CP_EVENT_SELF_GONE = 16,
  CP_EVENT_LOST_TRACK = 32,
  CP_EVENT_UNWATCHED = 64
};
// Fills the buffer with events without waiting: bytes, 0 if there are none, or a negative errno.
long cp_read_events(int watch, void *buffer, size_t bytes);
// As cp_next_name; `mask` consists of CP_EVENT_ bits, and `length` is 0 for the folder itself.
int cp_next_event(const void *buffer, size_t bytes, size_t *position, cp_event *out);

// Descriptors that are close-on-exec from the beginning (pipe2(2), accept4(2)): no program started by another thread at
// the same moment inherits them. 0 or a negative errno.
int cp_pipe(int ends[2]);
// The next connection of a listening socket, without blocking: a descriptor, or a negative errno.
int cp_accept(int listening);
// The user id of the process at the other end of a local socket (SO_PEERCRED, unix(7)), or a negative errno.
int64_t cp_peer_user(int connection);

// Uses one heap for all threads, for programs with little parallel work: with a heap a thread, listing 100,000 files
// held 3 MiB more. Call it before anything else.
void cp_keep_memory_small(void);
// The same for a server of several threads.
void cp_keep_memory_small_for_server(void);
// Returns freed memory that the C library kept to the system; takes some milliseconds.
void cp_give_memory_back(void);

// True if SIGHUP is ignored, as after nohup(1).
bool cp_ignores_hangup(void);

// This process's own program, for exec: even if its file was replaced meanwhile.
const char *cp_own_program(void);
// The path of a process's program, without a terminating 0; process 0 is this one. The bytes, or a negative errno.
long cp_program_path(int process, char *out, size_t room);
// The variables that a process was started with, each with a terminating 0. The bytes, or a negative errno.
long cp_environment(int process, char *out, size_t room);
// The ids of the processes that this one can see, at most `room`. Their number, or a negative errno.
int cp_processes(int *out, int room);
// A path that leads to an open descriptor of this process, for calls that take no descriptor.
enum { CP_DESCRIPTOR_PATH = 32 };
void cp_descriptor_path(int descriptor, char out[CP_DESCRIPTOR_PATH]);
// The process's umask; umask(2) would change it for other threads. A negative errno if the system does not tell.
int cp_umask(void);
// An id that each boot of the machine has anew, without a terminating 0. The bytes, or a negative errno.
long cp_boot_id(char *out, size_t room);
// The bytes of a socket that its peer has not acknowledged (SIOCOUTQ, tcp(7)); 0 if the system does not tell.
int cp_unacknowledged(int socket);

// Has a program that posix_spawn(3) starts inherit no descriptors but the three standard streams. `actions` is its
// posix_spawn_file_actions_t with all other actions in it. 0 or an errno.
int cp_inherit_streams_alone(void *actions);

// The program's arguments with its name, as it was started with them.
char **cp_arguments(int *count);

// Has the program's own threads run all Swift tasks that are for the pool of Swift's runtime, and not libdispatch's.
// `now` is called for each that is ready, `at` for each that is ready at a time (cp_now); both by any thread. Without
// `at`, the runtime goes on to wait for those itself. Both hand the task to cp_run_task, once. Called before any task
// is made.
void cp_take_tasks(void (*now)(void *job), void (*at)(int64_t time, void *job));
void cp_run_task(void *job);

// Nanoseconds of CLOCK_MONOTONIC, which the service manager reads (sd_notify(3), MONOTONIC_USEC).
int64_t cp_monotonic(void);

// Nanoseconds of CLOCK_BOOTTIME, which goes on while the machine sleeps, and a timer by it (timerfd_create(2)): a
// descriptor or a negative errno. Set it at any time by any thread; waiting ends when the time is there.
int64_t cp_now(void);
int cp_timer_open(void);
void cp_timer_set(int timer, int64_t time);
void cp_timer_wait(int timer);

// Catches signals (8 at most) until cp_signals_leave, without a descriptor. One thread waits for them, so many
// milliseconds or for ever (-1): a signal's number, or one of the other words.
enum { CP_SIGNALS_END = 0, CP_SIGNALS_TIMEOUT = -1 };
void cp_signals_catch(const int *numbers, int count);
int cp_signals_wait(int milliseconds);
void cp_signals_leave(void);

// Bytes that processes share: a nameless file in memory (memfd_create(2)), close-on-exec. A descriptor or a negative
// errno.
int cp_memory_file(void);
// Fixes the file's size for all its holders; with `content`, its bytes, too. 0 or a negative errno.
int cp_memory_seal(int file, int content);
// Sets a file's size. 0 or a negative errno.
int cp_set_size(int file, uint64_t bytes);
// Maps the beginning of a file for reading, shared with its writers. NULL on failure.
const void *cp_map(int file, size_t bytes);
void cp_unmap(const void *start, size_t bytes);
// Reads a byte that another process may write.
int cp_shared_byte(const void *start);

// A pair of connected local sockets that keep the bounds of messages (SOCK_SEQPACKET), close-on-exec. 0 or a negative
// errno.
int cp_socket_pair(int ends[2]);
// Sends one message with at most CP_MOST_FILES descriptors. 0 or a negative errno; no SIGPIPE.
enum { CP_MOST_FILES = 2 };
int cp_send(int socket, const void *bytes, size_t count, const int *files, int file_count);
// Waits for one message. The bytes, 0 if the other end is closed, or a negative errno: -EMSGSIZE if the message or its
// descriptors have no room. `files` has room for CP_MOST_FILES; unused ones are -1.
long cp_receive(int socket, void *buffer, size_t room, int *files);

// Closes all descriptors from `first` on.
void cp_close_from(int first);
// The process ends by SIGKILL when the thread that started it does.
void cp_end_with_parent(void);

// Takes from this process, for good, what decoding does not need: privileges, core files, more descriptors and memory,
// other processes, all system calls but those of memory, of open descriptors, of exit and of signals to itself; with
// `threads`, it may start threads. Refused steps are CP_OPEN_ bits; 0 if all succeeded. Needs a single thread.
enum { CP_OPEN_LIMITS = 1, CP_OPEN_PRIVILEGES = 2, CP_OPEN_CALLS = 4 };
int cp_confine(uint64_t most_file_bytes, uint64_t most_data_bytes, unsigned most_descriptors, int threads);
// Limits this process's own data (RLIMIT_DATA) further; allocations beyond it fail. 0 or a negative errno.
int cp_limit_data(uint64_t bytes);
