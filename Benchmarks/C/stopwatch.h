/* SPDX-License-Identifier: MIT */
/** @file stopwatch.h Measures calls in batches of a quarter of a millisecond, and serves commands. */
#ifndef STOPWATCH_H
#define STOPWATCH_H

#include <stddef.h>
#include <stdint.h>

/** What is measured; `context` is handed through. */
typedef void (*call_to_measure)(void *context);

/** Answers one command with a number: its name, and the two numbers that may follow. */
typedef double (*command_answer)(void *context, const char *name, double first, double second);

/** Nanoseconds on a clock that never goes back. */
uint64_t now_nanoseconds(void);

/** The median of the batches that fit into some time, in nanoseconds for one call. */
double median_nanoseconds(double seconds, call_to_measure call, void *context);

/** What one call in a hundred exceeds, in nanoseconds. */
double slowest_nanoseconds(double seconds, call_to_measure call, void *context);

/** What one of a hundred times exceeds; they are sorted. */
double percentile_99(double *times, size_t count);

/** Print "ready", then answer each line of standard input until "quit". */
void serve(command_answer answer, void *context);

/** End the program with a message. */
void give_up(const char *what, const char *detail);

#endif /* STOPWATCH_H */
