// SPDX-License-Identifier: MIT
// Until when a source of keys may take: the limits of the call, and a patience of its own.

import TesseraEngine

/// The limits of one question to one source.
struct KeyLimits {
  /// Milliseconds that a source has.
  static let patience: Int64 = 3_000

  /// The limits of the call, which another thread may end.
  let call: CallLimits
  private let time: any TimeSource
  private let endBy: UInt64

  /// The limits of a look that begins now.
  init(_ call: CallLimits, _ time: any TimeSource) {
    self.call = call
    self.time = time
    endBy = time.monotonicNanoseconds.adding(UInt64(KeyLimits.patience) * 1_000_000)
  }

  /// Throws when it has to end now.
  func check() throws(KeyFailure) {
    do throws(BusFailure) {
      try bus.check()
    } catch {
      throw KeyFailure(error)
    }
  }

  /// The same for calls over the bus.
  var bus: BusLimits { BusLimits(call, time, endBy: endBy) }
}
