// SPDX-License-Identifier: MIT
// Decides whether a cached response is still valid.

package import TesseraCache
package import TesseraWire

extension ClockReading {
  /// A time at which entries without time limits are valid.
  static let always = ClockReading(now: .distantPast, monotonicNanoseconds: 0)
}

/// The validity of a cached response: a store version and a time interval.
package struct ResponseValidity: Sendable {
  package let version: StoreVersion
  package let usableFrom: Instant
  package let usableUntil: Instant
  /// The end on the monotonic clock, so that setting back the wall clock does not revive an expired token.
  package let monotonicUntil: UInt64

  /// Creates the validity for a store version and a time interval.
  package init(
    _ version: StoreVersion, from usableFrom: Instant = .distantPast,
    until usableUntil: Instant = .distantFuture, monotonicUntil: UInt64 = .max
  ) {
    self.version = version
    self.usableFrom = usableFrom
    self.usableUntil = usableUntil
    self.monotonicUntil = monotonicUntil
  }

  /// Returns the validity for another store version, in which the records of the response are unchanged.
  func revalidated(_ version: StoreVersion) -> ResponseValidity {
    ResponseValidity(
      version, from: usableFrom, until: usableUntil, monotonicUntil: monotonicUntil)
  }

  /// Whether a time is within the interval.
  @inline(__always)
  func lasts(at time: ClockReading) -> Bool {
    usableFrom <= time.now && time.now < usableUntil && time.monotonicNanoseconds < monotonicUntil
  }

  /// Whether the interval has ended.
  func isOver(at time: ClockReading) -> Bool {
    time.now >= usableUntil || time.monotonicNanoseconds >= monotonicUntil
  }
}
