// SPDX-License-Identifier: MIT
// What a call ends with that needs a thread, in a process that may start none.

extension TesseraError {
  /// There is no thread for a call that does not block.
  package static var noThreadLeft: TesseraError {
    TesseraError(
      .retryLater, .tooManyThreads,
      "The process may start no more threads (ulimit -u, or a limit of its container): end some, or make a call that "
        + "blocks.")
  }
}
