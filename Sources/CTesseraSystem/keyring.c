// SPDX-License-Identifier: MIT
// The Linux kernel's keyring of the user, accessed with system calls, and wake-up pipes.

#define _GNU_SOURCE
#include "ctessera_keyring.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "ctessera_descriptors.h"

#if defined(__linux__)
#include <linux/keyctl.h>
#include <stdint.h>
#include <sys/syscall.h>

// Permissions of the key. A process that possesses the user keyring has all permissions. All other processes of this
// user may view, search and read the key; otherwise a process started by cron could not. See keyctl_setperm(3).
enum { POSSESSOR_ALL = 0x3f000000, USER_VIEW_READ_SEARCH = 0x000b0000 };

int ctessera_keyring_store(const char *name, const void *bytes, size_t count) {
  long key = syscall(SYS_add_key, "user", name, bytes, count, (int32_t)KEY_SPEC_USER_KEYRING);
  if (key < 0) return errno;
  long result = syscall(
      SYS_keyctl, (long)KEYCTL_SETPERM, key, (long)(POSSESSOR_ALL | USER_VIEW_READ_SEARCH), 0L, 0L);
  if (result == 0) return 0;
  int problem = errno;
  syscall(SYS_keyctl, (long)KEYCTL_UNLINK, key, (long)KEY_SPEC_USER_KEYRING, 0L, 0L);
  return problem;
}

int ctessera_keyring_read(const char *name, void *bytes, size_t count) {
  long key = syscall(
      SYS_keyctl, (long)KEYCTL_SEARCH, (long)KEY_SPEC_USER_KEYRING, "user", name, 0L);
  if (key < 0) return errno;
  long found = syscall(SYS_keyctl, (long)KEYCTL_READ, key, bytes, count, 0L);
  if (found < 0) return errno;
  return (size_t)found == count ? 0 : EMSGSIZE;
}

int ctessera_wake_pipe(int descriptors[2]) {
  ctessera_fill_standard_descriptors();
  return pipe2(descriptors, O_CLOEXEC | O_NONBLOCK) == 0 ? 0 : errno;
}

#else

int ctessera_keyring_store(const char *name, const void *bytes, size_t count) {
  (void)name, (void)bytes, (void)count;
  return ENOSYS;
}

int ctessera_keyring_read(const char *name, void *bytes, size_t count) {
  (void)name, (void)bytes, (void)count;
  return ENOSYS;
}

int ctessera_wake_pipe(int descriptors[2]) {
  ctessera_fill_standard_descriptors();
  if (pipe(descriptors) != 0) return errno;
  for (int i = 0; i < 2; i++) {
    fcntl(descriptors[i], F_SETFD, FD_CLOEXEC);
    fcntl(descriptors[i], F_SETFL, O_NONBLOCK);
  }
  return 0;
}

#endif
