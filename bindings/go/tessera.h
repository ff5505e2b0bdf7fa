/* SPDX-License-Identifier: MIT */
/**
 * @file tessera.h
 * Tessera: sign-in to the Microsoft identity platform and to any OpenID Connect provider, with one
 * token cache that all applications of a user on a machine share.
 *
 * Contents
 *
 *    1. Versions and attributes
 *    2. Status
 *    3. Library
 *    4. Documents
 *    5. Cancellation
 *    6. Applications and host callbacks
 *    7. Accounts and sign-out
 *    8. Tokens without user interaction
 *    9. Sign-in with a device code (RFC 8628)
 *   10. Sign-in in a browser (RFC 8252)
 *   11. Host-driven sign-in
 *   12. Non-blocking calls
 *   13. State of the store
 *   14. Copies of the store
 *   15. Import from older libraries, and export to them
 *   16. Caches of Microsoft's tools
 *   17. Identity broker
 *   18. Single sign-on extension
 *   19. Services
 *
 * Conventions
 *
 * - Objects are opaque. Free each object with the _free function that corresponds to its _create
 *   function. _free(NULL) does nothing. Several threads may use an object at the same time, but do
 *   not free it during a call that uses it.
 * - Requests are JSON objects: UTF-8, NUL-terminated, at most 1 MiB. An unknown member is an error,
 *   and the message contains its name. docs/c-interface.md documents the members. Names in quotes
 *   below, such as "TokenResult", are its headings.
 * - Functions that can fail return a tessera_status and write one JSON document to *response. It is
 *   the result if the status is TESSERA_STATUS_OK, and {"error": Error} otherwise. The exception is
 *   a token for fewer scopes than requested: a result with TESSERA_STATUS_SIGN_IN; see "Status".
 *   *response is always set, and is NULL only if memory ran out. Free it with
 *   tessera_string_free().
 * - `application`, `cancellation` and `response` have the same meaning in all functions.
 *   `cancellation` cancels the call from another thread, and may be NULL. Every function that can
 *   wait has it as the parameter before `response`. `response` receives the document.
 * - If memory runs out, the Swift runtime terminates the process. The store remains intact, and the
 *   next process reads the same tokens. The exception is the copy of a document for the caller: if
 *   it cannot be allocated, *response is NULL.
 * - An error has a remedy, which is also the status, and a code, which identifies the cause. The
 *   comments below list the codes of each function. In addition, every function with a request can
 *   return TESSERA_STATUS_FIX_REQUEST with "missing_parameter" (a pointer is NULL or is not such an
 *   object, or a required member is missing), "invalid_json", "unknown_member" or "invalid_member".
 *   docs/errors.md lists all codes with instructions. Later versions only add codes.
 * - A call does its work on the calling thread. A call that can wait returns within 100 ms after
 *   "timeout_milliseconds" or tessera_cancellation_cancel(). A token response that has begun gets
 *   up to five seconds more to be received and stored; the call then returns the token. Without a
 *   timeout, a call waits at most ten seconds at a time for a store that another process has
 *   locked.
 * - The library starts no threads, prints nothing and installs no signal handlers. libcurl may
 *   start a thread for host name resolution. The non-blocking calls have a thread pool.
 * - After the first use of the network, the library has an exit handler. It waits until no thread
 *   is inside libcurl, for at most five seconds. Calls that are in progress then send nothing more.
 * - A call needs a stack of at least 128 KiB, of which its callers should use little. On a smaller
 *   stack, it succeeds or returns TESSERA_STATUS_FIX_REQUEST ("stack_too_small"). Below 48 KiB it
 *   may crash. A refresh token, an authorization code or a device code is sent only if the stack is
 *   large enough to store the response. The stack size of a coroutine is unknown and is not
 *   checked: use at least 128 KiB.
 * - In a process with elevated privileges (setuid, setgid, file capabilities), the environment is
 *   not read. If SSLKEYLOGFILE is set in such a process, calls that need the network return
 *   TESSERA_STATUS_FIX_CONFIGURATION ("unsafe_environment").
 * - Times in JSON have names that end in "_on" and are integer seconds since 1970. The name of a
 *   duration contains its unit, except "retry_after", which is in seconds as in HTTP.
 */

#ifndef TESSERA_H
#define TESSERA_H

#include <stddef.h>
#include <stdint.h>

/* -------------------------------------------------------------------------------------------------
 * 1. Versions and attributes
 * ---------------------------------------------------------------------------------------------- */

/** The version of this header: its parts, its text, and major * 1000000 + minor * 1000 + patch. */
#define TESSERA_VERSION_MAJOR 0
#define TESSERA_VERSION_MINOR 1
#define TESSERA_VERSION_PATCH 0
#define TESSERA_VERSION "0.1.0"
#define TESSERA_VERSION_NUMBER 1000
/** The version of the binary interface. It changes if programs must be recompiled. */
#define TESSERA_ABI_VERSION 1

/*
 * Attributes of declarations, for GCC and Clang:
 *
 * - TESSERA_API: the library exports the function, even to code compiled with -fvisibility=hidden.
 * - TESSERA_WARN_UNUSED: the compiler warns if the returned status is ignored.
 * - TESSERA_DEPRECATED(message): the compiler warns about each use, with what to use instead.
 */
#if defined(__GNUC__)
#define TESSERA_API __attribute__((visibility("default")))
#define TESSERA_WARN_UNUSED __attribute__((warn_unused_result))
#define TESSERA_DEPRECATED(message) __attribute__((deprecated(message)))
#else
#define TESSERA_API
#define TESSERA_WARN_UNUSED
#define TESSERA_DEPRECATED(message)
#endif

/*
 * TESSERA_NULLABLE marks a pointer for which NULL has a meaning. Pass a valid pointer for all
 * others; functions with a status check them, and return "missing_parameter" for NULL.
 *
 * The other pointers have no mark, rather than _Nonnull from an assume_nonnull region: the library
 * is implemented in Swift, which would then take them as never NULL, and could not check them.
 */
#if defined(__clang__)
#define TESSERA_NULLABLE _Nullable
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-completeness"
#pragma clang diagnostic ignored "-Wnullability-extension"
#else
#define TESSERA_NULLABLE
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------------------
 * 2. Status
 * ---------------------------------------------------------------------------------------------- */

/**
 * The status of a call: TESSERA_STATUS_OK, or the action that the caller should take.
 *
 * The numbers never change. Later versions may add numbers; treat an unknown status like
 * TESSERA_STATUS_REPORT_BUG. A program may use the number as its exit status.
 *
 * Every program must handle two cases of TESSERA_STATUS_SIGN_IN:
 *
 * - *response has the member "error": the user must sign in.
 * - *response has no member "error": the server granted fewer scopes than requested. *response is
 *   a "TokenResult", and its "declined_scopes" are the others. The token is stored and can be used
 *   for "scopes". Sign the user in to ask for the declined ones.
 *
 * The second case is the same for all functions with a "TokenResult", for the event of a
 * non-blocking call, and for tessera_application_get_access_token(). Every other result has
 * TESSERA_STATUS_OK. It is sufficient to show "message" for all other errors, and to retry later if
 * "retryable" is true.
 */
typedef int32_t tessera_status;

enum {
  /** The result is in *response. */
  TESSERA_STATUS_OK = 0,
  /**
   * Start an interactive flow, such as tessera_application_acquire_token_by_device_code(), and pass
   * on "claims". Or continue with the token for the granted scopes, if there is no "error".
   */
  TESSERA_STATUS_SIGN_IN = 1,
  /** The network, the server or the store is unavailable. Retry after "retry_after" seconds. */
  TESSERA_STATUS_RETRY_LATER = 2,
  /** Correct the call. The message states the error. */
  TESSERA_STATUS_FIX_REQUEST = 3,
  /** Correct the configuration or the registration of the application. */
  TESSERA_STATUS_FIX_CONFIGURATION = 4,
  /** Repair the token store, or choose another one. */
  TESSERA_STATUS_FIX_STORAGE = 5,
  /** No action is needed: the user or the host cancelled the call, or it timed out. */
  TESSERA_STATUS_CANCELLED = 6,
  /** Internal error. Report it to the authors of Tessera, including the message. */
  TESSERA_STATUS_REPORT_BUG = 7
};

/**
 * Get the name of a status: "ok", or the "remedy" of the error, such as "sign_in".
 *
 * Never NULL; "unknown" for any other number. Do not free it.
 */
TESSERA_API const char *tessera_status_name(tessera_status status);

/*
 * "Store errors" in the lists below stands for:
 *
 * - TESSERA_STATUS_RETRY_LATER: "store_busy": other processes held the store until
 *   "timeout_milliseconds", or for ten seconds.
 * - TESSERA_STATUS_SIGN_IN: "cache_damaged".
 * - TESSERA_STATUS_FIX_STORAGE: "store_unavailable", "store_unsafe", "store_too_new",
 *   "cache_undecryptable", "key_unavailable", "encryption_unavailable"; for functions that write
 *   also "store_full" and "store_read_only".
 * - TESSERA_STATUS_CANCELLED: "cancelled" or "deadline_exceeded".
 */

/* -------------------------------------------------------------------------------------------------
 * 3. Library
 * ---------------------------------------------------------------------------------------------- */

/**
 * Get the version of the loaded library as text such as "0.1.0". Compare it with TESSERA_VERSION.
 *
 * Never NULL. Do not free it.
 */
