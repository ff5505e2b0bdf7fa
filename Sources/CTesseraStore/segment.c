// SPDX-License-Identifier: MIT
// Memory that processes share by its number, and that nobody can cut off (shmget(2)).

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

void *ctessera_segment_create(size_t size, int *number) {
  *number = shmget(IPC_PRIVATE, size, IPC_CREAT | 0600);
  if (*number < 0) return NULL;
  void *memory = attached(*number);
  // From now on it ends with the last process that has it; Linux lets others find it by its number until then.
  shmctl(*number, IPC_RMID, NULL);
  return memory;
}

void *ctessera_segment_attach(size_t size, int number) {
  struct shmid_ds status;
  if (shmctl(number, IPC_STAT, &status) != 0) return NULL;
  // The number may have become another program's, or another user's.
  if (status.shm_segsz != size || status.shm_perm.cuid != geteuid()) return NULL;
  return attached(number);
}

void ctessera_segment_detach(void *memory) { shmdt(memory); }

#else

void *ctessera_segment_create(size_t size, int *number) {
  (void)size, (void)number;
  return 0;
}
void *ctessera_segment_attach(size_t size, int number) {
  (void)size, (void)number;
  return 0;
}
void ctessera_segment_detach(void *memory) { (void)memory; }

#endif
