// SPDX-License-Identifier: MIT
// Preloaded into a program: records its writes below RECORD_ROOT, in order, to replay a power loss.
//
// Each record is a line "operation inode bytes number path", followed by that many bytes: the data written at the
// offset `number`, the new size, or the new path. Writes through a mapping are detected at the next operation.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAPPINGS 64

struct mapping {
  const char *address;
  char *copy;
  size_t length;
  ino_t inode;
  char path[PATH_MAX];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mapping mappings[MAPPINGS];
static int output = -1;
static const char *root;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("RECORD_TO");
  root = getenv("RECORD_ROOT");
  if (path != NULL && root != NULL)
    output = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int is_recorded(const char *path) {
  return output >= 0 && root != NULL && strncmp(path, root, strlen(root)) == 0;
}

static void put(const char *operation, ino_t inode, const void *bytes, size_t length, off_t number,
                const char *path) {
  char line[PATH_MAX + 128];
  int size = snprintf(line, sizeof line, "%s %llu %zu %lld %s\n", operation,
                      (unsigned long long)inode, length, (long long)number, path);
  syscall(SYS_write, output, line, (size_t)size);
  if (length > 0) syscall(SYS_write, output, bytes, length);
}

// Records changes in mappings since the last call. Pages reach the disk in any order, or not at all.
static void record_mappings(void) {
  for (struct mapping *each = mappings; each < mappings + MAPPINGS; each++) {
    for (size_t start = 0; each->address != NULL && start < each->length; start += 512) {
      if (memcmp(each->address + start, each->copy + start, 512) == 0) continue;
      memcpy(each->copy + start, each->address + start, 512);
      put("write", each->inode, each->copy + start, 512, (off_t)start, each->path);
    }
  }
}

static void record(const char *operation, ino_t inode, const void *bytes, size_t length,
                   off_t number, const char *path) {
  int problem = errno;
  pthread_mutex_lock(&lock);
  record_mappings();
  put(operation, inode, bytes, length, number, path);
  pthread_mutex_unlock(&lock);
  errno = problem;
}

// Returns the path of a descriptor below the root, and its inode; 0 for any other descriptor.
static int place(int descriptor, char *path, ino_t *inode) {
  char link[64];
  struct stat status;
  int problem = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = output < 0 ? -1 : readlink(link, path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = 0;
  int found = length > 0 && is_recorded(path) && fstat(descriptor, &status) == 0;
  if (found) *inode = status.st_ino;
  errno = problem;
  return found;
}

static void record_at(const char *operation, int descriptor, const void *bytes, size_t length,
                      off_t number) {
  char path[PATH_MAX];
  ino_t inode;
  if (place(descriptor, path, &inode)) record(operation, inode, bytes, length, number, path);
}

static void absolute(int directory, const char *name, char *path) {
  char base[PATH_MAX] = "";
  if (name[0] != '/') {
    char link[64];
    snprintf(link, sizeof link, directory == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d",
             directory);
    if (readlink(link, base, sizeof base - 1) < 0) base[0] = 0;
    strncat(base, "/", sizeof base - strlen(base) - 1);
  }
  snprintf(path, PATH_MAX, "%s%s", base, name);
}

static int open_recorded(int directory, const char *name, int flags, mode_t mode) {
  char path[PATH_MAX];
  struct stat before = {0};
  int problem = errno;
  absolute(directory, name, path);
  int existed = fstatat(AT_FDCWD, path, &before, AT_SYMLINK_NOFOLLOW) == 0;
  errno = problem;
  int descriptor = (int)syscall(SYS_openat, directory, name, flags, mode);
  if (descriptor < 0 || !is_recorded(path)) return descriptor;
  if (!existed && flags & O_CREAT) record_at("create", descriptor, NULL, 0, mode);
  if (existed && flags & O_TRUNC && before.st_size > 0) record_at("truncate", descriptor, NULL, 0, 0);
  return descriptor;
}

#define OPEN_MODE(last)                       \
  mode_t mode = 0;                            \
  if (flags & (O_CREAT | O_TMPFILE)) {        \
    va_list more;                             \
    va_start(more, last);                     \
    mode = va_arg(more, mode_t);              \
    va_end(more);                             \
  }

int open(const char *path, int flags, ...) { OPEN_MODE(flags) return open_recorded(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { OPEN_MODE(flags) return open_recorded(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { OPEN_MODE(flags) return open_recorded(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { OPEN_MODE(flags) return open_recorded(at, path, flags, mode); }

ssize_t write(int descriptor, const void *bytes, size_t count) {
  char path[PATH_MAX];
  ino_t inode;
  ssize_t done = syscall(SYS_write, descriptor, bytes, count);
  if (done > 0 && place(descriptor, path, &inode)) {
    off_t end = (off_t)syscall(SYS_lseek, descriptor, 0, SEEK_CUR);
    record("write", inode, bytes, (size_t)done, end - done, path);
  }
  return done;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  ssize_t done = syscall(SYS_pwrite64, descriptor, bytes, count, offset);
  if (done > 0) record_at("write", descriptor, bytes, (size_t)done, offset);
  return done;
}
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  return pwrite64(descriptor, bytes, count, offset);
}

int ftruncate64(int descriptor, off64_t size) {
  int result = (int)syscall(SYS_ftruncate, descriptor, size);
  if (result == 0) record_at("truncate", descriptor, NULL, 0, size);
  return result;
}
int ftruncate(int descriptor, off_t size) { return ftruncate64(descriptor, size); }

int fallocate64(int descriptor, int mode, off64_t offset, off64_t length) {
  int result = (int)syscall(SYS_fallocate, descriptor, mode, offset, length);
  if (result == 0 && mode == 0) record_at("extend", descriptor, NULL, 0, offset + length);
  return result;
}
int fallocate(int descriptor, int mode, off_t offset, off_t length) {
  return fallocate64(descriptor, mode, offset, length);
}
int posix_fallocate64(int descriptor, off64_t offset, off64_t length) {
  return fallocate64(descriptor, 0, offset, length) == 0 ? 0 : errno;
}
int posix_fallocate(int descriptor, off_t offset, off_t length) {
  return posix_fallocate64(descriptor, offset, length);
}

int fsync(int descriptor) {
  int result = (int)syscall(SYS_fsync, descriptor);
  if (result == 0) record_at("sync", descriptor, NULL, 0, 0);
  return result;
}
int fdatasync(int descriptor) {
  int result = (int)syscall(SYS_fdatasync, descriptor);
  if (result == 0) record_at("sync", descriptor, NULL, 0, 0);
  return result;
}

static void record_name(const char *operation, const char *path, const char *other) {
  struct stat status = {0};
  int problem = errno;
  if (fstatat(AT_FDCWD, other == NULL ? path : other, &status, AT_SYMLINK_NOFOLLOW) != 0) errno = problem;
  if (is_recorded(path))
    record(operation, status.st_ino, other, other == NULL ? 0 : strlen(other), 0, path);
}

int mkdirat(int at, const char *name, mode_t mode) {
  char path[PATH_MAX];
  int result = (int)syscall(SYS_mkdirat, at, name, mode);
  absolute(at, name, path);
  if (result == 0) record_name("mkdir", path, NULL);
  return result;
}
int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }

int unlinkat(int at, const char *name, int flags) {
  char path[PATH_MAX];
  absolute(at, name, path);
  int result = (int)syscall(SYS_unlinkat, at, name, flags);
  if (result == 0) record_name("unlink", path, NULL);
  return result;
}
int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }
int remove(const char *name) { return unlinkat(AT_FDCWD, name, 0); }

int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
  char path[PATH_MAX], other[PATH_MAX];
  absolute(from, old, path);
  absolute(to, new, other);
  int result = (int)syscall(SYS_renameat2, from, old, to, new, flags);
  if (result == 0) record_name("rename", path, other);
  return result;
}
int renameat(int from, const char *old, int to, const char *new) { return renameat2(from, old, to, new, 0); }
int rename(const char *old, const char *new) { return renameat2(AT_FDCWD, old, AT_FDCWD, new, 0); }

int linkat(int from, const char *old, int to, const char *new, int flags) {
  char path[PATH_MAX], other[PATH_MAX];
  absolute(from, old, path);
  absolute(to, new, other);
  int result = (int)syscall(SYS_linkat, from, old, to, new, flags);
  if (result == 0) record_name("link", path, other);
  return result;
}
int link(const char *old, const char *new) { return linkat(AT_FDCWD, old, AT_FDCWD, new, 0); }

void *mmap64(void *address, size_t length, int protection, int flags, int descriptor, off64_t offset) {
  char path[PATH_MAX];
  ino_t inode;
  void *start = (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
  if (start == MAP_FAILED || offset != 0 || !(flags & MAP_SHARED) || !(protection & PROT_WRITE) ||
      length % 512 != 0 || !place(descriptor, path, &inode))
    return start;
  pthread_mutex_lock(&lock);
  for (struct mapping *each = mappings; each < mappings + MAPPINGS; each++) {
    if (each->address != NULL) continue;
    *each = (struct mapping){start, malloc(length), length, inode, ""};
    strcpy(each->path, path);
    memcpy(each->copy, start, length);
    break;
  }
  pthread_mutex_unlock(&lock);
  return start;
}
void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
  return mmap64(address, length, protection, flags, descriptor, offset);
}

int munmap(void *address, size_t length) {
  pthread_mutex_lock(&lock);
  record_mappings();
  for (struct mapping *each = mappings; each < mappings + MAPPINGS; each++)
    if (each->address == address) {
      free(each->copy);
      each->address = NULL;
    }
  pthread_mutex_unlock(&lock);
  return (int)syscall(SYS_munmap, address, length);
}

// Records a mark of the program between its operations: "this is done".
void recorder_mark(const char *text) {
  if (output >= 0) record("mark", 0, text, strlen(text), 0, "-");
}