TESSERA_API const char *tessera_version(void);

/** Get the version of the loaded library as one number. Compare it with TESSERA_VERSION_NUMBER. */
TESSERA_API int32_t tessera_version_number(void);

/**
 * Get the version of the binary interface of the loaded library.
 *
 * If it differs from TESSERA_ABI_VERSION, recompile the program. It is also the number in
 * libtessera.so.1.
 */
TESSERA_API int32_t tessera_abi_version(void);

/**
 * Get the features of the loaded library.
 *
 * The result is {"features": ["apple", "broker", "legacy", "msal_file", "services"]}: the names of
 * the features that this build contains. Later versions may add names.
 *
 * Returns TESSERA_STATUS_OK, or TESSERA_STATUS_FIX_REQUEST if `response` is NULL.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_library_features(char **response);

/**
 * Overwrite and free a response or another string of the library, which may contain tokens. NULL
 * does nothing.
 *
 * Free every such string with this function, exactly once.
 */
TESSERA_API void tessera_string_free(char *TESSERA_NULLABLE string);

/* -------------------------------------------------------------------------------------------------
 * 4. Documents
 *
 * Values of JSON documents, for programs without a JSON library.
 * ---------------------------------------------------------------------------------------------- */

/**
 * Get a string of a JSON document, such as a response.
 *
 * `path` is a JSON Pointer (RFC 6901): "/access_token", "/accounts/0/username", "/error/message".
 *
 * Returns a copy of the string, or NULL if the document has no such value, it is not a string, it
 * contains a NUL character, or the document or the path is invalid. Free it with
 * tessera_string_free().
 */
TESSERA_API char *TESSERA_NULLABLE tessera_document_get_string(
    const char *document, const char *path);

/**
 * Get an integer of a JSON document. `path` is as for tessera_document_get_string().
 *
 * Returns `fallback` if the document has no such value, it is not an integer of 64 bits, or the
 * document or the path is invalid.
 */
TESSERA_API int64_t tessera_document_get_integer(
    const char *document, const char *path, int64_t fallback);

/**
 * Quote a UTF-8 text as a JSON string, with the quotation marks and all necessary escapes.
 *
 * Use it for values in a request that the program does not control, such as a user name.
 *
 * Returns the JSON string, or NULL if `text` is NULL or not UTF-8. Free it with
 * tessera_string_free().
 */
TESSERA_API char *TESSERA_NULLABLE tessera_string_quote(const char *text);

/* -------------------------------------------------------------------------------------------------
 * 5. Cancellation
 * ---------------------------------------------------------------------------------------------- */

/** Cancels calls from another thread or from a callback. It cannot be reset. */
typedef struct tessera_cancellation tessera_cancellation;

/**
 * Create a cancellation; returns NULL if memory ran out. Free it with tessera_cancellation_free().
 */
TESSERA_API tessera_cancellation *TESSERA_NULLABLE tessera_cancellation_create(void);

/**
 * Cancel all present and future calls that use this cancellation.
 *
 * Each returns within 100 ms with TESSERA_STATUS_CANCELLED ("cancelled"). A token response that has
 * begun is still received and stored, for at most five seconds. Safe to call from any thread, but
 * not from a signal handler, which may have interrupted this very function. In a signal handler,
 * wake a thread that calls it. Has no effect in child processes. NULL does nothing.
 */
TESSERA_API void tessera_cancellation_cancel(tessera_cancellation *TESSERA_NULLABLE cancellation);

/** Free a cancellation. Do not call this during a call that uses it. NULL does nothing. */
TESSERA_API void tessera_cancellation_free(tessera_cancellation *TESSERA_NULLABLE cancellation);

/* -------------------------------------------------------------------------------------------------
 * 6. Applications and host callbacks
 * ---------------------------------------------------------------------------------------------- */

/**
 * An OAuth 2.0 public client with its configuration and its connection to the shared token store.
 */
typedef struct tessera_application tessera_application;

/**
 * Receives one log message.
 *
 * Called on the thread of the call that logs. It must not call functions of the same application.
 *
 * - `level`: 1 error, 2 warning, 3 information, 4 detail.
 * - `message`: The text, without tokens, keys and codes, and without personal data unless the
 *   configuration has "log_pii": true. It is valid only during the callback.
 */
typedef void (*tessera_log_callback)(void *user_data, int32_t level, const char *message);

/**
 * Receives one change of a metric; see docs/metrics.md.
 *
 * Called on the thread of the call. It must not block, and must not call functions of the same
 * application. Repeated cache hits are not reported: read their number with
 * tessera_application_metrics().
 *
 * - `name`: The name of the metric, as in "MetricsSnapshot".
 * - `value`: The increment of a counter, or a value of a histogram.
 * - `tags`: A JSON object with the tags of the metric, such as {"function":"sign_out"}.
 *
 * The texts contain no identifiers, tokens, user names or tenants. They are valid only during the
 * callback.
 */
typedef void (*tessera_observe_callback)(
    void *user_data, const char *name, int64_t value, const char *tags);

/**
 * Provides the encryption key of the store, for an application that stores the key itself.
 *
 * Write `size` (32) unpredictable bytes to `key` and return 0. Return another value if the key is
 * not available. Then nothing is read or written, and the call fails with
 * TESSERA_STATUS_FIX_STORAGE ("key_unavailable").
 *
 * Called on the thread of the call that needs the key, until it succeeds once. It must not call
 * functions of the same application. The library overwrites `key` after use.
 */
typedef int32_t (*tessera_store_key_callback)(void *user_data, uint8_t *key, size_t size);

/** One HTTP request that a host application sends. Valid until the transport callback returns. */
typedef struct tessera_exchange tessera_exchange;

/**
 * Sends one HTTP request, for an application with its own HTTP client.
 *
 * `request` is a "TransportRequest" with "method", "url", "headers", "body" and
 * "timeout_milliseconds". It contains secrets and is valid only during the callback. Pass the
 * response with any status to tessera_exchange_respond(), and return. If the callback returns
 * without a response, the request counts as failed.
 *
 * - Verify the server's certificate, as for every request with credentials.
 * - Do not follow redirects, do not retry, and do not store cookies or responses.
 * - Use no proxy for a URL with http: it is on this machine, and the proxy could read its secrets.
 * - Return within "timeout_milliseconds", and within 100 ms after tessera_exchange_is_cancelled()
 *   returns 1: the call ends only when the callback returns. If a part of the response has arrived,
 *   receive the rest for up to two seconds: a late response counts, and may contain the only valid
 *   refresh token.
 *
 * Called on the thread of the call, on several threads at the same time if there are several calls.
 * It must not call functions of the same application.
 */
typedef void (*tessera_transport_callback)(
    void *user_data, const char *request, tessera_exchange *exchange);

/**
 * Respond to the request of a transport callback.
 *
 * `response` is a "TransportResponse": "status", "headers" and "body"; or "error" and "sent" if no
 * response was received. If the document is invalid, the call fails with
 * TESSERA_STATUS_FIX_REQUEST unless it can return a cached token, and the message states the error.
 * Only the first response counts.
 *
 * Call it only from the callback that received `exchange`.
 */
TESSERA_API void tessera_exchange_respond(tessera_exchange *exchange, const char *response);

/**
 * Get whether the request of a transport callback should be aborted: 1 if its call was cancelled,
 * its timeout has passed, or the application was freed; otherwise 0.
 *
 * Call it at least every 100 ms, for instance in the progress function of libcurl, and only from
 * the callback that received `exchange`.
 */
TESSERA_API int32_t tessera_exchange_is_cancelled(const tessera_exchange *exchange);

/** One sign-in in the browser of a host application. Valid until its `close` callback returns. */
typedef struct tessera_browser_session tessera_browser_session;

/**
 * Receives a document or a URL of a browser session. `text` is valid only during the callback.
 *
 * Called on the thread of the call. It must not call functions of the same application.
 */
typedef void (*tessera_browser_text_callback)(
    void *user_data, const char *text, tessera_browser_session *session);

/**
 * Continues or ends a browser session.
 *
 * Called on the thread of the call. It must not call functions of the same application.
 */
typedef void (*tessera_browser_callback)(void *user_data, tessera_browser_session *session);

/**
 * The callbacks of a host application that signs users in with its own browser or web view.
 *
 * For each sign-in, the library calls `start` and `open`, then `next` and `reply` in turn until a
 * redirect ends the sign-in, and `close` at the end. All run on the thread of the call; several
 * sign-ins run on several threads. `session` identifies the sign-in.
 *
 * - Use a browser that displays the address, or a web view that no script of your pages can enter.
 *   The page receives the user's password.
 * - Each callback must return within the "timeout_milliseconds" of `start`, and within 100 ms after
 *   tessera_browser_session_is_cancelled() returns 1: the call ends only when it returns.
 * - After tessera_application_free() returns, no callback is called, not even `close`.
 */
