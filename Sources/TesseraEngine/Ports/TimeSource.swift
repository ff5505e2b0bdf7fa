// SPDX-License-Identifier: MIT
// The port through which time passes.

package import TesseraWire

/// Tells the time, and waits.
package protocol TimeSource: Sendable {
  /// The wall clock, which people and suspended machines may set wrong.
  var now: Instant { get }

  /// Nanoseconds on a clock that never goes back; only differences mean something.
  var monotonicNanoseconds: UInt64 { get }

  /// Waits on the calling thread, at most until the limits are reached.
  func wait(nanoseconds: UInt64, within limits: CallLimits) throws(TesseraError)
}
