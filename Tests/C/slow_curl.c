/* SPDX-License-Identifier: MIT */
/*
 * Replaces libcurl.so.4 with OpenSSL: its initialization takes a while, and must not be in progress when its exit
 * handler runs, which it registers like OpenSSL.
 */
#define _DEFAULT_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

enum { in_the_midst = 86, preparation_microseconds = 300000 };

/** The number of threads that initialize it; a test looks it up by name. */
atomic_int slow_curl_inside;

static void (*handler_of_others)(void);

static void end(void) {
  if (handler_of_others != NULL) handler_of_others();
  if (atomic_load(&slow_curl_inside) != 0) _exit(in_the_midst);
}

int OPENSSL_atexit(void (*handler)(void)) {
  handler_of_others = handler;
  return 1;
}

int curl_global_init(long flags) {
  (void)flags;
  atomic_fetch_add(&slow_curl_inside, 1);
  if (atexit(end) != 0) return 2;
  usleep(preparation_microseconds);
  atomic_fetch_sub(&slow_curl_inside, 1);
  return 0;
}

/* No transfer is made: there is no memory for a handle. */
void *curl_easy_init(void) { return NULL; }

/* The other functions only have to exist. */
#define UNUSED(name) \
  void name(void) {}
UNUSED(curl_easy_setopt)
UNUSED(curl_easy_getinfo)
UNUSED(curl_easy_cleanup)
UNUSED(curl_easy_strerror)
UNUSED(curl_slist_append)
UNUSED(curl_slist_free_all)
UNUSED(curl_multi_init)
UNUSED(curl_multi_add_handle)
UNUSED(curl_multi_remove_handle)
UNUSED(curl_multi_perform)
UNUSED(curl_multi_info_read)
UNUSED(curl_multi_poll)
UNUSED(curl_multi_wakeup)
UNUSED(curl_multi_cleanup)