typedef struct tessera_browser {
  /** sizeof(tessera_browser). */
  size_t size;
  /**
   * Starts to receive redirects. `text` is a "BrowserRequest". Respond with a "redirect_uri" if it
   * differs from that of the request, such as by the port of a listener. NULL if nothing has to be
   * started.
   */
  tessera_browser_text_callback TESSERA_NULLABLE start;
  /** Shows the page with the URL `text`. Required. */
  tessera_browser_text_callback open;
  /**
   * Waits for the next redirect to the redirect URI, and responds with its "url", or with the
   * "form" that was posted. The library validates it: it may belong to another sign-in. Required.
   */
  tessera_browser_callback next;
  /** Shows the result of a redirect. `text` is a "BrowserReply". NULL to show nothing. */
  tessera_browser_text_callback TESSERA_NULLABLE reply;
  /**
   * Closes the page. Called once for each session that was started, also after an error. NULL if
   * nothing has to be closed.
   */
  tessera_browser_callback TESSERA_NULLABLE close;
} tessera_browser;

/**
 * Respond in the `start`, `open` or `next` callback of a browser.
 *
 * `response` is a "BrowserResponse". An "error" in it ends the sign-in. If the document is invalid,
 * the call fails with TESSERA_STATUS_FIX_REQUEST. Only the first response of a callback counts.
 *
 * Call it only from the callback that received `session`.
 */
TESSERA_API void tessera_browser_session_respond(
    tessera_browser_session *session, const char *response);

/**
 * Get whether a sign-in should be aborted: 1 if its call was cancelled, its timeout has passed, or
 * the application was freed; otherwise 0.
 *
 * Call it at least every 100 ms, and only from a callback that received `session`.
 */
TESSERA_API int32_t tessera_browser_session_is_cancelled(const tessera_browser_session *session);

/**
 * Reads the clock of the host application, such as one that simulates time.
 *
 * It determines when tokens expire and when calls time out. The times of the non-blocking calls'
 * event functions are the system's.
 *
 * - `seconds`: Receives the wall clock, in seconds since 1970 (UTC).
 * - `nanoseconds`: Receives the monotonic clock, in nanoseconds since an arbitrary time. It never
 *   decreases, and it also advances while the machine sleeps. A call that waits ends when this
 *   clock has reached its deadline.
 *
 * Called often, on the thread of a call, on several threads at the same time. It must not block or
 * call functions of the same application. After the application was freed, the clock continues
 * with the system's clock.
 */
typedef void (*tessera_clock_callback)(void *user_data, int64_t *seconds, uint64_t *nanoseconds);

/**
 * The contents of a partition of a host application's store. Valid until the read callback
 * returns.
 */
typedef struct tessera_contents tessera_contents;

/**
 * Pass the contents of a partition from a read callback. The bytes are copied.
 *
 * `version` is not 0, and differs from all earlier versions of the partition. Only the first call
 * counts. Call it only from the callback that received `contents`.
 */
TESSERA_API void tessera_contents_set(
    tessera_contents *contents, const uint8_t *bytes, size_t size, uint64_t version);

/** The results of the write callback of a host application's store. */
enum {
  /** The contents were replaced, and are durable. */
  TESSERA_STORE_COMMITTED = 0,
  /** The partition has another version than the expected one. Nothing was changed. */
  TESSERA_STORE_CONFLICT = 1,
  /** The contents cannot be written. */
  TESSERA_STORE_FAILED = 2
};

/** The results of the lock callback of a host application's store. */
enum {
  /** The caller has the lock. */
  TESSERA_LOCK_ACQUIRED = 0,
  /** Another process or thread has the lock. */
  TESSERA_LOCK_BUSY = 1,
  /** The lock cannot be used. */
  TESSERA_LOCK_FAILED = 2
};

/**
 * Reads a partition: pass its bytes and its version to tessera_contents_set(), or nothing if the
 * partition does not exist. Return 0, or another value if it cannot be read.
 */
typedef int32_t (*tessera_store_read_callback)(
    void *user_data, const char *partition, int64_t timeout_milliseconds,
    tessera_contents *contents);

/**
 * Replaces the contents of a partition if its version is still `expected_version`, which is 0 if
 * the partition must not exist yet, as an atomic compare-and-swap. The new contents get a version
 * that was never used before in this partition.
 *
 * Return TESSERA_STORE_COMMITTED, TESSERA_STORE_CONFLICT or TESSERA_STORE_FAILED.
 */
typedef int32_t (*tessera_store_write_callback)(
    void *user_data, const char *partition, const uint8_t *bytes, size_t size,
    uint64_t expected_version, int64_t timeout_milliseconds);

/**
 * Writes the current version of a partition to *version, 0 if the partition does not exist. Return
 * 0, or another value if the version cannot be determined now. Called for each cached token, so it
 * must not block.
 */
typedef int32_t (*tessera_store_version_callback)(
    void *user_data, const char *partition, uint64_t *version);

/**
 * Acquires the lock of a credential, so that one process at a time refreshes it.
 *
 * `credential` is the name of the lock: up to 16 letters and digits. Wait at most
 * `timeout_milliseconds`, which is at most 100; the library calls again. The lock must be released
 * automatically when its process exits, as with flock().
 *
 * Return TESSERA_LOCK_ACQUIRED, TESSERA_LOCK_BUSY or TESSERA_LOCK_FAILED.
 */
typedef int32_t (*tessera_store_lock_callback)(
    void *user_data, const char *credential, int64_t timeout_milliseconds);

/** Releases the lock of a credential, on the thread that acquired it. */
typedef void (*tessera_store_unlock_callback)(void *user_data, const char *credential);

/**
 * A token store of the host application, such as a table of its own database.
 *
 * It keeps the bytes of named partitions. The library encrypts them according to "store.policy". If
 * a callback fails, the store is unavailable for that call. A token that was received is then kept
 * in memory, and stored by a later call.
 *
 * The callbacks have the `user_data` of tessera_host. They run on the thread of the call, on
 * several threads at the same time, and must not call functions of the same application. They
 * should return an error after `timeout_milliseconds`: the call ends only when they return.
 *
 * Zero-initialize the structure and set `size`.
 */
typedef struct tessera_host_store {
  /** sizeof(tessera_host_store). */
  size_t size;
  /** Reads a partition. Required. */
  tessera_store_read_callback read;
  /** Replaces the contents of a partition. Required. */
  tessera_store_write_callback write;
  /** Gets the version of a partition; NULL if each call has to read the partition. */
  tessera_store_version_callback TESSERA_NULLABLE version;
  /**
   * Acquires the lock of a credential; NULL for no locks. Then one thread of each process at a time
   * refreshes a token, and "lock_scope" of the "StoreInfo" is "process".
   */
  tessera_store_lock_callback TESSERA_NULLABLE lock;
  /** Releases a lock. Required with `lock`. */
  tessera_store_unlock_callback TESSERA_NULLABLE unlock;
} tessera_host_store;

/** Callbacks of the host application. Zero-initialize the structure and set `size`. */
typedef struct tessera_host {
  /**
   * sizeof(tessera_host). It lets a later library detect the members that the program was compiled
   * with.
   */
  size_t size;
  /** Passed to each callback unchanged. */
  void *user_data;
  /** Receives log messages; NULL for no log. */
  tessera_log_callback TESSERA_NULLABLE log;
  /** Provides the key of the store; NULL to use the sources in "store.key_sources". */
  tessera_store_key_callback TESSERA_NULLABLE store_key;
  /**
   * Sends the HTTP requests; NULL to use libcurl. With a callback, "network.proxy",
   * "network.no_proxy" and "network.ca_file" are rejected: configure your client instead.
   */
  tessera_transport_callback TESSERA_NULLABLE transport;
  /**
   * Signs users in with a browser of the host application; NULL to use the user's browser and the
   * web view of this library. The structure is read only by tessera_application_create().
   */
  const tessera_browser *TESSERA_NULLABLE browser;
  /** Reads the clock; NULL to use the system's clocks. */
  tessera_clock_callback TESSERA_NULLABLE clock;
  /**
   * The token store, with "store.kind" "host"; NULL to use one of the library. The structure is
   * read only by tessera_application_create().
   */
  const tessera_host_store *TESSERA_NULLABLE store;
  /** Receives the changes of metrics; NULL for none. */
  tessera_observe_callback TESSERA_NULLABLE observe;
} tessera_host;

/**
 * Create an application. Performs no I/O: store and authority are first accessed by later calls.
 *
 * `configuration` is a "Configuration". Only "client_id" is required. `host` may be NULL. The
 * structure is read only during this call. Its callbacks and `user_data` must remain valid until
 * the application is freed. `*application` is NULL unless the status is TESSERA_STATUS_OK. Free
 * it with tessera_application_free(). The result is an empty object.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_FIX_REQUEST: "missing_parameter" ("client_id" is missing, or a pointer is NULL),
 *   "invalid_json", "unknown_member", "invalid_member" (a value of the wrong type).
 * - TESSERA_STATUS_FIX_CONFIGURATION: "invalid_configuration" or "invalid_authority": a value
 *   cannot work, such as an authority without https. The message contains the name of the member.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_create(
    const char *configuration, const tessera_host *TESSERA_NULLABLE host,
    tessera_application **application, char **response);

/**
 * Free an application. Do not call this during a blocking call that uses it. Stored data is kept.
 * NULL does nothing.
 *
 * Non-blocking calls continue. After this function returns, no host callback is called on any
 * thread. Such calls then write no log. They fail with "key_unavailable" if they need the key of
 * the store, with "store_unavailable" if they need the host's store, and with "network_failed" if
 * they need the host's transport. If a library thread is running a callback, or refreshes a token
 * with a lock of the host's store, this function waits for it, for at most five seconds. Do not
 * hold a lock that the callback needs.
 */
