// SPDX-License-Identifier: MIT
// Until when a call over the bus may take: the limits of the caller, and a patience with who answers.

import TesseraEngine

/// The limits of calls over one connection.
struct BusLimits {
  private let call: CallLimits
  private let time: any TimeSource
  /// When patience ends, by the monotonic clock.
  private let endBy: UInt64

  /// The limits of a call, and when who answers has had enough time.
  init(_ call: CallLimits, _ time: any TimeSource, endBy: UInt64 = .max) {
    self.call = call
    self.time = time
    self.endBy = endBy
  }

  /// Throws when it has to end now.
  func check() throws(BusFailure) {
    do throws(TesseraError) {
      try call.check(time)
    } catch {
      throw .ended(error)
    }
    if time.monotonicNanoseconds >= endBy { throw .timeout }
  }

  /// How long there is nothing to check, in whole milliseconds, rounded up.
  var millisecondsLeft: Int32 {
    let now = time.monotonicNanoseconds
    let left = min(endBy > now ? endBy - now : 0, call.nanosecondsLeft(time) ?? .max)
    return Int32(clamping: left / 1_000_000 + 1)
  }
}
