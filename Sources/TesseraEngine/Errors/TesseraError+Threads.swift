// SPDX-License-Identifier: MIT
// The error for a process that cannot start a thread.

extension TesseraError {
  /// The error for an asynchronous call without a thread.
  package static var tooManyThreads: TesseraError {
    TesseraError(
      .retryLater, .tooManyThreads,
      "The process cannot start another thread (ulimit -u, or a limit of its container): end threads, raise the limit, or "
        + "use a blocking call.")
  }
}
