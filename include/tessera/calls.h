/* SPDX-License-Identifier: MIT */
/**
 * @file calls.h
 * Calls that do not block: a group of calls, and one descriptor that tells when something has come of them. Include
 * tessera.h.
 *
 * For programs with an event loop (poll, epoll, libuv, GLib, asyncio): begin calls, watch the descriptor, and take what has
 * come with tessera_calls_next(). What needs no waiting is answered at once. The rest is done by the library's own threads,
 * at most 16 an application, and 64 for sign-ins, which wait for people; calls for one account take turns and occupy
 * one. The threads have all signals blocked, and go when there is nothing to do. No callback is called on them, except the
 * log's and the store key's of tessera_host. A device code and the address of a page come with tessera_calls_next().
 */
#ifndef TESSERA_CALLS_H
#define TESSERA_CALLS_H

#include <stdint.h>

#include "application.h"
#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/** Calls under way, and what has come of others. Any number of applications may share a group, and any number of threads. */
typedef struct tessera_calls tessera_calls;

/** What a document of tessera_calls_next() is. */
enum {
  /** The answer of a call, which has ended: its result, or its error. */
  TESSERA_ANSWER = 0,
  /** Something to show to a person while the call goes on: a "DeviceCodePrompt" or a "SignInPrompt". */
  TESSERA_PROMPT = 1
};

/**
 * Make a group of calls. `*calls` gets it, or NULL; end it with tessera_calls_free(). The result is an object without
 * members.
 *
 * Returns TESSERA_OK, TESSERA_RETRY_LATER ("too_many_open_files") or TESSERA_FIX_REQUEST (`calls` is NULL).
 */
tessera_status tessera_calls_create(tessera_calls *TESSERA_NULLABLE *TESSERA_NULLABLE calls,
                                    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * A descriptor that is readable while tessera_calls_next() has something to say; -1 for NULL. It belongs to the group: watch
 * it (poll, epoll, select), but neither read nor close it.
 */
int tessera_calls_descriptor(tessera_calls *TESSERA_NULLABLE calls);

/**
 * Begin tessera_acquire_token_silent() without blocking. `request` is a "SilentRequest".
 *
 * If the answer is at hand, `*call` is 0 and *response is the "TokenResult". Otherwise `*call` is the call's number, above 0,
 * and *response is an object without members; the answer comes with tessera_calls_next(). The application may be freed
 * meanwhile.
 *
 * Returns TESSERA_OK; TESSERA_FIX_REQUEST if the request cannot be read, or the group was made before a fork()
 * ("wrong_process"). Everything else is the status of the answer.
 */
tessera_status tessera_calls_acquire_token_silent(
    tessera_calls *TESSERA_NULLABLE calls, tessera_application *TESSERA_NULLABLE application,
    const char *TESSERA_NULLABLE request, int64_t *TESSERA_NULLABLE call,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Begin tessera_acquire_token_by_device_code() without blocking. `request` is a "DeviceCodeRequest". The "DeviceCodePrompt"
 * comes with tessera_calls_next() as a TESSERA_PROMPT, then the answer.
 *
 * `*call`, *response and the status are as for tessera_calls_acquire_token_silent(); `*call` is never 0 if the status is
 * TESSERA_OK.
 */
tessera_status tessera_calls_acquire_token_by_device_code(
    tessera_calls *TESSERA_NULLABLE calls, tessera_application *TESSERA_NULLABLE application,
    const char *TESSERA_NULLABLE request, int64_t *TESSERA_NULLABLE call,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Begin tessera_acquire_token_interactive() without blocking. `request` is an "InteractiveRequest", which may also have
 * "shows_address": false if the program shows no address; a call without a browser then ends with TESSERA_FIX_CONFIGURATION
 * ("browser_unavailable"). Each "SignInPrompt" comes with tessera_calls_next() as a TESSERA_PROMPT, then the answer.
 *
 * With "silent_first" the answer may be at hand. `*call`, *response and the status are as for
 * tessera_calls_acquire_token_silent(). Cancelling closes what listens for the page's answer within 100 ms; the next sign-in
 * of the application waits for that.
 */
tessera_status tessera_calls_acquire_token_interactive(
    tessera_calls *TESSERA_NULLABLE calls, tessera_application *TESSERA_NULLABLE application,
    const char *TESSERA_NULLABLE request, int64_t *TESSERA_NULLABLE call,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Begin tessera_sign_in_begin() without blocking. `request` is a "SignInRequest", and the answer a "BegunSignIn".
 *
 * `*call`, *response and the status are as for tessera_calls_acquire_token_by_device_code().
 */
tessera_status tessera_calls_sign_in_begin(
    tessera_calls *TESSERA_NULLABLE calls, tessera_application *TESSERA_NULLABLE application,
    const char *TESSERA_NULLABLE request, int64_t *TESSERA_NULLABLE call,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Begin tessera_sign_in_complete() without blocking. `request` is a "RedirectResponse", and the answer a "TokenResult".
 *
 * `*call`, *response and the status are as for tessera_calls_acquire_token_by_device_code(). A code that was sent before the
 * call is cancelled is spent.
 */
tessera_status tessera_calls_sign_in_complete(
    tessera_calls *TESSERA_NULLABLE calls, tessera_application *TESSERA_NULLABLE application,
    const char *TESSERA_NULLABLE request, int64_t *TESSERA_NULLABLE call,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Take the oldest thing that has come of the calls, and wait for it if need be: at most `timeout_milliseconds`, 0 for not at
 * all, below 0 for as long as something is under way.
 *
 * `*call` is the number of its call, and `*kind` what it is: TESSERA_ANSWER or TESSERA_PROMPT. *response is the document,
 * and the status that of the call: exactly what the call that blocks would have given, or TESSERA_RETRY_LATER
 * ("too_many_threads") where the process may start no thread for it. If there is nothing, `*call` is 0,
 * the status TESSERA_OK, and *response an object without members.
 *
 * Returns the status of the call; with `*call` 0 also TESSERA_FIX_REQUEST, as tessera_calls_acquire_token_silent().
 */
tessera_status tessera_calls_next(tessera_calls *TESSERA_NULLABLE calls,
                                  int64_t timeout_milliseconds, int64_t *TESSERA_NULLABLE call,
                                  int32_t *TESSERA_NULLABLE kind,
                                  char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Cancel a call, or all of the group if `call` is 0: its answer, TESSERA_CANCELLED ("cancelled"), is there at once. A call
 * that has ended is left alone. Any thread may do that, but not a signal handler. NULL does nothing.
 */
void tessera_calls_cancel(tessera_calls *TESSERA_NULLABLE calls, int64_t call);

/**
 * End a group; not while another function is using it. What is under way is cancelled, and what was not taken is dropped.
 *
 * Afterwards none of the library's threads is at work for the group. That is waited for: 100 ms or less as a rule, and
 * a second at most, for instance while libcurl is loaded for the first time. Hold no lock that a callback of the host
 * needs. A callback, on whichever of these threads, may end a group and waits for nobody. In a child of fork() this only
 * frees memory. NULL does nothing.
 */
void tessera_calls_free(tessera_calls *TESSERA_NULLABLE calls);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_CALLS_H */
