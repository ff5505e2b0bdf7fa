/* SPDX-License-Identifier: MIT */
/* D-Bus without waiting: libsystemd's client (sd-bus), found when it is first needed. */
#ifndef CTESSERA_BUS_H
#define CTESSERA_BUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The functions of a library that is loaded. They never change; any thread may use them. */
typedef struct ctessera_bus_library ctessera_bus_library;

/** A connection; used by one thread, and by the process that made it. */
typedef struct ctessera_bus ctessera_bus;

/** A message: a call that is being written, or an answer that is being read. */
typedef struct ctessera_bus_message ctessera_bus_message;

/** An answer that is awaited; it must stay where it is until its connection is closed. */
typedef struct {
  /** NULL until it has come. */
  ctessera_bus_message *message;
  const ctessera_bus_library *library;
} ctessera_bus_answer;

/**
 * Load a library with the interface of sd-bus under a file name. Returns NULL and a reason if that cannot be done.
 *
 * The library stays loaded for good.
 */
ctessera_bus_library *ctessera_bus_load(const char *name, char *problem, size_t problem_size);

/** Give the table of functions back; the library stays. */
void ctessera_bus_unload(ctessera_bus_library *library);

/**
 * Begin to connect to a bus, whose address is one "unix:…". Waits for nothing: not for the connection, and not for the
 * bus to accept this program. Returns 0 or an errno value; EPERM also for a bus of another user.
 */
int ctessera_bus_connect(
    const ctessera_bus_library *library, const char *address, ctessera_bus **bus);

/** Close a connection at once, sent or not, and free every call that was made on it. */
void ctessera_bus_close(ctessera_bus *bus);

/** What is no errno value. */
enum { CTESSERA_BUS_MORE = -1 };

/** Do one step without waiting. Returns 0 when there is nothing to do, CTESSERA_BUS_MORE or an errno value. */
int ctessera_bus_advance(ctessera_bus *bus);

/** Wait until there is something to do, until `wake` (-1 for none) can be read, or until the time is over. */
void ctessera_bus_wait(ctessera_bus *bus, int wake, int milliseconds);

/** Begin a call; NULL when memory ran out or a name is not one. Unless it `starts`, nobody is started to answer it. */
ctessera_bus_message *ctessera_bus_call(
    ctessera_bus *bus, const char *destination, const char *path, const char *interface,
    const char *member, bool starts);

/** Send a call, which is freed; its answer comes later. Returns 0 or an errno value. */
int ctessera_bus_send(ctessera_bus *bus, ctessera_bus_message *call, ctessera_bus_answer *answer);

/** Free a call that is not sent, or an answer. NULL does nothing. */
void ctessera_bus_drop(ctessera_bus *bus, ctessera_bus_message *message);

/** The name of the error that an answer is; NULL for none. Valid as long as the answer. */
const char *ctessera_bus_error(ctessera_bus *bus, ctessera_bus_message *answer);

/** What the error says in words; NULL for no error, or none. Valid as long as the answer. */
const char *ctessera_bus_error_message(ctessera_bus *bus, ctessera_bus_message *answer);

/* Writing and reading. Types are D-Bus's letters; false when it is not of that type, or memory ran out. */

bool ctessera_bus_put_text(
    ctessera_bus *bus, ctessera_bus_message *call, char type, const char *text);
bool ctessera_bus_put_bool(ctessera_bus *bus, ctessera_bus_message *call, bool value);
bool ctessera_bus_put_bytes(
    ctessera_bus *bus, ctessera_bus_message *call, const void *bytes, size_t count);
bool ctessera_bus_open(
    ctessera_bus *bus, ctessera_bus_message *call, char type, const char *contents);
bool ctessera_bus_shut(ctessera_bus *bus, ctessera_bus_message *call);

/** NULL at the end of what is being read, or for another type. Valid as long as the answer. */
const char *ctessera_bus_get_text(ctessera_bus *bus, ctessera_bus_message *answer, char type);
bool ctessera_bus_get_bool(ctessera_bus *bus, ctessera_bus_message *answer, bool *value);
bool ctessera_bus_get_number(ctessera_bus *bus, ctessera_bus_message *answer, uint64_t *value);
bool ctessera_bus_get_bytes(
    ctessera_bus *bus, ctessera_bus_message *answer, const void **bytes, size_t *count);
bool ctessera_bus_enter(
    ctessera_bus *bus, ctessera_bus_message *answer, char type, const char *contents);
bool ctessera_bus_leave(ctessera_bus *bus, ctessera_bus_message *answer);

#endif
