// SPDX-License-Identifier: MIT
// The port behind the asynchronous forms: the only threads that Tessera ever starts.

/// Runs blocking work for the asynchronous forms.
package protocol Workers: Sendable {
  /// Runs work on a thread of its own pool, never on the caller's.
  ///
  /// Work with the same name runs one after another, and what waits for its turn occupies no thread.
  ///
  /// - Parameter refuse: what happens instead where there is no thread and none can be started; it may not wait.
  func run(
    inTurnOf name: String, _ work: @escaping @Sendable () -> Void,
    orElse refuse: @escaping @Sendable () -> Void)
}
