/* SPDX-License-Identifier: MIT */
/* Local sockets (non-blocking, close-on-exec, without SIGPIPE), and child processes. */
#ifndef CTESSERA_LOOPBACK_H
#define CTESSERA_LOOPBACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Listen on a port of the loopback interface: 127.0.0.1, or ::1 for IPv6.
 *
 * @param port the port; 0 selects a free one, which is then written to it.
 * @return a descriptor, or -1 with errno.
 */
int ctessera_loopback_listen(bool is_ipv6, uint16_t *port);

/** Accept the next connection of a listener. Returns a descriptor, or -1 with errno. */
int ctessera_loopback_accept(int listener);

/** Send bytes. Returns the number of bytes sent, or -1 with errno. */
long ctessera_loopback_send(int connection, const void *bytes, size_t count);

/**
 * Listen on a Unix socket in a directory, for this user only. Returns a descriptor, or -1 with errno.
 *
 * @param path the path of the directory.
 * @param folder a descriptor of the same directory.
 * @param name the file name of the socket, which must not exist.
 */
int ctessera_rendezvous_listen(const char *path, int folder, const char *name);

/** Connect to a Unix socket in a directory. Returns a descriptor, or -1 with errno; EAGAIN if the backlog is full. */
int ctessera_rendezvous_connect(const char *path, int folder, const char *name);

/** Return whether the peer of a connection has the same effective user ID, as reported by the kernel. */
bool ctessera_rendezvous_is_same_user(int connection);

/** Special results of ctessera_program_read(). */
enum {
  /** The program is running, or its end is not known because it was no longer watched. */
  CTESSERA_PROGRAM_RUNS = -1,
  /** There is nothing to read yet. */
  CTESSERA_PROGRAM_WAITS = -2,
};

/**
 * Start a program in a new session.
 *
 * It inherits no descriptors, no working directory and no signal dispositions. The host neither receives a SIGCHLD for
 * it nor has to wait() for it.
 *
 * @param path the file of the program.
 * @param arguments its arguments, starting with its name, NULL-terminated.
 * @param environment its environment, NULL-terminated.
 * @param status receives a descriptor for ctessera_program_read(), which is readable when there is a report. The caller
 *     owns it, and closes it with ctessera_program_close().
 * @param channel NULL to let the program run on after the status descriptor is closed. Otherwise it receives a
 *     non-blocking descriptor that is connected to the standard input and output of the program. Then the program and
 *     its process group are killed half a second after the status descriptor is closed or this process exits.
 * @return 0 or an errno value.
 */
int ctessera_program_start(
    const char *path, char *const *arguments, char *const *environment, int *status, int *channel);

/** Shut down and close a descriptor of a program. Copies of it in child processes are shut down as well. */
void ctessera_program_close(int descriptor);

/**
 * Read the result of a program: that of its first five seconds, or with a channel that of its whole run.
 *
 * @param problem receives an errno value if the program could not be started, or 0.
 * @return one of the constants above, or the exit status; 128 plus the signal number if a signal ended the program.
 */
int ctessera_program_read(int status, int *problem);

/** Get the file that contains this code: a shared library or the executable. Returns false if it is unknown. */
bool ctessera_own_file(char *path, size_t size);

#endif
