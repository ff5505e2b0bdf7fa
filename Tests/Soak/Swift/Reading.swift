// SPDX-License-Identifier: MIT
// The observations of a reader: the latest result, since when, and the durations of reads.

/// The result of a call, with the times of its begin and its end.
struct CallResult: Sendable {
  let start: UInt64
  let end: UInt64
  let text: String

  /// The output line.
  var line: String { "\(start) \(end) \(text)" }
}

/// The observations of a reader.
struct Reading {
  private var text = ""
  private var firstEnd: UInt64 = 0
  private var lastStart: UInt64 = 0
  private var counts: [Int: Int] = [:]
  private var longest: UInt64 = 0

  /// Records one read.
  ///
  /// Prints the previous result when the result changes.
  mutating func note(_ answer: CallResult) {
    let duration = answer.end - answer.start
    counts[Reading.bucket(duration), default: 0] += 1
    longest = max(longest, duration)
    if answer.text != text {
      printLatest()
      text = answer.text
      firstEnd = answer.end
    }
    lastStart = answer.start
  }

  /// Prints the last result, and the durations of the reads.
  func finish() {
    printLatest()
    let buckets = counts.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
    printLine("times \(longest) \(buckets.joined(separator: " "))")
  }

  private func printLatest() {
    if !text.isEmpty { printLine("\(firstEnd) \(lastStart) \(text)") }
  }

  /// Returns one of sixteen buckets for each power of two.
  private static func bucket(_ nanoseconds: UInt64) -> Int {
    let bits = UInt64.bitWidth - nanoseconds.leadingZeroBitCount
    return bits < 5 ? Int(nanoseconds) : bits << 4 | Int(nanoseconds >> (bits - 5) & 15)
  }
}
