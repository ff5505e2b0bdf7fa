// SPDX-License-Identifier: MIT
// The error for a process that cannot start a thread.

extension TesseraError {
  /// The error for an asynchronous call without a thread.
  package static var tooManyThreads: TesseraError {
    TesseraError(
      .retryLater, .tooManyThreads,
      "The process may start no more threads (ulimit -u, or a limit of its container): end some, or make a call that "
        + "blocks.")
  }
}
