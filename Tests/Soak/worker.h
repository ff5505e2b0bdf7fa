/* SPDX-License-Identifier: MIT */
/** @file worker.h The protocol of the workers, described in docs/reliability.md. */
#ifndef WORKER_H
#define WORKER_H

#include <stdbool.h>
#include <stdint.h>

enum { LONGEST_TEXT = 16384, LONGEST_LINE = 8192, BUCKETS = 1024 };

/** The result of a call, with the times of its begin and its end. */
struct answer {
  uint64_t start, end;
  char text[LONGEST_TEXT];
};

/** A command: an action, its start time, its repetitions, and the request. */
struct command {
  char verb[16];
  uint64_t at;
  long count;
  char *request;
};

/** The observations of a reader: the latest result, since when, and the durations of reads. */
struct reading {
  uint64_t first_end, last_start;
  char text[LONGEST_TEXT];
  unsigned long counts[BUCKETS];
  uint64_t longest;
};

/** Returns the nanoseconds on a monotonic clock, which is the same for all processes. */
uint64_t now_nanoseconds(void);

/** Sleeps until a time on that clock; 0 is now. */
void wait_until(uint64_t at);

/** Reads the next command from standard input; false at its end. */
bool next_command(struct command *command);

/** Whether the next command has arrived. */
bool has_next_command(void);

/** Summarizes a response in a few words. */
void describe(struct answer *answer, bool is_result, const char *response);

/** Prints a result without buffering. */
void print_answer(const struct answer *answer);

/** Records one read. Prints the previous result when the result changes. */
void note(struct reading *reading, const struct answer *answer);

/** Prints the last result, and the durations of the reads. */
void finish(const struct reading *reading);

#endif /* WORKER_H */
