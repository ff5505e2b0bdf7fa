// SPDX-License-Identifier: MIT
// A name that only one copy of the library in a process can claim: an abstract socket (unix(7)).

#include "ctessera_store.h"

#ifdef __linux__

#include <ctessera_descriptors.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

bool ctessera_process_secret(void *bytes, size_t count) {
  // 16 random bytes from the kernel, which are the same for all code of a process (getauxval(3)).
  const void *random = (const void *)getauxval(AT_RANDOM);
  if (random == NULL || count > 16) return false;
  memcpy(bytes, random, count);
  return true;
}

int ctessera_claim(const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = strlen(name);
  if (length + 1 > sizeof address.sun_path) return ENAMETOOLONG;
  memcpy(address.sun_path + 1, name, length);
  ctessera_fill_standard_descriptors();
  int descriptor = ctessera_above_standard(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (descriptor < 0) return errno;
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
  if (bind(descriptor, (struct sockaddr *)&address, size) == 0) return 0;
  int problem = errno;
  close(descriptor);
  return problem;
}

#else

#include <errno.h>

bool ctessera_process_secret(void *bytes, size_t count) {
  (void)bytes, (void)count;
  return false;
}

int ctessera_claim(const char *name) {
  (void)name;
  return ENOTSUP;
}

#endif
