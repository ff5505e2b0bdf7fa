// SPDX-License-Identifier: MIT
// The port behind the asynchronous forms: the only threads that Tessera ever starts.

/// Runs blocking work for the asynchronous forms.
package protocol Workers: Sendable {
  /// Runs work on a thread of its own pool, never on the caller's.
  ///
  /// Work with the same name runs one after another, and what waits for its turn occupies no thread.
  func run(inTurnOf name: String, _ work: @escaping @Sendable () -> Void)
}
