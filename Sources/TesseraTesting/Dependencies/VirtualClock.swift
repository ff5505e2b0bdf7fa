// SPDX-License-Identifier: MIT
// A virtual clock for tests: waiting advances it, and no thread sleeps.

import Synchronization
package import TesseraEngine
public import TesseraWire

/// A clock that advances only when a thread waits for it or advances it.
public final class VirtualClock: Sendable {
  private struct State {
    var wallNanoseconds: Int64
    var monotonicNanoseconds: UInt64 = 1_000_000_000
    var boots = 0
    var events: [Event] = []

    /// Advances the time.
    ///
    /// It never goes back, even if another thread advanced it further.
    mutating func move(to end: UInt64) {
      guard end > monotonicNanoseconds else { return }
      let passed = Int64(clamping: end - monotonicNanoseconds)
      wallNanoseconds = wallNanoseconds.addingUnlessOverflow(passed)
      monotonicNanoseconds = end
    }
  }

  private struct Event {
    let at: UInt64
    let action: @Sendable () -> Void
  }

  private static let instanceCount = Atomic(0)

  private let number = VirtualClock.instanceCount.wrappingAdd(1, ordering: .relaxed).newValue
  private let startedAt: Instant
  private let state: Mutex<State>

  /// Creates a clock with a start time, by default the first second of 2027.
  public init(startingAt now: Instant = Instant(secondsSince1970: 1_798_761_600)) {
    startedAt = now
    state = Mutex(State(wallNanoseconds: 0))
  }

  /// The current time of the wall clock.
  public var now: Instant {
    state.withLock { startedAt.adding(seconds: $0.wallNanoseconds / 1_000_000_000) }
  }

  /// Advances the clock, and runs the scheduled actions of that period.
  public func advance(seconds: Int64) {
    guard seconds > 0 else { return }
    advance(nanoseconds: UInt64(seconds).saturatingMultiply(by: 1_000_000_000))
  }

  /// Shifts the wall clock by seconds, back if negative, like a user or a suspended machine.
  ///
  /// No time passes: only ``now`` changes.
  public func shiftWallClock(seconds: Int64) {
    let shift = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !shift.overflow else { return }
    state.withLock {
      $0.wallNanoseconds = $0.wallNanoseconds.addingUnlessOverflow(shift.partialValue)
    }
  }

  /// Simulates a reboot: the monotonic clock starts again, and earlier readings become invalid.
  ///
  /// No time passes. Scheduled actions are cancelled.
  public func restart() {
    state.withLock { state in
      state.boots &+= 1
      state.monotonicNanoseconds = 1_000_000_000
      state.events = []
    }
  }

  /// Schedules an action on the thread that advances the clock past its time.
  ///
  /// For example, a test can approve a device code or cancel a call while the tested code waits.
  public func schedule(afterSeconds seconds: Int64, _ action: @escaping @Sendable () -> Void) {
    state.withLock { state in
      let delay = UInt64(max(seconds, 0)).saturatingMultiply(by: 1_000_000_000)
      let at = state.monotonicNanoseconds.saturatingAdd(delay)
      let place = state.events.firstIndex { $0.at > at } ?? state.events.endIndex
      state.events.insert(Event(at: at, action: action), at: place)
    }
  }
}

extension VirtualClock: TimeSource {
  package var boot: String? {
    "\(number)-\(state.withLock { $0.boots })"
  }

  package var monotonicNanoseconds: UInt64 {
    state.withLock { $0.monotonicNanoseconds }
  }

  package func wait(nanoseconds: UInt64, within limits: CallLimits) throws(TesseraError) {
    try limits.check(self)
    let left = limits.nanosecondsLeft(self) ?? .max
    advance(nanoseconds: min(nanoseconds, left)) { limits.cancellation?.isCancelled == true }
    if limits.cancellation?.isCancelled == true { throw .cancelled() }
    if left < nanoseconds { throw .deadlineExceeded() }
  }

  /// Advances the clock from event to event, up to a time or until it is stopped.
  private func advance(nanoseconds: UInt64, stopping isStopped: () -> Bool = { false }) {
    let end = monotonicNanoseconds.saturatingAdd(nanoseconds)
    while let action = nextAction(until: end) {
      // Call it without the lock, because the action may read the clock.
      action()
      if isStopped() { return }
    }
    state.withLock { $0.move(to: end) }
  }

  private func nextAction(until end: UInt64) -> (@Sendable () -> Void)? {
    let event: Event? = state.withLock { state in
      guard let event = state.events.first, event.at <= end else { return nil }
      state.events.removeFirst()
      state.move(to: event.at)
      return event
    }
    return event?.action
  }
}

extension UInt64 {
  fileprivate func saturatingMultiply(by factor: UInt64) -> UInt64 {
    let product = multipliedReportingOverflow(by: factor)
    return product.overflow ? .max : product.partialValue
  }

  fileprivate func saturatingAdd(_ other: UInt64) -> UInt64 {
    let sum = addingReportingOverflow(other)
    return sum.overflow ? .max : sum.partialValue
  }
}

extension Int64 {
  fileprivate func addingUnlessOverflow(_ other: Int64) -> Int64 {
    let sum = addingReportingOverflow(other)
    return sum.overflow ? self : sum.partialValue
  }
}
