/* SPDX-License-Identifier: MIT */
/* What Swift cannot say itself: libcurl's variadic functions, threads with blocked signals, signals of one thread.
   D-Bus, the kernel's keyring and the loopback interface have headers of their own. */
#ifndef CTESSERA_SYSTEM_H
#define CTESSERA_SYSTEM_H

/* Options that newer headers call deprecated still serve older libraries. */
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "ctessera_descriptors.h"

/* libcurl (curl.c): only its header is used to compile; the library is found when it is first needed. */

/** The functions of a libcurl that is loaded. It never changes; any thread may use it. */
typedef struct ctessera_curl ctessera_curl;

/** Receives `size * count` bytes; any other number as the answer ends the exchange. */
typedef size_t (*ctessera_curl_receiver)(char *data, size_t size, size_t count, void *context);

/**
 * Be the one thread that opens libcurl; others wait for it.
 *
 * Returns false in a child of fork() in whose parent a thread was opening it at that moment: half of it may be loaded there,
 * and its lock held for ever.
 */
bool ctessera_curl_enter(void);
void ctessera_curl_leave(void);

/**
 * Load libcurl under a file name and prepare it. Returns NULL and a reason if that cannot be done.
 *
 * The library stays loaded for good: a resolver thread that was left behind may still run in it.
 */
ctessera_curl *ctessera_curl_open(const char *name, char *problem, size_t problem_size);

/** Give the table of functions back; the library stays. */
void ctessera_curl_close(ctessera_curl *curl);

/** Whether the program is ending. From then on nothing is sent, and what an exchange holds is left to the process. */
bool ctessera_gate_is_shut(void);

void *ctessera_curl_easy_create(const ctessera_curl *curl);
void ctessera_curl_easy_free(const ctessera_curl *curl, void *easy);
const char *ctessera_curl_words(const ctessera_curl *curl, CURLcode code);

bool ctessera_curl_set_number(const ctessera_curl *curl, void *easy, CURLoption option, long value);
bool ctessera_curl_set_size(
    const ctessera_curl *curl, void *easy, CURLoption option, long long value);
bool ctessera_curl_set_text(
    const ctessera_curl *curl, void *easy, CURLoption option, const char *value);
bool ctessera_curl_set_pointer(
    const ctessera_curl *curl, void *easy, CURLoption option, const void *value);
bool ctessera_curl_set_receiver(
    const ctessera_curl *curl, void *easy, CURLoption option, ctessera_curl_receiver value);

/** Allow http and https, and nothing else. */
bool ctessera_curl_allow_web_only(const ctessera_curl *curl, void *easy);

/** The last message of a handshake that held certificates (RFC 8446 section 4.4.2); none, or a longer one, is empty. */
typedef struct {
  /** Where it goes, and how much that may be. */
  unsigned char *bytes;
  size_t size;
  /** How much it is. */
  size_t count;
} ctessera_certificates;

/** Remember the certificates that are shown, where libcurl hands the handshake over (OpenSSL); NULL for no longer. */
void ctessera_curl_watch_certificates(
    const ctessera_curl *curl, void *easy, ctessera_certificates *seen);

/** The issuer of the last certificate that was shown, where libcurl reads it (GnuTLS); else NULL. It ends with the handle. */
const char *ctessera_curl_issuer(const ctessera_curl *curl, void *easy);

/** Let the resolver's thread finish alone; false if this libcurl (before 7.87) always waits for it. */
bool ctessera_curl_end_quickly(const ctessera_curl *curl, void *easy);

/** A number about an exchange; 0 if libcurl does not know it. */
long ctessera_curl_get_number(const ctessera_curl *curl, void *easy, CURLINFO info);

/** Microseconds until a stage of an exchange was reached; 0 before. */
long long ctessera_curl_get_time(const ctessera_curl *curl, void *easy, CURLINFO info);

/** Append a copy of a line. Returns false, and leaves the list as it was, if memory ran out. */
bool ctessera_curl_list_append(
    const ctessera_curl *curl, struct curl_slist **list, const char *line);
void ctessera_curl_list_free(const ctessera_curl *curl, struct curl_slist *list);

/** Make the handle that drives an exchange. */
void *ctessera_curl_multi_create(const ctessera_curl *curl);
bool ctessera_curl_multi_add(const ctessera_curl *curl, void *multi, void *easy);
/** Free the handle and stop the exchange, if it was added. */
void ctessera_curl_multi_free(const ctessera_curl *curl, void *multi, void *easy);

/** Do what can be done without waiting. */
bool ctessera_curl_multi_perform(const ctessera_curl *curl, void *multi);

/** Whether the exchange is over, and how it ended. */
bool ctessera_curl_multi_finished(const ctessera_curl *curl, void *multi, CURLcode *result);

/** Wait until there is something to do. Returns the number of descriptors that are ready, or -1. */
int ctessera_curl_multi_wait(const ctessera_curl *curl, void *multi, int milliseconds);

/** End a wait that is under way, or else the next one. Any thread. */
void ctessera_curl_multi_wake(const ctessera_curl *curl, void *multi);

/* Signals (signals.c). */

/** What the calling thread did about a signal before it was withheld. */
typedef struct {
  sigset_t previous;
  int number;
  bool was_pending;
} ctessera_withheld_signal;

/** Block a signal in the calling thread. */
void ctessera_signal_withhold(ctessera_withheld_signal *saved, int number);

/** Take back what came of it meanwhile, and put the thread's mask back. */
void ctessera_signal_restore(const ctessera_withheld_signal *saved);

/* Threads (threads.c). */

/** Start a detached thread that receives no signals of the process. Returns 0 or an errno value. */
int ctessera_thread_start(void *(*body)(void *context), void *context);

/** Say that the calling thread is one of the library's own. */
void ctessera_thread_mark(void);

/** Whether the calling thread is one of the library's own. */
bool ctessera_thread_is_marked(void);

/** A variable of the environment; NULL if it is unset, or if the program runs with raised rights. */
const char *ctessera_environment(const char *name);

#endif
