// SPDX-License-Identifier: MIT
// The time limits of D-Bus calls: those of the caller, and a timeout for the service.

package import TesseraEngine

/// The time limits of calls over one connection.
package struct BusLimits {
  private let call: CallLimits
  private let time: any TimeSource
  /// The deadline for the service, on the monotonic clock in nanoseconds.
  private let endBy: UInt64

  /// Creates limits from those of the caller and a deadline for the service.
  package init(_ call: CallLimits, _ time: any TimeSource, endBy: UInt64 = .max) {
    self.call = call
    self.time = time
    self.endBy = endBy
  }

  /// Throws `ended` at the limits of the caller, and `timeout` at the deadline for the service.
  package func check() throws(BusFailure) {
    do throws(TesseraError) {
      try call.check(time)
    } catch {
      throw .ended(error)
    }
    if time.monotonicNanoseconds >= endBy { throw .timeout }
  }

  /// The time until the earliest limit, in whole milliseconds, rounded up.
  var millisecondsLeft: Int32 {
    let now = time.monotonicNanoseconds
    let left = min(endBy > now ? endBy - now : 0, call.nanosecondsLeft(time) ?? .max)
    return Int32(clamping: left / 1_000_000 + 1)
  }
}
