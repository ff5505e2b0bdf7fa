// SPDX-License-Identifier: MIT
// A thread-safe list of observations, in order.

import TesseraEngine
import TesseraPlatform

/// A list that any thread can append to.
final class Recorder<Element: Sendable>: Sendable {
  // ThreadSanitizer does not support waiting for a `Mutex`.
  private let list = SpinLock<[Element]>([])

  /// The elements so far.
  var elements: [Element] { list.withLock { $0 } }

  func add(_ element: Element) {
    list.withLock { $0.append(element) }
  }

  /// Waits for a number of elements; false after a minute.
  func waitFor(_ count: Int) -> Bool {
    eventually { elements.count >= count }
  }
}

/// Waits for a condition; false after a minute.
func eventually(_ condition: () -> Bool) -> Bool {
  let time = SystemTime()
  let end = time.monotonicNanoseconds + 60_000_000_000
  while !condition() {
    guard time.monotonicNanoseconds < end else { return false }
    try? time.wait(nanoseconds: 2_000_000, within: .none)
  }
  return true
}

/// Measures the duration of a call in milliseconds, and returns it with the thrown error.
func timed(_ body: () throws -> Void) -> (milliseconds: Double, error: TesseraError?) {
  let begin = SystemTime().monotonicNanoseconds
  var failure: TesseraError?
  do { try body() } catch { failure = error as? TesseraError }
  return (Double(SystemTime().monotonicNanoseconds - begin) / 1e6, failure)
}
