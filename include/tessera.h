/* SPDX-License-Identifier: MIT */
/**
 * @file tessera.h
 * Tessera: sign-in to the Microsoft identity platform and to any OpenID Connect provider, with one token
 * cache that every program of a user on a machine shares.
 *
 * This is the file to include. What it declares lies by subject in the directory tessera beside it.
 *
 * Conventions
 *
 * - Objects are opaque. What a _create function made, the _free function of the same name ends;
 *   _free(NULL) does nothing. An object may be used by several threads at once, but must not be freed while a
 *   call on it is under way.
 * - Requests are JSON objects in UTF-8 that end with a NUL, of at most 1 MiB. An unknown member is an error that
 *   names it. docs/c-interface.md has the members of every document; the names in quotes below are its headings.
 * - Functions that can fail return a tessera_status and write one JSON document to *response: the result when the
 *   status is TESSERA_OK, {"error": Error} otherwise. *response is always set (NULL only when memory ran out); free
 *   it with tessera_string_free().
 * - When memory runs out, the Swift runtime ends the process. The store remains intact: the next process gets the same
 *   tokens. The exception is the copy of a document for the caller: if it cannot be allocated, *response is NULL.
 * - An error has a remedy, which is the status, and a code, which names the situation. The comments below say those that
 *   belong to a function. Every function with a request may also end with TESSERA_FIX_REQUEST and one of
 *   "missing_parameter" (a pointer is NULL or no such object, or a required member is missing), "invalid_json",
 *   "unknown_member" and "invalid_member". docs/errors.md has all codes, and what to do for each; codes are only added.
 * - A call does its work on the calling thread. One that can wait ends within 100 ms of its "timeout_milliseconds" or of
 *   tessera_cancellation_cancel(), but what a server has sent gets five seconds to be stored. Without a timeout, a call
 *   waits at most ten seconds at a time for a store that another process holds. The library starts no thread (libcurl
 *   may, to resolve a name), prints nothing and installs no signal handler. Where the network was used, it has an exit
 *   handler: the program ends once no thread is inside libcurl, five seconds later at most, and a call that is under way
 *   then sends nothing more. tessera/calls.h has calls that do not block; they alone own a few threads.
 * - A call needs a stack of at least 128 KiB, of which its callers should use little. On a smaller one it works or
 *   returns TESSERA_FIX_REQUEST ("stack_too_small"); below 48 KiB it may crash. A refresh token, a code or a device
 *   code is sent only if the stack is large enough to store the response. The size of a coroutine's stack is not
 *   known and not checked: give it at least 128 KiB.
 * - In a program with elevated rights (setuid, setgid, file capabilities) the environment is not read. With SSLKEYLOGFILE
 *   set in such a program, calls that need the network end with TESSERA_FIX_CONFIGURATION and "unsafe_environment".
 * - Times in JSON end in "_on" and are whole seconds since 1970; durations name their unit, except "retry_after":
 *   seconds, as in HTTP.
 */
#ifndef TESSERA_H
#define TESSERA_H

/** Version of this header: parts, text, and one number: major * 1000000 + minor * 1000 + patch. */
#define TESSERA_VERSION_MAJOR 0
#define TESSERA_VERSION_MINOR 1
#define TESSERA_VERSION_PATCH 0
#define TESSERA_VERSION "0.1.0"
#define TESSERA_VERSION_NUMBER 1000
/** Version of the binary interface; it grows when a program must be compiled again. */
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
