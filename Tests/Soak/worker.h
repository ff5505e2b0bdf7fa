/* SPDX-License-Identifier: MIT */
/** @file worker.h The protocol of the workers, as docs/reliability.md describes it. */
#ifndef WORKER_H
#define WORKER_H

#include <stdbool.h>
#include <stdint.h>

enum { LONGEST_TEXT = 16384, LONGEST_LINE = 8192, BUCKETS = 1024 };

/** What a call answered, and when it began and ended. */
struct answer {
  uint64_t start, end;
  char text[LONGEST_TEXT];
};

/** A command: what to do, from when on, how often, and the request. */
struct command {
  char verb[16];
  uint64_t at;
  long count;
  char *request;
};

/** What a reader has seen: the latest answer, since when, and how long reads took. */
struct reading {
  uint64_t first_end, last_start;
  char text[LONGEST_TEXT];
  unsigned long counts[BUCKETS];
  uint64_t longest;
};

/** Nanoseconds on a clock that never goes back, the same one for all processes. */
uint64_t now_nanoseconds(void);

/** Sleep until a moment on that clock; 0 is now. */
void wait_until(uint64_t at);

/** Read the next command from standard input; false at its end. */
bool next_command(struct command *command);

/** Whether the next command has come already. */
bool is_told_to_stop(void);

/** Say in a few words what a response says. */
void describe(struct answer *answer, bool is_result, const char *response);

/** Print an answer at once. */
void print_answer(const struct answer *answer);

/** Note one read; what was seen before is printed when the answer changes. */
void note(struct reading *reading, const struct answer *answer);

/** Print what was seen last, and how long the reads took. */
void finish(const struct reading *reading);

#endif /* WORKER_H */
