/* SPDX-License-Identifier: MIT */
/**
 * @file calls.h
 * Non-blocking calls: a group of calls with a queue of events, and a file descriptor to poll. Include tessera.h.
 *
 * For programs with an event loop (poll, epoll, libuv, GLib, asyncio). Start calls, watch the file descriptor, and
 * remove events with tessera_call_group_next_event(). If the response is cached, the start function returns it at once.
 *
 * All other work runs on threads of the library: at most 16 for each application, and 64 more for sign-ins, which wait
 * for the user. Calls for the same account run one after another, on one thread at a time. The threads block all
 * signals and exit when idle. The only callbacks on them are the log and the store key of tessera_host. Device codes
 * and sign-in addresses are events instead.
 */
#ifndef TESSERA_CALLS_H
#define TESSERA_CALLS_H

#include <stdint.h>

#include "application.h"
#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/** A group of non-blocking calls and the queue of their events. Applications and threads may share a group. */
typedef struct tessera_call_group tessera_call_group;

/** The kind of an event. */
enum {
  /** The final response of a call: its result or its error. */
  TESSERA_EVENT_RESULT = 0,
  /** A "DeviceCodePrompt" or a "SignInPrompt" to show to the user. The call continues. */
  TESSERA_EVENT_PROMPT = 1
};

/**
 * Create a group of calls.
 *
 * `*calls` receives the group, or NULL after an error. Free it with tessera_call_group_free(). The result is an empty
 * object.
 *
 * Returns TESSERA_STATUS_OK, TESSERA_STATUS_RETRY_LATER ("too_many_open_files"), or TESSERA_STATUS_FIX_REQUEST (`calls` is NULL).
 */
tessera_status tessera_call_group_create(tessera_call_group *TESSERA_NULLABLE *TESSERA_NULLABLE calls,
                                    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Get a file descriptor that is readable while the queue has events; -1 for NULL.
 *
 * The group owns it. Watch it with poll, epoll or select, but do not read from it or close it.
 */
int tessera_call_group_descriptor(tessera_call_group *TESSERA_NULLABLE calls);

/**
 * Start tessera_application_acquire_token_silent() without blocking. `request` is a "SilentRequest".
 *
 * If the response is cached, `*call` is 0 and *response is the "TokenResult". Otherwise `*call` is the ID of the call,
 * above 0, *response is an empty object, and tessera_call_group_next_event() returns the response later. The application may be
 * freed in the meantime.
 *
 * Returns TESSERA_STATUS_OK, or TESSERA_STATUS_FIX_REQUEST if the request is invalid or the group was created before a fork()
 * ("wrong_process"). All other errors are reported by the event.
 */
tessera_status tessera_call_group_acquire_token_silent(
    tessera_call_group *TESSERA_NULLABLE calls, tessera_application *TESSERA_NULLABLE application,
    const char *TESSERA_NULLABLE request, int64_t *TESSERA_NULLABLE call,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Start tessera_application_acquire_token_by_device_code() without blocking. `request` is a "DeviceCodeRequest".
 *
 * tessera_call_group_next_event() first returns the "DeviceCodePrompt" as a TESSERA_EVENT_PROMPT, then the response. `*call`, *response
 * and the status are as for tessera_call_group_acquire_token_silent(), but `*call` is never 0 if the status is TESSERA_STATUS_OK.
 */
tessera_status tessera_call_group_acquire_token_by_device_code(
    tessera_call_group *TESSERA_NULLABLE calls, tessera_application *TESSERA_NULLABLE application,
    const char *TESSERA_NULLABLE request, int64_t *TESSERA_NULLABLE call,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Start tessera_application_acquire_token_interactive() without blocking. `request` is an "InteractiveRequest".
 *
 * tessera_call_group_next_event() returns each "SignInPrompt" as a TESSERA_EVENT_PROMPT, then the response. If the program cannot show
 * an address, set "shows_address": false in the request. Without a browser, such a call fails with
 * TESSERA_STATUS_FIX_CONFIGURATION ("browser_unavailable").
 *
 * `*call`, *response and the status are as for tessera_call_group_acquire_token_silent(). With "silent_first", the response
 * may be cached. Cancellation closes the listener for the redirect within 100 ms. The next sign-in of the application
 * waits for that.
 */
tessera_status tessera_call_group_acquire_token_interactive(
    tessera_call_group *TESSERA_NULLABLE calls, tessera_application *TESSERA_NULLABLE application,
    const char *TESSERA_NULLABLE request, int64_t *TESSERA_NULLABLE call,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Start tessera_application_begin_sign_in() without blocking. `request` is a "SignInRequest", and the result a "BegunSignIn".
 *
 * `*call`, *response and the status are as for tessera_call_group_acquire_token_by_device_code().
 */
tessera_status tessera_call_group_begin_sign_in(
    tessera_call_group *TESSERA_NULLABLE calls, tessera_application *TESSERA_NULLABLE application,
    const char *TESSERA_NULLABLE request, int64_t *TESSERA_NULLABLE call,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Start tessera_application_complete_sign_in() without blocking. `request` is a "RedirectResponse", and the result a "TokenResult".
 *
 * `*call`, *response and the status are as for tessera_call_group_acquire_token_by_device_code(). Cancellation does not undo
 * the redemption of a code that was already sent.
 */
tessera_status tessera_call_group_complete_sign_in(
    tessera_call_group *TESSERA_NULLABLE calls, tessera_application *TESSERA_NULLABLE application,
    const char *TESSERA_NULLABLE request, int64_t *TESSERA_NULLABLE call,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Remove the oldest event from the group's queue.
 *
 * If the queue is empty, the function waits for at most `timeout_milliseconds`. 0 does not wait, and a negative value
 * waits without limit. It returns at once if no call is in progress.
 *
 * `*call` receives the ID of the call, and `*kind` receives TESSERA_EVENT_RESULT or TESSERA_EVENT_PROMPT. *response and the
 * returned status are those of the corresponding blocking function, or TESSERA_STATUS_RETRY_LATER ("too_many_threads") if the
 * process cannot start a thread. If there is no event, `*call` is 0, *response is an empty object and the status is
 * TESSERA_STATUS_OK.
 *
 * Returns the status of the event. If `*call` is 0, it may also be TESSERA_STATUS_FIX_REQUEST, as for
 * tessera_call_group_acquire_token_silent().
 */
tessera_status tessera_call_group_next_event(tessera_call_group *TESSERA_NULLABLE calls,
                                  int64_t timeout_milliseconds, int64_t *TESSERA_NULLABLE call,
                                  int32_t *TESSERA_NULLABLE kind,
                                  char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Cancel a call, or all calls of the group if `call` is 0.
 *
 * The event TESSERA_STATUS_CANCELLED ("cancelled") is added at once. A call that has ended is not affected. Safe to call from
 * any thread, but not from a signal handler. NULL does nothing.
 */
void tessera_call_group_cancel(tessera_call_group *TESSERA_NULLABLE calls, int64_t call);

/**
 * Free a group. Do not call this while another function uses the group. Running calls are cancelled and events
 * discarded.
 *
 * After this function returns, no thread of the library works for the group. It waits for these threads: usually less
 * than 100 ms, and at most one second, for example while libcurl is being loaded. Do not hold a lock that a host
 * callback needs. A callback on one of these threads may free a group, and does not wait. In a child of fork(), the
 * function only frees memory. NULL does nothing.
 */
void tessera_call_group_free(tessera_call_group *TESSERA_NULLABLE calls);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_CALLS_H */
