/* SPDX-License-Identifier: MIT */
/** @file stopwatch.h Measures calls in batches of a quarter of a millisecond, and serves commands. */
#ifndef STOPWATCH_H
#define STOPWATCH_H

#include <stddef.h>
#include <stdint.h>

/** The function to measure. `context` is passed through. */
typedef void (*call_to_measure)(void *context);

/** Executes one command, given its name and up to two numbers, and returns a number. */
typedef double (*command_answer)(void *context, const char *name, double first, double second);

/** Returns the monotonic time in nanoseconds. */
uint64_t now_nanoseconds(void);

/** Returns the median of the batches run in `seconds`, in nanoseconds per call. */
double median_nanoseconds(double seconds, call_to_measure call, void *context);

/** Returns the 99th percentile of the calls run in `seconds`, in nanoseconds. */
double slowest_nanoseconds(double seconds, call_to_measure call, void *context);

/** Returns the median. The times are sorted in place. */
double median(double *times, size_t count);

/** Returns the 99th percentile. The times are sorted in place. */
double percentile_99(double *times, size_t count);

/** Print "ready", then execute each line of standard input until "quit". */
void serve(command_answer answer, void *context);

/** End the program with a message. */
void fail(const char *what, const char *detail);

#endif /* STOPWATCH_H */
