/* SPDX-License-Identifier: MIT */
/* Several copies or versions of the library in one process, with one store: each sees the commits of the others.
 * 
 * usage: copies READ_REQUEST REFRESH_REQUEST REPETITIONS LIBRARY CONFIGURATION LIBRARY CONFIGURATION... */
#define _GNU_SOURCE
#include <tessera.h>

#include "worker.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8 };

/* One copy of the library, with its application. */
struct copy {
  __typeof__(&tessera_application_create) create;
  __typeof__(&tessera_application_free) end;
  __typeof__(&tessera_application_acquire_token_silent) silent;
  __typeof__(&tessera_string_free) release;
  __typeof__(&tessera_version) version;
  tessera_application *application;
};

static const char *read_request, *refresh_request;
static long repetitions;

static void *function(void *library, const char *name) {
  void *found = dlsym(library, name);
  if (found == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  return found;
}

static struct copy opened(const char *path, const char *configuration) {
  struct copy copy = {0};
  char *response = NULL;
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  *(void **)&copy.create = function(library, "tessera_application_create");
  *(void **)&copy.end = function(library, "tessera_application_free");
  *(void **)&copy.silent = dlsym(library, "tessera_acquire_token_silent"); /* its name in 0.1.0 */
  if (copy.silent == NULL)
    *(void **)&copy.silent = function(library, "tessera_application_acquire_token_silent");
  *(void **)&copy.release = function(library, "tessera_string_free");
  *(void **)&copy.version = function(library, "tessera_version");
  if (copy.create(configuration, NULL, &copy.application, &response) != TESSERA_STATUS_OK) {
    fprintf(stderr, "%s\n", response);
    exit(1);
  }
  copy.release(response);
  return copy;
}

static void ask(struct copy *copy, const char *request, struct answer *answer) {
  char *response = NULL;
  tessera_status status = copy->silent(copy->application, request, NULL, &response);
  describe(answer, status == TESSERA_STATUS_OK, response);
  copy->release(response);
}

/* Every copy reads a token that another one fetched. */
static long alternate(struct copy *copies, int count) {
  static struct answer fetched, seen;
  long wrong = 0;
  for (long index = 0; index < repetitions; index++) {
    ask(&copies[index % count], refresh_request, &fetched);
    for (int reader = 0; reader < count; reader++) {
      ask(&copies[reader], read_request, &seen);
      if (!strncmp(fetched.text, "fetched ", 8) && !strncmp(seen.text, "cached ", 7) &&
          !strcmp(fetched.text + 8, seen.text + 7))
        continue;
      wrong++;
      fprintf(stderr, "copy %d fetched %.60s, copy %d saw %.60s\n", (int)(index % count),
              fetched.text, reader, seen.text);
    }
  }
  return wrong;
}

static void *use(void *context) {
  struct answer *answer = malloc(sizeof *answer);
  long wrong = 0;
  for (long index = 0; index < repetitions; index++) {
    bool refreshes = index % 4 == 0;
    ask(context, refreshes ? refresh_request : read_request, answer);
    /* A refresh may join one that began later. */
    if (!strncmp(answer->text, "cached ", 7)) continue;
    if (refreshes && !strncmp(answer->text, "fetched ", 8)) continue;
    wrong++;
    fprintf(stderr, "a thread got %.200s\n", answer->text);
  }
  free(answer);
  return (void *)wrong;
}

/* Calls all copies at the same time, from two threads each. */
static long together(struct copy *copies, int count) {
  pthread_t threads[2 * MOST];
  long wrong = 0;
  for (int index = 0; index < 2 * count; index++)
    pthread_create(&threads[index], NULL, use, &copies[index / 2]);
  for (int index = 0; index < 2 * count; index++) {
    void *result = NULL;
    pthread_join(threads[index], &result);
    wrong += (long)result;
  }
  return wrong;
}

int main(int argc, char **argv) {
  struct copy copies[MOST];
  int count = (argc - 4) / 2;
  if (count < 2 || count > MOST) return 2;
  read_request = argv[1], refresh_request = argv[2], repetitions = atol(argv[3]);
  for (int index = 0; index < count; index++)
    copies[index] = opened(argv[4 + 2 * index], argv[5 + 2 * index]);
  long wrong = alternate(copies, count) + together(copies, count);
  /* One copy closes the store while the other one uses it. */
  copies[0].end(copies[0].application);
  wrong += together(copies + 1, count - 1);
  for (int index = 1; index < count; index++) copies[index].end(copies[index].application);
  printf("%ld", wrong);
  for (int index = 0; index < count; index++) printf(" %s", copies[index].version());
  putchar('\n');
  return wrong != 0;
}
