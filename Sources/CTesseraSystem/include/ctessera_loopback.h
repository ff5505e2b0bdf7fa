/* SPDX-License-Identifier: MIT */
/* Sockets of this machine alone that never block, are not inherited and send no signal; and programs that are opened. */
#ifndef CTESSERA_LOOPBACK_H
#define CTESSERA_LOOPBACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Listen on a port of the loopback interface: 127.0.0.1, or ::1 for IPv6. Returns a descriptor or -1 with errno.
 *
 * @param port the port; 0 for one that the system chooses, which is then written there.
 */
int ctessera_loopback_listen(bool is_ipv6, uint16_t *port);

/** The next connection of a listener. Returns a descriptor or -1 with errno. */
int ctessera_loopback_accept(int listener);

/** Send bytes. Returns how many, or -1 with errno. */
long ctessera_loopback_send(int connection, const void *bytes, size_t count);

/**
 * Listen at a socket in a directory, for this user alone. Returns a descriptor or -1 with errno.
 *
 * @param path the directory.
 * @param folder the same directory, open.
 * @param name the socket's name, which must not be there.
 */
int ctessera_meeting_listen(const char *path, int folder, const char *name);

/** Connect to a socket in a directory. Returns a descriptor or -1 with errno; EAGAIN when too many others wait there. */
int ctessera_meeting_connect(const char *path, int folder, const char *name);

/** Whether the other end of a connection belongs to the same effective user, as the kernel tells. */
bool ctessera_meeting_is_own(int connection);

/** What ctessera_program_read answers. */
enum {
  /** It runs, or has ended and nobody looked any more. */
  CTESSERA_PROGRAM_RUNS = -1,
  /** There is nothing to read yet. */
  CTESSERA_PROGRAM_WAITS = -2,
};

/**
 * Start a program in a session of its own, with nothing of this process but its environment: no descriptors, no
 * directory, no dispositions of signals. The host never sees it, neither by a signal nor by wait().
 *
 * @param path the program's file.
 * @param arguments its arguments, with its name, ending with NULL.
 * @param environment its environment, ending with NULL.
 * @param status receives a descriptor for ctessera_program_read, which tells by being readable that there is something
 *     to read. It belongs to the caller, who gives it up with ctessera_program_leave.
 * @param channel NULL for a program that is left to itself, which is what becomes of it when the status is given up. Else it
 *     receives a descriptor that never blocks, at whose other end the program has its standard input and output; the
 *     program is ended half a second after the status is given up, or this process ends, with whatever it has started.
 * @return 0 or an errno value.
 */
int ctessera_program_start(
    const char *path, char *const *arguments, char *const *environment, int *status, int *channel);

/** Give up a descriptor of a program: nobody listens to it any more, in no copy of this process either. */
void ctessera_program_leave(int descriptor);

/**
 * What became of a program in its first five seconds, or, with a channel, at any time.
 *
 * @param problem receives an errno value if the program could not be started, else 0.
 * @return one of the words above; else the status with which it ended, 128 and more for a signal.
 */
int ctessera_program_read(int status, int *problem);

/** The file from which this code was loaded: a shared library, or the program itself. Returns whether that is known. */
bool ctessera_own_file(char *path, size_t size);

#endif
