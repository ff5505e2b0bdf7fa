/* SPDX-License-Identifier: MIT */
/**
 * @file tessera.h
 * Tessera: sign-in to the Microsoft identity platform and to any OpenID Connect provider, with one token
 * cache that every program of a user on a machine shares.
 *
 * Conventions
 *
 * - Objects are opaque. What a _create function made, the _free function of the same name ends;
 *   _free(NULL) does nothing. An object may be used by several threads at once, but must not be freed while a
 *   call on it is under way.
 * - Requests are JSON objects in UTF-8 that end with a NUL. An unknown member is an error that names it.
 * - Functions that can fail return a tessera_status and write one JSON document to *response: the result when the
 *   status is TESSERA_OK, the error otherwise (docs/errors.md). *response is always set (NULL only when memory
 *   ran out); free it with tessera_string_free().
 * - A call does its work on the calling thread. One that can wait ends within 100 ms of its "timeout_milliseconds" or of
 *   tessera_cancellation_cancel(), but what a server has sent gets five seconds to be stored. Without a timeout, a call
 *   waits at most ten seconds at a time for a store that another process holds. The library starts no thread (libcurl
 *   may, to resolve a name), prints nothing and installs no signal handler.
 * - Times in JSON end in "_on" and are whole seconds since 1970; durations name their unit.
 */
#ifndef TESSERA_H
#define TESSERA_H

#include <stddef.h>
#include <stdint.h>

/** Version of this header: parts, text, and one number: major * 1000000 + minor * 1000 + patch. */
#define TESSERA_VERSION_MAJOR 0
#define TESSERA_VERSION_MINOR 1
#define TESSERA_VERSION_PATCH 0
#define TESSERA_VERSION "0.1.0"
#define TESSERA_VERSION_NUMBER 1000
/** Version of the binary interface; it grows when a program must be compiled again. */
#define TESSERA_ABI_VERSION 0

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#pragma clang assume_nonnull begin
#define TESSERA_NULLABLE _Nullable
#else
#define TESSERA_NULLABLE
#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What the caller should do now. The numbers never change; new ones may be added, so treat an unknown status like
 * TESSERA_REPORT_BUG.
 * Every program has to handle two situations, both of them TESSERA_SIGN_IN: somebody has to sign in; and fewer scopes were
 * granted than asked for ("code" is "declined_scopes", "result" is the token for those that were). All else is optional: a
 * program that shows "message" and tries again later where "retryable" is true is complete.
 */
typedef int32_t tessera_status;

enum {
  /** The result is in *response. */
  TESSERA_OK = 0,
  /** Start an interactive flow, such as tessera_acquire_token_by_device_code(), passing on "claims". */
  TESSERA_SIGN_IN = 1,
  /** The network, the server or the store is busy: try again after "retry_after" seconds. */
  TESSERA_RETRY_LATER = 2,
  /** Change the call: the message says what is wrong with it. */
  TESSERA_FIX_REQUEST = 3,
  /** Change the configuration or the registration of the application. */
  TESSERA_FIX_CONFIGURATION = 4,
  /** Repair the token store or choose another one. */
  TESSERA_FIX_STORAGE = 5,
  /** Nothing: the user or the host said stop, or the deadline passed. */
  TESSERA_CANCELLED = 6,
  /** Tell the makers of Tessera; the message says where it happened. */
  TESSERA_REPORT_BUG = 7
};

/** An application: its configuration, and the way to the token store that it shares with others. */
typedef struct tessera_application tessera_application;

/** A way to stop a call from another thread. */
typedef struct tessera_cancellation tessera_cancellation;

/**
 * Receives one line of the log. `level` is 1 error, 2 warning, 3 information, 4 detail. `message` is valid during
 * the call only and holds no token, key or code. Called on the thread of the call that logs; it must not call back
 * into the same application.
 */
typedef void (*tessera_log_callback)(void *TESSERA_NULLABLE context, int32_t level,
                                     const char *message);

/**
 * Shows a device code to a person. `prompt` is a JSON object, valid during the call only, with the members
 * "user_code", "verification_uri", "verification_uri_complete" (if the server has it), "message", "expires_on"
 * and "interval_seconds". Called once, on the thread of the call, before the first poll (RFC 8628 section 3.3).
 */
typedef void (*tessera_device_code_callback)(void *TESSERA_NULLABLE context, const char *prompt);

/**
 * Gives the key of the store, if the program keeps it itself: writes `size` (32) bytes that nobody can guess to `key` and
 * returns 0, or returns anything else when it has no key now; then nothing is read or written, and the call ends with
 * "key_unavailable". Called on the thread of the call that needs the key, and not again once it has given one; it must
 * not call back into the same application. The library overwrites `key` when it has been used.
 */
typedef int32_t (*tessera_store_key_callback)(void *TESSERA_NULLABLE context, uint8_t *key,
                                              size_t size);

