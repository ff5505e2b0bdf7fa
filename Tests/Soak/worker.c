/* SPDX-License-Identifier: MIT */
/* The worker in C: runs the commands of docs/reliability.md with tessera.h. */
#define _GNU_SOURCE
#include <tessera.h>

#include "worker.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_THREADS = 256 };

/* One of several threads that make a call at the same time. */
struct caller {
  tessera_application *application;
  const char *request;
  pthread_barrier_t *start;
  struct answer answer;
};

static tessera_application *made(const char *configuration) {
  tessera_application *application = NULL;
  char *response = NULL;
  if (tessera_application_create(configuration, NULL, &application, &response) != TESSERA_STATUS_OK) {
    fprintf(stderr, "no application: %s\n", response);
    exit(2);
  }
  tessera_string_free(response);
  return application;
}

static void call(tessera_application *application, const char *request, struct answer *answer) {
  char *response = NULL;
  answer->start = now_nanoseconds();
  tessera_status status = tessera_application_acquire_token_silent(application, request, NULL, &response);
  answer->end = now_nanoseconds();
  describe(answer, status == TESSERA_STATUS_OK, response);
  tessera_string_free(response);
}

static void ask(tessera_application *application, long count, const char *request) {
  static struct answer answer;
  for (long index = 0; count == 0 || index < count; index++) {
    call(application, request, &answer);
    print_answer(&answer);
  }
}

static void list(tessera_application *application, long count) {
  for (long index = 0; index < count; index++) {
    char *response = NULL;
    uint64_t start = now_nanoseconds();
    tessera_status status = tessera_application_get_accounts(application, NULL, &response);
    static struct answer answer;
    answer.start = start, answer.end = now_nanoseconds();
    if (status == TESSERA_STATUS_OK)
      strcpy(answer.text, "listed");
    else
      describe(&answer, false, response);
    print_answer(&answer);
    tessera_string_free(response);
  }
}

static void read_many(tessera_application *application, long count, const char *request) {
  static struct answer answer;
  struct reading reading = {0};
  for (long index = 0; count == 0 ? !has_next_command() : index < count; index++) {
    call(application, request, &answer);
    note(&reading, &answer);
  }
  finish(&reading);
}

/* Makes every read in a new process, in which the library is already loaded. */
static void read_in_children(const char *configuration, long count, const char *request) {
  struct reading reading = {0};
  struct answer *answer = mmap(NULL, sizeof *answer, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (answer == MAP_FAILED) exit(2);
  for (long index = 0; count == 0 ? !has_next_command() : index < count; index++) {
    memset(answer, 0, 64);
    pid_t child = fork();
    if (child == 0) {
      tessera_application *application = made(configuration);
      call(application, request, answer);
      tessera_application_free(application);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) snprintf(answer->text, sizeof answer->text, "died %d", status);
    note(&reading, answer);
  }
  munmap(answer, sizeof *answer);
  finish(&reading);
}

static void *run_caller(void *context) {
  struct caller *caller = context;
  pthread_barrier_wait(caller->start);
  call(caller->application, caller->request, &caller->answer);
  return NULL;
}

static void ask_in_threads(tessera_application *application, long count, const char *request) {
  static struct caller callers[MOST_THREADS];
  pthread_t threads[MOST_THREADS];
  pthread_barrier_t start;
  if (count > MOST_THREADS) exit(2);
  pthread_barrier_init(&start, NULL, (unsigned)count);
  for (long index = 0; index < count; index++) {
    callers[index] =
        (struct caller){.application = application, .request = request, .start = &start};
    if (pthread_create(&threads[index], NULL, run_caller, &callers[index]) != 0) exit(2);
  }
  for (long index = 0; index < count; index++) {
    pthread_join(threads[index], NULL);
    print_answer(&callers[index].answer);
  }
  pthread_barrier_destroy(&start);
}

int main(int argc, char **argv) {
  struct command command;
  if (argc != 2) {
    fprintf(stderr, "usage: worker CONFIGURATION\n");
    return 2;
  }
  tessera_application *application = made(argv[1]);
  puts("ready");
  fflush(stdout);
  while (next_command(&command)) {
    wait_until(command.at);
    if (!strcmp(command.verb, "ask")) ask(application, command.count, command.request);
    if (!strcmp(command.verb, "list")) list(application, command.count);
    if (!strcmp(command.verb, "read")) read_many(application, command.count, command.request);
    if (!strcmp(command.verb, "fresh")) read_in_children(argv[1], command.count, command.request);
    if (!strcmp(command.verb, "threads"))
      ask_in_threads(application, command.count, command.request);
    puts("done");
    fflush(stdout);
  }
  tessera_application_free(application);
  return 0;
}
