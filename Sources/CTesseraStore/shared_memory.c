// SPDX-License-Identifier: MIT
// System V shared memory, which processes attach to by ID and cannot truncate (shmget(2)).

#define _GNU_SOURCE
#include "ctessera_store.h"

#ifdef __linux__

#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>

static void *attached(int number) {
  void *memory = shmat(number, NULL, 0);
  return memory == (void *)-1 ? NULL : memory;
}

void *ctessera_shared_memory_create(size_t size, int *number) {
  *number = shmget(IPC_PRIVATE, size, IPC_CREAT | 0600);
  if (*number < 0) return NULL;
  void *memory = attached(*number);
  // The kernel frees it when the last process detaches. Until then, Linux lets other processes attach by ID.
  shmctl(*number, IPC_RMID, NULL);
  return memory;
}

void *ctessera_shared_memory_attach(size_t size, int number) {
  struct shmid_ds status;
  if (shmctl(number, IPC_STAT, &status) != 0) return NULL;
  // The ID may have been reused by another program or another user.
  if (status.shm_segsz != size || status.shm_perm.cuid != geteuid()) return NULL;
  return attached(number);
}

void ctessera_shared_memory_detach(void *memory) { shmdt(memory); }

#else

void *ctessera_shared_memory_create(size_t size, int *number) {
  (void)size, (void)number;
  return 0;
}
void *ctessera_shared_memory_attach(size_t size, int number) {
  (void)size, (void)number;
  return 0;
}
void ctessera_shared_memory_detach(void *memory) { (void)memory; }

#endif
