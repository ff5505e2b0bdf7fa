/* SPDX-License-Identifier: MIT */
/* Preloaded in a test: threads of the concurrency runtime never run, as if all of them were busy.

   libdispatch gives its threads attributes. A thread without attributes runs. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

typedef void *body(void *context);

static void *busy(void *context) {
  for (;;) pause();
  return context;
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, body *start,
                   void *restrict context) {
  int (*next)(pthread_t *, const pthread_attr_t *, body *, void *);
  *(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
  return next(thread, attributes, attributes != NULL ? busy : start, context);
}