/** What the host provides in addition to Tessera's own means. */
typedef struct tessera_host {
  /** sizeof(tessera_host), so that a later library knows what an older program filled in. */
  size_t size;
  /** Receives the log; NULL for no log. */
  tessera_log_callback TESSERA_NULLABLE log;
  /** Handed to `log` as it is. */
  void *TESSERA_NULLABLE log_context;
  /** Gives the key of the store; NULL to leave it to "key_sources". */
  tessera_store_key_callback TESSERA_NULLABLE store_key;
  /** Handed to `store_key` as it is. */
  void *TESSERA_NULLABLE store_key_context;
} tessera_host;

/** The version of the library, as text such as "0.1.0". Never NULL; not to be freed. */
const char *tessera_version(void);

/** The same as a number, and that of the binary interface: compare with TESSERA_VERSION_NUMBER, TESSERA_ABI_VERSION. */
int32_t tessera_version_number(void);
int32_t tessera_abi_version(void);

/**
 * Make an application. Does no I/O: no file is opened and no server is asked.
 *
 * `configuration` is a "Configuration" of docs/c-interface.md. Only "client_id" is required. `host` may be NULL.
 * `*application` is NULL unless the status is TESSERA_OK; end it with tessera_application_free(). The result is empty.
 *
 * Returns TESSERA_OK, TESSERA_FIX_REQUEST, or TESSERA_FIX_CONFIGURATION for a value that cannot work.
 */
