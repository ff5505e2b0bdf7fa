/* SPDX-License-Identifier: MIT */
/* The C contestant: acquires tokens through tessera.h. */
#define _POSIX_C_SOURCE 200809L
#include <tessera.h>

#include "stopwatch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct contestant {
  tessera_application *application;
  tessera_cancellation *cancellation;
  tessera_call_group *calls;
  char **requests;
  size_t count;
  /* The requests in the order in which they are sent. */
  char **order;
  size_t ordered;
  size_t position;
};

/* One of several threads that use the same application. Each has its own cache lines. */
struct requesting_thread {
  _Alignas(128) struct contestant own;
  atomic_bool *stop;
  double calls;
};

static void acquire(const struct contestant *contestant, const char *request) {
  char *response = NULL;
  if (tessera_application_acquire_token_silent(contestant->application, request, NULL, &response) != TESSERA_STATUS_OK)
    fail("no token", response);
  tessera_string_free(response);
}

/* Returns the next request in their order. */
static const char *next_request(struct contestant *contestant) {
  if (++contestant->position >= contestant->ordered) contestant->position = 0;
  return contestant->order[contestant->position];
}

static void acquire_next(void *context) { acquire(context, next_request(context)); }

static void acquire_next_with_cancellation(void *context) {
  struct contestant *contestant = context;
  char *response = NULL;
  if (tessera_application_acquire_token_silent(contestant->application, next_request(contestant),
                                               contestant->cancellation, &response) != TESSERA_STATUS_OK)
    fail("no token", response);
  tessera_string_free(response);
}

static void acquire_next_in_group(void *context) {
  struct contestant *contestant = context;
  char *response = NULL;
  int64_t call = -1;
  if (tessera_call_group_acquire_token_silent(contestant->calls, contestant->application, next_request(contestant),
                                              NULL, &call, &response) != TESSERA_STATUS_OK || call != 0)
    fail("no cached token", response);
  tessera_string_free(response);
}

static void request_unknown_account(void *context) {
  struct contestant *contestant = context;
  static const char request[] =
      "{\"home_account_id\":\"nobody.nowhere\",\"scopes\":[\"https://resource0.example/read\"]}";
  char *response = NULL;
  if (tessera_application_acquire_token_silent(contestant->application, request, NULL, &response) !=
      TESSERA_STATUS_SIGN_IN)
    fail("a token of no account", response);
  tessera_string_free(response);
}

static void list_accounts(void *context) {
  struct contestant *contestant = context;
  char *response = NULL;
  if (tessera_application_get_accounts(contestant->application, NULL, NULL, &response) != TESSERA_STATUS_OK)
    fail("no accounts", response);
  tessera_string_free(response);
}

static double time_of_list(struct contestant *contestant) {
  uint64_t start = now_nanoseconds();
  list_accounts(contestant);
  return (double)(now_nanoseconds() - start);
}

static void shuffle(struct contestant *contestant, size_t count) {
  uint64_t random = 88172645463325252u;
  if (contestant->ordered == count) return;
  contestant->ordered = count;
  contestant->position = 0;
  memcpy(contestant->order, contestant->requests, count * sizeof *contestant->order);
  for (size_t index = count; index > 1; index--) {
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    char **one = &contestant->order[index - 1], **other = &contestant->order[random % index];
    char *kept = *one;
    *one = *other, *other = kept;
  }
}

static double first_calls_time(const struct contestant *contestant, size_t first, size_t count) {
  uint64_t start = now_nanoseconds();
  for (size_t index = first; index < first + count; index++)
    acquire(contestant, contestant->requests[index]);
  return (double)(now_nanoseconds() - start);
}

/* Returns a percentile of first calls. */
static double percentile_of(const struct contestant *contestant, size_t first, size_t count,
                            double (*percentile)(double *times, size_t count)) {
  double *times = malloc(count * sizeof *times);
  if (times == NULL) fail("no memory", "");
  for (size_t index = 0; index < count; index++)
    times[index] = first_calls_time(contestant, first + index, 1);
  double result = percentile(times, count);
  free(times);
  return result;
}

static double response_bytes(const struct contestant *contestant) {
  char *response = NULL;
  tessera_status status = tessera_application_acquire_token_silent(
      contestant->application, contestant->requests[0], NULL, &response);
  double count = status != TESSERA_STATUS_OK || response == NULL ? 0 : (double)strlen(response);
  tessera_string_free(response);
  return count;
}

static void *acquire_until_stopped(void *context) {
  struct requesting_thread *requesting_thread = context;
  while (!atomic_load_explicit(requesting_thread->stop, memory_order_relaxed)) {
    for (int index = 0; index < 100; index++) acquire_next(&requesting_thread->own);
    requesting_thread->calls += 100;
  }
  return NULL;
}

static double processor_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Returns the calls of all threads per second, of wall-clock or processor time. */
static double threads(const struct contestant *contestant, size_t count, double seconds,
                      bool by_processor) {
  enum { MOST = 16 };
  struct requesting_thread workers[MOST] = {0};
  pthread_t handles[MOST];
  atomic_bool stop = false;
  double calls = 0;
  if (count > MOST) fail("too many threads", "");
  uint64_t start = now_nanoseconds();
  double processor = processor_seconds();
  for (size_t index = 0; index < count; index++) {
    workers[index].own = *contestant;
    workers[index].stop = &stop;
    pthread_create(&handles[index], NULL, acquire_until_stopped, &workers[index]);
  }
  while ((double)(now_nanoseconds() - start) < seconds * 1e9)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  atomic_store(&stop, true);
  for (size_t index = 0; index < count; index++) {
    pthread_join(handles[index], NULL);
    calls += workers[index].calls;
  }
  if (by_processor) return calls / (processor_seconds() - processor);
  return calls / ((double)(now_nanoseconds() - start) / 1e9);
}

