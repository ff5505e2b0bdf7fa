/* SPDX-License-Identifier: MIT */
/* What the shared library makes its globals with, in place of the Swift runtime: fork() cannot make it wait for ever. */
#ifndef CTESSERA_ONCE_H
#define CTESSERA_ONCE_H

#include <stdatomic.h>
#include <stdint.h>

/** What lies beside each global: swift::threading_impl::once_t of 64-bit Linux. All zero until somebody comes. */
typedef struct {
  /** 0 until the global is made; the runtime and the compiler's code look at nothing else once it is below zero. */
  _Atomic(int32_t) flag;
  /** The process of the thread that makes it, below zero as well while others wait for it; 0 for none. */
  _Atomic(int32_t) maker;
} ctessera_once;

/**
 * Make a global unless it is made; whoever comes meanwhile waits. A global that a thread of the parent was making at a
 * fork() is made again in the child: nobody knows how far it had come.
 *
 * Its name for the linker is the one by which the linker option --wrap puts it in the place of the runtime's
 * swift::threading_impl::once_slow, see scripts/build-release; where nobody says so, it is not used.
 */
void ctessera_make_once(ctessera_once *once, void (*make)(void *context), void *context)
    __asm__("__wrap__ZN5swift14threading_impl9once_slowERNS0_6once_tEPFvPvES3_");

#endif
