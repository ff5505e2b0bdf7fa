/* SPDX-License-Identifier: MIT */
/** @file silence.h An unresponsive server, and applications that send requests to it. */
#ifndef SILENCE_H
#define SILENCE_H

#include <tessera.h>

/** Creates a server that accepts connections (in the kernel) and never responds. Returns its socket and its port. */
int silent_server(int *port);

/** Creates an application for an authority at a local port, with an in-memory store. */
tessera_application *application_at(int port);

/** Does the same for a host, which gets a log of that level. */
tessera_application *application_of(int port, const tessera_host *host, int log_level);

#endif /* SILENCE_H */
