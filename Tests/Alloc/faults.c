/* SPDX-License-Identifier: MIT */
/*
 * Fault injection by LD_PRELOAD: once armed, the n-th call of one group of functions fails.
 *
 * FAULT_GROUP is "malloc" (malloc, calloc, realloc, posix_memalign, aligned_alloc), "c", or the name of one system call:
 * open, write, pwrite, pread, fsync, ftruncate, mmap, fcntl, rename, link, unlink, mkdir, fstat. FAULT_AT is n.
 * FAULT_ERRNO is the error of a system call. The group "c" has the allocations of the library's own C code, which is at
 * the offsets of FAULT_CODE, such as "1a00-1b80 1c00-1d00". fault_arm() starts the count; fault_count() returns it.
 *
 * If a signal ends the process, its call stack is printed first: a line for each frame, "frame", the file and the offset.
 * A line "refused" before it has the return address of the refused malloc, calloc or realloc.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long left = -1, count;
static const char *group = "";
static int code = EIO;
static atomic_bool armed;
static const void *refused;
static const char *base;
static struct { unsigned long start, end; } own_code[256];
static size_t own_count;

void fault_arm(void);
long fault_count(void);

static void find_own_code(const char *ranges) {
  Dl_info library;
  void *function = dlsym(RTLD_DEFAULT, "tessera_application_create");
  if (function == NULL || dladdr(function, &library) == 0) return;
  base = library.dli_fbase;
  for (char *end; own_count < sizeof own_code / sizeof *own_code; ranges = end) {
    const unsigned long start = strtoul(ranges, &end, 16);
    if (end == ranges || *end != '-') break;
    own_code[own_count].start = start;
    own_code[own_count++].end = strtoul(end + 1, &end, 16);
  }
}

static bool is_own(const void *caller) {
  const unsigned long offset = (unsigned long)((const char *)caller - base);
  for (size_t i = 0; i < own_count; i++)
    if (offset > own_code[i].start && offset <= own_code[i].end) return true;
  return false;
}

static void print_address(const char *name, const void *address) {
  Dl_info file;
  if (address == NULL || dladdr(address, &file) == 0) return;
  const unsigned long offset = (unsigned long)((const char *)address - (const char *)file.dli_fbase);
  dprintf(STDERR_FILENO, "%s %s %lx\n", name, file.dli_fname, offset);
}

static void print_stack(int number) {
  void *frames[64];
  const int depth = backtrace(frames, 64);
  print_address("refused", refused);
  for (int i = 0; i < depth; i++) print_address("frame", frames[i]);
  signal(number, SIG_DFL);
  raise(number);
}

static void print_stack_of_deaths(void) {
  static char memory[1 << 16];
  const stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
  const int signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
  void *frame;
  /* The first use of backtrace() loads a library. */
  backtrace(&frame, 1);
  sigaltstack(&stack, NULL);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    struct sigaction action = {.sa_handler = print_stack, .sa_flags = SA_ONSTACK};
    sigaction(signals[i], &action, NULL);
  }
}

void fault_arm(void) {
  const char *name = getenv("FAULT_GROUP"), *number = getenv("FAULT_ERRNO"), *at = getenv("FAULT_AT");
  if (name == NULL || at == NULL) return;
  group = name;
  if (number != NULL) code = atoi(number);
  if (getenv("FAULT_CODE") != NULL) find_own_code(getenv("FAULT_CODE"));
  left = atol(at);
  print_stack_of_deaths();
  armed = true;
}

long fault_count(void) {
  armed = false;
  return count;
}

static bool fails(const char *name) {
  if (!armed || strcmp(name, group) != 0) return false;
  atomic_fetch_add(&count, 1);
  return atomic_fetch_sub(&left, 1) == 1;
}

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static void *out_of_memory(void) {
  errno = ENOMEM;
  return NULL;
}

static bool is_refused(const void *caller) {
  if (!fails("malloc") && !(armed && is_own(caller) && fails("c"))) return false;
  refused = caller;
  return true;
}
#define REFUSED is_refused(__builtin_return_address(0))

void *malloc(size_t size) { return REFUSED ? out_of_memory() : __libc_malloc(size); }
void *calloc(size_t number, size_t size) {
  return REFUSED ? out_of_memory() : __libc_calloc(number, size);
}
void *realloc(void *memory, size_t size) {
  return REFUSED ? out_of_memory() : __libc_realloc(memory, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  return fails("malloc") ? out_of_memory() : __libc_memalign(alignment, size);
}
int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (fails("malloc")) return ENOMEM;
  *memory = __libc_memalign(alignment, size);
  return *memory == NULL ? ENOMEM : 0;
}

