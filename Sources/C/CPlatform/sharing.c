#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

int cp_memory_file(void) {
  int file = memfd_create("byteclub", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  return file < 0 ? -errno : file;
}

int cp_memory_seal(int file, int content) {
  int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL | (content ? F_SEAL_WRITE : 0);
  return fcntl(file, F_ADD_SEALS, seals) == 0 ? 0 : -errno;
}

int cp_set_size(int file, uint64_t bytes) { return ftruncate(file, (off_t)bytes) == 0 ? 0 : -errno; }

const void *cp_map(int file, size_t bytes) {
  void *start = mmap(NULL, bytes, PROT_READ, MAP_SHARED, file, 0);
  return start == MAP_FAILED ? NULL : start;
}

void cp_unmap(const void *start, size_t bytes) { munmap((void *)start, bytes); }

int cp_shared_byte(const void *start) { return __atomic_load_n((const unsigned char *)start, __ATOMIC_RELAXED); }

int cp_socket_pair(int ends[2]) { return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : -errno; }

// Room for the descriptors of a message, aligned as CMSG_FIRSTHDR needs it.
typedef union {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int) * CP_MOST_FILES)];
} ancillary;

int cp_send(int socket, const void *bytes, size_t count, const int *files, int file_count) {
  if (file_count < 0 || file_count > CP_MOST_FILES) return -EINVAL;
  struct iovec part = {(void *)bytes, count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  ancillary room;
  if (file_count > 0) {
    memset(&room, 0, sizeof room);
    message.msg_control = &room;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)file_count);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)file_count);
    memcpy(CMSG_DATA(header), files, sizeof(int) * (size_t)file_count);
  }
  ssize_t sent;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == (ssize_t)count ? 0 : sent < 0 ? -errno : -EIO;
}

long cp_receive(int socket, void *buffer, size_t room, int *files) {
  for (int i = 0; i < CP_MOST_FILES; i++) files[i] = -1;
  struct iovec part = {buffer, room};
  ancillary extra;
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &extra, .msg_controllen = sizeof extra};
  ssize_t got;
  do {
    got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return -errno;
  int count = 0;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t sent = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < sent; i++) {
      int file;
      memcpy(&file, CMSG_DATA(header) + i * sizeof(int), sizeof file);
      if (count < CP_MOST_FILES) {
        files[count++] = file;
      } else {
        close(file);
      }
    }
  }
  if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0) return got;
  for (int i = 0; i < count; i++) {
    close(files[i]);
    files[i] = -1;
  }
  return -EMSGSIZE;
}
