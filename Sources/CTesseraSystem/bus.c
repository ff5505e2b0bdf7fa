// SPDX-License-Identifier: MIT
// Non-blocking D-Bus client: wraps sd-bus of libsystemd, which is loaded at its first use.

#define _GNU_SOURCE
#include "ctessera_bus.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ctessera_descriptors.h"

#ifndef RTLD_NODELETE
#define RTLD_NODELETE 0
#endif

// Declarations from sd-bus.h, so that the header is not needed to compile. All functions exist since version 221.
typedef struct sd_bus sd_bus;
typedef struct ctessera_bus_message sd_bus_message;
typedef struct {
  const char *name;
  const char *message;
  int _need_free;
} sd_bus_error;
typedef int (*sd_bus_handler)(sd_bus_message *message, void *context, sd_bus_error *error);

struct ctessera_bus_library {
  int (*new)(sd_bus **bus);
  int (*set_address)(sd_bus *bus, const char *address);
  int (*set_bus_client)(sd_bus *bus, int yes);
  int (*start)(sd_bus *bus);
  void (*close)(sd_bus *bus);
  sd_bus *(*unref)(sd_bus *bus);
  int (*get_fd)(sd_bus *bus);
  int (*get_events)(sd_bus *bus);
  int (*process)(sd_bus *bus, sd_bus_message **message);
  int (*call_async)(
      sd_bus *bus, void **slot, sd_bus_message *message, sd_bus_handler handler, void *context,
      uint64_t microseconds);
  int (*message_new_method_call)(
      sd_bus *bus, sd_bus_message **message, const char *destination, const char *path,
      const char *interface, const char *member);
  int (*message_set_auto_start)(sd_bus_message *message, int yes);
  sd_bus_message *(*message_ref)(sd_bus_message *message);
  sd_bus_message *(*message_unref)(sd_bus_message *message);
  const sd_bus_error *(*message_get_error)(sd_bus_message *message);
  int (*message_append_basic)(sd_bus_message *message, char type, const void *value);
  int (*message_append_array)(
      sd_bus_message *message, char type, const void *bytes, size_t count);
  int (*message_open_container)(sd_bus_message *message, char type, const char *contents);
  int (*message_close_container)(sd_bus_message *message);
  int (*message_read_basic)(sd_bus_message *message, char type, void *value);
  int (*message_read_array)(
      sd_bus_message *message, char type, const void **bytes, size_t *count);
  int (*message_enter_container)(sd_bus_message *message, char type, const char *contents);
  int (*message_exit_container)(sd_bus_message *message);
  /** Since version 246: overwrites the memory of the message before it is freed. May be NULL. */
  int (*message_sensitive)(sd_bus_message *message);
};

struct ctessera_bus {
  const ctessera_bus_library *functions;
  sd_bus *bus;
};

// Looks up one function. Its name in the table is that of sd-bus without the prefix.
#define FIND(library, table, name) \
  ((*(void **)&(table)->name = dlsym((library), "sd_bus_" #name)) != NULL)

static bool find_functions(void *library, ctessera_bus_library *table) {
  (void)FIND(library, table, message_sensitive);
  return FIND(library, table, new) && FIND(library, table, set_address) &&
         FIND(library, table, set_bus_client) && FIND(library, table, start) &&
         FIND(library, table, close) && FIND(library, table, unref) &&
         FIND(library, table, get_fd) && FIND(library, table, get_events) &&
         FIND(library, table, process) && FIND(library, table, call_async) &&
         FIND(library, table, message_new_method_call) &&
         FIND(library, table, message_set_auto_start) && FIND(library, table, message_ref) &&
         FIND(library, table, message_unref) && FIND(library, table, message_get_error) &&
         FIND(library, table, message_append_basic) &&
         FIND(library, table, message_append_array) &&
         FIND(library, table, message_open_container) &&
         FIND(library, table, message_close_container) &&
         FIND(library, table, message_read_basic) && FIND(library, table, message_read_array) &&
         FIND(library, table, message_enter_container) &&
         FIND(library, table, message_exit_container);
}

ctessera_bus_library *ctessera_bus_load(const char *name, char *problem, size_t problem_size) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == NULL) {
    const char *reason = dlerror();
    snprintf(problem, problem_size, "%s", reason != NULL ? reason : name);
    return NULL;
  }
  ctessera_bus_library *table = calloc(1, sizeof(*table));
  if (table != NULL && find_functions(library, table)) return table;
  snprintf(problem, problem_size, "%s: %s", name, table == NULL ? "out of memory" : "too old");
  free(table);
  dlclose(library);
  return NULL;
}

void ctessera_bus_unload(ctessera_bus_library *library) {
  free(library);
}

// Returns whether the bus belongs to the effective user. Under sudo, the environment may name another user's bus, to
// which keys must not be sent.
static bool is_own(int descriptor) {
#if defined(__linux__)
  struct ucred peer;
  socklen_t size = sizeof(peer);
  return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         peer.uid == geteuid();
#else
  uid_t user;
  gid_t group;
  return getpeereid(descriptor, &user, &group) == 0 && user == geteuid();
#endif
}

int ctessera_bus_connect(
    const ctessera_bus_library *library, const char *address, ctessera_bus **bus) {
  ctessera_bus *made = calloc(1, sizeof(*made));
  if (made == NULL) return ENOMEM;
  made->functions = library;
  ctessera_fill_standard_descriptors();
  int result = library->new(&made->bus);
  if (result >= 0) result = library->set_address(made->bus, address);
  if (result >= 0) result = library->set_bus_client(made->bus, 1);
  if (result >= 0) result = library->start(made->bus);
  if (result >= 0 && !is_own(library->get_fd(made->bus))) result = -EPERM;
  if (result >= 0) {
    *bus = made;
    return 0;
  }
  ctessera_bus_close(made);
  return -result;
}

void ctessera_bus_close(ctessera_bus *bus) {
  if (bus == NULL) return;
  if (bus->bus != NULL) {
    bus->functions->close(bus->bus);
    bus->functions->unref(bus->bus);
  }
  free(bus);
}

int ctessera_bus_process(ctessera_bus *bus) {
  int result = bus->functions->process(bus->bus, NULL);
  return result > 0 ? CTESSERA_BUS_MORE : -result;
}

void ctessera_bus_wait(ctessera_bus *bus, int wake, int milliseconds) {
  int events = bus->functions->get_events(bus->bus);
  struct pollfd set[] = {
      {.fd = bus->functions->get_fd(bus->bus), .events = (short)(events > 0 ? events : 0)},
      {.fd = wake, .events = POLLIN},
  };
  // A signal may end the wait early. The caller checks all its conditions again in any case.
  poll(set, 2, milliseconds);
}

ctessera_bus_message *ctessera_bus_call(
    ctessera_bus *bus, const char *destination, const char *path, const char *interface,
    const char *member, bool starts) {
  sd_bus_message *call = NULL;
  if (bus->functions->message_new_method_call(
          bus->bus, &call, destination, path, interface, member) < 0) {
    return NULL;
  }
  bus->functions->message_set_auto_start(call, starts);
  if (bus->functions->message_sensitive != NULL) bus->functions->message_sensitive(call);
  return call;
}

static int receive(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)error;
  ctessera_bus_reply *reply = context;
  reply->message = reply->library->message_ref(message);
  if (reply->library->message_sensitive != NULL) reply->library->message_sensitive(message);
  return 1;
}

