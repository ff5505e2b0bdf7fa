// SPDX-License-Identifier: MIT
// Registry of the files that this process locks with POSIX locks. It delays closing their other descriptors.

#define _GNU_SOURCE
#include "process_locks.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "locks.h"

#ifdef F_OFD_SETLK
#define UNLOCK(descriptor) ctessera_lock(descriptor, F_UNLCK, 0, 0, SQLITE_IOERR_UNLOCK)
#else
#define UNLOCK(descriptor) (void)(descriptor)
#endif

typedef struct delayed {
  struct delayed *next;
  int descriptor;
} delayed;

/// A file that is locked with POSIX locks, or for which the system refused open file description locks.
typedef struct entry {
  struct entry *next;
  uint64_t device;
  uint64_t number;
  /// The number of openings that may hold locks.
  unsigned users;
  bool is_refused;
  /// The descriptors to close after the last opening has ended.
  delayed *delayed;
} entry;

// A spin lock: the ID of the process that holds it, or 0. A child of fork() takes it over if a thread of its parent held
// it.
static _Atomic pid_t lock_holder;
// The process whose openings are in the list. Accessed only while the spin lock is held.
static pid_t list_owner;
static entry *entries;

/// Discards the openings of the parent, because a child of fork() does not inherit its POSIX locks.
static void discard_users(void) {
  for (entry *each = entries; each != NULL; each = each->next) {
    each->users = 0;
    each->delayed = NULL;
  }
}

static void acquire(void) {
  pid_t process = getpid();
  for (;;) {
    pid_t expected = 0;
    if (atomic_compare_exchange_strong(&lock_holder, &expected, process)) break;
    if (expected == process) {
      sched_yield();
    } else if (atomic_compare_exchange_strong(&lock_holder, &expected, process)) {
      // A thread of the parent was changing the list.
      entries = NULL;
      break;
    }
  }
  if (list_owner == process) return;
  discard_users();
  list_owner = process;
}

static void release(void) { atomic_store(&lock_holder, 0); }

static entry *find(const ctessera_identity *file) {
  entry *each = entries;
  while (each != NULL && (each->device != file->device || each->number != file->number))
    each = each->next;
  return each;
}

static entry *find_or_add(const ctessera_identity *file) {
  entry *found = find(file);
  if (found != NULL) return found;
  found = calloc(1, sizeof *found);
  if (found == NULL) return NULL;
  *found = (entry){.next = entries, .device = file->device, .number = file->number};
  entries = found;
  return found;
}

static void remove_entry(entry *old) {
  entry **link = &entries;
  while (*link != old) link = &(*link)->next;
  *link = old->next;
  free(old);
}

static void close_delayed(entry *file) {
  while (file->delayed != NULL) {
    delayed *first = file->delayed;
    file->delayed = first->next;
    close(first->descriptor);
    free(first);
  }
}

void ctessera_process_locks_refused(const ctessera_identity *file) {
  acquire();
  entry *found = find_or_add(file);
  if (found != NULL) found->is_refused = true;
  release();
}

bool ctessera_process_locks_are_needed(const ctessera_identity *file) {
  acquire();
  entry *found = find(file);
  bool result = found != NULL && found->is_refused;
  release();
  return result;
}

bool ctessera_process_locks_begin(const ctessera_identity *file) {
  acquire();
  entry *found = find_or_add(file);
  if (found != NULL) found->users++;
  release();
  return found != NULL;
}

void ctessera_process_locks_end(const ctessera_identity *file) {
  acquire();
  entry *found = find(file);
  if (found != NULL && found->users > 0 && --found->users == 0) {
    close_delayed(found);
    if (!found->is_refused) remove_entry(found);
  }
  release();
}

/// Counts the opening of a file. Returns false if memory is exhausted, or if the path no longer refers to the file.
static bool begin_opened(const char *path, sqlite3_file *plain, ctessera_identity *identity) {
  int has_moved = 0;
  return ctessera_path_identity(path, identity) &&
         plain->pMethods->xFileControl(plain, SQLITE_FCNTL_HAS_MOVED, &has_moved) == SQLITE_OK &&
         !has_moved && ctessera_process_locks_begin(identity);
}

int ctessera_process_locks_open(const char *path, sqlite3_file *plain, int flags, int *out_flags,
                                ctessera_identity *identity) {
  sqlite3_vfs *vfs = sqlite3_vfs_find("unix");
  if (vfs == NULL) return SQLITE_CANTOPEN;
  memset(plain, 0, (size_t)vfs->szOsFile);
  int result = vfs->xOpen(vfs, path, plain, flags, out_flags);
  if (result != SQLITE_OK || begin_opened(path, plain, identity)) return result;
  plain->pMethods->xClose(plain);
  return SQLITE_BUSY;
}

int ctessera_process_locks_close(sqlite3_file *plain, const ctessera_identity *identity) {
  int result = plain->pMethods->xClose(plain);
  ctessera_process_locks_end(identity);
  return result;
}

void ctessera_close_or_delay(const ctessera_identity *database, int descriptor) {
  acquire();
  entry *found = find(database);
  if (found == NULL || found->users == 0) {
    // Close before the spin lock is released. Otherwise another thread could lock the file in the meantime.
    close(descriptor);
  } else {
    // Release the locks of its own file description now.
    UNLOCK(descriptor);
    // If memory is exhausted, the descriptor stays open forever.
    delayed *new = malloc(sizeof *new);
    if (new != NULL) {
      *new = (delayed){.next = found->delayed, .descriptor = descriptor};
      found->delayed = new;
    }
  }
  release();
}

void ctessera_close_keeping_locks(int descriptor) {
  int problem = errno;
  ctessera_identity file;
  if (ctessera_descriptor_identity(descriptor, &file))
    ctessera_close_or_delay(&file, descriptor);
  else
    close(descriptor);
  errno = problem;
}

int ctessera_close_plain(const ctessera_identity *database, sqlite3_file *plain) {
  acquire();
  entry *found = find(database);
  // SQLite frees the memory of the file, so its descriptor cannot be closed later.
  bool stays = found != NULL && found->users > 0;
  int result = stays ? SQLITE_OK : plain->pMethods->xClose(plain);
  release();
  return result;
}
