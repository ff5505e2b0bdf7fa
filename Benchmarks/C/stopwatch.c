/* SPDX-License-Identifier: MIT */
/* Batches, their median, and the command loop. */
#define _POSIX_C_SOURCE 200809L
#include "stopwatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH_NANOSECONDS = 250000, MOST_BATCHES = 65536 };

uint64_t now_nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint64_t batch(long calls, call_to_measure call, void *context) {
  uint64_t start = now_nanoseconds();
  for (long index = 0; index < calls; index++) call(context);
  return now_nanoseconds() - start;
}

static int order(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return (difference > 0) - (difference < 0);
}

double median_nanoseconds(double seconds, call_to_measure call, void *context) {
  static double batches[MOST_BATCHES];
  long calls = 1;
  size_t count = 0;
  while (batch(calls, call, context) < BATCH_NANOSECONDS) calls *= 2;
  uint64_t end = now_nanoseconds() + (uint64_t)(seconds * 1e9);
  do {
    batches[count++] = (double)batch(calls, call, context) / (double)calls;
  } while (now_nanoseconds() < end && count < MOST_BATCHES);
  qsort(batches, count, sizeof *batches, order);
  return batches[count / 2];
}

double slowest_nanoseconds(double seconds, call_to_measure call, void *context) {
  static double times[MOST_BATCHES];
  size_t count = 0;
  uint64_t end = now_nanoseconds() + (uint64_t)(seconds * 1e9);
  do {
    times[count++] = (double)batch(1, call, context);
  } while (now_nanoseconds() < end && count < MOST_BATCHES);
  return percentile_99(times, count);
}

double median(double *times, size_t count) {
  qsort(times, count, sizeof *times, order);
  return count == 0 ? 0 : times[count / 2];
}

double percentile_99(double *times, size_t count) {
  qsort(times, count, sizeof *times, order);
  return count == 0 ? 0 : times[count * 99 / 100];
}

void serve(command_answer answer, void *context) {
  char line[200], name[100];
  puts("ready");
  fflush(stdout);
  while (fgets(line, sizeof line, stdin) != NULL) {
    double first = 0, second = 0;
    if (sscanf(line, "%99s %lf %lf", name, &first, &second) < 1 || !strcmp(name, "quit")) return;
    printf("%.1f\n", answer(context, name, first, second));
    fflush(stdout);
  }
}

void fail(const char *what, const char *detail) {
  fprintf(stderr, "%s: %.500s\n", what, detail);
  exit(1);
}
