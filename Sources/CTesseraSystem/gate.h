/* SPDX-License-Identifier: MIT */
/* The gate before libcurl: shut when the program ends, once the last thread has come out. */
#ifndef CTESSERA_GATE_H
#define CTESSERA_GATE_H

#include <stdbool.h>

/** Come in. Returns false once the program is ending: what libcurl stands on is being freed. */
bool ctessera_gate_enter(void);

/** Go out, for whom it has let in. */
void ctessera_gate_leave(void);

/** Whether no thread of this process is inside. */
bool ctessera_gate_is_empty(void);

/** Shut the gate for good, and wait, five seconds at most, for who is inside: an exit handler. */
void ctessera_gate_shut(void);

#endif
