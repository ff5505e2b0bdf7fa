// SPDX-License-Identifier: MIT
// When an answer that was given before may be given again.

package import TesseraCache
package import TesseraWire

/// What the clocks say at one moment, for answers that are judged at every call.
package struct ClockReading: Sendable {
  /// The wall clock.
  package let now: Instant
  /// The clock that never goes back.
  package let monotonicNanoseconds: UInt64

  package init(now: Instant, monotonicNanoseconds: UInt64) {
    self.now = now
    self.monotonicNanoseconds = monotonicNanoseconds
  }

  /// The moment at which answers are true that do not depend on the time.
  static let always = ClockReading(now: .distantPast, monotonicNanoseconds: 0)
}

extension TimeSource {
  /// What the clocks say now.
  package var reading: ClockReading {
    ClockReading(now: now, monotonicNanoseconds: monotonicNanoseconds)
  }
}

/// Until when, and for which state of the store, an answer is true.
package struct AnswerTruth: Sendable {
  package let version: StoreVersion
  package let usableFrom: Instant
  package let usableUntil: Instant
  /// The end on the monotonic clock, so that a wall clock that was set back does not revive a token.
  package let monotonicUntil: UInt64

  /// The truth of an answer: for a state of the store and a span of time.
  package init(
    _ version: StoreVersion, from usableFrom: Instant = .distantPast,
    until usableUntil: Instant = .distantFuture, monotonicUntil: UInt64 = .max
  ) {
    self.version = version
    self.usableFrom = usableFrom
    self.usableUntil = usableUntil
    self.monotonicUntil = monotonicUntil
  }

  /// The same for another state of the store, which has what the answer was made of as well.
  func renewed(_ version: StoreVersion) -> AnswerTruth {
    AnswerTruth(
      version, from: usableFrom, until: usableUntil, monotonicUntil: monotonicUntil)
  }

  /// Whether the time is right.
  @inline(__always)
  func lasts(at time: ClockReading) -> Bool {
    usableFrom <= time.now && time.now < usableUntil && time.monotonicNanoseconds < monotonicUntil
  }

  /// Whether the time is over.
  func isOver(at time: ClockReading) -> Bool {
    time.now >= usableUntil || time.monotonicNanoseconds >= monotonicUntil
  }
}
