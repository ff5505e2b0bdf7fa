// SPDX-License-Identifier: MIT
// Sources that have just let the time pass: nobody waits for them twice.

import TesseraEngine

/// The sources that did not answer a moment ago, which are left alone for a minute.
final class SilentSources: Sendable {
  /// How long, in nanoseconds.
  private static let silence: UInt64 = 60_000_000_000

  private let time: any TimeSource
  /// Until when, by the monotonic clock.
  private let until = SpinLock([KeySource: UInt64]())

  /// No source yet.
  init(_ time: any TimeSource) {
    self.time = time
  }

  /// Asks a source, unless it has just let the time pass.
  func asking<Value>(
    _ source: KeySource, _ body: () throws(KeyFailure) -> Value
  ) throws(KeyFailure) -> Value {
    let now = time.monotonicNanoseconds
    guard until.withLock({ $0[source] ?? 0 }) <= now else {
      throw .refused(.timeout, "it did not answer a moment ago, and is left alone for a minute")
    }
    do throws(KeyFailure) {
      return try body()
    } catch {
      if case .refused(.timeout, _) = error {
        let end = time.monotonicNanoseconds.adding(SilentSources.silence)
        until.withLock { $0[source] = end }
      }
      throw error
    }
  }
}