/* Store one access token in its own commit. The request contains a document as a string. */
static double time_of_write(const struct contestant *contestant, int number) {
  char request[4096], secret[2049];
  memset(secret, 'x', sizeof secret - 1);
  secret[sizeof secret - 1] = 0;
  snprintf(secret, sizeof secret, "%010d", number);
  secret[10] = 'x';
  snprintf(request, sizeof request,
           "{\"before\":\"\",\"after\":\"{\\\"AccessToken\\\":{\\\"written\\\":{"
           "\\\"credential_type\\\":\\\"AccessToken\\\",\\\"home_account_id\\\":\\\"writer.tenant\\\","
           "\\\"environment\\\":\\\"login.microsoftonline.com\\\",\\\"client_id\\\":\\\"client\\\","
           "\\\"realm\\\":\\\"tenant\\\",\\\"target\\\":\\\"scope\\\","
           "\\\"cached_at\\\":\\\"%d\\\",\\\"expires_on\\\":\\\"4000000000\\\","
           "\\\"secret\\\":\\\"%s\\\"}}}\"}",
           1700000000 + number, secret);
  uint64_t start = now_nanoseconds();
  char *response = NULL;
  if (tessera_application_write_cache(contestant->application, request, NULL, &response) != TESSERA_STATUS_OK)
    fail("not written", response);
  double time = (double)(now_nanoseconds() - start);
  if (strstr(response, "\"stored\":1") == NULL) fail("nothing written", response);
  tessera_string_free(response);
  return time;
}

static double answer(void *context, const char *name, double first, double second) {
  struct contestant *contestant = context;
  if (!strcmp(name, "warm")) return first_calls_time(contestant, 0, (size_t)first);
  if (!strcmp(name, "once")) return first_calls_time(contestant, (size_t)first, 1);
  if (!strcmp(name, "list")) return time_of_list(contestant);
  if (!strcmp(name, "write")) return time_of_write(contestant, (int)first);
  if (!strcmp(name, "miss")) return median_nanoseconds(first, request_unknown_account, contestant);
  if (!strcmp(name, "miss-p99")) return slowest_nanoseconds(first, request_unknown_account, contestant);
  if (!strcmp(name, "first")) return percentile_of(contestant, 0, (size_t)first, percentile_99);
  if (!strcmp(name, "first-median"))
    return percentile_of(contestant, (size_t)first, (size_t)second, median);
  if (!strcmp(name, "first-p99"))
    return percentile_of(contestant, (size_t)first, (size_t)second, percentile_99);
  if (!strcmp(name, "bytes")) return response_bytes(contestant);
  if (!strcmp(name, "accounts")) return median_nanoseconds(first, list_accounts, contestant);
  if (!strcmp(name, "threads")) return threads(contestant, (size_t)first, second, false);
  if (!strcmp(name, "threads-cost")) return threads(contestant, (size_t)first, second, true);
  if (strncmp(name, "hit", 3)) fail("unknown command", name);
  shuffle(contestant, (size_t)first);
  if (!strcmp(name, "hit-cancellation"))
    return median_nanoseconds(second, acquire_next_with_cancellation, contestant);
  if (!strcmp(name, "hit-group")) return median_nanoseconds(second, acquire_next_in_group, contestant);
  return median_nanoseconds(second, acquire_next, contestant);
}

static void read_requests(struct contestant *contestant, const char *path) {
  FILE *file = fopen(path, "r");
  char *line = NULL;
  size_t capacity = 0, room = 0;
  if (file == NULL) fail("cannot read", path);
  while (getline(&line, &capacity, file) > 1) {
    if (contestant->count == room) {
      room = room ? room * 2 : 1024;
      contestant->requests = realloc(contestant->requests, room * sizeof(char *));
    }
    line[strcspn(line, "\n")] = 0;
    contestant->requests[contestant->count++] = strdup(line);
  }
  free(line);
  fclose(file);
  contestant->order = malloc(contestant->count * sizeof(char *));
}

/* Commit the requests of a file, one CacheWriteRequest per line. */
static void fill(const struct contestant *contestant, const char *path) {
  char *request = NULL, *response = NULL;
  size_t capacity = 0;
  FILE *file = fopen(path, "r");
  if (file == NULL) fail("cannot read", path);
  while (getline(&request, &capacity, file) > 1) {
    if (tessera_application_write_cache(contestant->application, request, NULL, &response) != TESSERA_STATUS_OK)
      fail("not filled", response);
    tessera_string_free(response);
  }
  free(request);
  fclose(file);
}

int main(int argc, char **argv) {
  struct contestant contestant = {0};
  char *response = NULL;
  if (argc < 3)
    fail("usage", "contestant CONFIGURATION REQUESTS|REQUEST cold|REQUESTS fill");
  if (tessera_application_create(argv[1], NULL, &contestant.application, &response) != TESSERA_STATUS_OK)
    fail("no application", response);
  tessera_string_free(response);
  contestant.cancellation = tessera_cancellation_create();
  if (tessera_call_group_create(&contestant.calls, &response) != TESSERA_STATUS_OK) fail("no calls", response);
  tessera_string_free(response);
  /* A cold start: the second argument is the request itself. */
  if (argc == 4 && !strcmp(argv[3], "fill")) {
    fill(&contestant, argv[2]);
  } else if (argc == 4) {
    acquire(&contestant, argv[2]);
  } else {
    read_requests(&contestant, argv[2]);
    serve(answer, &contestant);
  }
  tessera_call_group_free(contestant.calls);
  tessera_cancellation_free(contestant.cancellation);
  tessera_application_free(contestant.application);
  return 0;
}
