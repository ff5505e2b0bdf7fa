/* SPDX-License-Identifier: MIT */
/* The minimum costs of any library: copying the response, reading a changed file, and a commit that survives a power
   failure. */
#define _POSIX_C_SOURCE 200809L
#include "stopwatch.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The size of a response with an access token of 2,048 characters and an ID token of 1,100. */
enum { RESPONSE_BYTES = 4096, ROW_BYTES = 2048, ROWS = 4 };

struct floor_state {
  char answer[RESPONSE_BYTES];
  sqlite3 *database;
  sqlite3_stmt *insert;
  sqlite3_int64 key;
  const char *file;
};

static void copy(void *context) {
  struct floor_state *own = context;
  char *bytes = malloc(RESPONSE_BYTES);
  memcpy(bytes, own->answer, RESPONSE_BYTES);
  __asm__ volatile("" : : "r"(bytes) : "memory");
  free(bytes);
}

static void copy_and_wipe(void *context) {
  struct floor_state *own = context;
  char *bytes = malloc(RESPONSE_BYTES);
  memcpy(bytes, own->answer, RESPONSE_BYTES);
  __asm__ volatile("" : : "r"(bytes) : "memory");
  memset(bytes, 0, strlen(bytes));
  __asm__ volatile("" : : "r"(bytes) : "memory");
  free(bytes);
}

static void run(struct floor_state *own, const char *sql) {
  if (sqlite3_exec(own->database, sql, NULL, NULL, NULL) != SQLITE_OK)
    fail(sql, sqlite3_errmsg(own->database));
}

/* Commits as many rows as a sign-in has records, in one transaction. */
static void commit(void *context) {
  struct floor_state *own = context;
  run(own, "BEGIN IMMEDIATE");
  for (int row = 0; row < ROWS; row++) {
    sqlite3_bind_int64(own->insert, 1, own->key++ % 32);
    sqlite3_bind_blob(own->insert, 2, own->answer, ROW_BYTES, SQLITE_STATIC);
    if (sqlite3_step(own->insert) != SQLITE_DONE)
      fail("insert", sqlite3_errmsg(own->database));
    sqlite3_reset(own->insert);
  }
  run(own, "COMMIT");
}

/* Reads a whole file once without parsing it. */
static double time_of_reading(const char *path) {
  struct stat status;
  uint64_t start = now_nanoseconds();
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 || fstat(descriptor, &status) != 0) fail("cannot open", path);
  char *bytes = malloc((size_t)status.st_size + 1);
  ssize_t count = bytes == NULL ? -1 : read(descriptor, bytes, (size_t)status.st_size + 1);
  close(descriptor);
  uint64_t end = now_nanoseconds();
  if (count != status.st_size) fail("cannot read", path);
  free(bytes);
  return (double)(end - start);
}

static double answer(void *context, const char *name, double first, double second) {
  (void)second;
  if (!strcmp(name, "copy")) return median_nanoseconds(first, copy, context);
  if (!strcmp(name, "copy-and-wipe")) return median_nanoseconds(first, copy_and_wipe, context);
  if (!strcmp(name, "once")) return time_of_reading(((struct floor_state *)context)->file);
  if (!strcmp(name, "commit")) return median_nanoseconds(first, commit, context);
  fail("unknown command", name);
  return 0;
}

int main(int argc, char **argv) {
  static struct floor_state own;
  /* Without a database, exit at once: this measures the start of a process. */
  if (argc < 2) return 0;
  /* A file to read instead of the database. */
  if (argc == 3) {
    own.file = argv[2];
    serve(answer, &own);
    return 0;
  }
  memset(own.answer, 'x', RESPONSE_BYTES - 1);
  if (sqlite3_open(argv[1], &own.database) != SQLITE_OK) fail("cannot open", argv[1]);
  run(&own, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;"
            "CREATE TABLE IF NOT EXISTS record (key INTEGER PRIMARY KEY, body BLOB) STRICT");
  sqlite3_prepare_v2(own.database, "INSERT OR REPLACE INTO record VALUES (?, ?)", -1, &own.insert,
                     NULL);
  serve(answer, &own);
  sqlite3_finalize(own.insert);
  sqlite3_close(own.database);
  return 0;
}
