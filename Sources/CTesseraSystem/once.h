/* SPDX-License-Identifier: MIT */
/* Initialization of globals in the shared library. The Swift runtime's, which it replaces, can deadlock after fork(). */
#ifndef CTESSERA_ONCE_H
#define CTESSERA_ONCE_H

#include <stdatomic.h>
#include <stdint.h>

/** The lock of a global: swift::threading_impl::once_t of 64-bit Linux. Initially zero. */
typedef struct {
  /** Negative once the global is initialized, otherwise 0. The runtime and compiled code check only this value. */
  _Atomic(int32_t) flag;
  /** The ID of the process whose thread holds the lock, or 0. The sign bit is set while other threads wait. */
  _Atomic(int32_t) holder;
} ctessera_once;

/**
 * Initialize a global once; other threads wait. If a thread of the parent was initializing a global during a fork(),
 * the child initializes it again, because its state is unknown.
 *
 * The linker option --wrap uses this symbol name to replace swift::threading_impl::once_slow of the runtime; see
 * scripts/build-release. Without that option, this function is not used.
 */
void ctessera_make_once(ctessera_once *once, void (*make)(void *context), void *context)
    __asm__("__wrap__ZN5swift14threading_impl9once_slowERNS0_6once_tEPFvPvES3_");

#endif
