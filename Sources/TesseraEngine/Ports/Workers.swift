// SPDX-License-Identifier: MIT
// The port to the thread pool of the asynchronous calls. Tessera starts no other threads.

/// Runs blocking work for the asynchronous calls.
package protocol Workers: Sendable {
  /// Runs work on a thread of the pool, never on the calling thread.
  ///
  /// Work with the same serial key runs one after another. Queued work occupies no thread.
  ///
  /// - Parameters:
  ///   - name: The serial key.
  ///   - refuse: Called instead if there is no thread and none can be started. It must not block.
  func run(
    serialKey name: String, _ work: @escaping @Sendable () -> Void,
    orElse refuse: @escaping @Sendable () -> Void)
}