TESSERA_API void tessera_application_free(tessera_application *TESSERA_NULLABLE application);

/**
 * Get the metrics of an application since its creation: a "MetricsSnapshot". Does no I/O.
 *
 * Each process counts its own calls. A child of fork() starts with the values of its parent. The
 * result contains no identifiers, tokens, user names or tenants; see docs/metrics.md.
 *
 * Returns TESSERA_STATUS_OK, or TESSERA_STATUS_FIX_REQUEST for an invalid pointer.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_metrics(tessera_application *application, char **response);

/* -------------------------------------------------------------------------------------------------
 * 7. Accounts and sign-out
 * ---------------------------------------------------------------------------------------------- */

/**
 * List the accounts of all providers that are signed in to this application. Works offline.
 *
 * The list is empty if there is no store yet. Its order is stable and has no meaning.
 *
 * `request` is NULL or an "AccountsRequest". It filters the list by "home_account_id", "username",
 * "local_account_id" or "environment", or extends it with "signed_in_only": false. The result is
 * {"accounts": [Account, …]}.
 *
 * Returns TESSERA_STATUS_OK, TESSERA_STATUS_FIX_REQUEST, or a store error.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_get_accounts(
    tessera_application *application, const char *TESSERA_NULLABLE request,
    tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/**
 * Get one account. Works offline, and never guesses.
 *
 * `request` is an "AccountRequest" with exactly one of these members: "home_account_id", the exact
 * identifier; "username", the user name in any tenant; or "local_account_id", the identifier in one
 * tenant. The result is {"account": Account}.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_SIGN_IN: "account_not_found": no account matches.
 * - TESSERA_STATUS_FIX_REQUEST: "ambiguous_account": several accounts match, and the error lists
 *   them in "accounts". Or "invalid_member": the request has none or several of the three members.
 * - a store error.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_get_account(
    tessera_application *application, const char *request,
    tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/**
 * Get the account of a single-account application, and the account that the previous such call
 * returned. Works offline.
 *
 * `request` is NULL or a "CurrentAccountRequest" with "timeout_milliseconds". The result is
 * {"account": Account, "previous_account": Account}. Each is null if no account is or was signed
 * in. If they differ, the application must delete its data for the previous account. If that
 * account was removed, it has only "home_account_id", "environment" and "username".
 *
 * The call records the current account in the store, for all processes of the application. If this
 * write fails, the call still succeeds.
 *
 * Returns TESSERA_STATUS_OK, TESSERA_STATUS_FIX_REQUEST ("ambiguous_account": several accounts are
 * signed in, and the error lists them), or a store error.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_get_current_account(
    tessera_application *application, const char *TESSERA_NULLABLE request,
    tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/**
 * Remove an account: delete its tokens for this application from this machine. Works offline.
 *
 * The user remains signed in to other applications. Access tokens that were already returned remain
 * valid.
 *
 * `request` is a "RemoveAccountRequest" with "home_account_id". Set "environment" as well if
 * several providers use the same identifier. For an account without an identifier, set
 * "home_account_id" to an empty string and set "username". The result is {"removed": true}, or
 * false if the account was not in the store. After an error, nothing was removed.
 *
 * Returns TESSERA_STATUS_OK, TESSERA_STATUS_FIX_REQUEST (also "ambiguous_account"), or a store
 * error.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_remove_account(
    tessera_application *application, const char *request,
    tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/**
 * Sign a user out, and report which data was removed and which remains.
 *
 * First the data on this machine is removed in one commit, even if the network is unavailable. Two
 * more steps run on request. The refresh tokens are revoked at the provider (RFC 7009), and the URL
 * that ends the browser session is built (OpenID Connect RP-Initiated Logout 1.0).
 *
 * `request` is a "SignOutRequest" with "home_account_id" ("username" if that is empty) and "scope":
 * "application", "every_application", or "machine", which empties the store. "revoke_tokens" and
 * "end_session" select these steps. The result is a "SignOutReport". It contains the provider's
 * errors, which do not change the status. If no account matches, the call succeeds.
 *
 * Returns TESSERA_STATUS_OK, or one of these with nothing removed:
 *
 * - TESSERA_STATUS_FIX_REQUEST: also "ambiguous_account".
 * - TESSERA_STATUS_CANCELLED: "cancelled" or "deadline_exceeded".
 * - a store error.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_sign_out(
    tessera_application *application, const char *request,
    tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/* -------------------------------------------------------------------------------------------------
 * 8. Tokens without user interaction
 * ---------------------------------------------------------------------------------------------- */

/**
 * Acquire an access token without user interaction.
 *
 * Returns a cached token, or redeems a refresh token (RFC 6749 section 6) if the cache has no valid
 * one. Call this function first, and start an interactive flow only if it returns
 * TESSERA_STATUS_SIGN_IN. A valid cached token is returned without network access, without taking a
 * lock and without writing to the store.
 *
 * Parameters
 *
 * - `application`: the application.
 * - `request`: a "SilentRequest" as JSON. "scopes" is required. Set "home_account_id" and
 *   "environment": two providers may use the same account identifier. Without an account, the
 *   request is for the only one. Scopes are compared as sets, ignoring case. Some accounts imported
 *   from older libraries have no identifier. For these, set "home_account_id" to an empty string
 *   and set "username".
 * - `cancellation`: cancels the call from another thread, or NULL.
 * - `response`: receives a "TokenResult" on success or with declined scopes, {"error": Error}
 *   otherwise. It is always set, and NULL only if memory ran out. Free it with
 *   tessera_string_free().
 *
 * A "TokenResult" has "access_token", "expires_on", "scopes", "account" and more. Its "source" is
 * "cache", "network" or "broker". If a refresh fails while the cached token is still valid, the
 * call succeeds and sets "refresh_error". If the store is full or read-only, the call succeeds with
 * "persisted": false, and "warnings" give the reason.
 *
 * Return value
 *
 * TESSERA_STATUS_OK on success. On failure, the status is the remedy, and "code" identifies the
 * error:
 *
 * - TESSERA_STATUS_SIGN_IN: Sign in interactively, and pass on "claims". Codes:
 *   "interaction_required", "consent_required", "mfa_required", "refresh_token_rejected",
 *   "account_not_found", "store_missing", "store_empty", "cache_damaged". Without "error": a
 *   "TokenResult" with "declined_scopes".
 * - TESSERA_STATUS_RETRY_LATER: Retry after "retry_after" seconds. Codes: "network_failed",
 *   "server_unavailable", "throttled", "invalid_response", "store_busy".
 * - TESSERA_STATUS_FIX_REQUEST: Correct the request. Codes: "scopes_required",
 *   "ambiguous_account", "invalid_authority", and those of every function with a request.
 * - TESSERA_STATUS_FIX_CONFIGURATION: Correct the configuration or the registration. Codes:
 *   "client_rejected", "scope_rejected", "certificate_untrusted", "library_missing",
 *   "unsafe_environment" and others.
 * - TESSERA_STATUS_FIX_STORAGE: Repair the store. No refresh token was redeemed. Codes:
 *   "store_unsafe", "store_read_only", "store_too_new", "key_unavailable" and others.
 * - TESSERA_STATUS_CANCELLED: "cancelled", or "deadline_exceeded" after "timeout_milliseconds".
 *
 * Thread safety
 *
 * Safe to call from any number of threads with the same application and the same cancellation. Do
 * not free either of them during the call. The call blocks; see "Non-blocking calls" for the
 * non-blocking form.
 *
 * See also tessera_application_explain(), docs/errors.md.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_acquire_token_silent(
    tessera_application *application, const char *request,
    tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/**
 * Acquire an access token without user interaction, as plain text.
 *
 * A short form of tessera_application_acquire_token_silent() for programs that need only the token.
 *
 * `scope` contains the scopes, separated by spaces. `username` is the user name of the account,
 * compared without regard to case. NULL selects the only account that is signed in. The call waits
 * at most `timeout_milliseconds`; a negative value is no limit.
 *
 * *response is the access token itself if the status is TESSERA_STATUS_OK. Otherwise it is a
 * document: {"error": Error}, or a "TokenResult" with "declined_scopes" if the status is
 * TESSERA_STATUS_SIGN_IN and the token does not cover all scopes.
 *
 * Returns TESSERA_STATUS_OK, or as tessera_application_acquire_token_silent(). Several accounts are
 * TESSERA_STATUS_FIX_REQUEST ("ambiguous_account"), and the error lists them in "accounts". No
 * account is TESSERA_STATUS_SIGN_IN ("account_not_found").
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_get_access_token(
    tessera_application *application, const char *scope, const char *TESSERA_NULLABLE username,
    int64_t timeout_milliseconds, tessera_cancellation *TESSERA_NULLABLE cancellation,
    char **response);

/**
 * Explain the decision that tessera_application_acquire_token_silent() would make for a request at
 * present, as a dry run.
 *
 * Works offline, and redeems nothing. The response contains no token. It may be outdated as soon as
 * it is returned.
 *
 * `request` is a "SilentRequest". "timeout_milliseconds" limits the wait for the store. The result
 * is an Explanation (docs/explain.md). It lists every token that the store has for the account,
 * with the reason why the token would or would not be used. An error that the actual call would
 * return is in the member "error".
 *
 * Returns TESSERA_STATUS_OK, TESSERA_STATUS_FIX_REQUEST (as for the actual call),
 * TESSERA_STATUS_RETRY_LATER ("store_busy"), TESSERA_STATUS_CANCELLED, or
 * TESSERA_STATUS_FIX_STORAGE if the store cannot be read.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_explain(
    tessera_application *application, const char *request,
    tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/**
 * Decode a token without validation, for display and debugging. Never base a decision on the
 * result.
 *
 * Works offline, needs no application and stores nothing. Only the resource can interpret its
 * access tokens (RFC 6749 section 1.4).
 *
 * `token` is the token itself. The result is a "TokenDescription": "kind", "audiences", "scopes",
 * "expires_on" and more, without the token. A text that is not a JWT (RFC 7519) has the kind
 * "opaque" and is not an error.
 *
 * Returns TESSERA_STATUS_OK, or TESSERA_STATUS_FIX_REQUEST if `token` is NULL
 * ("missing_parameter"), or is not UTF-8 or longer than 1 MiB ("invalid_member").
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_token_describe(const char *token, char **response);

/* -------------------------------------------------------------------------------------------------
 * 9. Sign-in with a device code (RFC 8628)
 * ---------------------------------------------------------------------------------------------- */

