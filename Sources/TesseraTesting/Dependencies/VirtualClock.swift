// SPDX-License-Identifier: MIT
// A virtual clock for tests: waiting advances it, and no thread sleeps.

import Synchronization
package import TesseraEngine
import TesseraWire

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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

  /// Creates a clock with a start time, rounded down to seconds.
  public convenience init(startingAt date: Date) {
    let seconds = Int64(date.timeIntervalSince1970.rounded(.down))
    self.init(startingAt: Instant(secondsSince1970: seconds))
  }

  /// Creates a clock that starts in the first second of 2027.
  public convenience init() {
    self.init(startingAt: Instant(secondsSince1970: 1_798_761_600))
  }

  /// Creates a clock with a start time.
  package init(startingAt now: Instant) {
    startedAt = now
    state = Mutex(State(wallNanoseconds: 0))
  }

  /// The current time of the wall clock, in whole seconds.
  public var date: Date {
    Date(timeIntervalSince1970: Double(now.secondsSince1970))
  }

  /// The current time of the wall clock.
  package var now: Instant {
    state.withLock { startedAt.adding(seconds: $0.wallNanoseconds / 1_000_000_000) }
  }

  /// Advances the clock, and runs the scheduled actions of that period.
  ///
  /// Does nothing for a negative duration.
  public func advance(by duration: Duration) {
    let nanoseconds = duration.wholeNanoseconds
    guard nanoseconds > 0 else { return }
    advance(nanoseconds: UInt64(nanoseconds))
  }

  /// Advances the clock by seconds.
  package func advance(seconds: Int64) {
    advance(by: .seconds(seconds))
  }

  /// Shifts the wall clock, back if the duration is negative, like a user or a suspended machine.
  ///
  /// No time passes: only ``date`` changes.
  public func shiftWallClock(by duration: Duration) {
    shiftWallClock(seconds: duration.wholeSeconds)
  }

  /// Shifts the wall clock by seconds.
  package func shiftWallClock(seconds: Int64) {
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
  public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
    state.withLock { state in
      let delay = UInt64(max(delay.wholeNanoseconds, 0))
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
