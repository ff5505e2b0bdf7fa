// SPDX-License-Identifier: MIT
// What several threads of a test saw, in order.

import TesseraEngine
import TesseraPlatform

/// A list to which any thread adds.
final class Recorder<Element: Sendable>: Sendable {
  // ThreadSanitizer does not know a `Mutex` that is waited for.
  private let list = SpinLock<[Element]>([])

  /// What was added so far.
  var elements: [Element] { list.withLock { $0 } }

  func add(_ element: Element) {
    list.withLock { $0.append(element) }
  }

  /// Waits until there are so many elements; false if they do not come within a minute.
  func waitFor(_ count: Int) -> Bool {
    eventually { elements.count >= count }
  }
}

/// Waits until something holds; false if it does not within a minute.
func eventually(_ condition: () -> Bool) -> Bool {
  let time = SystemTime()
  let end = time.monotonicNanoseconds + 60_000_000_000
  while !condition() {
    guard time.monotonicNanoseconds < end else { return false }
    try? time.wait(nanoseconds: 2_000_000, within: .none)
  }
  return true
}

/// The milliseconds that something took, and the error with which it ended.
func timed(_ body: () throws -> Void) -> (milliseconds: Double, error: TesseraError?) {
  let begin = SystemTime().monotonicNanoseconds
  var failure: TesseraError?
  do { try body() } catch { failure = error as? TesseraError }
  return (Double(SystemTime().monotonicNanoseconds - begin) / 1e6, failure)
}