/**
 * Shows a device code to the user.
 *
 * Called once, on the thread of the call, before the first poll (RFC 8628 section 3.3). The time
 * until it returns counts towards the timeout. It may call tessera_cancellation_cancel().
 *
 * - `user_data`: The `user_data` of the call.
 * - `prompt`: A "DeviceCodePrompt" with the members "user_code", "verification_uri",
 *   "verification_uri_complete" (if the server provides it), "message", "expires_on" and
 *   "interval_seconds". It is valid only during the callback.
 */
typedef void (*tessera_device_code_callback)(void *user_data, const char *prompt);

/**
 * Sign a user in on another device: show a code, and wait until the user enters it (RFC 8628).
 *
 * `request` is a "DeviceCodeRequest" with "scopes". If an error required the sign-in, pass on its
 * "claims". `prompt` shows the code and is required. `user_data` is passed to it unchanged. The
 * result is a "TokenResult" with the "source" "network". A poll that fails because of the network
 * is repeated until the code expires.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_SIGN_IN: "code_expired": the user did not enter the code in time; start again.
 *   Or, without "error", a "TokenResult" with "declined_scopes": the user granted only some of the
 *   scopes.
 * - TESSERA_STATUS_RETRY_LATER: "network_failed", "server_unavailable", "throttled",
 *   "invalid_response" or "store_busy".
 * - TESSERA_STATUS_FIX_REQUEST: also "scopes_required" or "invalid_authority".
 * - TESSERA_STATUS_FIX_CONFIGURATION: "client_rejected" or "scope_rejected": the server rejected
 *   the application or its scopes. "flow_unsupported": the server has no device code flow, or the
 *   configuration has "broker": "require". And others.
 * - TESSERA_STATUS_FIX_STORAGE: The store cannot be used: "store_unavailable",
 *   "encryption_unavailable" and others.
 * - TESSERA_STATUS_CANCELLED: "cancelled", "deadline_exceeded", or "access_denied": the user
 *   declined.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_acquire_token_by_device_code(
    tessera_application *application, const char *request, tessera_device_code_callback prompt,
    void *user_data, tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/* -------------------------------------------------------------------------------------------------
 * 10. Sign-in in a browser (RFC 8252)
 * ---------------------------------------------------------------------------------------------- */

/**
 * Shows the address of the sign-in page to the user.
 *
 * Called on the thread of the call, before a browser is opened and if none could be opened. Also
 * called if the text that the user pasted is not a valid redirect. The time until it returns counts
 * towards the timeout. It may call tessera_cancellation_cancel().
 *
 * - `user_data`: The `user_data` of the call.
 * - `prompt`: A "SignInPrompt" with the members "url", "opens_browser", "reason" and
 *   "redirect_uri", and from the second call on "problem". It is valid only during the callback.
 */
typedef void (*tessera_sign_in_callback)(void *user_data, const char *prompt);

/**
 * Sign a user in with a browser: authorization code flow with PKCE (RFC 7636). Always involves the
 * user.
 *
 * Call tessera_application_acquire_token_silent() first. If it returns TESSERA_STATUS_SIGN_IN, call
 * this function with the "claims" of the error. "silent_first" combines both calls.
 *
 * `request` is an "InteractiveRequest" with "scopes". `prompt` receives the address of the sign-in
 * page in any case, and shows it if no browser can be opened. If `prompt` is NULL, such a call
 * fails at once. `user_data` is passed to it unchanged.
 *
 * The call opens the user's browser if there is one (docs/interactive.md has the table). It waits
 * for the redirect at the redirect URI on this machine. For a redirect URI with a custom scheme, it
 * waits at a socket of the user, to which "tessera scheme handle-url" or
 * tessera_library_hand_over_url() delivers the URL. The listener is closed when the call returns.
 * With "webview_type": "embedded", the program tessera-webview shows the page (docs/webview.md). It
 * exits at most half a second after the call.
 *
 * The result is a "TokenResult". Its "source" is "network", or "broker" if a broker showed its
 * window. After a browser sign-in, "browser_reason" has the reason why a browser was or was not
 * opened.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_SIGN_IN: "account_mismatch": the user signed in with a different account than
 *   requested. "invalid_authorization_response". Errors with which the provider requires an action
 *   of the user. Or, without "error", a "TokenResult" with "declined_scopes".
 * - TESSERA_STATUS_RETRY_LATER: "network_failed", "webview_failed", "server_unavailable",
 *   "throttled", "invalid_response", "too_many_open_files" or "store_busy". If the store cannot be
 *   written at present, no page is opened.
 * - TESSERA_STATUS_FIX_REQUEST: also "scopes_required", "invalid_authority", or
 *   "interaction_in_progress": another call of this application waits for a browser or for a
 *   broker's window.
 * - TESSERA_STATUS_FIX_CONFIGURATION: "browser_unavailable", "redirect_port_taken",
 *   "invalid_redirect_uri". With a web view also "webview_unavailable", "navigation_refused" or
 *   "certificate_untrusted". Before any network access "redirect_scheme_not_registered": no program
 *   is registered for the scheme of "redirect_uri". "client_rejected" or "scope_rejected": the
 *   server rejected the application or its scopes. And others.
 * - TESSERA_STATUS_FIX_STORAGE: The store cannot be used: "store_unavailable",
 *   "encryption_unavailable" and others.
 * - TESSERA_STATUS_CANCELLED: "cancelled", "deadline_exceeded", or "access_denied": the user
 *   declined.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_acquire_token_interactive(
    tessera_application *application, const char *request,
    tessera_sign_in_callback TESSERA_NULLABLE prompt, void *user_data,
    tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/* -------------------------------------------------------------------------------------------------
 * 11. Host-driven sign-in
 *
 * The host shows the page in its browser or web view, or on another screen.
 * ---------------------------------------------------------------------------------------------- */