tessera_status tessera_application_create(
    const char *TESSERA_NULLABLE configuration, const tessera_host *TESSERA_NULLABLE host,
    tessera_application *TESSERA_NULLABLE *TESSERA_NULLABLE application,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/** End an application. What it stored stays. NULL does nothing. */
void tessera_application_free(tessera_application *TESSERA_NULLABLE application);

/**
 * List the accounts, of all providers, for which the store holds a sign-in of this application. Asks no server.
 *
 * `request` is NULL or an "AccountsRequest" of docs/c-interface.md, which narrows the list or widens it. The result is
 * {"accounts": [Account, …]}; see "Account" there.
 * Returns TESSERA_OK, TESSERA_FIX_REQUEST, TESSERA_RETRY_LATER ("store_busy") or TESSERA_FIX_STORAGE.
 */
tessera_status tessera_get_accounts(tessera_application *TESSERA_NULLABLE application,
                                    const char *TESSERA_NULLABLE request,
                                    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Find one account. Asks no server and never guesses.
 *
 * `request` is an "AccountsRequest" with one of "home_account_id", which is exact, "username", which the person may have in
 * any tenant, and "local_account_id", the identifier in a tenant. The result is {"account": Account}.
 *
 * Returns TESSERA_OK; TESSERA_SIGN_IN ("account_not_found"), TESSERA_FIX_REQUEST (several fit: "ambiguous_account", the
 * error lists them), TESSERA_RETRY_LATER ("store_busy") or TESSERA_FIX_STORAGE.
 */
tessera_status tessera_get_account(tessera_application *TESSERA_NULLABLE application,
                                   const char *TESSERA_NULLABLE request,
                                   char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Forget an account: its tokens for this application, everywhere on this machine. Asks no server; the person stays signed
 * in to other applications. `request` has "home_account_id", and "environment" if several providers use the same one. The
 * result is {"removed": true}, or false if nothing was there. With "store_busy" nothing was removed.
 *
 * Returns TESSERA_OK, TESSERA_FIX_REQUEST, TESSERA_RETRY_LATER ("store_busy") or TESSERA_FIX_STORAGE.
 */
tessera_status tessera_remove_account(tessera_application *TESSERA_NULLABLE application,
                                      const char *TESSERA_NULLABLE request,
                                      char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Sign somebody out, and say what went and what stays where: first what lies on this machine, in one commit and whatever
 * the network does, then what the provider is asked for. `request` is a "SignOutRequest" of docs/c-interface.md, with
 * "home_account_id" and "scope" ("application", "every_application", or "machine", which empties the store). The result is
 * a SignOutReport; what the provider did not do is in it, and no reason for another status. `cancellation` may be NULL.
 *
 * Returns TESSERA_OK; or, with nothing removed, TESSERA_FIX_REQUEST, TESSERA_RETRY_LATER ("store_busy"),
 * TESSERA_FIX_STORAGE or TESSERA_CANCELLED.
 */
tessera_status tessera_sign_out(tessera_application *TESSERA_NULLABLE application,
                                const char *TESSERA_NULLABLE request,
                                tessera_cancellation *TESSERA_NULLABLE cancellation,
                                char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Say what the store is like: where it lies, what protects it, what was tried for its key and why that failed. Makes and
 * changes nothing, and asks no server.
 *
 * `request` is NULL or a JSON object that may have "timeout_milliseconds". The result is a StoreInfo; see
 * docs/c-interface.md. What is wrong with the store is in its member "problem", and no reason for another status.
 */
tessera_status tessera_store_info(tessera_application *TESSERA_NULLABLE application,
                                  const char *TESSERA_NULLABLE request,
                                  char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Give the store a new key and seal every record with it: all of them or none. Asks no server. Programs that have the store
 * open go on, unless they keep the key themselves.
 *
 * `request` is NULL or a JSON object that may have "timeout_milliseconds", and must have "new_store_key" if the host keeps
 * the key of the store; see "RotateKeyRequest" in docs/c-interface.md. The result is {"rotated": true}, or false.
 *
 * Returns TESSERA_OK, TESSERA_FIX_REQUEST, TESSERA_RETRY_LATER ("store_busy"), TESSERA_CANCELLED or
 * TESSERA_FIX_STORAGE ("key_unavailable", or "encryption_unavailable" if the new key would protect less).
 */
tessera_status tessera_store_rotate_key(tessera_application *TESSERA_NULLABLE application,
                                        const char *TESSERA_NULLABLE request,
                                        char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Get a token without asking the user: from the cache, or with a refresh token. Call this first.
 *
 * `request` is a "SilentRequest" of docs/c-interface.md, with "home_account_id", "environment" (so that the account is never
 * taken for another provider's with the same identifier) and "scopes". `cancellation` may be NULL. The result is a
 * TokenResult; its "source" is "cache" or "network".
 *
 * Returns TESSERA_OK, or
 * - TESSERA_SIGN_IN            only the user can continue: sign in interactively, passing on "claims",
 * - TESSERA_RETRY_LATER        the network, the server or the store is busy; see "retry_after",
 * - TESSERA_FIX_CONFIGURATION  the server does not accept the application or its scopes,
 * - TESSERA_FIX_REQUEST, TESSERA_FIX_STORAGE, or TESSERA_CANCELLED, also when the deadline passed.
 */
tessera_status tessera_acquire_token_silent(
    tessera_application *TESSERA_NULLABLE application, const char *TESSERA_NULLABLE request,
    tessera_cancellation *TESSERA_NULLABLE cancellation,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Say what tessera_acquire_token_silent() would do with a request now, and why: a dry run. Asks no server and redeems
 * nothing. The answer holds no token.
 *
 * `request` is a SilentRequest. The result is an Explanation with every token that the store has of the account, and why
 * it would be used or not; see docs/explain.md. What would end the call itself is in its member "error".
 *
 * Returns TESSERA_OK, TESSERA_FIX_REQUEST, TESSERA_RETRY_LATER ("store_busy") or TESSERA_FIX_STORAGE.
 */
tessera_status tessera_explain(tessera_application *TESSERA_NULLABLE application,
                               const char *TESSERA_NULLABLE request,
                               char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Sign a person in on another device: show a code, wait until the person has entered it (RFC 8628).
 *
 * `request` is a "DeviceCodeRequest" of docs/c-interface.md, with "scopes"; `prompt` shows the code and is required;
 * `context` is handed to it as it is. `cancellation` may be NULL. The result is a TokenResult.
 *
 * Returns TESSERA_OK, or
 * - TESSERA_SIGN_IN            the code expired before it was entered ("code_expired"): start again; or the person
 *                              granted less than was asked for ("declined_scopes"),
 * - TESSERA_FIX_CONFIGURATION  the server does not accept the application, or has no device code flow,
 * - TESSERA_RETRY_LATER, TESSERA_FIX_REQUEST, or TESSERA_CANCELLED, also when the deadline passed or the person declined.
 */
tessera_status tessera_acquire_token_by_device_code(
    tessera_application *TESSERA_NULLABLE application, const char *TESSERA_NULLABLE request,
    tessera_device_code_callback TESSERA_NULLABLE prompt, void *TESSERA_NULLABLE context,
    tessera_cancellation *TESSERA_NULLABLE cancellation,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Say what a token says of itself, unverified: for display and for finding mistakes, never for a decision. Needs no
 * application. The result is a TokenDescription; see docs/c-interface.md. A text that is no JWT is "opaque", and no error.
 * Returns TESSERA_OK, or TESSERA_FIX_REQUEST if `token` is NULL, no UTF-8 or longer than a megabyte.
 */
tessera_status tessera_describe_token(const char *TESSERA_NULLABLE token,
                                      char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/** Make a cancellation; NULL when memory ran out. */
tessera_cancellation *TESSERA_NULLABLE tessera_cancellation_create(void);

/**
 * Stop every call that was given this cancellation, now and later. Any thread, but not from a signal handler, which may
 * have interrupted this very function: wake a thread instead. NULL does nothing.
 */
void tessera_cancellation_cancel(tessera_cancellation *TESSERA_NULLABLE cancellation);

/** End a cancellation; not while a call that was given it is under way. NULL does nothing. */
void tessera_cancellation_free(tessera_cancellation *TESSERA_NULLABLE cancellation);

/** Free a response, after overwriting it: it may hold a token. NULL does nothing. */
void tessera_string_free(char *TESSERA_NULLABLE string);

#ifdef __cplusplus
}
#endif

#if defined(__clang__)
#pragma clang assume_nonnull end
#pragma clang diagnostic pop
#endif

#endif /* TESSERA_H */
