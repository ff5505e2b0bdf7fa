// SPDX-License-Identifier: MIT
// Measures calls in batches of 250 µs: the clock's cost is negligible, and an interruption affects one batch only.

import CLibrary

/// Measures calls for a given time.
struct Stopwatch {
  /// The duration of a measurement.
  let seconds: Double

  /// The monotonic time in nanoseconds.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Returns the median of the batches, in nanoseconds per call.
  func medianNanoseconds(_ call: () throws -> Void) rethrows -> Double {
    var calls = 1
    while try batch(calls, call) < 250_000 { calls *= 2 }
    let end = Stopwatch.now + UInt64(seconds * 1e9)
    var batches: [Double] = []
    repeat {
      batches.append(Double(try batch(calls, call)) / Double(calls))
    } while Stopwatch.now < end
    return batches.sorted()[batches.count / 2]
  }

  /// Returns the 99th percentile of the calls, in nanoseconds.
  func slowestNanoseconds(_ call: () throws -> Void) rethrows -> Double {
    let end = Stopwatch.now + UInt64(seconds * 1e9)
    var times: [Double] = []
    repeat { times.append(Double(try batch(1, call))) } while Stopwatch.now < end
    return Stopwatch.percentile99(times)
  }

  /// Returns the median.
  static func median(_ times: [Double]) -> Double {
    times.isEmpty ? .nan : times.sorted()[times.count / 2]
  }

  /// Returns the 99th percentile.
  static func percentile99(_ times: [Double]) -> Double {
    times.isEmpty ? .nan : times.sorted()[times.count * 99 / 100]
  }

  private func batch(_ calls: Int, _ call: () throws -> Void) rethrows -> UInt64 {
    let start = Stopwatch.now
    for _ in 0..<calls { try call() }
    return Stopwatch.now - start
  }
}