/**
 * Begin a sign-in: get the URL of the sign-in page (authorization code flow with PKCE). Opens
 * nothing.
 *
 * `request` is a "SignInRequest" with "scopes". If the host cannot observe the redirect itself, set
 * "delivery": "system"; then the scheme of "redirect_uri" must be registered. The result is a
 * "SignInSession". Open "url" in a browser or a web view, and keep "state" until "expires_on".
 * "state" contains everything that is needed to complete the sign-in, encrypted with a key of the
 * store. It may be stored anywhere. When "redirect_uri" is opened, in this process or another one,
 * pass both to tessera_application_complete_sign_in().
 *
 * With "authenticator", Microsoft Authenticator signs the user in, on Apple platforms. Then "url"
 * is its address (msauthv2://broker, or a universal link if "redirect_uri" is https), and "state"
 * also contains the key of its response.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_RETRY_LATER: "network_failed", "server_unavailable", "invalid_response" or
 *   "store_busy".
 * - TESSERA_STATUS_FIX_REQUEST: also "scopes_required" or "invalid_authority".
 * - TESSERA_STATUS_FIX_CONFIGURATION: "flow_unsupported": the provider has no sign-in page, or the
 *   configuration has "broker": "require" and the request no "authenticator". Before any network
 *   access "redirect_scheme_not_registered". With "authenticator" also "invalid_redirect_uri": no
 *   broker would redirect to it. And others.
 * - TESSERA_STATUS_FIX_STORAGE: The store cannot be used: "store_unavailable", "key_unavailable"
 *   and others.
 * - TESSERA_STATUS_CANCELLED: "cancelled" or "deadline_exceeded".
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_begin_sign_in(
    tessera_application *application, const char *request,
    tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/**
 * Complete a sign-in with the redirect, once, in any process that shares the store.
 *
 * `request` is a "RedirectResponse" with "state", and with "url" (the complete URL that was opened)
 * or "form" (the body that was posted). The result is a "TokenResult" with the "source" "network".
 * The sign-in remains pending if the redirect does not belong to it, or if the server cannot be
 * reached (TESSERA_STATUS_RETRY_LATER).
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_SIGN_IN: "sign_in_used", "sign_in_expired" or "code_expired": begin again.
 *   "sign_in_lost": the store does not have the key of this sign-in; begin again.
 *   "account_mismatch": the user signed in with a different account than requested.
 *   "invalid_authorization_response". Errors with which the provider requires an action of the
 *   user. Without "error": a "TokenResult" with "declined_scopes".
 *   "workplace_join_required": open "app_link" to register the device. From Authenticator also
 *   "broker_failed", "broker_hash_mismatch" and others; see docs/brokers.md.
 * - TESSERA_STATUS_RETRY_LATER: "network_failed", "server_unavailable", "throttled",
 *   "invalid_response" or "store_busy".
 * - TESSERA_STATUS_FIX_REQUEST: also "state_mismatch": the redirect does not belong to this
 *   sign-in; ignore it. "invalid_sign_in_state": the sign-in was begun by another application or
 *   for another redirect URI. From Authenticator also "broker_state_missing",
 *   "broker_state_mismatch" and "broker_nonce_mismatch".
 * - TESSERA_STATUS_FIX_CONFIGURATION: "client_rejected" or "redirect_uri_rejected": the server
 *   rejected the application or its redirect URI. "issuer_mismatch": the redirect is from another
 *   provider. "flow_unsupported": the configuration has "broker": "require", and this sign-in used
 *   a page. And others.
 * - TESSERA_STATUS_FIX_STORAGE: The store cannot be used, such as "store_unavailable". The code was
 *   not redeemed.
 * - TESSERA_STATUS_CANCELLED: "cancelled", "deadline_exceeded", or "access_denied": the user
 *   declined.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_complete_sign_in(
    tessera_application *application, const char *request,
    tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/**
 * Deliver a redirect URL that this program was opened with to the pending sign-in of the same user.
 *
 * Call this function in a program that is registered for the scheme of a redirect URI; "tessera
 * scheme handle-url" does the same. It needs no application. `url` is the complete URL. The result
 * is an empty object. The URL is delivered to the call of
 * tessera_application_acquire_token_interactive() with the same "state", in any process of this
 * user. Other calls are not affected. The function times out after ten seconds.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_RETRY_LATER: "too_many_open_files": the process has no free file descriptor.
 * - TESSERA_STATUS_FIX_REQUEST: "state_mismatch": no pending sign-in matches. The code was not
 *   redeemed, so that a sign-in begun with tessera_application_begin_sign_in() can still be
 *   completed with the URL. Or "missing_parameter", "invalid_member".
 * - TESSERA_STATUS_CANCELLED: "cancelled", or "deadline_exceeded": the receiving process did not
 *   respond.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_library_hand_over_url(
    const char *url, tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/* -------------------------------------------------------------------------------------------------
 * 12. Non-blocking calls
 *
 * A group of calls with a queue of events, and a file descriptor to poll.
 *
 * For programs with an event loop (poll, epoll, libuv, GLib, asyncio). Start calls, watch the file
 * descriptor, and remove events with tessera_call_group_next_event(). If the response is cached,
 * the start function returns it at once.
 *
 * All other work runs on threads of the library: at most 16 for each application, and 64 more for
 * sign-ins, which wait for the user. Calls for the same account run one after another, on one
 * thread at a time. The threads block all signals and exit when idle. The only callbacks on them
 * are those of tessera_host. Device codes and sign-in addresses are events
 * instead.
 * ---------------------------------------------------------------------------------------------- */

/**
 * A group of non-blocking calls and the queue of their events. Applications and threads may share a
 * group.
 */
typedef struct tessera_call_group tessera_call_group;

/** The kind of an event. */
enum {
  /** There was no event. */
  TESSERA_EVENT_NONE = 0,
  /** The final response of a call: its result or its error. */
  TESSERA_EVENT_RESULT = 1,
  /** A "DeviceCodePrompt" or a "SignInPrompt" to show to the user. The call continues. */
  TESSERA_EVENT_PROMPT = 2
};

/** An event of a call. Zero-initialize the structure and set `size`. */
typedef struct tessera_event {
  /**
   * sizeof(tessera_event). It lets a later library detect the members that the program was compiled
   * with.
   */
  size_t size;
  /** The ID of the call; 0 if there was no event. */
  int64_t call;
  /** TESSERA_EVENT_NONE, TESSERA_EVENT_RESULT or TESSERA_EVENT_PROMPT. */
  int32_t kind;
  /**
   * The status of the call, as of the blocking function; TESSERA_STATUS_OK for a prompt. With
   * TESSERA_STATUS_SIGN_IN, the response may be a token with "declined_scopes".
   */
  tessera_status status;
  /** The `user_data` of the function that started the call. */
  void *user_data;
  /** The response of the call, or the prompt. Free it with tessera_string_free(). */
  char *response;
} tessera_event;

/**
 * Create a group of calls.
 *
 * `*calls` receives the group, or NULL after an error. Free it with tessera_call_group_free(). The
 * result is an empty object.
 *
 * Returns TESSERA_STATUS_OK, TESSERA_STATUS_RETRY_LATER ("too_many_open_files"), or
 * TESSERA_STATUS_FIX_REQUEST (`calls` is NULL).
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_call_group_create(tessera_call_group **calls, char **response);

/**
 * Get a file descriptor that is readable while the queue has events; -1 for NULL.
 *
 * The group owns it. Watch it with poll, epoll or select, but do not read from it or close it.
 */
TESSERA_API int tessera_call_group_descriptor(tessera_call_group *TESSERA_NULLABLE calls);

/**
 * Start tessera_application_acquire_token_silent() without blocking. `request` is a
 * "SilentRequest".
 *
 * Each event of the call returns `user_data` unchanged.
 *
 * If the response is cached, `*call` is 0 and *response is the "TokenResult". Otherwise `*call` is
 * the ID of the call, above 0, *response is an empty object, and tessera_call_group_next_event()
 * returns the response later. The application may be freed in the meantime.
 *
 * Returns TESSERA_STATUS_OK, or TESSERA_STATUS_FIX_REQUEST if the request is invalid or the group
 * was created before a fork() ("wrong_process"). All other errors are reported by the event.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_call_group_acquire_token_silent(
    tessera_call_group *calls, tessera_application *application, const char *request,
    void *user_data, int64_t *call, char **response);

/**
 * Start tessera_application_acquire_token_by_device_code() without blocking. `request` is a
 * "DeviceCodeRequest".
 *
 * tessera_call_group_next_event() first returns the "DeviceCodePrompt" as a TESSERA_EVENT_PROMPT,
 * then the response. `*call`, *response and the status are as for
 * tessera_call_group_acquire_token_silent(), but `*call` is never 0 if the status is
 * TESSERA_STATUS_OK.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_call_group_acquire_token_by_device_code(
    tessera_call_group *calls, tessera_application *application, const char *request,
    void *user_data, int64_t *call, char **response);

/**
 * Start tessera_application_acquire_token_interactive() without blocking. `request` is an
 * "InteractiveRequest".
 *
 * tessera_call_group_next_event() returns each "SignInPrompt" as a TESSERA_EVENT_PROMPT, then the
 * response. If the program cannot show an address, set "shows_address": false in the request.
 * Without a browser, such a call fails with TESSERA_STATUS_FIX_CONFIGURATION
 * ("browser_unavailable").
 *
 * `*call`, *response and the status are as for tessera_call_group_acquire_token_silent(). With
 * "silent_first", the response may be cached. Cancellation closes the listener for the redirect
 * within 100 ms. The next sign-in of the application waits for that.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_call_group_acquire_token_interactive(
    tessera_call_group *calls, tessera_application *application, const char *request,
    void *user_data, int64_t *call, char **response);

/**
 * Start tessera_application_begin_sign_in() without blocking. `request` is a "SignInRequest", and
 * the result a "SignInSession".
 *
 * `*call`, *response and the status are as for tessera_call_group_acquire_token_by_device_code().
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_call_group_begin_sign_in(
    tessera_call_group *calls, tessera_application *application, const char *request,
    void *user_data, int64_t *call, char **response);

/**
 * Start tessera_application_complete_sign_in() without blocking. `request` is a "RedirectResponse",
 * and the result a "TokenResult".
 *
 * `*call`, *response and the status are as for tessera_call_group_acquire_token_by_device_code().
 * Cancellation does not undo the redemption of a code that was already sent.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_call_group_complete_sign_in(
    tessera_call_group *calls, tessera_application *application, const char *request,
    void *user_data, int64_t *call, char **response);

/**
 * Remove the oldest event from the group's queue.
 *
 * If the queue is empty, the function waits for at most `timeout_milliseconds`. 0 does not wait,
 * and a negative value waits without limit. It returns at once if no call is in progress.
 *
 * `*event` receives the event. If there is none, its `kind` is TESSERA_EVENT_NONE, and its
 * `response` is an empty object. Free `response` in any case.
 *
 * event->status is TESSERA_STATUS_RETRY_LATER ("too_many_threads") if the process cannot start a
 * thread for the call.
 *
 * Returns TESSERA_STATUS_OK, also if the call of the event failed or there is no event. Or
 * TESSERA_STATUS_FIX_REQUEST, with the error in event->response: "missing_parameter" or
 * "wrong_process", as for tessera_call_group_acquire_token_silent(). If `event` is NULL or its
 * `size` is too small, nothing is written.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_call_group_next_event(
    tessera_call_group *calls, int64_t timeout_milliseconds, tessera_event *event);

/**
 * Cancel a call, or all calls of the group if `call` is 0.
 *
 * The event TESSERA_STATUS_CANCELLED ("cancelled") is added at once. A call that has ended is not
 * affected. Safe to call from any thread, but not from a signal handler. NULL does nothing.
 */