int ctessera_bus_send(ctessera_bus *bus, ctessera_bus_message *call, ctessera_bus_reply *reply) {
  *reply = (ctessera_bus_reply){.library = bus->functions};
  // No timeout of sd-bus: the caller has a deadline for the whole operation.
  int result =
      bus->functions->call_async(bus->bus, NULL, call, receive, reply, UINT64_MAX);
  bus->functions->message_unref(call);
  return result < 0 ? -result : 0;
}

void ctessera_bus_free_message(ctessera_bus *bus, ctessera_bus_message *message) {
  if (message != NULL) bus->functions->message_unref(message);
}

const char *ctessera_bus_error(ctessera_bus *bus, ctessera_bus_message *reply) {
  const sd_bus_error *error = bus->functions->message_get_error(reply);
  return error != NULL ? error->name : NULL;
}

const char *ctessera_bus_error_message(ctessera_bus *bus, ctessera_bus_message *reply) {
  const sd_bus_error *error = bus->functions->message_get_error(reply);
  return error != NULL ? error->message : NULL;
}

bool ctessera_bus_append_text(
    ctessera_bus *bus, ctessera_bus_message *call, char type, const char *text) {
  return bus->functions->message_append_basic(call, type, text) >= 0;
}

bool ctessera_bus_append_bool(ctessera_bus *bus, ctessera_bus_message *call, bool value) {
  int number = value;
  return bus->functions->message_append_basic(call, 'b', &number) >= 0;
}

bool ctessera_bus_append_bytes(
    ctessera_bus *bus, ctessera_bus_message *call, const void *bytes, size_t count) {
  return bus->functions->message_append_array(call, 'y', bytes, count) >= 0;
}

bool ctessera_bus_open_container(
    ctessera_bus *bus, ctessera_bus_message *call, char type, const char *contents) {
  return bus->functions->message_open_container(call, type, contents) >= 0;
}

bool ctessera_bus_close_container(ctessera_bus *bus, ctessera_bus_message *call) {
  return bus->functions->message_close_container(call) >= 0;
}

const char *ctessera_bus_read_text(ctessera_bus *bus, ctessera_bus_message *reply, char type) {
  const char *text = NULL;
  return bus->functions->message_read_basic(reply, type, &text) > 0 ? text : NULL;
}

bool ctessera_bus_read_bool(ctessera_bus *bus, ctessera_bus_message *reply, bool *value) {
  int number = 0;
  if (bus->functions->message_read_basic(reply, 'b', &number) <= 0) return false;
  *value = number != 0;
  return true;
}

bool ctessera_bus_read_number(ctessera_bus *bus, ctessera_bus_message *reply, uint64_t *value) {
  return bus->functions->message_read_basic(reply, 't', value) > 0;
}

bool ctessera_bus_read_bytes(
    ctessera_bus *bus, ctessera_bus_message *reply, const void **bytes, size_t *count) {
  return bus->functions->message_read_array(reply, 'y', bytes, count) > 0;
}

bool ctessera_bus_enter_container(
    ctessera_bus *bus, ctessera_bus_message *reply, char type, const char *contents) {
  return bus->functions->message_enter_container(reply, type, contents) > 0;
}

bool ctessera_bus_exit_container(ctessera_bus *bus, ctessera_bus_message *reply) {
  return bus->functions->message_exit_container(reply) >= 0;
}
