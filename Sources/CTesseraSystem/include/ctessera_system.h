/* SPDX-License-Identifier: MIT */
/* Functions that Swift cannot call or implement: libcurl's variadic functions, threads with blocked signals, signals of
   one thread. D-Bus, the kernel's keyring and the loopback interface have separate headers. */
#ifndef CTESSERA_SYSTEM_H
#define CTESSERA_SYSTEM_H

/* Options that newer headers deprecate are needed for older libraries. */
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "ctessera_descriptors.h"

/* libcurl (curl.c). Only its header is used to compile. The library is loaded at its first use. */

/** The function table of a loaded libcurl. It is immutable and thread-safe. */
typedef struct ctessera_curl ctessera_curl;

/** Receives `size * count` bytes. Any other return value aborts the transfer. */
typedef size_t (*ctessera_curl_receiver)(char *data, size_t size, size_t count, void *context);

/**
 * Lock the loading of libcurl. Other threads wait.
 *
 * Returns false in a child of fork() if a thread of the parent was loading libcurl during the fork. The child may have
 * inherited a partially loaded library and a mutex that no thread will ever unlock.
 */
bool ctessera_curl_lock_loading(void);
void ctessera_curl_unlock_loading(void);

/**
 * Load libcurl by its file name and initialize it.
 *
 * Returns NULL and writes the reason to `problem` on failure. The library is never unloaded, because a resolver thread
 * may still run in it.
 */
ctessera_curl *ctessera_curl_load(const char *name, char *problem, size_t problem_size);

/** Free the function table. The library remains loaded. */
void ctessera_curl_unload(ctessera_curl *curl);

/**
 * Return whether the process is exiting. Nothing more is sent then, and the resources of transfers are not freed.
 */
bool ctessera_exit_guard_is_closed(void);

void *ctessera_curl_easy_create(const ctessera_curl *curl);
void ctessera_curl_easy_free(const ctessera_curl *curl, void *easy);
const char *ctessera_curl_error_text(const ctessera_curl *curl, CURLcode code);

bool ctessera_curl_set_number(const ctessera_curl *curl, void *easy, CURLoption option, long value);
bool ctessera_curl_set_size(
    const ctessera_curl *curl, void *easy, CURLoption option, long long value);
bool ctessera_curl_set_text(
    const ctessera_curl *curl, void *easy, CURLoption option, const char *value);
bool ctessera_curl_set_pointer(
    const ctessera_curl *curl, void *easy, CURLoption option, const void *value);
bool ctessera_curl_set_receiver(
    const ctessera_curl *curl, void *easy, CURLoption option, ctessera_curl_receiver value);

/** Allow only http and https. */
bool ctessera_curl_allow_http_only(const ctessera_curl *curl, void *easy);

/** Return the issuer of the last certificate of a finished handshake, or NULL. Valid as long as the handle. */
const char *ctessera_curl_issuer(const ctessera_curl *curl, void *easy);

/** Do not wait for the resolver thread at cleanup. Returns false if this libcurl (before 7.87) always waits for it. */
bool ctessera_curl_set_quick_exit(const ctessera_curl *curl, void *easy);

/** Return a number about a transfer; 0 if it is unknown. */
long ctessera_curl_get_number(const ctessera_curl *curl, void *easy, CURLINFO info);

/** Return the microseconds until a transfer reached a stage; 0 if it has not. */
long long ctessera_curl_get_time(const ctessera_curl *curl, void *easy, CURLINFO info);

/** Append a copy of a line. Returns false and leaves the list unchanged if memory ran out. */
bool ctessera_curl_list_append(
    const ctessera_curl *curl, struct curl_slist **list, const char *line);
void ctessera_curl_list_free(const ctessera_curl *curl, struct curl_slist *list);

/** Create the multi handle that drives a transfer. */
void *ctessera_curl_multi_create(const ctessera_curl *curl);
bool ctessera_curl_multi_add(const ctessera_curl *curl, void *multi, void *easy);
/** Stop the transfer if it was added, and free the multi handle. */
void ctessera_curl_multi_free(const ctessera_curl *curl, void *multi, void *easy);

/** Do all work that is possible without blocking. Returns false on failure, and if the process is exiting. */
bool ctessera_curl_multi_perform(const ctessera_curl *curl, void *multi);

/** Return whether the transfer has finished, and its result. */
bool ctessera_curl_multi_finished(const ctessera_curl *curl, void *multi, CURLcode *result);

/** Wait until there is work to do. Returns the number of ready descriptors, or -1 on failure. */
int ctessera_curl_multi_wait(const ctessera_curl *curl, void *multi, int milliseconds);

/** Wake up the current wait, or else the next one. Safe to call from any thread. */
void ctessera_curl_multi_wake(const ctessera_curl *curl, void *multi);

/* Signals of the calling thread (threads.c). */

/** The state of a signal in the calling thread before it was blocked. */
typedef struct {
  sigset_t previous;
  int number;
  bool was_pending;
} ctessera_blocked_signal;

/** Block a signal in the calling thread. */
void ctessera_signal_block(ctessera_blocked_signal *saved, int number);

/** Discard the signal if it became pending in the meantime, and restore the signal mask. */
void ctessera_signal_restore(const ctessera_blocked_signal *saved);

/* Threads (threads.c). */

/** Start a detached thread that receives no signals of the process. Returns 0 or an errno value. */
int ctessera_thread_start(void *(*body)(void *context), void *context);

/** Mark the calling thread as a thread of the library. */
void ctessera_thread_mark(void);

/** Return whether the calling thread is a thread of the library. */
bool ctessera_thread_is_marked(void);

/** Get an environment variable; returns NULL if it is not set, or if the process has elevated privileges. */
const char *ctessera_environment(const char *name);

#endif