/* Looks up the next definition of a function once. */
#define NEXT(type, name)                                           \
  static type *next;                                               \
  if (next == NULL) *(void **)&next = dlsym(RTLD_NEXT, name)
#define FAIL(name, value)   \
  do {                      \
    if (fails(name)) {      \
      errno = code;         \
      return value;         \
    }                       \
  } while (0)

typedef int open_function(const char *, int, ...);
typedef int openat_function(int, const char *, int, ...);
typedef int fcntl_function(int, int, ...);

static mode_t mode_of(int flags, va_list list) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0;
}

#define OPEN(name)                         \
  int name(const char *path, int flags, ...) { \
    NEXT(open_function, #name);            \
    FAIL("open", -1);                      \
    va_list list;                          \
    va_start(list, flags);                 \
    const mode_t mode = mode_of(flags, list); \
    va_end(list);                          \
    return next(path, flags, mode);        \
  }
#define OPENAT(name)                       \
  int name(int directory, const char *path, int flags, ...) { \
    NEXT(openat_function, #name);          \
    FAIL("open", -1);                      \
    va_list list;                          \
    va_start(list, flags);                 \
    const mode_t mode = mode_of(flags, list); \
    va_end(list);                          \
    return next(directory, path, flags, mode); \
  }
#define FCNTL(name)                        \
  int name(int descriptor, int command, ...) { \
    NEXT(fcntl_function, #name);           \
    FAIL("fcntl", -1);                     \
    va_list list;                          \
    va_start(list, command);               \
    void *argument = va_arg(list, void *); \
    va_end(list);                          \
    return next(descriptor, command, argument); \
  }
/* Defines a function of the given type that returns -1 on failure. */
#define PLAIN(group, result, name, parameters, arguments) \
  result name parameters {                 \
    typedef result function parameters;    \
    NEXT(function, #name);                 \
    FAIL(group, (result)-1);               \
    return next arguments;                 \
  }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
FCNTL(fcntl)
FCNTL(fcntl64)
PLAIN("write", ssize_t, write, (int descriptor, const void *bytes, size_t size), (descriptor, bytes, size))
PLAIN("pwrite", ssize_t, pwrite, (int descriptor, const void *bytes, size_t size, off_t at), (descriptor, bytes, size, at))
PLAIN("pwrite", ssize_t, pwrite64, (int descriptor, const void *bytes, size_t size, off64_t at),
      (descriptor, bytes, size, at))
PLAIN("pread", ssize_t, pread, (int descriptor, void *bytes, size_t size, off_t at), (descriptor, bytes, size, at))
PLAIN("pread", ssize_t, pread64, (int descriptor, void *bytes, size_t size, off64_t at), (descriptor, bytes, size, at))
PLAIN("fsync", int, fsync, (int descriptor), (descriptor))
PLAIN("fsync", int, fdatasync, (int descriptor), (descriptor))
PLAIN("ftruncate", int, ftruncate, (int descriptor, off_t size), (descriptor, size))
PLAIN("ftruncate", int, ftruncate64, (int descriptor, off64_t size), (descriptor, size))
PLAIN("ftruncate", int, posix_fallocate, (int descriptor, off_t at, off_t size), (descriptor, at, size))
PLAIN("mmap", void *, mmap, (void *at, size_t size, int protection, int flags, int descriptor, off_t offset),
      (at, size, protection, flags, descriptor, offset))
PLAIN("mmap", void *, mmap64, (void *at, size_t size, int protection, int flags, int descriptor, off64_t offset),
      (at, size, protection, flags, descriptor, offset))
PLAIN("rename", int, rename, (const char *from, const char *to), (from, to))
PLAIN("rename", int, renameat, (int from_folder, const char *from, int to_folder, const char *to),
      (from_folder, from, to_folder, to))
PLAIN("link", int, linkat, (int from_folder, const char *from, int to_folder, const char *to, int flags),
      (from_folder, from, to_folder, to, flags))
PLAIN("unlink", int, unlink, (const char *path), (path))
PLAIN("unlink", int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags))
PLAIN("mkdir", int, mkdir, (const char *path, mode_t mode), (path, mode))
