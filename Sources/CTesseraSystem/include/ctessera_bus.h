/* SPDX-License-Identifier: MIT */
/* Non-blocking D-Bus client: wraps sd-bus of libsystemd, which is loaded at its first use. */
#ifndef CTESSERA_BUS_H
#define CTESSERA_BUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The function table of a loaded library. It is immutable and thread-safe. */
typedef struct ctessera_bus_library ctessera_bus_library;

/** A connection. Only one thread, and only the process that created it, may use it. */
typedef struct ctessera_bus ctessera_bus;

/** A message: a method call that is being written, or a reply that is being read. */
typedef struct ctessera_bus_message ctessera_bus_message;

/** A pending reply. It must not be moved until the connection is closed. */
typedef struct {
  /** NULL until the reply arrives. */
  ctessera_bus_message *message;
  const ctessera_bus_library *library;
} ctessera_bus_reply;

/**
 * Load a library with the interface of sd-bus by its file name.
 *
 * Returns NULL and writes the reason to `problem` on failure. The library is never unloaded.
 */
ctessera_bus_library *ctessera_bus_load(const char *name, char *problem, size_t problem_size);

/** Free the function table. The library remains loaded. */
void ctessera_bus_unload(ctessera_bus_library *library);

/**
 * Start connecting to a bus at one "unix:…" address, without blocking.
 *
 * Waits neither for the connection nor for authentication. Returns 0 or an errno value; EPERM also if the bus belongs
 * to another user.
 */
int ctessera_bus_connect(
    const ctessera_bus_library *library, const char *address, ctessera_bus **bus);

/** Close a connection at once, discard unsent messages, and free all calls that were made on it. */
void ctessera_bus_close(ctessera_bus *bus);

/** Results that are not errno values. */
enum { CTESSERA_BUS_MORE = -1 };

/** Process one step without blocking. Returns 0 if nothing is left to do, CTESSERA_BUS_MORE, or an errno value. */
int ctessera_bus_process(ctessera_bus *bus);

/** Wait until there is data to process, `wake` (-1 for none) is readable, or the timeout has passed. */
void ctessera_bus_wait(ctessera_bus *bus, int wake, int milliseconds);

/**
 * Create a method call. Returns NULL if memory ran out or a name is invalid. `starts` allows the bus to start the
 * service.
 */
ctessera_bus_message *ctessera_bus_call(
    ctessera_bus *bus, const char *destination, const char *path, const char *interface,
    const char *member, bool starts);

/** Send a method call and free it. The reply arrives later. Returns 0 or an errno value. */
int ctessera_bus_send(ctessera_bus *bus, ctessera_bus_message *call, ctessera_bus_reply *reply);

/** Free an unsent call or a reply. NULL does nothing. */
void ctessera_bus_free_message(ctessera_bus *bus, ctessera_bus_message *message);

/** Return the error name of a reply; NULL if it is not an error. Valid as long as the reply. */
const char *ctessera_bus_error(ctessera_bus *bus, ctessera_bus_message *reply);

/** Return the error message of a reply; NULL if it is not an error or has no message. Valid as long as the reply. */
const char *ctessera_bus_error_message(ctessera_bus *bus, ctessera_bus_message *reply);

/* Serialization. Types are D-Bus type codes. Functions return false if the type differs or memory ran out. */

bool ctessera_bus_append_text(
    ctessera_bus *bus, ctessera_bus_message *call, char type, const char *text);
bool ctessera_bus_append_bool(ctessera_bus *bus, ctessera_bus_message *call, bool value);
bool ctessera_bus_append_bytes(
    ctessera_bus *bus, ctessera_bus_message *call, const void *bytes, size_t count);
bool ctessera_bus_open_container(
    ctessera_bus *bus, ctessera_bus_message *call, char type, const char *contents);
bool ctessera_bus_close_container(ctessera_bus *bus, ctessera_bus_message *call);

/** Read a string. Returns NULL at the end of the container or for another type. Valid as long as the reply. */
const char *ctessera_bus_read_text(ctessera_bus *bus, ctessera_bus_message *reply, char type);
bool ctessera_bus_read_bool(ctessera_bus *bus, ctessera_bus_message *reply, bool *value);
bool ctessera_bus_read_number(ctessera_bus *bus, ctessera_bus_message *reply, uint64_t *value);
bool ctessera_bus_read_bytes(
    ctessera_bus *bus, ctessera_bus_message *reply, const void **bytes, size_t *count);
bool ctessera_bus_enter_container(
    ctessera_bus *bus, ctessera_bus_message *reply, char type, const char *contents);
bool ctessera_bus_exit_container(ctessera_bus *bus, ctessera_bus_message *reply);

#endif
