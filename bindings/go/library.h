/* SPDX-License-Identifier: MIT */
/** @file library.h The functions of the Tessera library, which is loaded at run time. */
#ifndef TESSERA_GO_LIBRARY_H
#define TESSERA_GO_LIBRARY_H

#include "functions.h"

/** The functions, once tessera_go_load() has succeeded. */
extern tessera_functions tessera_go;

/** Loads the library, once. Returns NULL, or the text of an error. */
const char *tessera_go_load(void);

/** The status and the response of a call, and the ID of a call that was started. */
typedef struct tessera_go_result {
  tessera_status status;
  int64_t call;
  char *response;
} tessera_go_result;

/** Creates an application. `callbacks` is a handle of Go, 0 for none; the others are whether there is a callback. */
tessera_go_result tessera_go_create(
    const char *configuration, uintptr_t callbacks, int log, int store_key, int transport,
    tessera_application **application);

/** Makes a blocking call. */
tessera_go_result tessera_go_perform(int32_t function, const char *request, tessera_arguments arguments);
/**
 * Starts a call. If its response is at hand and equals `known`, which the caller has decoded, the response is NULL.
 * `known` is NULL for none.
 */
tessera_go_result tessera_go_start(
    int32_t function, tessera_call_group *group, tessera_application *application, const char *request,
    const char *known, size_t size);
/* Calls of the functions with the same names. */
void tessera_go_string_free(char *text);
void tessera_go_free(tessera_application *application);
tessera_cancellation *tessera_go_cancellation(void);
void tessera_go_cancel(tessera_cancellation *cancellation);
void tessera_go_free_cancellation(tessera_cancellation *cancellation);
tessera_go_result tessera_go_open(tessera_call_group **group);
int tessera_go_descriptor(tessera_call_group *group);
/** Removes the oldest event without waiting; its kind is TESSERA_EVENT_NONE if there is none. */
tessera_event tessera_go_next_event(tessera_call_group *group);
void tessera_go_cancel_call(tessera_call_group *group, int64_t call);
void tessera_go_respond(tessera_exchange *exchange, const char *response);
int tessera_go_is_cancelled(const tessera_exchange *exchange);

#endif /* TESSERA_GO_LIBRARY_H */
