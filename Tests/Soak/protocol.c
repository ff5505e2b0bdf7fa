/* SPDX-License-Identifier: MIT */
/* The protocol of the workers: lines in, lines out. */
#define _GNU_SOURCE
#include "worker.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

uint64_t now_nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void wait_until(uint64_t at) {
  struct timespec time = {(time_t)(at / 1000000000u), (long)(at % 1000000000u)};
  if (at != 0) clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

bool next_command(struct command *command) {
  static char line[LONGEST_LINE];
  int length = 0;
  if (fgets(line, sizeof line, stdin) == NULL) return false;
  unsigned long long at = 0;
  if (sscanf(line, "%15s %llu %ld %n", command->verb, &at, &command->count, &length) < 3)
    return false;
  command->at = at;
  line[strcspn(line, "\n")] = 0;
  command->request = line + length;
  return true;
}

bool has_next_command(void) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  return poll(&input, 1, 0) != 0;
}

/* Returns the text of a member. Responses have no white space, and these values have no escapes. */
static const char *member(const char *response, const char *name, int *length) {
  const char *found = strstr(response, name);
  if (found == NULL) return *length = 0, "";
  found += strlen(name);
  *length = (int)strcspn(found, "\"");
  return found;
}

void describe(struct answer *answer, bool is_result, const char *response) {
  int length = 0, more = 0;
  const char *text, *message;
  if (response == NULL) response = "";
  if (is_result) {
    text = member(response, "\"access_token\":\"", &length);
    const char *kind = strstr(response, "\"persisted\":false")     ? "unkept"
                       : strstr(response, "\"source\":\"network\"") ? "fetched"
                                                                    : "cached";
    snprintf(answer->text, sizeof answer->text, "%s %.*s", kind, length, text);
    message = member(response, "\"warnings\":[\"", &more);
    size_t used = strlen(answer->text);
    if (more != 0)
      snprintf(answer->text + used, sizeof answer->text - used, " %.*s", more, message);
  } else {
    text = member(response, "\"code\":\"", &length);
    message = member(response, "\"message\":\"", &more);
    snprintf(answer->text, sizeof answer->text, "refused %.*s %.*s", length, text, more, message);
  }
}

void print_answer(const struct answer *answer) {
  printf("%llu %llu %s\n", (unsigned long long)answer->start, (unsigned long long)answer->end,
         answer->text);
  fflush(stdout);
}

/* Returns one of sixteen buckets for each power of two. */
static unsigned bucket(uint64_t nanoseconds) {
  unsigned bits = 0;
  for (uint64_t rest = nanoseconds; rest != 0; rest >>= 1) bits++;
  return bits < 5 ? (unsigned)nanoseconds
                  : (bits << 4 | (unsigned)(nanoseconds >> (bits - 5) & 15)) % BUCKETS;
}

static void print_seen(const struct reading *reading) {
  if (reading->text[0] == 0) return;
  printf("%llu %llu %s\n", (unsigned long long)reading->first_end,
         (unsigned long long)reading->last_start, reading->text);
  fflush(stdout);
}

void note(struct reading *reading, const struct answer *answer) {
  uint64_t duration = answer->end - answer->start;
  reading->counts[bucket(duration)]++;
  if (duration > reading->longest) reading->longest = duration;
  if (strcmp(reading->text, answer->text) != 0) {
    print_seen(reading);
    strcpy(reading->text, answer->text);
    reading->first_end = answer->end;
  }
  reading->last_start = answer->start;
}

void finish(const struct reading *reading) {
  print_seen(reading);
  printf("times %llu", (unsigned long long)reading->longest);
  for (unsigned index = 0; index < BUCKETS; index++)
    if (reading->counts[index] != 0) printf(" %u:%lu", index, reading->counts[index]);
  putchar('\n');
}