TESSERA_API void tessera_call_group_cancel(
    tessera_call_group *TESSERA_NULLABLE calls, int64_t call);

/**
 * Free a group. Do not call this while another function uses the group. Running calls are cancelled
 * and events discarded.
 *
 * After this function returns, no thread of the library works for the group. It waits for these
 * threads: usually less than 100 ms, and at most one second, for example while libcurl is being
 * loaded. Do not hold a lock that a host callback needs. A callback on one of these threads may
 * free a group, and does not wait. In a child of fork(), the function only frees memory. NULL does
 * nothing.
 */
TESSERA_API void tessera_call_group_free(tessera_call_group *TESSERA_NULLABLE calls);

/* -------------------------------------------------------------------------------------------------
 * 13. State of the store
 * ---------------------------------------------------------------------------------------------- */

/**
 * Get the location, the protection and the state of the store. Works offline, and creates and
 * changes nothing.
 *
 * `request` is NULL or a JSON object with "timeout_milliseconds". The result is a "StoreInfo":
 * "state", "storage_policy", "protection", "key_source", "path", "bytes", "records" and more. It
 * also lists the key sources that were tried, with the reasons for failures. A problem with the
 * store is reported in "problem" and does not change the status.
 *
 * Returns TESSERA_STATUS_OK, TESSERA_STATUS_FIX_REQUEST or TESSERA_STATUS_CANCELLED ("cancelled").
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_get_store_info(
    tessera_application *application, const char *TESSERA_NULLABLE request,
    tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/**
 * Rotate the key of the store: create a new key and re-encrypt all records, or none after an error.
 * Works offline.
 *
 * Applications that have the store open continue to work, unless they provide the key themselves.
 *
 * `request` is NULL or a "RotateKeyRequest" with "timeout_milliseconds" and "new_store_key".
 * "new_store_key" is required if the host provides the present key of the store. If the host has a
 * "store_key" but the store is unencrypted or encrypted with another key, omit it: the store is
 * then encrypted with "store_key". The result is {"rotated": true}, or false if there is no store
 * to encrypt or it remains unencrypted. After an error, nothing is changed. For the old key, see
 * docs/protection.md.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_FIX_REQUEST: "missing_parameter": the host provides the present key, and
 *   "new_store_key" is missing. "invalid_member": "new_store_key" is not expected, is not 32 bytes
 *   long, or is the old key.
 * - TESSERA_STATUS_RETRY_LATER: "store_busy": other processes held the store until the deadline.
 * - TESSERA_STATUS_FIX_STORAGE: "key_unavailable". "encryption_unavailable": the new key would
 *   protect less. And other problems of the store.
 * - TESSERA_STATUS_CANCELLED: "cancelled" or "deadline_exceeded".
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_rotate_store_key(
    tessera_application *application, const char *TESSERA_NULLABLE request,
    tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/* -------------------------------------------------------------------------------------------------
 * 14. Copies of the store
 * ---------------------------------------------------------------------------------------------- */

/**
 * Read the whole store as an MSAL cache document ("AccessToken", "Account", "IdToken",
 * "RefreshToken", "AppMetadata").
 *
 * The document contains the tokens of all accounts and applications. Works offline and changes
 * nothing.
 *
 * `request` is NULL, or has "timeout_milliseconds". The result is {"cache": text}. Entries have the
 * format of MSAL Python. Tessera's internal records are not included.
 *
 * Returns TESSERA_STATUS_OK, or a store error (see "Status").
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_read_cache(
    tessera_application *application, const char *TESSERA_NULLABLE request,
    tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/**
 * Apply the changes that another library made to an MSAL cache document, in one commit.
 *
 * Concurrent changes by other processes are kept. An entry is stored unless the store has a newer
 * one. A removed access token or ID token is deleted if it is unchanged in the store. Removed
 * refresh tokens and accounts are always deleted.
 *
 * `request` is a "CacheWriteRequest" with "before", the original document, and "after", the changed
 * document. Entries that are equal in both may be omitted from both. Entries that Tessera does not
 * use, such as app-only tokens, are kept for the library that wrote them. The result is {"stored":
 * number, "removed": number}.
 *
 * Returns TESSERA_STATUS_OK, or one of these with nothing changed:
 *
 * - TESSERA_STATUS_FIX_REQUEST: "invalid_member" (a text is not such a document) and others.
 * - a store error.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_write_cache(
    tessera_application *application, const char *request,
    tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/**
 * Copy the accounts and tokens from the store of `from` to the store of `application`, for all
 * applications.
 *
 * The stores may be of different groups, directories or kinds. Works offline. The newer of two
 * tokens with the same key wins, and nothing is deleted. The call is idempotent.
 *
 * `request` is NULL or a "CopyRequest": "home_account_id" (copies one account only), "dry_run"
 * (only reports) and "timeout_milliseconds". The result is a "CopyReport". It contains "accounts",
 * each with its "outcome" ("copied" or "already_here").
 *
 * Returns TESSERA_STATUS_OK, or a store error of one of the stores. After an error, some records
 * may have been copied.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_copy_sign_ins(
    tessera_application *application, tessera_application *from,
    const char *TESSERA_NULLABLE request, tessera_cancellation *TESSERA_NULLABLE cancellation,
    char **response);

/* -------------------------------------------------------------------------------------------------
 * 15. Import from older libraries, and export to them
 * ---------------------------------------------------------------------------------------------- */

/**
 * Import the sign-ins from the cache of an older library.
 *
 * Supported are ADAL for Apple platforms, .NET, Python and Node, the Azure CLI before 2.30, and
 * older versions of MSAL. The refresh tokens are stored for all applications that they belong to.
 * Works offline: the first silent call for an account redeems its token. The older cache is not
 * changed, and the import is idempotent.
 *
 * The cache is the `size` bytes at `data`. If `data` is NULL, it is the file that the request
 * names. `request` is NULL or a "MigrationRequest":
 *
 * - "path": the file.
 * - "place": instead of "path", a known location: "azure_cli" is accessTokens.json in
 *   AZURE_CONFIG_DIR or ~/.azure.
 * - "format": the format; by default, it is detected.
 * - "dry_run": only reports.
 * - "timeout_milliseconds": the timeout.
 *
 * The result is a "MigrationReport". It contains "accounts", each with its "outcome": "migrated",
 * "already_migrated", "already_signed_in", or "not_migrated" with "reason" and "advice". Damaged
 * entries are listed in "damaged", and the others are still imported.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_FIX_REQUEST: "legacy_cache_invalid" (the data is not such a cache, or the file
 *   cannot be read) and others.
 * - a store error (see "Status"). Some accounts may have been imported.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_migrate(
    tessera_application *application, const char *TESSERA_NULLABLE request,
    const void *TESSERA_NULLABLE data, size_t size,
    tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/**
 * Export this application's sign-ins in the format of ADAL 2.7 or later, for programs that still
 * use it.
 *
 * These programs find an account by its "userId", which is the "username". Works offline and
 * changes nothing.
 *
 * `request` is an "ExportRequest" with a "format". "apple_keychain" returns keychain items.
 * "adal_macos" returns a cache file of ADAL for macOS, which the host stores. For "adal_macos",
 * pass the present cache in `data` and `size`, or NULL if there is none. Its other entries are
 * kept. The result is "ExportedSignIns" with "items", or with "data" in Base64. It contains refresh
 * tokens: store it only where the older library reads it and no other user can.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_SIGN_IN: "account_not_found": no account is signed in.
 * - TESSERA_STATUS_FIX_REQUEST: "legacy_cache_invalid" (the present cache cannot be read, and must
 *   not be overwritten) and others.
 * - a store error (see "Status").
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_export_sign_ins(
    tessera_application *application, const char *request, const void *TESSERA_NULLABLE data,
    size_t size, tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/* -------------------------------------------------------------------------------------------------
 * 16. Caches of Microsoft's tools
 * ---------------------------------------------------------------------------------------------- */

