/* SPDX-License-Identifier: MIT */
/** @file silence.h A server that never says a word, and applications that ask it. */
#ifndef SILENCE_H
#define SILENCE_H

#include <tessera.h>

/** A server that accepts connections (the kernel does) and never says a word: its socket, and the port. */
int silent_server(int *port);

/** An application of an authority at a port of this machine, with a store in memory. */
tessera_application *application_at(int port);

/** The same of a host, which gets a log of that level. */
tessera_application *application_of(int port, const tessera_host *host, int log_level);

#endif /* SILENCE_H */
