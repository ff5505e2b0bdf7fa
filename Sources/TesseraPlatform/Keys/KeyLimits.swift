// SPDX-License-Identifier: MIT
// The time limits of a key source: those of the call, and a timeout per source.

import TesseraEngine

/// The time limits of one request to one source.
struct KeyLimits {
  /// The timeout of a source, in milliseconds.
  static let timeoutMilliseconds: Int64 = 3_000

  /// The limits of the call, which another thread may cancel.
  let call: CallLimits
  private let time: any TimeSource
  private let endBy: UInt64

  /// Creates limits for a request that starts now.
  init(_ call: CallLimits, _ time: any TimeSource) {
    self.call = call
    self.time = time
    endBy = time.monotonicNanoseconds.adding(UInt64(KeyLimits.timeoutMilliseconds) * 1_000_000)
  }

  /// Throws `ended` at the limits of the call, and `timeout` when the timeout of the source has passed.
  func check() throws(KeyFailure) {
    do throws(BusFailure) {
      try bus.check()
    } catch {
      throw KeyFailure(error)
    }
  }

  /// The same limits for D-Bus calls.
  var bus: BusLimits { BusLimits(call, time, endBy: endBy) }
}
