/* SPDX-License-Identifier: MIT */
/**
 * @file tessera.h
 * Tessera: sign-in to the Microsoft identity platform and to any OpenID Connect provider, with one token cache that all
 * applications of a user on a machine share.
 *
 * Include this file only. It includes the headers in the directory tessera, one for each subject.
 *
 * Conventions
 *
 * - Objects are opaque. Free each object with the _free function that corresponds to its _create function. _free(NULL)
 *   does nothing. Several threads may use an object at the same time, but do not free it during a call that uses it.
 * - Requests are JSON objects: UTF-8, NUL-terminated, at most 1 MiB. An unknown member is an error, and the message
 *   contains its name. docs/c-interface.md documents the members. Names in quotes below, such as "TokenResult", are its
 *   headings.
 * - Functions that can fail return a tessera_status and write one JSON document to *response. It is the result if the
 *   status is TESSERA_STATUS_OK, and {"error": Error} otherwise. *response is always set, and is NULL only if memory ran out.
 *   Free it with tessera_string_free().
 * - `application`, `cancellation` and `response` have the same meaning in all functions. `cancellation` cancels the
 *   call from another thread, and may be NULL. `response` receives the document.
 * - If memory runs out, the Swift runtime terminates the process. The store remains intact, and the next process reads
 *   the same tokens. The exception is the copy of a document for the caller: if it cannot be allocated, *response is
 *   NULL.
 * - An error has a remedy, which is also the status, and a code, which identifies the cause. The comments below list
 *   the codes of each function. In addition, every function with a request can return TESSERA_STATUS_FIX_REQUEST with
 *   "missing_parameter" (a pointer is NULL or is not such an object, or a required member is missing), "invalid_json",
 *   "unknown_member" or "invalid_member". docs/errors.md lists all codes with instructions. Later versions only add
 *   codes.
 * - A call does its work on the calling thread. A call that can wait returns within 100 ms after "timeout_milliseconds"
 *   or tessera_cancellation_cancel(). A received token response gets up to five seconds more to be stored. Without a
 *   timeout, a call waits at most ten seconds at a time for a store that another process has locked.
 * - The library starts no threads, prints nothing and installs no signal handlers. libcurl may start a thread for host
 *   name resolution. The non-blocking calls of tessera/calls.h have a thread pool.
 * - After the first use of the network, the library has an exit handler. It waits until no thread is inside libcurl,
 *   for at most five seconds. Calls that are in progress then send nothing more.
 * - A call needs a stack of at least 128 KiB, of which its callers should use little. On a smaller stack, it succeeds
 *   or returns TESSERA_STATUS_FIX_REQUEST ("stack_too_small"). Below 48 KiB it may crash. A refresh token, an authorization
 *   code or a device code is sent only if the stack is large enough to store the response. The stack size of a
 *   coroutine is unknown and is not checked: use at least 128 KiB.
 * - In a process with elevated privileges (setuid, setgid, file capabilities), the environment is not read. If
 *   SSLKEYLOGFILE is set in such a process, calls that need the network return TESSERA_STATUS_FIX_CONFIGURATION
 *   ("unsafe_environment").
 * - Times in JSON have names that end in "_on" and are integer seconds since 1970. The name of a duration contains its
 *   unit, except "retry_after", which is in seconds as in HTTP.
 */
#ifndef TESSERA_H
#define TESSERA_H

/** The version of this header: its parts, its text, and one number: major * 1000000 + minor * 1000 + patch. */
#define TESSERA_VERSION_MAJOR 0
#define TESSERA_VERSION_MINOR 1
#define TESSERA_VERSION_PATCH 0
#define TESSERA_VERSION "0.1.0"
#define TESSERA_VERSION_NUMBER 1000
/** The version of the binary interface. It changes if programs must be recompiled. */
#define TESSERA_ABI_VERSION 0

#include "tessera/status.h"
#include "tessera/library.h"
#include "tessera/cancellation.h"
#include "tessera/application.h"
#include "tessera/accounts.h"
#include "tessera/tokens.h"
#include "tessera/device_code.h"
#include "tessera/interactive.h"
#include "tessera/sign_in.h"
#include "tessera/sso_extension.h"
#include "tessera/calls.h"
#include "tessera/store.h"
#include "tessera/migration.h"
#include "tessera/cache.h"
#include "tessera/known_caches.h"
#include "tessera/broker.h"

#endif /* TESSERA_H */