/**
 * List the known locations of token caches of Microsoft tools on this machine, with their state.
 *
 * The tools are the Azure CLI, azure-identity and Azure PowerShell. The function needs no
 * application, takes no lock, changes nothing and works offline. It shows no prompt; a locked
 * keyring is reported as such.
 *
 * `request` is NULL or a JSON object with "timeout_milliseconds". The result is "KnownCaches":
 * {"caches": […]}. Each entry has "name" (for "store.msal_cache" in a configuration), "kind",
 * "path", "state", "selected", "accounts" and more.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_FIX_STORAGE: "store_unavailable": the environment does not define the user's
 *   home directory.
 * - TESSERA_STATUS_CANCELLED: "cancelled" or "deadline_exceeded".
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_library_known_caches(
    const char *TESSERA_NULLABLE request, tessera_cancellation *TESSERA_NULLABLE cancellation,
    char **response);

/* -------------------------------------------------------------------------------------------------
 * 17. Identity broker
 *
 * The identity broker of this machine (Linux: com.microsoft.identity.broker1 on the session bus).
 *
 * These functions always send the request to the broker. The configuration's "broker" applies to
 * token requests only. Each request accepts "authority", "timeout_milliseconds" and
 * "correlation_id" in addition to the members below. D-Bus starts the broker if it is not running.
 * The default timeouts are ten seconds for the version and for accounts, and 30 seconds for a
 * signature. For cookies, it is 40 seconds: 10 to find the account, and 30 for the rest.
 * docs/brokers.md documents the broker's responses.
 *
 * "Broker errors" in the lists below stands for:
 *
 * - TESSERA_STATUS_FIX_CONFIGURATION: "broker_unavailable": there is no session bus, no broker or
 *   no D-Bus library, or the broker is too old for the request.
 * - TESSERA_STATUS_RETRY_LATER: "broker_unresponsive": the broker did not respond, exited, or sent
 *   an invalid response. Or "store_busy": this process has too many open files.
 * - TESSERA_STATUS_CANCELLED: "cancelled" or "deadline_exceeded".
 * - errors that the broker reports: TESSERA_STATUS_RETRY_LATER "network_failed" or
 *   "server_unavailable", TESSERA_STATUS_SIGN_IN "interaction_required", "account_not_found",
 *   "account_mismatch" or "device_required", TESSERA_STATUS_FIX_REQUEST "request_rejected",
 *   TESSERA_STATUS_FIX_CONFIGURATION "client_rejected" or "invalid_authority",
 *   TESSERA_STATUS_CANCELLED "access_denied".
 *
 * The error's "causes" contain the reason, such as "no_session_bus", or the broker's error number.
 * ---------------------------------------------------------------------------------------------- */

/**
 * Get the version of the broker. The call also shows whether a broker is available.
 *
 * `request` is NULL or a "BrokerRequest". The result is {"version": "2.5.2"}.
 *
 * Returns TESSERA_STATUS_OK, TESSERA_STATUS_FIX_REQUEST, or a broker error.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_get_broker_version(
    tessera_application *application, const char *TESSERA_NULLABLE request,
    tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/**
 * List the broker's accounts that are available to the application, including those not signed in
 * to it.
 *
 * `request` is NULL or a "BrokerRequest". The result is {"accounts": [BrokerAccount, …]}. With
 * "broker": "prefer" or "require" in the configuration, tessera_application_acquire_token_silent()
 * accepts the "home_account_id" of each account.
 *
 * Returns TESSERA_STATUS_OK, TESSERA_STATUS_FIX_REQUEST, or a broker error.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_get_broker_accounts(
    tessera_application *application, const char *TESSERA_NULLABLE request,
    tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/**
 * Get cookies that sign a browser in with an account of the broker (x-ms-RefreshTokenCredential).
 *
 * `request` is a "BrokerCookieRequest": "home_account_id", "sso_url", and "scopes" if they differ
 * from those of Microsoft Graph. "sso_url" is the URL of the sign-in page, with the "sso_nonce"
 * from that page. The result is {"cookies": [{"name", "content"}, …]}. Treat "content" like the
 * user's password: send it to that page only, and do not write it to a file or log.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_SIGN_IN: "account_not_found": the broker does not have the account.
 * - TESSERA_STATUS_FIX_REQUEST: also "invalid_member": "sso_url" is not a page of the authority's
 *   cloud.
 * - a broker error.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_get_broker_sso_cookie(
    tessera_application *application, const char *request,
    tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/**
 * Sign an HTTP request to a resource with the broker's key (proof of possession).
 *
 * `request` is a "BrokerSigningRequest": "home_account_id", "http_method", "url" (its host and path
 * are signed), and optionally "nonce", "client_claims" (JSON text) and "key_id". The result is
 * {"signed_http_request": "…"}.
 *
 * Returns TESSERA_STATUS_OK, TESSERA_STATUS_FIX_REQUEST, or a broker error. Brokers without support
 * for signing, such as Himmelblau, cause "broker_unresponsive" or "broker_unavailable".
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_get_broker_signed_http_request(
    tessera_application *application, const char *request,
    tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/* -------------------------------------------------------------------------------------------------
 * 18. Single sign-on extension
 *
 * These functions convert requests and responses of Microsoft's extension on Apple platforms to and
 * from JSON, for a host that sends them with Apple's classes. The documents are the same on every
 * platform. docs/brokers.md documents their members.
 * ---------------------------------------------------------------------------------------------- */

/**
 * Create a request to the single sign-on extension. Needs no application and no network.
 *
 * `request` is an "SSOExtensionRequest" with "operation" and "broker_key". The result is an
 * "SSOExtensionOperation". "operation" is the requestedOperation of an
 * ASAuthorizationSingleSignOnRequest. "options" (an object of strings) are the query items of its
 * authorizationOptions.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_FIX_REQUEST: "missing_parameter": a member that the extension requires is
 *   missing. Or "invalid_json", "unknown_member", "invalid_member".
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_sso_extension_request(const char *request, char **response);

/**
 * Parse a response of the single sign-on extension. Needs no application and no network, and stores
 * nothing.
 *
 * `request` is an "SSOExtensionOutcome": "headers" (allHeaderFields of the authenticatedResponse),
 * or "error" (the NSError of the failed request). The result is an "SSOExtensionAnswer". It
 * describes the tokens but does not contain them, because they are not validated yet.
 * tessera_application_store_sso_extension_response() validates and stores them.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_SIGN_IN: "interaction_required": repeat the request with "login".
 *   "sso_extension_failed": sign in on a page, without the extension. Errors with which a server
 *   requires an action of the user, and errors of the broker.
 * - TESSERA_STATUS_FIX_REQUEST: "missing_parameter", "invalid_json", "unknown_member" or
 *   "invalid_member".
 * - TESSERA_STATUS_FIX_CONFIGURATION: "protection_policy_required": see "username",
 *   "home_account_id" and docs/brokers.md. And others.
 * - TESSERA_STATUS_CANCELLED: "access_denied": the user closed the page.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_sso_extension_response(const char *request, char **response);

/**
 * Validate the tokens in a response of the single sign-on extension, and store them.
 *
 * `request` is an "SSOExtensionTokens" with "headers" and "scopes". The result is a "TokenResult".
 * tessera_application_acquire_token_silent() returns the token afterwards. Issuer, application,
 * tenant, nonce, account and scopes must match the request. A refresh token is stored only if it
 * was issued to this application. On a shared device, the access token is returned but not stored
 * ("persisted" is false). The authority's endpoints are discovered if they are not cached.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_SIGN_IN: "account_mismatch": the tokens belong to another account, and nothing
 *   was stored. "sso_extension_failed". Errors that the server reported. Without "error": a
 *   "TokenResult" with "declined_scopes".
 * - TESSERA_STATUS_RETRY_LATER: "network_failed", "server_unavailable", "invalid_response" or
 *   "store_busy".
 * - TESSERA_STATUS_FIX_REQUEST: also "scopes_required".
 * - TESSERA_STATUS_FIX_CONFIGURATION: "issuer_mismatch" or "invalid_id_token": the tokens are from
 *   another authority or for another application. And others.
 * - TESSERA_STATUS_FIX_STORAGE: The store cannot be used: "store_unavailable", "key_unavailable"
 *   and others.
 * - TESSERA_STATUS_CANCELLED: "cancelled" or "deadline_exceeded".
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_store_sso_extension_response(
    tessera_application *application, const char *request,
    tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/* -------------------------------------------------------------------------------------------------
 * 19. Services
 * ---------------------------------------------------------------------------------------------- */

/**
 * Acquire a token of the application itself, without a user: from the cache, or with the credential
 * of the application (RFC 6749 section 4.4).
 *
 * Call this function for each use of the token. However many threads and processes of the user call
 * it, one request is sent for each tenant and scope. A cached token needs no network, no lock and
 * no write.
 *
 * `request` is a "ClientTokenRequest" with "scopes". The result is a "TokenResult", whose account
 * has an empty "home_account_id". The application needs a "credential"; see docs/services.md.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_RETRY_LATER: Retry after "retry_after" seconds: "network_failed",
 *   "server_unavailable", "throttled", "invalid_response" or "store_busy". All processes of the
 *   user observe "retry_after".
 * - TESSERA_STATUS_FIX_REQUEST: also "scopes_required" or "invalid_authority".
 * - TESSERA_STATUS_FIX_CONFIGURATION: "client_rejected": the server rejected the application or its
 *   credential, or the configuration has none. "invalid_configuration": the credential cannot be
 *   read or used. "scope_rejected", "feature_unavailable" and others.
 * - TESSERA_STATUS_FIX_STORAGE: The store cannot be used: "store_unsafe", "key_unavailable" and
 *   others.
 * - TESSERA_STATUS_CANCELLED: "cancelled" or "deadline_exceeded".
 *
 * Never returns TESSERA_STATUS_SIGN_IN.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_application_acquire_token_for_client(
    tessera_application *application, const char *request,
    tessera_cancellation *TESSERA_NULLABLE cancellation, char **response);

/**
 * Start tessera_application_acquire_token_for_client() without blocking. `request` is a
 * "ClientTokenRequest".
 *
 * `*call`, *response and the status are as for tessera_call_group_acquire_token_silent(), also for
 * a cached response.
 */
TESSERA_API TESSERA_WARN_UNUSED
tessera_status tessera_call_group_acquire_token_for_client(
    tessera_call_group *calls, tessera_application *application, const char *request,
    void *user_data, int64_t *call, char **response);

#ifdef __cplusplus
}
#endif

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#endif /* TESSERA_H */
